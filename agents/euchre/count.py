"""Expected tricks and points of a Euchre hand, by counting cards.

The numbers were fitted to the results of many played hands.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from agents.odds import beaten_by
from engine.cards import cards_in, mask_of
from engine.games.euchre import (
    ALL_CARDS,
    CALLING,
    CARDS,
    NEXT_SEAT,
    NOBODY,
    ORDERING,
    PACK,
    RANKS,
    SOLOIST,
    TRICKS,
    TRUMP_LOOKUPS,
    EuchreView,
)

SUITS: Final = range(4)
ACES: Final = mask_of([card for card in range(CARDS) if PACK.codes[card][0] == "A"])
KINGS: Final = mask_of([card for card in range(CARDS) if PACK.codes[card][0] == "K"])


BEATEN_BY: Final = [beaten_by(tables) for tables in TRUMP_LOOKUPS]
"""For each trump, led suit and card: the mask of the cards that beat it."""

KEPT_TRUMP: Final[tuple[float, ...]] = (0.88, 0.63, 0.5, 0.38, 0.33, 0.28, 0.22)
KEPT_PLAIN: Final[tuple[float, ...]] = (0.25, 0.16, 0.07, 0.04, 0.02, 0.01)
"""Later value of a card in tricks, by the number of higher cards of its suit still out."""


def higher_out(trump: int, card: int, unseen: int) -> int:
    """How many unseen cards rank above this one in its suit."""
    tables = TRUMP_LOOKUPS[trump]
    suit = tables.suit_of[card]
    return (BEATEN_BY[trump][suit][card] & tables.follow[suit] & unseen).bit_count()


def value_if_kept(trump: int, card: int, unseen: int) -> float:
    row = KEPT_TRUMP if TRUMP_LOOKUPS[trump].suit_of[card] == trump else KEPT_PLAIN
    return row[higher_out(trump, card, unseen)]


def maker_cards(view: EuchreView, alone: bool) -> int:
    """The cards from which this seat, as maker, would keep five."""
    hand = view.hand
    if view.phase == ORDERING and view.dealer == view.seat:
        hand |= 1 << view.up_card
    if view.seat == SOLOIST and not alone:
        hand |= view.dummy
    return hand


def unseen_cards(view: EuchreView) -> int:
    """Once trump is made: the cards that may be in another hand."""
    seen = view.hand | view.played | view.own_discards
    if not view.ordered_up:
        seen |= 1 << view.up_card
    if not view.dummy_taken:
        seen |= view.dummy
    return ALL_CARDS & ~seen


def own_side(view: EuchreView) -> tuple[int, ...]:
    return next(side for side in view.sides if view.seat in side)


@dataclass(frozen=True, slots=True)
class Count:
    """The tricks a maker expects: a sum over its cards.

    start         added once
    trumps        for a trump, by the number of higher trumps that may be out
    plain         for another card, by the number of higher cards of its suit
    void          for each missing suit and each trump to ruff it with, at most two
    partner_up    if the partner takes the up-card
    opponent_up   if an opponent takes the up-card
    """

    start: float
    trumps: tuple[float, ...]
    plain: tuple[float, ...]
    void: float
    partner_up: float
    opponent_up: float

    def cards(self, trump: int, cards: Iterable[int], unseen: int) -> float:
        suit_of = TRUMP_LOOKUPS[trump].suit_of
        tricks = 0.0
        for card in cards:
            row = self.trumps if suit_of[card] == trump else self.plain
            tricks += row[min(higher_out(trump, card, unseen), len(row) - 1)]
        return tricks


SOLOIST_SEAT: Final = "soloist"
PAIR_SEAT: Final = "pair"
FOUR_SEAT: Final = "four"

COUNTS: Final = {
    (SOLOIST_SEAT, False): Count(
        -1.23, (1.69, 1.32, 1.22, 1.12, 1.0), (0.49, 0.2, 0.13, 0.0), -0.13, 0.0, -0.26
    ),
    (SOLOIST_SEAT, True): Count(
        -0.16, (1.25, 0.86, 0.72, 0.59, 0.33), (0.32, 0.09, 0.04, 0.0), 0.11, 0.0, -0.23
    ),
    (PAIR_SEAT, False): Count(
        2.43, (0.63, 0.46, 0.36, 0.3, 0.23), (0.17, 0.05, 0.03, 0.0), 0.06, 0.54, -0.79
    ),
    (PAIR_SEAT, True): Count(
        0.29, (1.21, 1.06, 0.96, 0.8, 0.61), (0.41, 0.24, 0.12, 0.0), 0.01, 0.0, -0.63
    ),
    (FOUR_SEAT, False): Count(
        1.53, (0.86, 0.52, 0.4, 0.36, 0.33), (0.18, 0.05, 0.02, 0.0), 0.09, 0.69, -0.54
    ),
    (FOUR_SEAT, True): Count(
        -0.16, (1.35, 1.05, 0.77, 0.75, 0.66), (0.35, 0.16, 0.08, 0.0), 0.05, 0.1, -0.29
    ),
}
"""The count for a maker in each kind of seat, with a partner (False) and alone (True)."""

TRICKS_TO_POINTS: Final = {
    False: (
        (1.25, -1.8), (1.75, -1.5), (2.25, -0.9), (2.75, -0.1), (3.25, 0.55),
        (3.75, 1.05), (4.25, 1.35), (4.75, 1.6), (5.25, 1.8),
    ),
    True: (
        (1.25, -1.8), (1.75, -1.55), (2.25, -0.85), (2.75, -0.1), (3.25, 0.7),
        (3.75, 1.4), (4.25, 2.1), (4.75, 2.3), (5.25, 2.6),
    ),
}  # fmt: skip
"""Expected tricks and their average points, with a partner and alone."""

PASS_OF_THREE: Final = {
    ORDERING: (
        ((-1.3, 0.0), (-1.2, 0.45), (-0.9, 0.65)),
        ((-0.1, 0.86), (1.0, 0.0), (0.4, 0.7)),
        ((-0.25, 0.84), (-0.6, 1.2), (-1.1, 0.0)),
    ),
    CALLING: (
        ((0.0, 0.0), (-1.1, 0.0), (-1.35, 0.0)),
        ((0.85, 0.0), (0.0, 0.0), (0.9, 0.0)),
        ((-1.15, 0.0), (-1.15, 0.0), (0.0, 0.0)),
    ),
}
"""Points of a pass, by seat and dealer: a constant, and a share of the points of ordering up.

