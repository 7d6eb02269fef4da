"""Making text fit: on lines of about the same length, so that no word is left alone, or cut."""

import re

from textual.content import Content

_SENTENCE_END = re.compile(r"(?<=[.?!]) ")


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
    """Broken between sentences where two lines are enough for that, else evenly."""
    lines = evenly(Content(text), width)
    if len(lines) == 2:
        pairs = [(text[: gap.start()], text[gap.end() :]) for gap in _SENTENCE_END.finditer(text)]
        fitting = [pair for pair in pairs if max(map(len, pair)) <= width]
        if fitting:
            return list(min(fitting, key=lambda pair: max(map(len, pair))))
    return [line.plain for line in lines]


def cut(text: str, room: int) -> str:
    """Ends in an ellipsis where there is no room for all of it."""
    return text if len(text) <= room else f"{text[: max(0, room - 1)]}…"
