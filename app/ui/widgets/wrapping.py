"""Fits text into a width: on lines of similar length, or cut off."""

import re

from textual.content import Content

_PAUSES = (re.compile(r"(?<=[.?!]) "), re.compile(r"(?<=[,;:]) "))
"""Gaps between sentences, then gaps between parts of a sentence."""

_SHORTEST_SHARE = 0.3
"""The shorter of two lines has at least this share of the longer one's length."""


def evenly(content: Content, width: int) -> list[Content]:
    """The text on as few lines as possible, all of similar length."""
    room = max(1, width)
    lines = content.wrap(room) or [content]
    if len(lines) > 1:
        narrower = range(max(1, len(content) // len(lines)), room)
        tried = (content.wrap(less) for less in narrower)
        lines = next((found for found in tried if len(found) == len(lines)), lines)
    return [line.rstrip() for line in lines]


def by_sentence(text: str, width: int) -> list[str]:
    """The text on two lines broken between sentences or clauses if that fits, otherwise evenly."""
    lines = [line.plain for line in evenly(Content(text), width)]
    if len(lines) != 2:
        return lines
    for pause, share in zip(_PAUSES, (0.0, _SHORTEST_SHARE), strict=True):
        pairs = [(text[: gap.start()], text[gap.end() :]) for gap in pause.finditer(text)]
        sizes = [sorted(map(len, pair)) for pair in pairs]
        fitting = [
            (longer, pair)
            for (shorter, longer), pair in zip(sizes, pairs, strict=True)
            if longer <= width and shorter >= share * longer
        ]
        if fitting:
            return list(min(fitting)[1])
    return lines


def cut(text: str, room: int) -> str:
    """The text, ending in an ellipsis if it is too long."""
    return text if len(text) <= room else f"{text[: max(0, room - 1)]}…"
