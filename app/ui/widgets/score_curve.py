"""A line for each side through its numbers: scores after each hand, win rates after each match."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from textual.content import Content
from textual.widget import Widget

from app.ui.layout.wording import minus
from app.ui.widgets.canvas import Canvas

COLOURS: Final = (
    "#56b4e9", "#e69f00", "#009e73", "#cc79a7", "#d55e00",
    "#7f9fd0", "#aaaa3c", "#8c8c8c", "#785ef0", "#dc267f",
)  # fmt: skip
"""One for each side, distinct for colour-blind eyes too."""

_DOTS: Final = ((0x01, 0x08), (0x02, 0x10), (0x04, 0x20), (0x40, 0x80))
"""The dots of a braille character, row by row."""

_BRAILLE: Final = 0x2800
_ACROSS, _DOWN = 2, 4
_LINES_TO_A_TICK: Final = 3
_COLUMNS_TO_A_TICK: Final = 6
_LEAST_HEIGHT: Final = 3


@dataclass(frozen=True, slots=True)
class Look:
    """How lines are drawn.

    signs     for the lines in turn, without braille
    colours   styles for the lines in turn
    high      the least upper end of the scale
    tick      the distance of the numbers on the scale; 0 for as many as there is room for
    """

    signs: str = "•"
    colours: tuple[str, ...] = COLOURS
    high: int = 1
    tick: int = 0

    def colour(self, line: int) -> str:
        return self.colours[line % len(self.colours)]

    def sign(self, line: int, plain: bool) -> str:
        """For the legend."""
        return self.signs[line % len(self.signs)] if plain else "•"


USUAL: Final = Look()
CHANCES: Final = Look("•o", (COLOURS[0], COLOURS[3]), 100, 50)
"""A side's chance to win, in its own colour, and the same without luck."""


class ScoreCurve(Widget):
    """A character is two dots wide and four high. Where lines cross, the first side is on top."""

    def __init__(self, plain: bool, id: str | None = None, look: Look = USUAL) -> None:
        """plain: use only characters that have an ASCII replacement."""
        super().__init__(id=id)
        self.plain = plain
        self.look = look
        self._courses: Sequence[Sequence[int]] = ()
        self._marked = 0

    def show(self, courses: Sequence[Sequence[int]], marked: int) -> None:
        """Show the scores of each side since the deal.

        marked   the hand with a vertical line, 0 for none
        """
        self._courses, self._marked = courses, marked
        self.refresh()

    def render(self) -> Content:
        canvas = Canvas(*self.size)
        if self._courses and canvas.height >= _LEAST_HEIGHT:
            draw_courses(canvas, self._courses, self.plain, self._marked, look=self.look)
        return canvas.content()


def draw_courses(
    canvas: Canvas,
    courses: Sequence[Sequence[int]],
    plain: bool,
    marked: int = 0,
    first: int = 0,
    high: int = 1,
    low: int = 0,
    look: Look = USUAL,
) -> None:
    """Fill the canvas with a line for each side.

    marked   the place with a vertical line, 0 for none
    first    the number of the first place on the axis
    high     the least upper end of the scale
    low      the greatest lower end of the scale
    """
    scores = [score for course in courses for score in course]
    low, high = min(low, *scores), max(high, look.high, *scores)
    last = max(1, len(courses[0]) - 1)
    left = max(len(str(low)), len(str(high))) + 2
    width, height = canvas.width - left - 1, canvas.height - 1
    for row in range(height):
        canvas.put(left - 1, row, "│", "dim")
    for tick in _ticks(low, high, height // _LINES_TO_A_TICK, look.tick):
        row = round((high - tick) / (high - low) * (height - 1))
        canvas.put(0, row, f"{minus(str(tick)):>{left - 2}} ┤", "dim")
    for tick in _ticks(0, last, width // _COLUMNS_TO_A_TICK):
        column = left + round(tick / last * (width - 1))
        canvas.put_centred(column, height, str(first + tick), "dim")
    if marked:
        for row in range(height):
            canvas.put(left + round(marked / last * (width - 1)), row, "│", "dim")
    for at, course in reversed(list(enumerate(courses))):
        cells: dict[tuple[int, int], int] = {}
        for x, y in _line(course, low, high, width * _ACROSS, height * _DOWN):
            cell = x // _ACROSS, y // _DOWN
            cells[cell] = cells.get(cell, 0) | _DOTS[y % _DOWN][x % _ACROSS]
        for (column, row), dots in cells.items():
            sign = look.signs[at % len(look.signs)] if plain else chr(_BRAILLE + dots)
            canvas.put(left + column, row, sign, look.colour(at))


def colour_of(side: int) -> str:
    return COLOURS[side % len(COLOURS)]


def _line(
    course: Sequence[int], low: int, high: int, width: int, height: int
) -> Iterator[tuple[int, int]]:
    """The dots of a line through the scores, without gaps. (0, 0) is the upper left dot."""
    last = max(1, len(course) - 1)
    before: int | None = None
    for x in range(width):
        place = x / max(1, width - 1) * last
        hand = min(int(place), len(course) - 1)
        following = course[min(hand + 1, len(course) - 1)]
        score = course[hand] + (place - hand) * (following - course[hand])
        y = round((high - score) / (high - low) * (height - 1))
        first = y if before is None else before
        for between in range(min(first, y), max(first, y) + 1):
            yield x, between
        before = y


def _ticks(low: int, high: int, most: int, tick: int = 0) -> range:
    """Up to about `most` whole numbers from low to high, evenly spread; multiples of `tick` if it
    is given."""
    if tick:
        return range(-(-low // tick) * tick, high + 1, tick)
    return range(low, high + 1, max(1, -(-(high - low) // max(1, most))))
