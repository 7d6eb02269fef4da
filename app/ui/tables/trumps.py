"""What the tables of Euchre and Smear share: a French pack with a trump suit."""

from collections.abc import Callable, Sequence

from textual.content import Content

from app.ui.layout.faces import SUIT_SIGNS, SUITS_BY_COLOUR, suit_words
from app.ui.layout.pictures import Badge
from app.ui.tables.base import choice_key
from engine.cards import SUIT_NAMES

PASS_KEY = "table.pass"
SUIT_KEYS = tuple([f"table.{name}" for name in SUIT_NAMES])
BIDDING_KEYS = (
    choice_key("p", PASS_KEY, "Pass"),
    *[
        choice_key(name[0].upper(), key, name.capitalize())
        for name, key in zip(SUIT_NAMES, SUIT_KEYS, strict=True)
    ],
)
"""Keys of the auction. The suits have capital letters, since `h` and `s` have other uses."""


def trump_fact(trump: int) -> Content:
    """`trump ♥ hearts`, in the colour of the suit."""
    words, style = suit_words(trump)
    return Content.assemble("trump ", (words, style))


def trump_badge(trump: int) -> Badge:
    _, style = suit_words(trump)
    return Badge("trump", SUIT_NAMES[trump], SUIT_SIGNS[trump], style)


def trumps_first(
    cards: Sequence[int], trump: int, suit_of: Callable[[int], int], rank_of: Callable[[int], int]
) -> list[int]:
    """Trumps first, then suits in alternating colours, each from the highest card down."""

    def order(card: int) -> tuple[bool, int, int]:
        suit = suit_of(card)
        return suit != trump, SUITS_BY_COLOUR[suit], -rank_of(card)

    return sorted(cards, key=order)


def were_led(suit: int) -> str:
    """`Hearts were led`."""
    return f"{SUIT_NAMES[suit].capitalize()} were led"
