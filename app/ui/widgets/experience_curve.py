"""The learning curve of a young learner: the first matches take as much room as the last ones."""

from collections.abc import Sequence
from dataclasses import replace
from math import log10
from typing import Final

from agents.training_log import CurvePoint
from app.ui.widgets.curve import LearningCurve

_UNIT: Final = 1000
"""Steps of the axis for ten times as many matches."""

_TICKS: Final = (0, 1, 10, 100, 1_000, 10_000, 100_000, 1_000_000)


class ExperienceCurve(LearningCurve):
    """The axis of matches is logarithmic. Only the most important curve has a band: the first
    measurements are short, and three wide bands would hide everything."""

    banded = ("hard",)

    def show(self, points: Sequence[CurvePoint], other: Sequence[CurvePoint] = ()) -> None:
        super().show(_placed(points), _placed(other))

    def _ticks(self) -> dict[float, str]:
        ticks = {float(_place(tick)): f"{tick:,}" for tick in _TICKS if _place(tick) <= self._last}
        return ticks or {0.0: "0"}


def _placed(points: Sequence[CurvePoint]) -> list[CurvePoint]:
    return [replace(point, games=_place(point.games)) for point in points]


def _place(matches: int) -> int:
    return round(_UNIT * log10(1 + matches))
