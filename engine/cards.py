"""Packs of cards: numbers inside, codes such as `AS` or `10H` at the border."""

from collections.abc import Sequence
from typing import Final

from engine.suits import FRENCH_SUITS as FRENCH_SUITS
from engine.suits import NOTTY_COLOUR_NAMES as NOTTY_COLOUR_NAMES
from engine.suits import NOTTY_COLOURS as NOTTY_COLOURS
from engine.suits import SPANISH_SUIT_NAMES as SPANISH_SUIT_NAMES
from engine.suits import SPANISH_SUITS as SPANISH_SUITS
from engine.suits import SUIT_NAMES as SUIT_NAMES


class Pack:
    """The kinds of cards of a game, numbered suit by suit from the lowest rank.

    A kind may stand in the pack more than once (`copies`).
    """

    __slots__ = ("_numbers", "cards", "codes", "copies", "masks", "ranks", "suits")

    def __init__(self, codes: Sequence[str], suits: int, copies: int = 1) -> None:
        self.codes: tuple[str, ...] = tuple(codes)
        self.suits: int = suits
        self.ranks: int = len(codes) // suits
        self.copies: int = copies
        self.cards: list[int] = [card for card in range(len(codes)) for _ in range(copies)]
        self.masks: list[int] = [1 << card for card in range(len(codes))]
        self._numbers: dict[str, int] = {code: card for card, code in enumerate(codes)}

    def __len__(self) -> int:
        return len(self.codes) * self.copies

    def card(self, code: str) -> int:
        """The number of the card with that code."""
        card = self._numbers.get(code.strip().upper())
        if card is None:
            raise ValueError(
                f"{code!r} is not a card of this pack; cards are written like {self.codes[0]}."
            )
        return card

    def suit(self, card: int) -> int:
        return card // self.ranks

    def rank(self, card: int) -> int:
        return card % self.ranks

    def stack(self, codes: Sequence[str], shuffled: Sequence[int]) -> list[int]:
        """The pack with the given cards on top, the others below in shuffled order."""
        left = [self.copies] * len(self.codes)
        stacked = []
        for code in codes:
            card = self.card(code)
            if not left[card]:
                raise ValueError(f"{code} stands in the deck more often than the pack has it.")
            left[card] -= 1
            stacked.append(card)
        for card in shuffled:
            if left[card]:
                left[card] -= 1
                stacked.append(card)
        return stacked


def french(ranks: Sequence[str]) -> Pack:
    """A French pack with these ranks, lowest first."""
    return Pack([rank + suit for suit in FRENCH_SUITS for rank in ranks], 4)


def spanish() -> Pack:
    """The Spanish pack of forty: 1-7 and 10-12 of oro, copa, espada, basto."""
    numbers = (1, 2, 3, 4, 5, 6, 7, 10, 11, 12)
    return Pack([f"{number}{suit}" for suit in SPANISH_SUITS for number in numbers], 4)


def notty() -> Pack:
    """Notty's ninety: five colours, numbers 1 to 9, two of each."""
    codes = [f"{colour}{number}" for colour in NOTTY_COLOURS for number in range(1, 10)]
    return Pack(codes, 5, copies=2)


_CHUNK: Final = 12


def _lists_of_bits(offset: int) -> list[list[int]]:
    lists: list[list[int]] = [[]]
    for bit in range(_CHUNK):
        lists += [[*low, offset + bit] for low in lists]
    return lists


# The positions of the bits of every 12-bit number, counted from 0, 12, 24 and 36:
# a mask of cards becomes a sorted list by two to four look-ups.
BITS_0: Final = _lists_of_bits(0)
BITS_12: Final = _lists_of_bits(12)
BITS_24: Final = _lists_of_bits(24)
BITS_36: Final = _lists_of_bits(36)


def cards_in(mask: int) -> list[int]:
    """The numbers of the cards in a mask, ascending (packs of up to 48 kinds)."""
    if mask < 1 << 24:
        return BITS_0[mask & 4095] + BITS_12[mask >> 12]
    low, high = mask & 0xFFFFFF, mask >> 24
    return [*BITS_0[low & 4095], *BITS_12[low >> 12], *BITS_24[high & 4095], *BITS_36[high >> 12]]


def nth_card(mask: int, place: int) -> int:
    """The card at a place of `cards_in`, without the list."""
    half = mask & 0xFFFFFF
    before = half.bit_count()
    if place < before:
        cards = BITS_0[half & 4095]
        before = len(cards)
        return cards[place] if place < before else BITS_12[half >> 12][place - before]
    half = mask >> 24
    place -= before
    cards = BITS_24[half & 4095]
    before = len(cards)
    return cards[place] if place < before else BITS_36[half >> 12][place - before]


def mask_of(cards: Sequence[int]) -> int:
    """The mask of distinct cards."""
    mask = 0
    for card in cards:
        mask |= 1 << card
    return mask
