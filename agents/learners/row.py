"""A row of a Q-table: what was learned about one situation."""

from array import array
from collections.abc import Mapping
from math import fsum

from agents.learners.settings import LearningSettings


class Row(dict[int, float]):
    """The values of the moves that were tried. An untried move has the mean value of the
    situation, weighted by visits; 0 before the first visit.

    visits   of each tried move
    total    the sum of all visits
    """

    __slots__ = ("total", "visits")

    def __init__(self) -> None:
        self.visits: dict[int, int] = {}
        self.total = 0

    def __missing__(self, move: int) -> float:
        if not self.total:
            return 0.0
        # The exact sum does not depend on the order of the moves.
        return fsum([visits * self[tried] for tried, visits in self.visits.items()]) / self.total

    def learn(self, move: int, outcome: float, settings: LearningSettings) -> tuple[float, float]:
        """Move the value of a move towards an outcome. Returns the error and the change."""
        value = self[move]
        visits = self.visits.get(move, 0)
        error = outcome - value
        change = settings.alpha_after(visits) * error
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

    @staticmethod
    def unpack(packed: bytes) -> "Row":
        cells = array("d", packed)
        tried = len(cells) // 3
        row = Row()
        for move, value, visits in zip(
            cells[:tried], cells[tried : 2 * tried], cells[2 * tried :], strict=True
        ):
            row.set(int(move), value, int(visits))
        return row


NO_ROW = Row()
"""The row of a situation that was never met. It is never updated."""
