"""Learning with a table: for every situation met, what each move has been worth.

How a value follows from what happened is what the learners differ in (`q`, `sarsa` and
`mc`); the table is the same for all and stands here.
"""

from array import array
from collections.abc import Iterator, Mapping
from dataclasses import asdict
from itertools import compress
from typing import Any, Final

import numpy as np

from agents.learners.features import Abstraction, Known, Situation
from agents.learners.open_row import OpenRow
from agents.learners.rewards import Rewards
from agents.learners.settings import LearningSettings
from agents.learners.value_learner import Step, ValueLearner, Values

_NO_FEATURE: Final = -1
"""Fills up the rows of shorter situations on disk."""


MOST_OPEN: Final = 4096
"""Rows that are open at a time: they take three times the room."""


class TabularLearner(ValueLearner):
    """A row of the table is the values, the visits and the visits since the last save
    of all moves, one after the other."""

    name = "table"

    def __init__(
        self,
        abstraction: Abstraction[Any],
        rewards: Rewards,
        settings: LearningSettings | None = None,
        name: str = "",
        learning: bool = True,
    ) -> None:
        super().__init__(abstraction, rewards, settings, name, learning)
        self._width = len(abstraction.move_names)
        self._rows: dict[Situation, array[float]] = {}
        self._open: dict[Situation, OpenRow] = {}
        # Situations as keys, in the order they were met: those learned about since the last
        # save, and those changed since the last delta.
        self._fresh: dict[Situation, None] = {}
        self._changed: dict[Situation, None] = {}

    @property
    def _table(self) -> "dict[Situation, array[float]]":
        """All rows, up to date; those who change them find none open."""
        self._close_rows()
        return self._rows

    @_table.setter
    def _table(self, rows: "dict[Situation, array[float]]") -> None:
        self._open = {}
        self._rows = rows

    def _close_rows(self) -> None:
        rows, self._open = self._open, {}
        for row in rows.values():
            row.close()

    def __getstate__(self) -> object:
        self._close_rows()
        return super().__getstate__()

    def _values(self, situation: Situation) -> Values:
        return (
            self._open.get(situation)
            or self._rows.get(situation)
            or self.abstraction.prior(situation)
        )

    def _visits(self, situation: Situation) -> int:
        row = self._table.get(situation)
        return int(sum(row[self._width : 2 * self._width])) if row else 0

    def _learn(self, step: Step, outcome: float) -> None:
        situation = step.situation
        row = self._open.get(situation) or self._open_row(situation)
        error, change = row.learn(step.move, outcome)
        self._count_update(error, change, step.reward, step.reasons)

    def _open_row(self, situation: Situation) -> OpenRow:
        """For lessons: what was marked as learned or changed stays so until rows are closed."""
        prior = self.abstraction.prior(situation)
        cells = self._rows.get(situation)
        if cells is None:
            cells = array("d", prior) + array("d", bytes(16 * self._width))
            self._rows[situation] = cells
        if len(self._open) == MOST_OPEN:
            self._close_rows()
        self._fresh[situation] = self._changed[situation] = None
        row = self._open[situation] = OpenRow(cells, prior, self.settings)
        return row

    def _move_untried(self, prior: list[float], row: "array[float]") -> None:
        """Bring the moves in line that were never made, after those were changed that were."""
        OpenRow(row, prior, self.settings).close()

    def take_over(
        self,
        values: Mapping[Situation, Mapping[int, float]],
        visits: int,
        counts: Mapping[str, int],
    ) -> None:
        """Learn what another program has learned: what moves are worth in situations.

        visits   how often each of these values counts as tried
        counts   what to add to the counters
        """
        rows = {}
        for situation, moves in values.items():
            prior = self.abstraction.prior(situation)
            row = array("d", prior + [0.0] * (2 * self._width))
            for move, value in moves.items():
                row[move] = value
                row[self._width + move] = row[2 * self._width + move] = visits
            self._move_untried(prior, row)
            rows[situation] = row.tobytes()
        self.merge_updates({"knowledge": rows, "counters": counts, "recent": []})

    # Telling

    def known(self, situation: Situation) -> Known:
        """What it knows of a situation; without visits if it has never met it."""
        row = self._table.get(situation)
        if row is None:
            return Known(self.abstraction.prior(situation), [0.0] * self._width)
        return Known(row[: self._width], row[self._width : 2 * self._width])

    def all_known(self) -> Iterator[tuple[str, Known]]:
        """Every situation it has met, in words, and what it knows of it."""
        for situation in self._table:
            yield self.abstraction.words(situation), self.known(situation)

    def parts(self, situation: Situation) -> list[str]:
        """Under which words of `all_known` a situation is found."""
        return [self.abstraction.words(situation)]

    # Keeping

    def _size(self) -> int:
        return len(self._rows)

    def _knowledge(self) -> dict[str, object]:
        longest = max([len(situation) for situation in self._table], default=0)
        keys = np.full((len(self._table), longest), _NO_FEATURE, dtype="<i1")
        cells = np.empty((len(self._table), 2 * self._width), dtype="<f8")
        for number, (situation, row) in enumerate(self._table.items()):
            keys[number, : len(situation)] = situation
            cells[number] = row[: 2 * self._width]
        return {"features": longest, "situations": keys.tobytes(), "cells": cells.tobytes()}

    def _know(self, data: dict[str, object]) -> None:
        longest, keys, cells = data.get("features"), data.get("situations"), data.get("cells")
        if not (type(longest) is int and isinstance(keys, bytes) and isinstance(cells, bytes)):
            raise ValueError("parts of the table are missing")
        rows = len(cells) // (16 * self._width)
        if len(cells) != rows * 16 * self._width or len(keys) != rows * longest:
            raise ValueError("situations and values do not fit together")
        values = np.frombuffer(cells, dtype="<f8").reshape(rows, 2 * self._width)
        visits = values[:, self._width :]
        if not np.isfinite(values).all() or (visits < 0).any() or (visits % 1 != 0).any():
            raise ValueError("some values are not numbers")
        table: dict[Situation, array[float]] = {}
        unsaved = [0.0] * self._width
        situations = np.frombuffer(keys, dtype="<i1").reshape(rows, longest).tolist()
        for key, row in zip(situations, values, strict=True):
            while key and key[-1] == _NO_FEATURE:
                key.pop()
            if not self.abstraction.knows(key):
                raise ValueError(f"there is no situation {key}")
            table[tuple(key)] = array("d", row.tolist() + unsaved)
        if len(table) != rows:
            raise ValueError("a situation stands there twice")
        self._table = table
        self._fresh = {}
        self._changed = {}

    def compact(self, least: int) -> None:
        """Forget situations met fewer times, and what of a value hardly matters."""
        width = self._width
        self._table = {
            situation: array(
                "d", np.array(row[:width], "f2").astype("f8").tolist() + row[width:].tolist()
            )
            for situation, row in self._table.items()
            if sum(row[width : 2 * width]) >= least
        }
        self._fresh = {situation: None for situation in self._fresh if situation in self._table}
        self._changed = dict.fromkeys(self._table)

    def _fresh_knowledge(self) -> dict[Situation, bytes]:
        """Rows as bytes, which go from process to process faster than arrays."""
        table = self._table
        return {situation: table[situation].tobytes() for situation in self._fresh}

    def take_delta(self) -> dict[str, Any]:
        """The rows that have changed. What was learned since the last save stays marked."""
        table = self._table
        known, unsaved = 2 * self._width, bytes(8 * self._width)
        rows = {
            situation: table[situation][:known].tobytes() + unsaved for situation in self._changed
        }
        self._changed = {}
        return {"rows": rows, "counters": asdict(self._counts), "recent": list(self._recent)}

    def apply_delta(self, delta: dict[str, Any]) -> None:
        table, rows = self._table, delta["rows"]
        unsaved = array("d", bytes(8 * self._width))
        for situation in self._fresh:
            if situation not in rows:
                table[situation][2 * self._width :] = unsaved
        for situation, row in rows.items():
            table[situation] = array("d", row)
        self._fresh = {}
        self._changed = {}
        self._set_counts(delta["counters"], delta["recent"])

    def _add_knowledge(self, fresh: dict[Situation, bytes]) -> None:
        """A cell that changed in both places gets the mean of both values, weighted by how
        often each place has visited it since they were the same."""
        table, width = self._table, self._width
        for situation, known_there in fresh.items():
            theirs = array("d", known_there)
            row = table.get(situation)
            self._fresh[situation] = self._changed[situation] = None
            if row is None:
                table[situation] = theirs
                continue
            for move in compress(range(width), theirs[2 * width :]):
                new = theirs[2 * width + move]
                common = theirs[width + move] - new
                visits = row[width + move]
                ours = visits - common if visits >= common else visits
                row[move] = theirs[move] + (row[move] - theirs[move]) * ours / (ours + new)
                row[width + move] = visits + new
                row[2 * width + move] += new
            if row[width : 2 * width] == theirs[width : 2 * width]:
                # Nobody but them has been here since.
                row[:width] = theirs[:width]
            else:
                self._move_untried(self.abstraction.prior(situation), row)
