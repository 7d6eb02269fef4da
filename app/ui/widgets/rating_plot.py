"""A person's rating over the matches that counted."""

from typing import Final

from textual.content import Content
from textual.widget import Widget

from app.records.personal_rating import PersonalRating
from app.ui.widgets.canvas import Canvas
from app.ui.widgets.score_curve import COLOURS, Look, draw_courses

_LOOK: Final = Look(colours=(COLOURS[0], "dim", "dim"))
_LEGEND: Final = "• rating"
_BESIDE: Final = "• 95 % interval"
_ACROSS: Final = "matches"
_STEP: Final = 100
"""The scale begins at a multiple of this, and spans an even number of them."""


class RatingPlot(Widget):
    """The rating in colour between the ends of its interval. The axis counts matches."""

    def __init__(self, rating: PersonalRating, plain: bool) -> None:
        """plain: use only characters that have an ASCII replacement."""
        super().__init__()
        self._rating = rating
        self._plain = plain

    def render(self) -> Content:
        width, height = self.size
        points = self._rating.points
        if not points or height < 3:
            return Content("")
        courses = [
            [round(each.rating) for each in points],
            [round(each.interval[0]) for each in points],
            [round(each.interval[1]) for each in points],
        ]
        plot = Canvas(width, height - 1)
        low = min(courses[1]) // _STEP * _STEP
        high = low - (low - max(courses[2])) // (2 * _STEP) * 2 * _STEP
        draw_courses(plot, courses, self._plain, first=1, high=high, low=low, look=_LOOK)
        legend = Canvas(width, 1)
        legend.put(2, 0, _LEGEND, COLOURS[0])
        legend.put(4 + len(_LEGEND), 0, _BESIDE, "dim")
        legend.put(max(0, width - len(_ACROSS)), 0, _ACROSS, "dim")
        return Content("\n").join([legend.content(), plot.content()])
