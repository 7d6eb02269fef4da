"""The faces of the cards: French and Spanish packs in four colours, Notty's in five.

Colours are variables such as `$ink-hearts`; `app.ui.suit_colours` sets them for the chosen deck.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from engine.suits import (
    FRENCH_SUITS,
    NOTTY_COLOUR_NAMES,
    NOTTY_COLOURS,
    SPANISH_SUIT_NAMES,
    SPANISH_SUITS,
    SUIT_NAMES,
)

if TYPE_CHECKING:
    from engine.cards import Pack

SUIT_SIGNS = ("♠", "♥", "♦", "♣")
SUIT_COLOURS = ("", "$ink-hearts", "$ink-diamonds", "$ink-clubs")
SUITS_BY_COLOUR = (0, 1, 3, 2)
"""The place of each suit in an order that alternates black and red."""
NOTTY_INKS = ("$ink-red", "$ink-green", "$ink-yellow", "$ink-blue", "")
SPANISH_SYMBOLS = ("◉", "⚱", "†", "╽")
"""A coin, a cup, a sword and a club."""
SPANISH_COLOURS = ("$ink-yellow", "$ink-red", "$ink-blue", "$ink-green")
_RANK_WORDS = {
    "2": "two", "3": "three", "4": "four", "5": "five", "6": "six", "7": "seven",
    "8": "eight", "9": "nine", "10": "ten", "J": "jack", "Q": "queen", "K": "king", "A": "ace",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Face:
    """What is printed on a card.

    code         as in the rules and in logs, such as `10H`
    rank         `10`
    sign         one character for the suit or colour
    colour       of rank and sign; empty for the colour of the text
    words        `ten of hearts`
    sign_first   whether the sign comes before the rank, as in `R5`
    symbol       what is drawn on the card in place of the sign; empty for the sign itself
    ground       the colour of the card as a variable without `$`; empty for paper
    """

    code: str
    rank: str
    sign: str
    colour: str
    words: str
    sign_first: bool = False
    symbol: str = ""
    ground: str = ""

    @property
    def hue(self) -> str:
        """The name of the ink on paper, such as `hearts`."""
        return self.colour.removeprefix("$ink-") or "black"

    @property
    def letter(self) -> str:
        """The suit or colour in ASCII."""
        return self.code.replace(self.rank, "", 1)

    @property
    def style(self) -> str:
        return f"bold {self.colour}".rstrip()

    def chip(self, ascii_only: bool) -> str:
        """The card in a few characters."""
        if ascii_only:
            return f"[{self.code}]"
        return f"{self.sign}{self.rank}" if self.sign_first else f"{self.rank}{self.sign}"


def french_face(code: str) -> Face:
    """The face of a card such as `10H`."""
    rank, suit = code[:-1], FRENCH_SUITS.index(code[-1])
    words = f"{_RANK_WORDS[rank]} of {SUIT_NAMES[suit]}"
    return Face(code, rank, SUIT_SIGNS[suit], SUIT_COLOURS[suit], words)


def spanish_face(code: str) -> Face:
    """The face of a card such as `12O`. The letter of the suit is its sign in texts."""
    number, suit = code[:-1], SPANISH_SUITS.index(code[-1])
    words = f"{number} of {SPANISH_SUIT_NAMES[suit]}"
    return Face(code, number, code[-1], SPANISH_COLOURS[suit], words, symbol=SPANISH_SYMBOLS[suit])


def notty_face(code: str) -> Face:
    """The face of a card such as `R5`. Black cards have the colour of the text."""
    colour, number = NOTTY_COLOURS.index(code[0]), code[1:]
    words = f"{NOTTY_COLOUR_NAMES[colour]} {number}"
    ground = f"notty-{NOTTY_COLOUR_NAMES[colour]}"
    return Face(code, number, code[0], NOTTY_INKS[colour], words, sign_first=True, ground=ground)


def faces_of(pack: "Pack") -> tuple[Face, ...]:
    """The faces of a French, Spanish or Notty pack; any other pack shows its codes."""
    return faces_with(pack.codes)


def faces_with(codes: Sequence[str]) -> tuple[Face, ...]:
    """The faces of the cards with these codes."""
    kinds = (
        (french_face, lambda code: code[:-1] in _RANK_WORDS and code[-1] in FRENCH_SUITS),
        (spanish_face, lambda code: code[:-1].isdecimal() and code[-1] in SPANISH_SUITS),
        (notty_face, lambda code: code[1:].isdecimal() and code[0] in NOTTY_COLOURS),
    )
    make = next((make for make, fits in kinds if all(map(fits, codes))), plain_face)
    return tuple([make(code) for code in codes])


def plain_face(code: str) -> Face:
    """The face of a card of an unknown kind: its code, the last character as the sign."""
    return Face(code, code[:-1], code[-1], "", code)


def suit_words(suit: int) -> tuple[str, str]:
    """`♥ hearts` and its style."""
    return f"{SUIT_SIGNS[suit]} {SUIT_NAMES[suit]}", f"bold {SUIT_COLOURS[suit]}".rstrip()


def one_of(suit: int) -> str:
    """`a heart`."""
    return f"a {SUIT_NAMES[suit].removesuffix('s')}"
