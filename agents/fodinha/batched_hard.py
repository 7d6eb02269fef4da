"""The choices of `hard` in many deals at once, with numpy.

The last axis of all arrays here is the deal, so that numpy's inner loops are long.
"""

from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from agents.fodinha.deals import GONE, TOP, Deals, Ints
from agents.fodinha.rules import COMB, DONE_YIELDS, STRENGTHS
from agents.search.batches import IMPOSSIBLE
from engine.games.fodinha import RANKS

Floats = NDArray[np.float32]

EQUALS: Final = 4
"""Cards of one rank."""
CHOOSE: Final = np.array(COMB, np.float32).T.copy()
"""The number of ways by the number of cards drawn and the number of cards."""

ABSENT, STANDS, VOID = range(3)
CANCELS: Final = {
    False: np.array([[1, 0, 1], [0, 1, 1], [1, 1, 1], [1, 1, 1], [1, 1, 1]], np.float32),
    True: np.array([[1, 0, 1], [0, 1, 0], [1, 0, 1], [0, 1, 0], [1, 0, 1]], np.float32),
}
"""Whether equal cards cancel in pairs: for the number of further cards of a rank and its state in
the trick, 1 if then no card of the rank stands."""
AFTER_ONE_MORE: Final = {
    False: np.array([STANDS, VOID, VOID]),
    True: np.array([STANDS, ABSENT, VOID]),
}
"""The state of a rank after one more card of it."""


class Chances:
    """The chances of cards in a trick against cards drawn from the unseen ones.

    terms   by rank and number of cards drawn of it: the number of ways if then none of them stands,
            else 0
    above   by strength and number of cards drawn: in how many ways that many cards can be drawn
            from the strengths not below it so that none of them stands
    below   for each strength the number of lower unseen cards
    """

    def __init__(self, unseen: Ints, most: int, pairs: bool, states: Ints | None = None) -> None:
        """
        unseen   by strength
        most     of the cards drawn
        states   of each rank in the trick; None for a new trick
        """
        self.unseen = unseen
        self.most = most
        self.pairs = pairs
        self.states = np.zeros((RANKS, unseen.shape[1]), np.int64) if states is None else states
        self.cards = unseen.sum(axis=0)
        self.below = unseen.cumsum(axis=0) - unseen
        self.deals = np.arange(unseen.shape[1])
        self.terms = [
            CHOOSE[drawn][unseen[:RANKS]] * CANCELS[pairs][drawn][self.states]
            for drawn in range(min(EQUALS, most) + 1)
        ]
        self.possible = [terms.any(axis=1).tolist() for terms in self.terms]
        self.above = np.zeros((STRENGTHS + 1, most + 1, unseen.shape[1]), np.float32)
        self.above[RANKS:, 0] = 1.0
        for rank in range(RANKS - 1, -1, -1):
            self._extend(self.above[rank + 1], rank, self.above[rank])

    def _extend(self, ways: Floats, rank: int, extended: Floats) -> None:
        """The ways by the number of cards drawn, extended by one more rank."""
        for drawn, terms in enumerate(self.terms):
            if self.possible[drawn][rank]:
                extended[drawn:] += ways[: self.most + 1 - drawn] * terms[rank]

    def won(self, cards: Ints, drawn: Sequence[int]) -> list[Floats]:
        """For each number of cards drawn the chance of each of the cards to win against them."""
        most = max(drawn)
        above = [self.above[cards + 1, high, self.deals] for high in range(most + 1)]
        below = self.below[cards, self.deals]
        lower = [CHOOSE[low][below] for low in range(most + 1)]
        won = []
        for count in drawn:
            ways = above[0] * lower[count]
            for high in range(1, count + 1):
                ways += above[high] * lower[count - high]
            won.append(ways / CHOOSE[count][self.cards])
        return won

    def cancelled(self, drawn: int) -> Floats:
        """The chance that none of that many cards stands."""
        return np.asarray(self.above[0, drawn] / np.maximum(CHOOSE[drawn][self.cards], 1.0))

    def cancelled_after(self, cards: Ints, drawn: int) -> Floats:
        """For each of the cards the chance that no card stands if it is played and that many cards
        follow. For power cards the result is meaningless."""
        under = np.zeros((RANKS + 1, self.most + 1, len(self.deals)), np.float32)
        under[0, 0] = 1.0
        for rank in range(RANKS):
            self._extend(under[rank], rank, under[rank + 1])
        ranks = np.minimum(np.maximum(cards, 0), RANKS - 1)
        states = AFTER_ONE_MORE[self.pairs][self.states[ranks, self.deals]]
        unseen = self.unseen[ranks, self.deals]
        total = np.zeros(cards.shape, np.float32)
        for own in range(min(EQUALS, drawn) + 1):
            others = np.zeros(cards.shape, np.float32)
            for high in range(drawn - own + 1):
                above = self.above[ranks + 1, high, self.deals]
                others += above * under[ranks, drawn - own - high, self.deals]
            total += others * CHOOSE[own][unseen] * CANCELS[self.pairs][own][states]
        return np.asarray(total / CHOOSE[drawn][self.cards])


def best_moves(deals: Deals) -> Ints:
    """The move of `hard` in each deal."""
    if deals.held == 1 and not deals.calling:
        return np.asarray(deals.hand().max(axis=1))
    moves, scores = scored_moves(deals)
    return np.asarray(moves[scores.argmax(axis=0), deals.rows])


