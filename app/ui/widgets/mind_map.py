"""A picture of a table's mind: the best move by two features of the situation."""

import re
from collections.abc import Sequence
from math import log1p
from typing import Any, Final, NamedTuple

import numpy as np
from textual.content import Content
from textual.widget import Widget

from agents.learners.features import Abstraction, Feature
from app.lab.stage.reports import TableMind
from app.ui.widgets.canvas import Canvas
from app.ui.widgets.wrapping import cut

_COLOURS: Final = ("$primary", "$success", "$warning", "$accent", "$secondary", "$error")
_FAINTEST, _BRIGHTEST = 20, 90
"""Per cent of a colour for a rare and for a frequent cell."""

_NARROWEST, _WIDEST = 7, 18
_CHANGED: Final = "•"


class Cell(NamedTuple):
    """The best move in most situations of a cell, and the visits of all of them."""

    move: int
    visits: float


class MindMap(Widget):
    """Colour is the best move, brightness the visits. A dot marks cells whose best move changed
    since the last picture."""

    def __init__(self, id: str | None = None) -> None:
        super().__init__(id=id)
        self._abstraction: Abstraction[Any] | None = None
        self._minds: Sequence[TableMind] = ()
        self._kind: int | None = None
        self._across, self._down = 0, 1

    def show(self, abstraction: Abstraction[Any], minds: Sequence[TableMind]) -> None:
        """minds: the last pictures, the newest last."""
        self._abstraction, self._minds = abstraction, tuple(minds)
        if self._kind is None and minds:
            rows = _rows(minds[-1])
            if len(rows):
                self._kind = _most_visited(rows, minds[-1])
                self._choose_features(rows)
        self.refresh()

    def _features(self) -> tuple[Feature, ...]:
        assert self._abstraction is not None
        return self._abstraction.layouts[self._kind or 0].features

    def _choose_features(self, rows: np.ndarray) -> None:
        """The two features that take most different values."""
        of_kind = rows[rows[:, 0] == self._kind]
        features = range(len(self._features()))
        spread = sorted(features, key=lambda at: -len(np.unique(of_kind[:, at + 1])))
        self._across = spread[0] if spread else 0
        self._down = spread[1] if len(spread) > 1 else self._across

    # What is shown

    def next_kind(self) -> None:
        """The next kind of decision that is known."""
        if self._abstraction is not None and self._minds and self._kind is not None:
            rows = _rows(self._minds[-1])
            known = sorted(set(rows[:, 0].tolist())) or [0]
            at = known.index(self._kind) if self._kind in known else -1
            self._kind = known[(at + 1) % len(known)]
            self._choose_features(rows)
            self.refresh()

    def next_across(self) -> None:
        """The next feature across."""
        self._turn("_across", "_down")

    def next_down(self) -> None:
        """The next feature down."""
        self._turn("_down", "_across")

    def _turn(self, name: str, other: str) -> None:
        count = len(self._features()) if self._abstraction is not None else 0
        if count > 1:
            at = (getattr(self, name) + 1) % count
            if at == getattr(self, other):
                at = (at + 1) % count
            setattr(self, name, at)
            self.refresh()

    def render(self) -> Content:
        width, height = self.size
        if self._abstraction is None or self._kind is None:
            return Content.styled(
                "What it does in each kind of situation: colour is the best move, brightness how "
                "often it was there.",
                "dim",
            )
        cells = self._cells(self._minds[-1])
        before = self._cells(self._minds[0]) if len(self._minds) > 1 else {}
        features = self._features()
        across, down = features[self._across], features[self._down]
        columns = sorted({x for x, _ in cells})
        lines = _most_met([(y, cell.visits) for (_, y), cell in cells.items()], height - 3)
        widest = min(24, max(8, width // 3))
        names = [_fitting(_words(down, y), widest - 1) for y in lines]
        left = max([len(name) for name in names], default=0) + 1
        room = max(_NARROWEST, min(_WIDEST, (width - left) // max(1, len(columns))))
        met = [(x, cell.visits) for (x, _), cell in cells.items()]
        columns = _most_met(met, (width - left) // room)
        canvas = Canvas(width, height)
        title = self._abstraction.layouts[self._kind].title
        canvas.put(0, 0, cut(f"{title}: {across.name} → by {down.name} ↓", width), "bold")
        for number, x in enumerate(columns):
            words = _fitting(_words(across, x), room - 1)
            canvas.put(left + number * room, 1, words, "$text-muted")
        most = max([log1p(cell.visits) for cell in cells.values()], default=1.0) or 1.0
        used: list[int] = []
        high = 2 if height - 4 >= 2 * len(lines) else 1
        for place, y in enumerate(lines):
            row = 2 + place * high
            canvas.put(0, row, names[place], "$text-muted")
            for number, x in enumerate(columns):
                cell = cells.get((x, y))
                if cell is None:
                    continue
                if cell.move not in used:
                    used.append(cell.move)
                share = log1p(cell.visits) / most
                depth = round(_FAINTEST + share * (_BRIGHTEST - _FAINTEST))
                colour = _COLOURS[cell.move % len(_COLOURS)]
                changed = (x, y) in before and before[x, y].move != cell.move
                words = self._abstraction.move_words(cell.move)
                text = words if len(words) <= room - 3 else ""
                mark = _CHANGED if changed else " "
                style = f"{'bold ' if changed else ''}$text on {colour} {depth}%"
                canvas.put(left + number * room, row, f"{mark}{text:<{room - 2}}", style)
                for below in range(row + 1, row + high):
                    canvas.put(left + number * room, below, " " * (room - 1), style)
        self._legend(canvas, used, 2 + high * len(lines))
        return canvas.content()

    def _legend(self, canvas: Canvas, moves: list[int], free: int) -> None:
        """The colours of the moves, on the last lines.

        free   the first free line
        """
        assert self._abstraction is not None
        rows: list[list[int]] = [[]]
        at = 0
        for move in sorted(moves):
            length = len(self._abstraction.move_words(move)) + 4
            if rows[-1] and at + length > canvas.width:
                rows.append([])
                at = 0
            rows[-1].append(move)
            at += length
        rows = rows[: max(1, canvas.height - free)]
        for row, line in enumerate(rows, canvas.height - len(rows)):
            at = 0
            for move in line:
                words = self._abstraction.move_words(move)
                canvas.put(at, row, "■", _COLOURS[move % len(_COLOURS)])
                canvas.put(at + 2, row, words, "$text-muted")
                at += len(words) + 4

    def _cells(self, mind: TableMind) -> dict[tuple[int, int], Cell]:
        """The cells of the two features."""
        rows = _rows(mind)
        if rows.shape[1] <= 1 + max(self._across, self._down):
            return {}
        chosen = rows[:, 0] == self._kind
        votes: dict[tuple[int, int], dict[int, float]] = {}
        best = np.frombuffer(mind.best, dtype=np.int16)[chosen].tolist()
        visits = np.frombuffer(mind.visits, dtype=np.float32)[chosen].tolist()
        places = rows[chosen][:, [1 + self._across, 1 + self._down]].tolist()
        for (x, y), move, seen in zip(places, best, visits, strict=True):
            cell = votes.setdefault((x, y), {})
            cell[move] = cell.get(move, 0.0) + seen
        return {
            place: Cell(max(cell, key=lambda move: cell[move]), sum(cell.values()))
            for place, cell in votes.items()
        }


def _words(feature: Feature, value: int) -> str:
    return feature.values[value] or "–"


def _most_met(visits: Sequence[tuple[int, float]], most: int) -> list[int]:
    """The values of a feature that were met most often, in their order."""
    total: dict[int, float] = {}
    for value, seen in visits:
        total[value] = total.get(value, 0.0) + seen
    return sorted(sorted(total, key=lambda value: -total[value])[: max(1, most)])


def _fitting(text: str, width: int) -> str:
    """A text of at most so many characters. If it is too long, it begins with its first number,
    which tells it apart from similar ones."""
    number = re.search(r"\d", text)
    if len(text) > width and number:
        text = text[number.start() :]
    return cut(text, width)


def _rows(mind: TableMind) -> np.ndarray:
    return np.frombuffer(mind.situations, dtype=np.int8).reshape(-1, mind.width)


def _most_visited(rows: np.ndarray, mind: TableMind) -> int:
    visits = np.frombuffer(mind.visits, dtype=np.float32)
    kinds = np.unique(rows[:, 0]).tolist()
    return int(max(kinds, key=lambda kind: float(visits[rows[:, 0] == kind].sum())))
