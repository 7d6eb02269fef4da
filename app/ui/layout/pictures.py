"""Plain data that tables make and widgets draw."""

from dataclasses import dataclass

from app.ui.layout.faces import Face


@dataclass(frozen=True, slots=True)
class SeatPicture:
    """A player across the table: cards face up or their backs, and what they said.

    brief   the note in few characters, for a crowded table
    out     no longer in the match
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
    """A card on the table, or (without a face) the place where one will lie.

    place    bottom, left, top or right as the seat is; centre; or row, in the given order
    struck   the card lies there but counts for nothing
    """

    place: str
    face: Face | None
    caption: str = ""
    bright: bool = False
    struck: bool = False


@dataclass(frozen=True, slots=True)
class HeldCard:
    """A card of the hand at the bottom.

    action   what choosing it does, None if nothing
    marks    choosing it only marks it: several are taken together
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
    """A choice that is no card: an action of the game or a command of the screen.

    key      the id of the binding that picks it; without one it has a number
    digit    the digit in its text that picks it in place of a number
    barred   why it cannot be chosen though it stands there; empty if it can
    """

    text: str
    action: int | None = None
    command: str = ""
    key: str = ""
    digit: int | None = None
    barred: str = ""
