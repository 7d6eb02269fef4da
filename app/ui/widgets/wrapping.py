"""Making text fit: on lines of about the same length, so that no word is left alone, or cut."""

import re

from textual.content import Content

_PAUSES = (re.compile(r"(?<=[.?!]) "), re.compile(r"(?<=[,;:]) "))
"""Where one sentence ends and the next begins; where a part of one does."""

_SHORTEST_SHARE = 0.3
"""Of a part of a sentence that has a line of its own, measured by the other line."""


def evenly(content: Content, width: int) -> list[Content]:
    """On as few lines as will do, all of about the same length."""
    room = max(1, width)
    lines = content.wrap(room) or [content]
    if len(lines) > 1:
        narrower = range(max(1, len(content) // len(lines)), room)
        tried = (content.wrap(less) for less in narrower)
        lines = next((found for found in tried if len(found) == len(lines)), lines)
    return [line.rstrip() for line in lines]


def by_sentence(text: str, width: int) -> list[str]:
    """Broken where one pauses in reading, if two lines are enough for that, else evenly."""
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
    """Ends in an ellipsis where there is no room for all of it."""
    return text if len(text) <= room else f"{text[: max(0, room - 1)]}…"
