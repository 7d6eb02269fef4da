"""What a learner of Euchre asks about cards and seats, by look-up."""

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
    TRUMP_TABLES,
)

# Cards

# Tricks that a card may be expected to take, as a trump and as a plain card.
_TRUMP_WORTH: Final = {0: 0.35, 1: 0.4, 2: 0.5, 3: 0.6, 4: 0.8, 5: 0.95, 6: 1.0}
_PLAIN_WORTH: Final = {0: 0.0, 1: 0.0, 2: 0.02, 3: 0.05, 4: 0.15, 5: 0.5}


def _strengths(trump: int) -> list[int]:
    """For each card its strength in a trick of its own suit."""
    tables = TRUMP_TABLES[trump]
    return [tables.strength[suit][card] for card, suit in enumerate(tables.suit_of)]


def _worths(trump: int) -> list[float]:
    suit_of = TRUMP_TABLES[trump].suit_of
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
MATES: Final = tuple([[each.follow[suit] for suit in each.suit_of] for each in TRUMP_TABLES])
"""For each trump suit and card all cards of its suit."""
WORTH: Final = tuple([_worths(trump) for trump in range(4)])
"""For each trump suit and card the tricks that it may be expected to take."""
HIGHER: Final = tuple([_higher(trump) for trump in range(4)])
"""For each trump suit and card the cards of the same suit that beat it."""

# What a hand promises. Its tricks hang on how many cards it has of each worth, on trumps and on
# suits that it lacks. These counts are digits of one number, the code of the hand, and as they
# add up, so do the codes of its four suits.
_DIGIT: Final = 4
_EACH_WORTH: Final = sorted({worth for worths in WORTH for worth in worths if worth})
_LACKING: Final = 1 << _DIGIT * len(_EACH_WORTH)
_TRUMP: Final = _LACKING << _DIGIT


def _code(trump: int, suit: int, cards: int) -> int:
    """Of the cards with the signs of one suit, the lowest in the last bit."""
    tables = TRUMP_TABLES[trump]
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
"""For each trump suit, suit and holding in that suit the code."""


def holdings(cards: int) -> tuple[int, int, int, int]:
    """The cards of each suit, where they are found in HOLDINGS."""
    return cards & 63, cards >> 6 & 63, cards >> 12 & 63, cards >> 18


@lru_cache(maxsize=8192)
def tricks_in(code: int) -> float:
    """The tricks that five cards may be expected to take; the best five if there are more."""
    worths: list[float] = []
    for number, worth in enumerate(_EACH_WORTH):
        worths += [worth] * (code >> _DIGIT * number & 15)
    tricks = sum(worths[-TRICKS:])
    if code >= _TRUMP:
        tricks += 0.15 * (code // _LACKING & 15)
    return tricks


# Orders of cards. A key holds from its last bits up: the card, room for the length of the card's
# suit in the hand, the value, and room for the length where that counts more than the value.
_CARD: Final = 31
_VALUE: Final = 1 << 8
LENGTH_LAST: Final = 1 << 5
LENGTH_FIRST: Final = 1 << 16

BY_STRENGTH: Final = tuple(
    [[_VALUE * value + card for card, value in enumerate(STRENGTH[trump])] for trump in range(4)]
)
"""For each trump suit the keys of the cards by their strength."""
BY_WORTH: Final = tuple(
    [
        [
            _VALUE * (STRENGTH[trump][card] if suit == trump else round(100 * WORTH[trump][card]))
            + card
            for card, suit in enumerate(TRUMP_TABLES[trump].suit_of)
        ]
        for trump in range(4)
    ]
)
"""For each trump suit the keys of the cards by what they are worth, trumps last."""


def in_order(
    cards: Sequence[int], hand: int, trump: int, keys: Sequence[int], length: int
) -> Sequence[int]:
    """Cards by their keys.

    length   what each card of the same suit in the hand adds to a key
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
    """The table as one seat sees it.

    side     the number of the seat's side
    who_is   who each seat is to this one
    behind   who of those that play after this seat matters most (0: nobody is left), by who
             sits out and by how many cards lie on the table; NOBODY's stands last
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
    """Opponents matter more than the partner."""
    seats = len(who_is)
    next_seat = NEXT_SEAT[seats, sits_out]
    each, behind = seat, [0]
    for _ in range(seats - 1 - (sits_out != NOBODY)):
        each = next_seat[each]
        behind.append(max(behind[-1], who_is[each]))
    return behind[::-1]


PLACES: Final = {players: _places(sides) for players, sides in SIDES.items()}
"""For three and for four players each seat's place."""
