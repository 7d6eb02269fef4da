"""Fits text into a width: on lines of similar length, or cut off."""

import re

from textual.content import Content

_PAUSES = (re.compile(r"(?<=[.?!]) "), re.compile(r"(?:(?<=[,;])|(?<=\w:)) "))
"""Gaps between sentences, then gaps between parts of a sentence."""

_SHORTEST_SHARE = 0.3
"""The shorter of two lines has at least this share of the longer one's length."""


_BLANK = "\ue000"
"""Stands for a blank where no line may end. Python counts a no-break space as a blank."""


_SHORT_PART = 30
"""Characters of a part between dots that is not broken."""


def wrapped(content: Content, width: int) -> list[Content]:
    """The text on lines of at most this width. A score such as `6 : 7` stays on one line, and so
    does a short part between dots. No line begins with such a dot."""
    parts = content.plain.replace(" : ", f"{_BLANK}:{_BLANK}").split(" · ")
    if len(parts) > 1:
        most = min(_SHORT_PART, width - 2)
        parts = [part.replace(" ", _BLANK) if len(part) <= most else part for part in parts]
    text = f"{_BLANK}· ".join(parts)
    if text == content.plain:
        return content.wrap(width) or [content]
    lines = Content(text, list(content.spans)).wrap(width)
    return [Content(line.plain.replace(_BLANK, " "), list(line.spans)) for line in lines]


def evenly(content: Content, width: int) -> list[Content]:
    """The text on as few lines as possible, all of similar length."""
    room = max(1, width)
    lines = wrapped(content, room)
    if len(lines) > 1:
        narrower = range(max(1, len(content) // len(lines)), room)
        tried = (wrapped(content, less) for less in narrower)
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
