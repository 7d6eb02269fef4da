"""What the tables of Euchre and Smear share: a French pack with a trump suit."""

from collections.abc import Callable, Sequence

from textual.content import Content

from app.ui.layout.faces import SUIT_SIGNS, SUITS_BY_COLOUR, suit_words
from app.ui.layout.pictures import Badge
from engine.cards import SUIT_NAMES


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
