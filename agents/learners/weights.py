"""Weights of features: the value of a move in a situation is a sum of a few weights."""

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from agents.learners.feature_learner import FeatureLearner
from agents.learners.features import Abstraction, Known, Situation
from agents.learners.settings import LearningSettings

Floats = NDArray[np.float64]
Rows = NDArray[np.intp]

_MOST_CACHED: Final = 1 << 16
"""The number of situations whose rows are kept."""


class _Term(NamedTuple):
    """The row of one term is start + stride · situation[first] + situation[second]."""

    start: int
    first: int
    stride: int
    second: int


class NewCells(NamedTuple):
    """Changed cells, with all their visits and those since the last save."""

    cells: NDArray[np.intp]
    weights: Floats
    visits: Floats
    new: Floats


class Weights:
    """A matrix of weights: one row for each layout, each value of its features and each pair of
    values of two features; one column for each move. Updates of each cell are counted."""

    def __init__(self, abstraction: Abstraction[Any]) -> None:
        self.width = len(abstraction.move_names)
        self._terms: list[list[_Term]] = []
        rows = 0
        for number, layout in enumerate(abstraction.layouts):
            sizes = [1, *[len(feature.values) for feature in layout.features]]
            places = range(1, len(sizes))
            terms = [_Term(rows - number, 0, 0, 0)]
            rows += 1
            for place in places:
                terms.append(_Term(rows, 0, 0, place))
                rows += sizes[place]
            for first, second in combinations(places, 2):
                terms.append(_Term(rows, first, sizes[second], second))
                rows += sizes[first] * sizes[second]
            self._terms.append(terms)
        self._rows = rows
        self._layouts = abstraction.layouts
        self._rows_of: dict[Situation, Rows] = {}
        self._forget()

    def _forget(self) -> None:
        cells = self._rows * self.width
        self._weights: Floats = np.zeros(cells)
        self._visits: Floats = np.zeros(cells)
        self._new: Floats = np.zeros(cells)
        self._row_visits: Floats = np.zeros(self._rows)

    def __getstate__(self) -> dict[str, object]:
        return {**self.__dict__, "_rows_of": {}}

    def rows(self, situation: Situation) -> Rows:
        """The rows whose sum is the value of a situation. Cached."""
        rows = self._rows_of.get(situation)
        if rows is None:
            if len(self._rows_of) == _MOST_CACHED:
                self._rows_of.clear()
            rows = self._rows_of[situation] = np.array(
                [
                    term.start + term.stride * situation[term.first] + situation[term.second]
                    for term in self._terms[situation[0]]
                ],
                dtype=np.intp,
            )
        return rows

    def sums(self, rows: Rows) -> Floats:
        """For each move the sum over the rows."""
        sums: Floats = self._weights.reshape(-1, self.width)[rows].sum(axis=0)
        return sums

    def least_visits(self, rows: Rows) -> float:
        """The updates of the row that was updated least."""
        return float(self._row_visits[rows].min())

    def correct(
        self, rows: Rows, moves: Sequence[int], errors: Floats, settings: LearningSettings
    ) -> Floats:
        """Reduce the errors of some moves' sums, and return the changes of these sums. All rows
        share an error; rows with few updates change most."""
        cells = rows[:, None] * self.width + np.array(moves, dtype=np.intp)
        shares = settings.alpha_after(self._visits[cells]) / len(rows)
        changes = shares * errors
        self._weights[cells] += changes
        self._visits[cells] += 1
        self._new[cells] += 1
        self._row_visits[rows] += len(moves)
        total: Floats = changes.sum(axis=0)
        return total

    def size(self) -> int:
        """The number of weights that were ever updated."""
        return int(np.count_nonzero(self._visits))

    # Explaining

    def known(self, rows: Rows) -> Known:
        """The sums over the rows, and the fewest visits among them."""
        visits: Floats = self._visits.reshape(-1, self.width)[rows].min(axis=0)
        return Known(self.sums(rows).tolist(), visits.tolist())

    def all_known(self) -> Iterator[tuple[str, Known]]:
        """Every row that was ever updated, in words, with its weights."""
        for row, words in enumerate(self._row_words()):
            known = self.known(np.array([row]))
            if any(known.visits):
                yield words, known

    def words(self, rows: Rows) -> list[str]:
        """What these rows mean."""
        words = list(self._row_words())
        return [words[row] for row in rows]

    def _row_words(self) -> Iterator[str]:
        """What each row means, in order."""
        for layout in self._layouts:
            yield f"{layout.title}: always"
            described = [
                [feature.words(value) for value in range(len(feature.values))]
                for feature in layout.features
            ]
            for words in described:
                yield from [f"{layout.title}: {each}" for each in words]
            for first, second in combinations(described, 2):
                yield from [f"{layout.title}: {one}, {two}" for one in first for two in second]

    # Saving, loading and merging

    def dump(self) -> dict[str, object]:
        cells = np.flatnonzero(self._visits)
        return {
            "cells": cells.astype("<u4").tobytes(),
            "weights": self._weights[cells].astype("<f4").tobytes(),
            "visits": self._visits[cells].astype("<u4").tobytes(),
        }

    def restore(self, data: dict[str, object]) -> None:
        """Load what `dump` returned. Raises ValueError for anything else."""
        parts = [data.get(name) for name in ("cells", "weights", "visits")]
        raw = [part for part in parts if isinstance(part, bytes)]
        if len(raw) < len(parts):
            raise ValueError("parts of the weights are missing")
        if len({len(part) for part in raw}) > 1 or len(raw[0]) % 4:
            raise ValueError("weights and visits do not fit together")
        cells = np.frombuffer(raw[0], dtype="<u4").astype(np.intp)
        weights = np.frombuffer(raw[1], dtype="<f4").astype(np.float64)
        visits = np.frombuffer(raw[2], dtype="<u4").astype(np.float64)
        if (np.diff(cells) <= 0).any() or (cells >= len(self._weights)).any():
            raise ValueError("there are weights of unknown features")
        if not np.isfinite(weights).all() or (visits == 0).any():
            raise ValueError("some weights are not numbers")
        self._forget()
        self._weights[cells] = weights
        self._visits[cells] = visits
        self._count_row_visits()

    def _count_row_visits(self) -> None:
        self._row_visits = self._visits.reshape(-1, self.width).sum(axis=1)

    def compact(self, least: int) -> None:
        """Forget weights with fewer updates, and round the others to half precision."""
        rare = self._visits < least
        self._weights = self._weights.astype(np.float16).astype(np.float64)
        for cells in (self._weights, self._visits, self._new):
            cells[rare] = 0
        self._count_row_visits()

    def new_cells(self) -> NewCells:
        cells = np.flatnonzero(self._new)
        return NewCells(cells, self._weights[cells], self._visits[cells], self._new[cells])

    def merge(self, theirs: NewCells) -> None:
        """A weight that changed in both learners becomes their mean, weighted by the updates of
        each since they were equal."""
        cells, weights, all_visits, new = theirs
        visits = self._visits[cells]
        common = all_visits - new
        ours = np.where(visits >= common, visits - common, visits)
        self._weights[cells] = weights + (self._weights[cells] - weights) * ours / (ours + new)
        self._visits[cells] = visits + new
        self._new[cells] += new
        self._count_row_visits()


