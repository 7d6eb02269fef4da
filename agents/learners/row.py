"""A row of a Q-table: what was learned about one situation."""

from array import array
from collections.abc import Iterable, Mapping
from math import fsum
from operator import mul

from agents.learners.settings import LearningSettings
from engine.compiling import mypyc_attr


@mypyc_attr(native_class=False)
class Row(dict[int, float]):
    """The values of the moves that were tried.

    An untried move has its value in the outline of the situation, plus what the tried moves differ
    from theirs on average. If the outline does not know it either, it has the mean value of the
    situation; 0 before the first visit. Means are weighted by visits.

    visits   of each tried move
    total    the sum of all visits
    outline  the row of the situation's outline, if it has one
    """

    __slots__ = ("outline", "total", "visits")

    def __init__(self, outline: "Row | None" = None) -> None:
        self.visits: dict[int, int] = {}
        self.total = 0
        self.outline = outline

    def __missing__(self, move: int) -> float:
        outline = self.outline
        if outline is not None and move in outline:
            above = [value - outline.get(tried, 0.0) for tried, value in self.items()]
            return outline[move] + self._mean(above)
        return self._mean(self.values())

    def _mean(self, numbers: Iterable[float]) -> float:
        """The mean of a number for each tried move, weighted by visits; 0 before the first."""
        if not self.total:
            return 0.0
        # The exact sum does not depend on the order of the moves.
        return fsum(map(mul, self.visits.values(), numbers)) / self.total

    def learn(self, move: int, outcome: float, settings: LearningSettings) -> tuple[float, float]:
        """Move the value of a move towards an outcome. Returns the error and the change. The
        value of the outline, from which the move started, counts as much as some visits."""
        value = self[move]
        visits = self.visits.get(move, 0)
        error = outcome - value
        outline = self.outline
        if outline is None:
            change = settings.alpha_after(visits) * error
        else:
            trust = min(settings.trust, outline.visits.get(move, 0))
            outline.learn(move, outcome, settings)
            change = settings.alpha_after(visits + trust) * error
        self[move] = value + change
        self.visits[move] = visits + 1
        self.total += 1
        return error, change

    def set(self, move: int, value: float, visits: int) -> None:
        self.total += visits - self.visits.get(move, 0)
        self[move] = value
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
            value = theirs[move]
            if ours:
                value += (self[move] - value) * ours / (ours + added)
            self.set(move, value, visits + added)

    def pack(self) -> bytes:
        """The row as bytes, which are faster to send between processes."""
        return array("d", [*self, *self.values(), *self.visits.values()]).tobytes()

    def update_from(self, packed: bytes) -> "Row":
        """Take over the moves of a packed row, which knows all moves of this one."""
        cells = array("d", packed)
        tried = len(cells) // 3
        for move, value, visits in zip(
            cells[:tried], cells[tried : 2 * tried], cells[2 * tried :], strict=True
        ):
            self.set(int(move), value, int(visits))
        return self


NO_ROW = Row()
"""The row of a situation that was never met. It is never updated."""
