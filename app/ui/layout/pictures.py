"""Plain data that tables make and widgets draw."""

from dataclasses import dataclass

from app.ui.layout.faces import Face


@dataclass(frozen=True, slots=True)
class SeatPicture:
    """A player across the table: cards face up or as backs, and a note.

    brief   the note in fewer characters, for a crowded table
    out     whether the player is out of the match
    """

    title: str
    cards: tuple[Face, ...] = ()
    backs: int = 0
    note: str = ""
    active: bool = False
    brief: str = ""
    out: bool = False


@dataclass(frozen=True, slots=True)
class Laid:
    """A card in the middle of the table, or without a face an empty place for one.

    place    bottom, left, top or right, like the seat; centre; or row, in the given order
    struck   whether the card counts for nothing
    """

    place: str
    face: Face | None
    caption: str = ""
    bright: bool = False
    struck: bool = False


@dataclass(frozen=True, slots=True)
class HeldCard:
    """A card of the hand at the bottom.

    action   the action that choosing it takes, if any
    marks    whether choosing it only marks it, to take several cards together
    """

    card: int
    face: Face
    action: int | None = None
    marks: bool = False

    @property
    def offered(self) -> bool:
        return self.marks or self.action is not None


@dataclass(frozen=True, slots=True)
class Choice:
    """A choice beside the cards: an action of the game or a command of the screen.

    key      the id of the binding that picks it; without one it gets a number
    digit    the digit in its text that picks it in place of a number
    barred   why it is shown but cannot be chosen; empty if it can
    """

    text: str
    action: int | None = None
    command: str = ""
    key: str = ""
    digit: int | None = None
    barred: str = ""
