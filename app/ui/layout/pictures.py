"""Plain data that tables make and widgets draw."""

from dataclasses import dataclass

from app.ui.layout.faces import Face


@dataclass(frozen=True, slots=True)
class Pips:
    """Small marks for a count, such as tricks taken of those called.

    filled   how many are filled
    total    how many there are; more than `total` may be filled
    """

    filled: int
    total: int = 0


@dataclass(frozen=True, slots=True)
class SeatPicture:
    """A player at the table: the name plate, and the cards face up or as backs.

    title    name and agent
    note     the last bid or call, or what there is to say about the player
    brief    the note in fewer characters, for a crowded table
    active   whether it is this player's turn
    out      whether the player is out of the match
    dealer   whether the player has the dealer's button
    tricks   taken tricks, of those called if there are calls
    lives    None in games without lives
    sign     a small picture of who plays: a person, a learner, or a program
    """

    title: str
    cards: tuple[Face, ...] = ()
    backs: int = 0
    note: str = ""
    active: bool = False
    brief: str = ""
    out: bool = False
    dealer: bool = False
    tricks: Pips | None = None
    lives: int | None = None
    sign: str = ""


@dataclass(frozen=True, slots=True)
class Laid:
    """A card in the middle of the table, or without a face an empty place for one.

    place    bottom, left, top or right, like the seat; around-1 and so on, clockwise, at a larger
             table; centre; or row, in the given order
    bright   whether the card takes the trick
    struck   whether the card counts for nothing
    fresh    whether it was the last card played
    trump    whether it is a trump, or another card of special power
    label    a word about the card, such as `left bower`
    back     whether it lies face down, as a deck does; the face then says how many cards it has
    """

    place: str
    face: Face | None
    caption: str = ""
    bright: bool = False
    struck: bool = False
    fresh: bool = False
    trump: bool = False
    label: str = ""
    back: bool = False


@dataclass(frozen=True, slots=True)
class Badge:
    """What holds for the whole hand, next to the trick: trump, muestra, power card.

    title    `trump`
    sign     a large sign, in the given style
    words    `hearts`
    face     a card that is shown in place of the sign
    """

    title: str
    words: str = ""
    sign: str = ""
    style: str = ""
    face: Face | None = None


@dataclass(frozen=True, slots=True)
class Tally:
    """The score of a side as players keep it.

    score    as a number
    target   the score that wins; 0 if there is none
    kind     pegs (in fives), sticks (Truco's matches, malas above buenas), or none
    """

    name: str
    score: int
    target: int = 0
    kind: str = ""


@dataclass(frozen=True, slots=True)
class HeldCard:
    """A card of the hand at the bottom.

    action   the action that choosing it takes, if any
    marks    whether choosing it only marks it, to take several cards together
    trump    whether it is a trump, or another card of special power
    label    a word about the card, such as `left bower`
    back     whether its player may not see it
    """

    card: int
    face: Face
    action: int | None = None
    marks: bool = False
    trump: bool = False
    label: str = ""
    back: bool = False

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
