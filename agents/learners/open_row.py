"""A row of a learner's table while lessons about it come in."""

from array import array
from itertools import compress

from agents.learners.settings import LearningSettings


class OpenRow(dict[int, float]):
    """The values of the moves that were made or asked for; what nobody asks for is worked out
    when the row is closed.

    Moves that were never made go down along with those that were: if these turned out worse
    than they seemed, it is the situation that is bad, and not the others good. They go up as
    well where all moves share in what one teaches.

    cells    the row as it was: values, visits and visits since the last save of all moves
    prior    what each move was taken to be worth before there was any experience of it
    visits   how often each move was made, `total` how often all of them, `before` how often
             they had been when the row was opened
    pulls    for each move that was made, ascending: its distance from the prior, by its visits
    untried  the moves that were only asked for
    alpha, pace, shared
             what the learner's settings say about learning, at hand
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
        """Move the value of a move towards what came of it once more: how far off it was, and
        by how much it moved."""
        value = self[move]
        visits = self.visits[move]
        error = outcome - value
        # `alpha_after`, as every lesson needs it
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
        """The other moves that were ever made take their share in what one of them taught."""
        for other in self.pulls:
            if other != but:
                self[other] += change
                self._pull(other)

    def _drift(self) -> float:
        """How far from the prior those moves are that were never made."""
        drift = 0.0
        for pull in self.pulls.values():
            drift += pull
        if drift > 0.0 and not self.shared:
            return 0.0
        return drift / self.total

    def close(self) -> None:
        """Bring the row up to date."""
        width, drift = len(self.prior), self._drift()
        values = [guess + drift for guess in self.prior]
        for move in self.pulls:
            values[move] = self[move]
        before = self.cells[width : 2 * width]
        unsaved = self.cells[2 * width :]
        for move in self.pulls:
            unsaved[move] += self.visits[move] - before[move]
        self.cells[:] = array("d", values + self.visits) + unsaved
