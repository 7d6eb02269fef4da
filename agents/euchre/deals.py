"""The tricks of many possible hands of Euchre, played in parallel with numpy by the rules of the
engine.

Each row of an array is a deal. All deals are at the same point of the play. They differ in the
cards, in trump and the maker, in the seat to act and in the cards played.
"""

from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from agents.euchre.count import BEATEN_BY
from agents.search.batches import Batch
from engine.games.euchre import (
    CARDS,
    NEXT_SEAT,
    NOBODY,
    SIDE_OF,
    TRICKS,
    TRUMP_LOOKUPS,
    EuchreState,
)

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

BEATEN: Final = np.array(BEATEN_BY, np.int64)
"""For each trump, led suit and card: the cards that beat it."""
FOLLOW: Final = np.array([lookup.follow[:4] for lookup in TRUMP_LOOKUPS], np.int64)
"""For each trump and suit: the cards that follow it."""
SUIT_OF: Final = np.array([lookup.suit_of for lookup in TRUMP_LOOKUPS], np.int64)
"""For each trump and card: its suit."""
NEXT: Final = {
    seats: np.array([NEXT_SEAT[seats, out] for out in (*range(seats), NOBODY)], np.int64)
    for seats in (3, 4)
}
"""By the number of seats: the next seat, by the seat that sits out (NOBODY is the last row)."""
SIDES: Final = {seats: np.array(SIDE_OF[seats], np.int64) for seats in (3, 4)}

NO_CARD: Final = CARDS
"""Fills the rows of hands with fewer cards."""


def count(masks: Ints) -> Ints:
    """The number of cards in each mask."""
    return np.bitwise_count(masks).astype(np.int64)


class Deals(Batch):
    """Deals from the first card on, all with the same number of seats that play.

    hands      the cards in each hand
    laid       the cards that each seat has discarded
    shown      the cards out of play that all have seen: an up-card or a dummy not taken up
    up         the up-card as a mask if the dealer took it up, else 0
    dummy      the dummy's cards if the soloist took them up, else 0
    turn       the seat to act
    held       the cards in a hand before this trick
    in_trick   the number of cards in the trick
    """

    per_deal = (
        "hands", "laid", "shown", "up", "dummy", "trump", "maker", "sits_out", "turn", "led",
        "best", "winner", "played", "tricks", "voids",
    )  # fmt: skip

    def __init__(self, starts: Sequence[EuchreState]) -> None:
        """starts: states in which the first card is to be led."""
        first = starts[0]
        size, seats = len(starts), first.seats
        self.size = size
        self.rows = np.arange(size)
        self.seats = seats
        self.sides = SIDES[seats]
        self.next = NEXT[seats]
        self.dealer = first.dealer
        self.trick_size = first.trick_size
        self.held = TRICKS
        self.in_trick = 0
        self.hands = np.array([each.hands for each in starts], np.int64)
        self.laid = np.array([each.discards for each in starts], np.int64)
        facts = [
            (
                (0 if each.ordered_up else 1 << each.up_card)
                | (0 if each.dummy_taken else each.dummy),
                1 << each.up_card if each.ordered_up else 0,
                each.dummy if each.dummy_taken else 0,
                each.trump,
                each.maker,
                each.sits_out,
                each.turn,
            )
            for each in starts
        ]
        (
            self.shown, self.up, self.dummy, self.trump, self.maker, self.sits_out, self.turn
        ) = np.array(facts, np.int64).T.copy()  # fmt: skip
        self.led = np.zeros(size, np.int64)
        self.best = np.zeros(size, np.int64)
        self.winner = np.zeros(size, np.int64)
        self.played = np.zeros(size, np.int64)
        self.tricks = np.zeros((size, 2), np.int64)
        self.voids = np.zeros((size, seats), np.int64)

    @property
    def over(self) -> bool:
        return not self.held

    def apply(self, cards: Ints) -> None:
        """Play one card in each deal."""
        rows, turn = self.rows, self.turn
        bits = np.left_shift(1, cards)
        if self.in_trick:
            follow = FOLLOW[self.trump, self.led]
            self.voids[rows, turn] |= np.where(bits & follow, 0, follow)
            beats = (BEATEN[self.trump, self.led, self.best] & bits) != 0
            self.best = np.where(beats, cards, self.best)
            self.winner = np.where(beats, turn, self.winner)
        else:
            self.led, self.best, self.winner = SUIT_OF[self.trump, cards], cards, turn
        self.hands[rows, turn] ^= bits
        self.played = self.played | bits
        self.in_trick += 1
        if self.in_trick < self.trick_size:
            self.turn = self.next[self.sits_out, turn]
            return
        self.tricks[rows, self.sides[self.winner]] += 1
        self.turn = self.winner
        self.in_trick = 0
        self.held -= 1

    def hand(self) -> Ints:
        """The hand of the seat to act."""
        return np.asarray(self.hands[self.rows, self.turn])

    def legal(self) -> Ints:
        """The cards that the seat to act may play."""
        hand = self.hand()
        if not self.in_trick:
            return hand
        following = hand & FOLLOW[self.trump, self.led]
        return np.where(following != 0, following, hand)

    def cards(self) -> Ints:
        """The cards of the seat to act, in ascending order."""
        hand = self.hand()
        columns = []
        for _ in range(self.held):
            low = hand & -hand
            columns.append(count(low - 1))
            hand = hand ^ low
        return np.stack(columns, axis=1)
