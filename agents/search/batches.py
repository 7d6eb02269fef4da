"""Search in many possible deals at once, with numpy.

A game gives a batch of deals that fit what the seat knows, and a way to try moves in them.
"""

from collections.abc import Callable
from copy import copy
from math import sqrt
from random import Random
from typing import Any, ClassVar, Final, Generic, Self, TypeVar

import numpy as np
from numpy.typing import NDArray

from agents.search.agent import DROP, ROUND

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

FIRST_LOOK: Final = 6
"""After this fraction of the worlds (1/FIRST_LOOK), moves far behind are dropped."""

SPARSE: Final = 4
"""Half of the candidates are dropped if these times fewer would be as good."""

IMPOSSIBLE: Final = -1e9
"""The score of a move that cannot be chosen."""


class Batch:
    """Deals of one hand. Each row of its arrays is a deal.

    per_deal   the names of the attributes that differ from deal to deal
    """

    per_deal: ClassVar[tuple[str, ...]]
    size: int
    rows: Ints

    def pick(self, rows: Ints) -> Self:
        """A copy with these rows; a row may occur several times."""
        picked = copy(self)
        picked.size = len(rows)
        picked.rows = np.arange(len(rows))
        for name in self.per_deal:
            setattr(picked, name, getattr(self, name)[rows])
        return picked


Deals = TypeVar("Deals", bound=Batch)


class Comparison(Generic[Deals]):
    """Moves tried in the same worlds.

    moves    those that are not far behind the best
    worths   their values: a row for each world, a column for each move
    scores   the mean value of every move
    """

    def __init__(
        self, worlds: Deals, moves: list[int], attempt: Callable[[Deals, list[int]], Floats]
    ) -> None:
        """attempt: the value of each move in each world."""
        look = min(worlds.size, max(ROUND, worlds.size // FIRST_LOOK))
        worths = attempt(worlds.pick(worlds.rows[:look]), moves)
        self.scores = dict(zip(moves, worths.mean(axis=0).tolist(), strict=True))
        running = promising(worths)
        self.worths = worths[:, running]
        self.moves = [moves[column] for column in running]
        if len(running) > 1 and look < worlds.size:
            more = attempt(worlds.pick(worlds.rows[look:]), self.moves)
            self.worths = np.concatenate([self.worths, more])
            means = self.worths.mean(axis=0).tolist()
            self.scores.update(zip(self.moves, means, strict=True))

    def choice(self, usual: int, caution: float) -> int:
        """The best move, or the usual one unless it is behind by that many standard errors."""
        best = int(self.worths.mean(axis=0).argmax())
        if usual in self.moves:
            place = self.moves.index(usual)
            if not behind(self.worths, place, best, caution):
                return usual
        return self.moves[best]


def behind(worths: Floats, move: int, best: int, errors: float) -> bool:
    """True if a move is behind the best by more than this many standard errors, comparing them
    world by world."""
    difference = worths[:, best] - worths[:, move]
    return bool(difference.mean() > errors * difference.std() / sqrt(len(difference)))


def promising(worths: Floats) -> list[int]:
    """The moves that are not far behind the best."""
    best = int(worths.mean(axis=0).argmax())
    return [move for move in range(worths.shape[1]) if not behind(worths, move, best, DROP)]


class Beliefs(Generic[Deals]):
    """Candidates for the true deal, weighed by how likely the other players' moves are in them.

    Most candidates get hopeless after a few moves. They are dropped on the way: the fewer are
    left, the faster the rest of the hand is replayed.
    """

    def __init__(self, deals: Deals, wanted: int, rng: Random) -> None:
        self.deals = deals
        self.likely = np.ones(deals.size)
        self._wanted = wanted
        self._rng = rng

    def weigh(self, likelihoods: Floats) -> None:
        """Consider one more move."""
        self.likely = self.likely * likelihoods
        size = self.deals.size
        effective = self.likely.sum() ** 2 / (self.likely**2).sum()
        if size > self._wanted and effective < size / SPARSE:
            self._draw(max(self._wanted, size // 2))

    def worlds(self) -> Deals:
        """The wanted number of deals, drawn by their likelihood."""
        if self.deals.size > self._wanted or self.likely.min() < self.likely.max():
            self._draw(self._wanted)
        return self.deals

    def _draw(self, count: int) -> None:
        """Draw with equal steps along the cumulative likelihood."""
        summed = self.likely.cumsum()
        steps = (np.arange(count) + self._rng.random()) * summed[-1] / count
        rows = np.minimum(np.searchsorted(summed, steps), len(summed) - 1)
        self.deals = self.deals.pick(rows)
        self.likely = np.ones(count)


def likelihood(
    scores: NDArray[np.floating[Any]], chosen: NDArray[np.bool_], sharp: float, slips: float
) -> Floats:
    """The likelihood of the chosen moves of a player that prefers high scores.

    scores   a row for each deal, a column for each move; IMPOSSIBLE if it cannot be chosen
    sharp    the exponent's factor: how much less likely a move gets for each point less
    slips    the share of moves that are taken at random
    """
    weights = np.exp((scores - scores.max(axis=1, keepdims=True)) * sharp)
    share = (weights * chosen).sum(axis=1) / weights.sum(axis=1)
    return np.asarray((1 - slips) * share + slips / (scores > IMPOSSIBLE).sum(axis=1))
