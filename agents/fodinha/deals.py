"""Many deals of one round of Fodinha, played in parallel with numpy by the rules of the engine.

Each row of an array is a deal. All deals are at the same point of the round. They differ in the
cards, in the actions taken and so in the player to act. Cards are given by their strength, because
cards of one strength are equivalent. Players are numbered in the order of their calls: the first
leads, the last is the dealer.
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from agents.fodinha.rules import STRENGTHS
from agents.search.batches import Batch
from engine.games.fodinha import NO_CALL

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

GONE: Final = -1
"""In place of a card that has been played."""


class Deals(Batch):
    """Deals of one round, at any point after the power card was settled.

    hands     for each player the strengths in hand; GONE where a card was played in this trick
    in_play   for each strength the number of cards that were neither turned nor played
    called    the number of players who have called
    trick     the strengths in the trick; `in_trick` of them are set
    standing, void
              masks of the strengths in the trick that stand, and of those that are void
    """

    per_deal = (
        "hands", "in_play", "calls", "wins", "carry", "leader", "standing", "void", "trick",
    )  # fmt: skip

    def __init__(self, hands: Ints, in_play: Ints, pairs: bool) -> None:
        """hands: the dealt hands, one row for each deal.   in_play: the same for all deals."""
        self.size: int = hands.shape[0]
        self.players: int = hands.shape[1]
        self.cards: int = hands.shape[2]
        self.held = self.cards
        self.rows = np.arange(self.size)
        self.pairs = pairs
        self.hands = hands.copy()
        self.in_play = np.tile(in_play, (self.size, 1))
        self.calls = np.full((self.size, self.players), NO_CALL)
        self.called = 0
        self.wins = np.zeros((self.size, self.players), np.int64)
        self.carry = np.zeros(self.size, np.int64)
        self.leader = np.zeros(self.size, np.int64)
        self.in_trick = 0
        self._start_trick()

    def _start_trick(self) -> None:
        self.in_trick = 0
        self.trick = np.full((self.size, self.players), GONE)
        self.standing = np.zeros(self.size, np.int64)
        self.void = np.zeros(self.size, np.int64)

    @property
    def calling(self) -> bool:
        return self.called < self.players

    @property
    def over(self) -> bool:
        return not self.held

    def turn(self) -> Ints:
        """The player to act."""
        if self.calling:
            return np.full(self.size, self.called)
        return (self.leader + self.in_trick) % self.players

    def hand(self) -> Ints:
        """The hand of the player to act."""
        return np.asarray(self.hands[self.rows, self.turn()])

    def barred(self) -> Ints:
        """The call that the player to act may not make; NO_CALL if all are allowed."""
        if self.called < self.players - 1:
            return np.full(self.size, NO_CALL)
        left = self.cards - self.calls[:, :-1].sum(axis=1)
        return np.where(left < 0, NO_CALL, left)

    def apply(self, moves: Ints) -> None:
        """Make a call or play a card of a strength in each deal."""
        if self.calling:
            self.calls[:, self.called] = moves
            self.called += 1
        else:
            self._play(moves)

    def _play(self, strengths: Ints) -> None:
        rows, turn = self.rows, self.turn()
        place = (self.hands[rows, turn] == strengths[:, None]).argmax(axis=1)
        self.hands[rows, turn, place] = GONE
        self.in_play[rows, strengths] -= 1
        self.trick[:, self.in_trick] = strengths
        bits = np.left_shift(1, strengths)
        self.standing, self.void = stand_or_void(self.standing, self.void, bits, self.pairs)
        self.in_trick += 1
        if self.in_trick == self.players:
            self._end_trick()

    def _end_trick(self) -> None:
        rows, won = self.rows, self.standing > 0
        best = np.where(won, TOP[self.standing], GONE)
        # With pairs a third equal card stands alone, and it was the last one.
        latest = self.players - 1 - (self.trick == best[:, None])[:, ::-1].argmax(axis=1)
        winner = np.where(won, (self.leader + latest) % self.players, self.leader)
        self.wins[rows, winner] += np.where(won, 1 + self.carry, 0)
        self.carry = np.where(won, 0, self.carry + 1)
        self.leader = winner
        self.held -= 1
        self.hands = np.sort(self.hands, axis=2)[:, :, 1:]
        self._start_trick()

    def lost(self) -> Ints:
        """The lives that each player has lost after the round."""
        return np.abs(self.calls - self.wins)


def stand_or_void(standing: Ints, void: Ints, bits: Ints, pairs: bool) -> tuple[Ints, Ints]:
    """The masks of a trick after one more card, given as a bit."""
    if pairs:
        return standing ^ bits, void
    void = void | (standing & bits)
    return (standing | bits) & ~void, void


TOP: Final = np.array([mask.bit_length() - 1 for mask in range(1 << STRENGTHS)])
"""The highest strength in each mask."""
