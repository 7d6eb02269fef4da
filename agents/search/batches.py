"""Search in many possible deals at once, with numpy.

A game gives a batch of deals that fit what the seat knows, and a way to try moves in them.
"""

from collections.abc import Callable
from math import sqrt
from typing import Final, Generic, Protocol, Self, TypeVar

import numpy as np
from numpy.typing import NDArray

from agents.search.agent import DROP, ROUND

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

FIRST_LOOK: Final = 6
"""After this fraction of the worlds (1/FIRST_LOOK), moves far behind are dropped."""

IMPOSSIBLE: Final = -1e9
"""The score of a move that cannot be chosen."""


class Batch(Protocol):
    """Deals of one hand. Each row of its arrays is a deal."""

    size: int
    rows: Ints

    def pick(self, rows: Ints) -> Self:
        """A copy with these rows; a row may occur several times."""


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


def resampled(likely: Floats, wanted: int, start: float) -> Ints:
    """Rows drawn by their likelihood, with equal steps along the cumulative likelihood.

    start   a random number from 0 to 1
    """
    summed = likely.cumsum()
    steps = (np.arange(wanted) + start) * summed[-1] / wanted
    return np.minimum(np.searchsorted(summed, steps), len(likely) - 1)


def likelihood(scores: Floats, chosen: NDArray[np.bool_], sharp: float, slips: float) -> Floats:
    """The likelihood of the chosen moves of a player that prefers high scores.

    scores   a row for each deal, a column for each move; IMPOSSIBLE if it cannot be chosen
    sharp    the exponent's factor: how much less likely a move gets for each point less
    slips    the share of moves that are taken at random
    """
    weights = np.exp((scores - scores.max(axis=1, keepdims=True)) * sharp)
    share = (weights * chosen).sum(axis=1) / weights.sum(axis=1)
    return np.asarray((1 - slips) * share + slips / (scores > IMPOSSIBLE).sum(axis=1))
