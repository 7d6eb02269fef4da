"""What is known about one situation. Compiled where that is possible."""

from array import array
from collections.abc import Iterable, Mapping
from math import fsum
from operator import mul

from agents.learners.settings import LearningSettings


class Row:
    """What was learned about one situation.

    values   of the moves that were tried
    visits   of each of them
    total    the sum of all visits
    outline  the row of the situation's outline, if it has one
    """

    __slots__ = ("outline", "total", "values", "visits")

    def __init__(self, outline: "Row | None" = None) -> None:
        self.values: dict[int, float] = {}
        self.visits: dict[int, int] = {}
        self.total: int = 0
        self.outline: Row | None = outline

    def __getitem__(self, move: int) -> float:
        values = self.values
        return values[move] if move in values else self.guess(move)

    def guess(self, move: int) -> float:
        """The value of an untried move: its value in the outline of the situation, plus what the
        tried moves differ from theirs on average. If the outline does not know it either, the mean
        value of the situation; 0 before the first visit. Means are weighted by visits."""
        outline = self.outline
        if outline is not None and move in outline.values:
            known = outline.values
            above = [value - known.get(tried, 0.0) for tried, value in self.values.items()]
            return known[move] + self._mean(above)
        return self._mean(self.values.values())

    def _mean(self, numbers: Iterable[float]) -> float:
        """The mean of a number for each tried move, weighted by visits; 0 before the first."""
        if not self.total:
            return 0.0
        # The exact sum does not depend on the order of the moves.
        return fsum(map(mul, self.visits.values(), numbers)) / self.total

    def learn(self, move: int, outcome: float, settings: LearningSettings) -> tuple[float, float]:
        """Move the value of a move towards an outcome. Returns the error and the change. The
        value of the outline, from which the move started, counts as much as some visits."""
        values, all_visits = self.values, self.visits
        value = values[move] if move in values else self.guess(move)
        visits = all_visits.get(move, 0)
        error = outcome - value
        outline = self.outline
        if outline is None:
            change = settings.alpha_after(visits) * error
        else:
            trust = min(settings.trust, outline.visits.get(move, 0))
            outline.learn(move, outcome, settings)
            change = settings.alpha_after(visits + trust) * error
        values[move] = value + change
        all_visits[move] = visits + 1
        self.total += 1
        return error, change

    def set(self, move: int, value: float, visits: int) -> None:
        self.total += visits - self.visits.get(move, 0)
        self.values[move] = value
        self.visits[move] = visits

    def merge(self, theirs: "Row", new: Mapping[int, int]) -> None:
        """Merge another learner's row. A value that changed in both becomes their mean, weighted
        by the visits of each since they were equal.

        new   their visits since then
        """
        for move, added in new.items():
            common = theirs.visits[move] - added
            visits = self.visits.get(move, 0)
            ours = visits - common if visits >= common else visits
            value = theirs.values[move]
            if ours:
                value += (self[move] - value) * ours / (ours + added)
            self.set(move, value, visits + added)

    def pack(self) -> bytes:
        """The row as bytes, which are faster to send between processes."""
        return array("d", [*self.values, *self.values.values(), *self.visits.values()]).tobytes()

    def update_from(self, packed: bytes) -> "Row":
        """Take over the moves of a packed row, which knows all moves of this one."""
        cells = array("d", packed)
        tried = len(cells) // 3
        for place in range(tried):
            visits = int(cells[place + 2 * tried])
            self.set(int(cells[place]), cells[place + tried], visits)
        return self


NO_ROW = Row()
"""The row of a situation that was never met. It is never updated."""
