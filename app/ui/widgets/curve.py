"""A learning curve: win rate over training matches, with a band for the confidence interval."""

from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from rich.style import Style
from rich.text import Text
from textual_plotext import PlotextPlot

from agents.training_log import CurvePoint

COLOURS: Final = {"random": (90, 160, 255), "easy": (120, 200, 120), "hard": (255, 165, 60)}
"""The colour of each opponent's curve."""

BANDS: Final = {"random": "#1d3a5f", "easy": "#24472a", "hard": "#5a3d14"}
_TOP: Final = "100 %"
_BOTTOM: Final = "  0 %"
_LOW: Final = 12
"""A plot with fewer lines than this has only three numbers on its axis."""

_OTHER: Final = "◆"
"""The points of a second curve."""

_CACHED: Final = 8


class LearningCurve(PlotextPlot):
    """Plotext draws the curves. The bands are background colours added afterwards, because
    drawing them as points takes ten times as long.

    banded   the curves with a band
    """

    banded: Sequence[str] = tuple(BANDS)

    def __init__(self, plain: bool, id: str | None = None) -> None:
        """plain: use only characters that have an ASCII replacement."""
        super().__init__(id=id)
        self._plain = plain
        self._points: tuple[CurvePoint, ...] = ()
        self._other: tuple[CurvePoint, ...] = ()
        self._drawn: dict[object, Text] = {}

    def show(self, points: Sequence[CurvePoint], other: Sequence[CurvePoint] = ()) -> None:
        """other: another curve to compare with, which is dotted and has no bands"""
        if (tuple(points), tuple(other)) != (self._points, self._other):
            self._points, self._other = tuple(points), tuple(other)
            self.refresh()

    @property
    def _last(self) -> int:
        points = (*self._points, *self._other)
        return max([point.games for point in points], default=0) or 1

    def _measured(self, rival: str) -> list[CurvePoint]:
        return [point for point in self._points if point.against == rival]

    def _ticks(self) -> dict[float, str]:
        """Places on the axis of matches, and their texts."""
        ticks = sorted({float(self._last * quarter // 4) for quarter in range(5)})
        return {tick: f"{tick:,.0f}" for tick in ticks}

    def _plot_lines(self) -> None:
        plot = self.plt
        plot.clear_data()
        plot.xaxes(True, False)
        plot.yaxes(True, False)
        plot.ylim(0, 100)
        plot.xlim(0, self._last)
        marks = [0.0, 50.0, 100.0] if self.size.height < _LOW else [0.0, 25.0, 50.0, 75.0, 100.0]
        plot.yticks(marks, [f"{mark:3.0f} %" for mark in marks])
        ticks = self._ticks()
        plot.xticks(list(ticks), list(ticks.values()))
        for rival, colour in COLOURS.items():
            for point in self._other:
                if point.against == rival:
                    place, rate = [point.games], [100 * point.win_rate]
                    plot.plot(place, rate, marker=_OTHER, color=colour)
            measured = self._measured(rival)
            games = [point.games for point in measured]
            rates = [100 * point.win_rate for point in measured]
            marker = "•" if self._plain or len(measured) == 1 else "braille"
            plot.plot(games, rates, marker=marker, color=colour)

    def render(self) -> Text:
        """The last few drawings are cached, because drawing is slow."""
        if not self._points and not self._other:
            return Text()
        wanted = (self._points, self._other, self.size, self.app.theme)
        if wanted not in self._drawn:
            while len(self._drawn) >= _CACHED:
                del self._drawn[next(iter(self._drawn))]
            self._drawn[wanted] = self._draw()
        return self._drawn[wanted]

    def _draw(self) -> Text:
        self._plot_lines()
        drawn = super().render()
        assert isinstance(drawn, Text)
        lines = list(drawn.split("\n"))
        labels = [line.plain[: len(_TOP)] for line in lines]
        if _TOP not in labels or _BOTTOM not in labels:
            return drawn
        top, bottom = labels.index(_TOP), labels.index(_BOTTOM)
        left = len(_TOP) + 1
        width = len(lines[top].plain) - left
        for rival in self.banded:
            background = BANDS[rival]
            for row, start, end in band(self._measured(rival), self._last, width, bottom - top):
                self._shade(lines, top + row, left + start, left + end, background)
        return Text("\n", end="").join(lines)

    def _shade(self, lines: list[Text], at: int, start: int, end: int, background: str) -> None:
        if not self._plain:
            lines[at].stylize(Style(bgcolor=background), start, end)
            return
        text = lines[at].plain
        shaded = text[start:end].replace(" ", "░")
        lines[at] = Text(text[:start] + shaded + text[end:], spans=lines[at].spans)


def band(
    points: Sequence[CurvePoint], last: int, width: int, height: int
) -> list[tuple[int, int, int]]:
    """The cells inside the confidence intervals, as (row, first column, column after the last).

    Row 0 is 100 %, row `height` is 0 %.
    """
    cells: dict[int, list[int]] = {}
    for column in range(width):
        ends = _interval(points, last * column / max(1, width - 1), last / max(1, width - 1))
        if ends is not None:
            low, high = ends
            for row in range(round(height * (1 - high)), round(height * (1 - low)) + 1):
                cells.setdefault(row, []).append(column)
    spans = []
    for row, columns in cells.items():
        start = columns[0]
        for before, after in pairwise([*columns, width + 1]):
            if after > before + 1:
                spans.append((row, start, before + 1))
                start = after
    return spans


def _interval(
    points: Sequence[CurvePoint], games: float, step: float
) -> tuple[float, float] | None:
    """The interval after that many matches, interpolated between two measurements."""
    for left, right in pairwise(points):
        if left.games <= games <= right.games and right.games > left.games:
            part = (games - left.games) / (right.games - left.games)
            return (
                left.low + part * (right.low - left.low),
                left.high + part * (right.high - left.high),
            )
    for point in points:
        if abs(point.games - games) <= step / 2:
            return point.low, point.high
    return None
