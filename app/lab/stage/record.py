"""What the stage has seen so far: plain data, bounded however long a training lasts."""

from collections import deque
from typing import Final, TypeVar

from agents.training_log import CurvePoint, TrainingLog
from app.lab.stage.reports import (
    Comparison,
    Discovery,
    Expectations,
    Measured,
    Position,
    Positions,
    Report,
    TableMind,
    Vitals,
)

T = TypeVar("T")

_MOST_VITALS: Final = 240
_MOST_EXPECTATIONS: Final = 120
_MOST_DISCOVERIES: Final = 60


class StageRecord:
    """Collects reports.

    minds     the last two pictures of a table, the newest last
    shares    CPU seconds of playing, learning and measuring
    deals     compared so far, and in how many the current learner did better or worse
    """

    def __init__(self) -> None:
        self.points: tuple[CurvePoint, ...] = ()
        self.vitals: list[Vitals] = []
        self.discoveries: deque[Discovery] = deque(maxlen=_MOST_DISCOVERIES)
        self.comparison: Comparison | None = None
        self.positions: tuple[Position, ...] = ()
        self.expectations: list[Expectations] = []
        self.minds: deque[TableMind] = deque(maxlen=2)
        self.shares = [0.0, 0.0, 0.0]
        self.deals = self.better = self.worse = 0
        self._log = TrainingLog()

    def take(self, report: Report) -> None:
        if isinstance(report, Vitals):
            self.vitals = thinned([*self.vitals, report], _MOST_VITALS)
            self.shares[0] += report.playing
            self.shares[1] += report.learning
        elif isinstance(report, Measured):
            self._log = self._log.measured(report.points)
            self.points = self._log.points
            self.shares[2] += report.busy
        elif isinstance(report, Comparison):
            self.comparison = report
            gain = report.gain
            if gain is not None:
                self.deals += 1
                self.better += gain > 0
                self.worse += gain < 0
        elif isinstance(report, Positions):
            self.positions = report.positions
        elif isinstance(report, Expectations):
            self.expectations = thinned([*self.expectations, report], _MOST_EXPECTATIONS)
        elif isinstance(report, TableMind):
            self.minds.append(report)
        elif isinstance(report, Discovery):
            self.discoveries.append(report)

    @property
    def matches(self) -> int:
        trained = self.vitals[-1].matches if self.vitals else 0
        return max(trained, self.points[-1].games if self.points else 0)

    @property
    def seconds(self) -> float:
        trained = self.vitals[-1].seconds if self.vitals else 0.0
        return max(trained, self.points[-1].seconds if self.points else 0.0)

    def latest(self, rival: str) -> CurvePoint | None:
        """The newest point of a curve."""
        return next((each for each in reversed(self.points) if each.against == rival), None)


def thinned(entries: list[T], most: int) -> list[T]:
    """The entries, every other one if they are too many. The newest one stays."""
    return entries if len(entries) <= most else entries[-1::-2][::-1]
