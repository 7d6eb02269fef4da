"""A picture of a network's mind: what it expects from each move in fixed positions, over time."""

from collections.abc import Sequence
from typing import Final, NamedTuple

from textual.content import Content
from textual.widget import Widget

from app.ui.widgets.canvas import Canvas
from app.ui.widgets.spark import spark, stretched
from app.ui.widgets.wrapping import cut

_FEWEST_MOVES, _MOST_MOVES = 3, 4
_HIGH: Final = 12
"""From this height on, more moves of each position are shown."""

_NUMBER: Final = 6
_LABEL: Final = 16


class Followed(NamedTuple):
    """A position.

    words   what there is to see
    cards   the hand, in a few characters for each card with its style
    moves   the legal moves in words, each with its values over time
    """

    words: str
    cards: Sequence[tuple[str, str]]
    moves: Sequence[tuple[str, Sequence[float]]]


class ExpectationPlots(Widget):
    """As many positions as fit, the best moves first. The best one is bold."""

    def __init__(self, id: str | None = None) -> None:
        super().__init__(id=id)
        self._followed: Sequence[Followed] = ()

    def show(self, followed: Sequence[Followed]) -> None:
        self._followed = followed
        self.refresh()

    def render(self) -> Content:
        width, height = self.size
        if not self._followed:
            return Content.styled(
                "What it expects from each move in a few fixed positions appears here.", "dim"
            )
        canvas = Canvas(width, height)
        row = 0
        most = _MOST_MOVES if height >= _HIGH else _FEWEST_MOVES
        for position in self._followed:
            moves = sorted(position.moves, key=lambda move: -move[1][-1])[:most]
            if row and row + 1 + len(moves) > height:
                break
            at = 0
            for text, style in position.cards:
                canvas.put(at, row, text, style)
                at += len(text) + 1
            canvas.put(at, row, cut(position.words, max(0, width - at)), "$text-muted")
            values = [value for _, course in moves for value in course]
            low, high = min(values), max(values)
            label = min(_LABEL, max([len(words) for words, _ in moves]) + 1)
            for number, (words, course) in enumerate(moves):
                row += 1
                style = "bold $text-success" if not number else ""
                canvas.put(1, row, cut(words, label), style)
                room = width - label - _NUMBER - 3
                plot = spark(stretched(course, room), room, low, high)
                canvas.put(label + 1, row, plot, style or "$text-primary")
                text = f"{course[-1]:+.2f}".replace("-", "−")
                canvas.put(width - _NUMBER, row, text, style)
            row += 1
        return canvas.content()
