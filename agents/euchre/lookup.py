"""Lookups about cards and seats for the learners of Euchre."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from engine.cards import cards_in
from engine.games.euchre import (
    CARDS,
    NEXT_SEAT,
    NOBODY,
    RANKS,
    SIDES,
    TRICKS,
    TRUMP_LOOKUPS,
)

# Cards

# Expected tricks of a card, as a trump and as a plain card, by its rank.
_TRUMP_WORTH: Final = {0: 0.35, 1: 0.4, 2: 0.5, 3: 0.6, 4: 0.8, 5: 0.95, 6: 1.0}
_PLAIN_WORTH: Final = {0: 0.0, 1: 0.0, 2: 0.02, 3: 0.05, 4: 0.15, 5: 0.5}


def _strengths(trump: int) -> list[int]:
    """For each card its strength in a trick of its own suit."""
    tables = TRUMP_LOOKUPS[trump]
    return [tables.strength[suit][card] for card, suit in enumerate(tables.suit_of)]


def _worths(trump: int) -> list[float]:
    suit_of = TRUMP_LOOKUPS[trump].suit_of
    return [
        _TRUMP_WORTH[strength - 100] if suit_of[card] == trump else _PLAIN_WORTH[strength - 1]
        for card, strength in enumerate(STRENGTH[trump])
    ]


def _higher(trump: int) -> list[int]:
    strengths, mates = STRENGTH[trump], MATES[trump]
    return [
        sum([1 << other for other in cards_in(mates[card]) if strengths[other] > strengths[card]])
        for card in range(CARDS)
    ]


STRENGTH: Final = tuple([_strengths(trump) for trump in range(4)])
"""For each trump suit and card its strength among the cards of its suit."""
MATES: Final = tuple([[each.follow[suit] for suit in each.suit_of] for each in TRUMP_LOOKUPS])
"""For each trump suit and card all cards of its suit."""
WORTH: Final = tuple([_worths(trump) for trump in range(4)])
"""For each trump suit and card its expected tricks."""
HIGHER: Final = tuple([_higher(trump) for trump in range(4)])
"""For each trump suit and card the cards of the same suit that beat it."""

# The expected tricks of a hand depend on the number of cards of each worth, on the number of
# trumps and on missing suits. These counts are the digits of one number, the code of the hand.
# The code of a hand is the sum of the codes of its four suits.
_DIGIT: Final = 4
_EACH_WORTH: Final = sorted({worth for worths in WORTH for worth in worths if worth})
_LACKING: Final = 1 << _DIGIT * len(_EACH_WORTH)
_TRUMP: Final = _LACKING << _DIGIT


def _code(trump: int, suit: int, cards: int) -> int:
    """The code of a holding in one printed suit; the lowest card is bit 0."""
    tables = TRUMP_LOOKUPS[trump]
    held = [suit * RANKS + rank for rank in cards_in(cards)]
    worths = [WORTH[trump][card] for card in held if WORTH[trump][card]]
    code = sum([1 << _DIGIT * _EACH_WORTH.index(worth) for worth in worths])
    code += sum([_TRUMP for card in held if tables.suit_of[card] == trump])
    if suit != trump and not any(tables.suit_of[card] == suit for card in held):
        code += _LACKING
    return code


HOLDINGS: Final = tuple(
    [
        [[_code(trump, suit, cards) for cards in range(1 << RANKS)] for suit in range(4)]
        for trump in range(4)
    ]
)
"""For each trump suit, suit and holding in that suit: its code."""


def holdings(cards: int) -> tuple[int, int, int, int]:
    """The holding in each suit, as an index for HOLDINGS."""
    return cards & 63, cards >> 6 & 63, cards >> 12 & 63, cards >> 18


@lru_cache(maxsize=8192)
def tricks_in(code: int) -> float:
    """The expected tricks of the best five cards."""
    worths: list[float] = []
    for number, worth in enumerate(_EACH_WORTH):
        worths += [worth] * (code >> _DIGIT * number & 15)
    tricks = sum(worths[-TRICKS:])
    if code >= _TRUMP:
        tricks += 0.15 * (code // _LACKING & 15)
    return tricks


# Sorting cards. A key consists of these bits, lowest first: the card, the length of its suit in the
# hand (LENGTH_LAST), the value, and the length if it counts more than the value (LENGTH_FIRST).
_CARD: Final = 31
_VALUE: Final = 1 << 8
LENGTH_LAST: Final = 1 << 5
LENGTH_FIRST: Final = 1 << 16

BY_STRENGTH: Final = tuple(
    [[_VALUE * value + card for card, value in enumerate(STRENGTH[trump])] for trump in range(4)]
)
"""For each trump suit: the keys that sort cards by strength."""
BY_WORTH: Final = tuple(
    [
        [
            _VALUE * (STRENGTH[trump][card] if suit == trump else round(100 * WORTH[trump][card]))
            + card
            for card, suit in enumerate(TRUMP_LOOKUPS[trump].suit_of)
        ]
        for trump in range(4)
    ]
)
"""For each trump suit: the keys that sort cards by expected tricks, trumps last."""


def in_order(
    cards: Sequence[int], hand: int, trump: int, keys: Sequence[int], length: int
) -> Sequence[int]:
    """Cards sorted by their keys.

    length   LENGTH_FIRST or LENGTH_LAST, added for each card of the same suit in the hand
    """
    if len(cards) == 1:
        return cards
    mates = MATES[trump]
    ascending = [keys[card] + length * (hand & mates[card]).bit_count() for card in cards]
    ascending.sort()
    return [key & _CARD for key in ascending]


# Seats

ME, PARTNER, OPPONENT = range(3)


class Place(NamedTuple):
    """The other seats from the point of view of one seat.

    side     the number of the seat's side
    who_is   ME, PARTNER or OPPONENT for each seat
    behind   the most important player still to play after this seat: 0 for none, PARTNER or
             OPPONENT. Indexed by the seat that sits out (NOBODY is the last index) and by the
             number of cards in the trick
    """

    side: int
    who_is: list[int]
    behind: list[list[int]]


def _places(sides: Sequence[Sequence[int]]) -> list[Place]:
    side_of = {seat: number for number, side in enumerate(sides) for seat in side}
    seats = range(len(side_of))
    places = []
    for seat in seats:
        who_is = [PARTNER if side_of[other] == side_of[seat] else OPPONENT for other in seats]
        who_is[seat] = ME
        behind = [_behind(seat, sits_out, who_is) for sits_out in (*seats, NOBODY)]
        places.append(Place(side_of[seat], who_is, behind))
    return places


def _behind(seat: int, sits_out: int, who_is: Sequence[int]) -> list[int]:
    """One row of `Place.behind`. Opponents are more important than the partner."""
    seats = len(who_is)
    next_seat = NEXT_SEAT[seats, sits_out]
    each, behind = seat, [0]
    for _ in range(seats - 1 - (sits_out != NOBODY)):
        each = next_seat[each]
        behind.append(max(behind[-1], who_is[each]))
    return behind[::-1]


PLACES: Final = {players: _places(sides) for players, sides in SIDES.items()}
"""By the number of players: the place of each seat."""