def play_out(deals: Deals) -> None:
    """Let `hard` play all seats to the end of the round."""
    while not deals.over:
        deals.apply(best_moves(deals))


def scored_moves(deals: Deals) -> tuple[Ints, Floats]:
    """The moves of the player to act and their scores by `hard`: minus the expected loss of lives
    in this round. Both have a row for each move."""
    hand = np.ascontiguousarray(deals.hand().T)
    unseen = np.ascontiguousarray(deals.in_play.T)
    for card in hand:
        unseen[card, deals.rows] -= card != GONE
    new_trick = Chances(unseen, deals.players, deals.pairs)
    if deals.calling:
        return _scored_calls(deals, hand, new_trick)
    return hand, _scored_cards(deals, hand, unseen, new_trick)


def _scored_calls(deals: Deals, hand: Ints, new_trick: Chances) -> tuple[Ints, Floats]:
    (won,) = new_trick.won(hand, [deals.players - 1])
    spread = _spread(_later(new_trick, hand, won, deals.players))
    calls = np.arange(deals.cards + 1)[:, None]
    scores = -np.abs(calls - calls.T) @ spread
    moves = np.broadcast_to(calls, scores.shape)
    return moves, np.where(moves == deals.barred(), IMPOSSIBLE, scores)


def _later(new_trick: Chances, hand: Ints, won: Floats, players: int) -> Floats:
    """The expected wins of each card in a later trick, including carried ones."""
    held = hand != GONE
    mean = (won * held).sum(axis=0) / held.sum(axis=0, dtype=np.float32)
    with_carried = np.minimum(won + new_trick.cancelled(players) * mean, 1.0)
    return np.asarray(np.where(hand < RANKS, with_carried, won) * held)


def _scored_cards(deals: Deals, hand: Ints, unseen: Ints, new_trick: Chances) -> Floats:
    held = hand != GONE
    others = deals.players - 1
    needs = np.ascontiguousarray((deals.calls - deals.wins).T)
    need = needs[deals.turn(), deals.rows]

    # Players who have all their wins are assumed to leave later tricks to others.
    rivals = (needs > 0).sum(axis=0) - (need > 0)
    *contested, won = new_trick.won(hand, range(others + 1))
    few = np.choose(rivals, [*contested, won])
    later = _later(new_trick, hand, won + DONE_YIELDS * (few - won), deals.players)

    to_come = others - deals.in_trick
    trick = _trick(deals, unseen, to_come) if deals.in_trick else new_trick
    now = _wins_now(deals, trick, hand, to_come)
    mean = later.sum(axis=0) / held.sum(axis=0, dtype=np.float32)
    cancelled = np.where(deals.standing >> RANKS > 0, 0.0, trick.cancelled_after(hand, to_come))
    now += np.where(hand < RANKS, mean * cancelled, 0.0)
    needed = [need.astype(np.float32), (need - 1 - deals.carry).astype(np.float32)]
    after_loss, after_win = _misses(later, needed)
    scores = -now * after_win - (1.0 - now) * after_loss
    return np.where(held, scores, IMPOSSIBLE)


def _trick(deals: Deals, unseen: Ints, to_come: int) -> Chances:
    """The chances in the trick so far, against the cards to come."""
    ranks = np.arange(RANKS)[:, None]
    states = STANDS * (deals.standing >> ranks & 1) + VOID * (deals.void >> ranks & 1)
    return Chances(unseen, to_come, deals.pairs, states)


def _wins_now(deals: Deals, trick: Chances, hand: Ints, to_come: int) -> Floats:
    """The chance of each card to win the trick."""
    taken = (deals.standing | deals.void) >> np.maximum(hand, 0) & 1
    highest = TOP[deals.standing]
    beaten = (highest >= RANKS) & (highest > hand)
    return np.where((taken == 1) | beaten, 0.0, trick.won(hand, [to_come])[0])


def _spread(chances: Floats) -> Floats:
    """The probability of each number of wins."""
    cards, size = chances.shape
    spread = np.zeros((cards + 1, size), np.float32)
    spread[0] = 1.0
    for card, chance in enumerate(chances):
        moved = spread[: card + 1] * chance
        spread[: card + 1] -= moved
        spread[1 : card + 2] += moved
    return spread


def _misses(chances: Floats, needs: list[Floats]) -> list[Floats]:
    """For each number of needed wins: the expected miss with all cards but one, by this card.

    The spread without a card undoes one step of `_spread`, from the end at which the divisor is
    large.
    """
    spread = _spread(chances)
    unlikely = chances < 0.5
    divisor = np.where(unlikely, 1.0 - chances, chances)
    factor = np.where(unlikely, chances, 1.0 - chances) / divisor
    part = np.zeros(chances.shape, np.float32)
    misses = [np.zeros(chances.shape, np.float32) for _ in needs]
    cards = len(chances)
    for step in range(cards):
        part = np.where(unlikely, spread[step], spread[cards - step]) / divisor - part * factor
        wins = np.where(unlikely, np.float32(step), np.float32(cards - 1 - step))
        for miss, need in zip(misses, needs, strict=True):
            miss += part * np.abs(need - wins)
    return misses
