"""A row of a Q-table while it is being updated."""

from array import array
from itertools import compress

from agents.learners.settings import LearningSettings


class OpenRow(dict[int, float]):
    """The values of the moves that were made or read. The others are computed on closing.

    The values of untried moves decrease with those of the tried ones: if these were worse than
    expected, the situation is bad, and the untried moves are not better for it. Where updates
    are shared among moves, untried values increase likewise.

    cells    the stored row: values, visits and visits since the last save of all moves
    prior    the initial values
    visits   of each move; `total` is their sum, `before` the sum when the row was opened
    pulls    for each tried move, ascending: its visits times its distance from the prior
    untried  untried moves whose values were read
    alpha, pace, shared
             copied from the learner's settings
    """

    __slots__ = (
        "alpha",
        "before",
        "cells",
        "pace",
        "prior",
        "pulls",
        "shared",
        "total",
        "untried",
        "visits",
    )

    def __init__(
        self, cells: "array[float]", prior: list[float], settings: LearningSettings
    ) -> None:
        width = len(prior)
        self.cells = cells
        self.prior = prior
        self.alpha = settings.alpha
        self.pace = settings.pace
        self.shared = settings.shared
        self.visits = cells[width : 2 * width].tolist()
        self.total = self.before = sum(self.visits)
        self.pulls: dict[int, float] = {}
        self.untried: list[int] = []
        for move in compress(range(width), self.visits):
            self[move] = cells[move]
            self._pull(move)

    def __missing__(self, move: int) -> float:
        self.untried.append(move)
        untouched = self.total == self.before
        value = self.cells[move] if untouched else self.prior[move] + self._drift()
        self[move] = value
        return value

    def _pull(self, move: int) -> None:
        self.pulls[move] = self.visits[move] * (self[move] - self.prior[move])

    def learn(self, move: int, outcome: float) -> tuple[float, float]:
        """Move the value of a move towards an outcome. Returns the error and the change."""
        value = self[move]
        visits = self.visits[move]
        error = outcome - value
        # Inlined `alpha_after`.
        change = self.alpha / (1.0 + self.pace * visits) * error
        self[move] = value = value + change
        self.visits[move] = visits = visits + 1
        self.total += 1
        self.pulls[move] = visits * (value - self.prior[move])
        if visits == 1:
            self.untried.remove(move)
            self.pulls = dict(sorted(self.pulls.items()))
        if self.shared:
            self._move_others(move, self.shared * change)
        if self.untried:
            drift = self._drift()
            for other in self.untried:
                self[other] = self.prior[other] + drift
        return error, change

    def _move_others(self, but: int, change: float) -> None:
        """Apply the shared part of an update to the other tried moves."""
        for other in self.pulls:
            if other != but:
                self[other] += change
                self._pull(other)

    def _drift(self) -> float:
        """The distance of untried moves from their prior."""
        drift = 0.0
        for pull in self.pulls.values():
            drift += pull
        if drift > 0.0 and not self.shared:
            return 0.0
        return drift / self.total

    def close(self) -> None:
        """Write all values and visits to the stored row."""
        width, drift = len(self.prior), self._drift()
        values = [guess + drift for guess in self.prior]
        for move in self.pulls:
            values[move] = self[move]
        before = self.cells[width : 2 * width]
        unsaved = self.cells[2 * width :]
        for move in self.pulls:
            unsaved[move] += self.visits[move] - before[move]
        self.cells[:] = array("d", values + self.visits) + unsaved