A pass costs most if the other side bids next, and least if the partner does. The dealer cannot
pass in the second round, so the values on that diagonal are not used.
"""

PASS_OF_FOUR: Final = {
    ORDERING: ((0.9, 0.85), (0.55, 0.33), (0.7, 0.66), (0.1, 0.0)),
    CALLING: ((0.1, 0.0), (0.1, 0.0), (0.1, 0.0)),
}
"""The same for four players, by the place counted from the dealer's left."""

MOST_OF_A_PASS: Final = 1.0
"""Upper limit of the points of a pass: a better hand must bid, because others may not make
its trump."""

USUAL_DUMMY: Final = 3.9
FEAR_OF_DUMMY: Final = 0.2
"""Points a pass loses for each trick that the dummy is better than usual, if the soloist bids
next."""


def kind_of_seat(view: EuchreView) -> str:
    if len(view.hand_sizes) == 4:
        return FOUR_SEAT
    return SOLOIST_SEAT if view.seat == SOLOIST else PAIR_SEAT


def expected_tricks(view: EuchreView, trump: int, alone: bool) -> float:
    """The tricks that this seat's side expects as maker."""
    count = COUNTS[kind_of_seat(view), alone]
    hand = maker_cards(view, alone)
    taken_up = view.phase == ORDERING or view.ordered_up
    seen = hand | view.dummy | view.own_discards
    if not taken_up:
        seen |= 1 << view.up_card
    unseen = ALL_CARDS & ~seen
    five = sorted(cards_in(hand), key=lambda card: value_if_kept(trump, card, unseen))[-TRICKS:]
    tricks = count.start + count.cards(trump, five, unseen)
    suits = [TRUMP_LOOKUPS[trump].suit_of[card] for card in five]
    tricks += count.void * (4 - len({*suits, trump})) * min(suits.count(trump), 2)
    if taken_up and view.dealer != view.seat:
        tricks += count.partner_up if view.dealer in own_side(view) else count.opponent_up
    return tricks


def expected_points(view: EuchreView, trump: int, alone: bool) -> float:
    tricks = expected_tricks(view, trump, alone)
    curve = TRICKS_TO_POINTS[alone]
    if tricks <= curve[0][0]:
        return curve[0][1]
    for (fewer, low), (more, high) in pairwise(curve):
        if tricks <= more:
            return low + (high - low) * (tricks - fewer) / (more - fewer)
    return curve[-1][1]


def points_as_maker(view: EuchreView, trump: int) -> float:
    return max(expected_points(view, trump, False), expected_points(view, trump, True))


def points_of_passing(view: EuchreView, ordering_up: float) -> float:
    if kind_of_seat(view) == FOUR_SEAT:
        base, share = PASS_OF_FOUR[view.phase][(view.seat - view.dealer - 1) % 4]
    else:
        base, share = PASS_OF_THREE[view.phase][view.seat][view.dealer]
        if NEXT_SEAT[3, NOBODY][view.seat] == SOLOIST:
            base -= FEAR_OF_DUMMY * (tricks_of_dummy(view) - USUAL_DUMMY)
    return min(base + share * ordering_up, MOST_OF_A_PASS)


def tricks_of_dummy(view: EuchreView) -> float:
    """The tricks that the dummy adds to the soloist's count, in its best suit."""
    count = COUNTS[SOLOIST_SEAT, False]
    unseen = ALL_CARDS & ~(view.hand | view.dummy)
    turned_down = view.up_card // RANKS if view.phase == CALLING else NOBODY
    return max(
        [
            count.cards(trump, cards_in(view.dummy), unseen)
            for trump in SUITS
            if trump != turned_down
        ]
    )