class WeightLearner(FeatureLearner):
    """The base of learners whose knowledge is a matrix of weights."""

    size_unit = "weights"

    def __init__(
        self,
        abstraction: Abstraction[Any],
        settings: LearningSettings | None = None,
        name: str = "",
        learning: bool = True,
    ) -> None:
        super().__init__(abstraction, settings, name, learning)
        self.abstraction = abstraction
        self._weights = Weights(abstraction)

    def known(self, situation: Situation) -> Known:
        """The values and visits of a situation."""
        return self._weights.known(self._weights.rows(situation))

    def all_known(self) -> Iterator[tuple[str, Known]]:
        """Every row of weights, in words, with its values and visits."""
        return self._weights.all_known()

    def parts(self, situation: Situation) -> list[str]:
        """The words under which `all_known` lists the weights of a situation."""
        return self._weights.words(self._weights.rows(situation))

    def fingerprint(self) -> str:
        return f"{super().fingerprint()} | weights of values and of pairs of values"

    def _size(self) -> int:
        return self._weights.size()

    def _dump_knowledge(self) -> dict[str, object]:
        return self._weights.dump()

    def _restore_knowledge(self, data: dict[str, object]) -> None:
        self._weights.restore(data)

    def take_delta(self) -> dict[str, Any]:
        """All weights. Unsaved updates stay unsaved."""
        return self.dump()

    def compact(self, least: int, rough: bool = False) -> None:
        self._weights.compact(least)

    def _new_knowledge(self) -> NewCells:
        return self._weights.new_cells()

    def _merge_knowledge(self, new: NewCells) -> None:
        self._weights.merge(new)
