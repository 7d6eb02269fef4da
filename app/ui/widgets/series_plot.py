"""The score of a watched series: wins and win rates of each side, and their course."""

from collections.abc import Sequence
from dataclasses import dataclass

from textual.content import Content
from textual.widget import Widget

from app.ui.widgets.canvas import Canvas
from app.ui.widgets.score_curve import colour_of, draw_courses
from app.ui.widgets.wrapping import cut

_EMPTY = ("Win rates and their plot appear", "here after the first match.")
_LEAST_PLOT = 4
"""A lower plot is left out."""


@dataclass(frozen=True, slots=True)
class Standing:
    """One side of a series.

    score   its wins, and its win rate with the 95 % interval
    rates   its win rate in percent after each match
    """

    name: str
    score: str
    rates: Sequence[int]


class SeriesPlot(Widget):
    """A line of text for each side, and below it the win rates over the matches."""

    def __init__(self, plain: bool, id: str | None = None) -> None:
        """plain: use only characters that have an ASCII replacement."""
        super().__init__(id=id)
        self._plain = plain
        self._heading = ""
        self._standings: Sequence[Standing] = ()

    def show(self, heading: str, standings: Sequence[Standing]) -> None:
        """standings: of each side; none before the first match is over."""
        if (heading, standings) != (self._heading, self._standings):
            self._heading, self._standings = heading, standings
            self.refresh()

    def render(self) -> Content:
        width, height = self.content_size
        canvas = Canvas(width, height)
        canvas.put(0, 0, cut(self._heading, width), "bold")
        if not self._standings:
            for row, line in enumerate(_EMPTY, 1):
                canvas.put(0, row, line, "dim")
            return canvas.content()
        for side, standing in enumerate(self._standings):
            room = width - len(standing.score) - 3
            canvas.put(0, 1 + side, "•", colour_of(side))
            canvas.put(2, 1 + side, cut(standing.name, room))
            canvas.put(width - len(standing.score), 1 + side, standing.score)
        used = 2 + len(self._standings)
        if height - used >= _LEAST_PLOT:
            plot = Canvas(width, height - used)
            courses = [standing.rates for standing in self._standings]
            draw_courses(plot, courses, self._plain, first=1, high=100)
            return Content("\n").join([*canvas.content().split("\n")[:used], plot.content()])
        return canvas.content()
