"""Short reminders for the side panel: the order of the cards and the points of a game.

They fit the narrowest panel; the whole rules are in the rules pages.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from textual.content import Content

from app.ui.layout.faces import Face

Line = Content | str
_KEY_WIDTH: Final = 10


@dataclass(frozen=True, slots=True)
class Reminder:
    """Some lines of at most 35 columns under a title."""

    title: str
    lines: Sequence[Line]


def reminder_text(reminders: Iterable[Reminder]) -> Content:
    """All reminders below each other."""
    parts = [
        Content.assemble((f"{each.title}\n", "bold $text-muted"), Content("\n").join(_lines(each)))
        for each in reminders
    ]
    return Content("\n\n").join(parts)


def _lines(reminder: Reminder) -> list[Content]:
    return [Content(line) if isinstance(line, str) else line for line in reminder.lines]


def row(key: str, words: Line) -> Content:
    """A line of two columns."""
    return Content.assemble(f"{key:<{_KEY_WIDTH}} ", words)


def card_chips(faces: Iterable[Face]) -> Content:
    """`J♥ J♦ A♥`, each in its colour."""
    return Content(" ").join([Content.styled(face.chip(False), face.style) for face in faces])
