"""The Q-table: for every situation met, the value of each move.

`q`, `sarsa` and `mc` share this table. They differ in how an outcome is computed.
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
"""Pads the rows of shorter situations on disk."""

MOST_OPEN: Final = 4096
"""The number of rows that may be open. An open row takes three times the memory."""


class TabularLearner(ValueLearner):
    """A row of the Q-table holds the values, then the visits, then the visits since the last
    save, of all moves."""

    name = "tabular"

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
        # Ordered sets of situations: updated since the last save, and changed since the last
        # delta.
        self._unsaved_rows: dict[Situation, None] = {}
        self._changed: dict[Situation, None] = {}

    @property
    def _q_table(self) -> "dict[Situation, array[float]]":
        """All rows, up to date. Reading this closes the open rows."""
        self._close_rows()
        return self._rows

    @_q_table.setter
    def _q_table(self, rows: "dict[Situation, array[float]]") -> None:
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
        row = self._q_table.get(situation)
        return int(sum(row[self._width : 2 * self._width])) if row else 0

    def _learn(self, step: Step, outcome: float) -> None:
        situation = step.situation
        row = self._open.get(situation) or self._open_row(situation)
        error, change = row.learn(step.move, outcome)
        self._count_update(error, change, step.reward, step.reasons)

    def _open_row(self, situation: Situation) -> OpenRow:
        """Open a row for updates and mark it as unsaved and changed."""
        prior = self.abstraction.prior(situation)
        cells = self._rows.get(situation)
        if cells is None:
            cells = array("d", prior) + array("d", bytes(16 * self._width))
            self._rows[situation] = cells
        if len(self._open) == MOST_OPEN:
            self._close_rows()
        self._unsaved_rows[situation] = self._changed[situation] = None
        row = self._open[situation] = OpenRow(cells, prior, self.settings)
        return row

    def _move_untried(self, prior: list[float], row: "array[float]") -> None:
        """Recompute the values of untried moves after the others were changed."""
        OpenRow(row, prior, self.settings).close()

    def take_over(
        self,
        values: Mapping[Situation, Mapping[int, float]],
        visits: int,
        counts: Mapping[str, int],
    ) -> None:
        """Add values that another program has learned.

        visits   the number of visits to assume for each value
        counts   amounts to add to the counters
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

    # Explaining

    def known(self, situation: Situation) -> Known:
        """The values and visits of a situation; without visits if it was never met."""
        row = self._q_table.get(situation)
        if row is None:
            return Known(self.abstraction.prior(situation), [0.0] * self._width)
        return Known(row[: self._width], row[self._width : 2 * self._width])

    def all_known(self) -> Iterator[tuple[str, Known]]:
        """Every situation met, in words, with its values and visits."""
        for situation in self._q_table:
            yield self.abstraction.words(situation), self.known(situation)

    def parts(self, situation: Situation) -> list[str]:
        """The words under which `all_known` lists a situation."""
        return [self.abstraction.words(situation)]

    # Saving, loading and merging

    def _size(self) -> int:
        return len(self._rows)

    def _dump_knowledge(self) -> dict[str, object]:
        longest = max([len(situation) for situation in self._q_table], default=0)
        keys = np.full((len(self._q_table), longest), _NO_FEATURE, dtype="<i1")
        cells = np.empty((len(self._q_table), 2 * self._width), dtype="<f8")
        for number, (situation, row) in enumerate(self._q_table.items()):
            keys[number, : len(situation)] = situation
            cells[number] = row[: 2 * self._width]
        return {"features": longest, "situations": keys.tobytes(), "cells": cells.tobytes()}

    def _restore_knowledge(self, data: dict[str, object]) -> None:
        longest, keys, cells = data.get("features"), data.get("situations"), data.get("cells")
        if not (type(longest) is int and isinstance(keys, bytes) and isinstance(cells, bytes)):
            raise ValueError("parts of the Q-table are missing")
        rows = len(cells) // (16 * self._width)
        if len(cells) != rows * 16 * self._width or len(keys) != rows * longest:
            raise ValueError("situations and values do not fit together")
        values = np.frombuffer(cells, dtype="<f8").reshape(rows, 2 * self._width)
        visits = values[:, self._width :]
        if not np.isfinite(values).all() or (visits < 0).any() or (visits % 1 != 0).any():
            raise ValueError("some values are not numbers")
        q_table: dict[Situation, array[float]] = {}
        unsaved = [0.0] * self._width
        situations = np.frombuffer(keys, dtype="<i1").reshape(rows, longest).tolist()
        for key, row in zip(situations, values, strict=True):
            while key and key[-1] == _NO_FEATURE:
                key.pop()
            if not self.abstraction.knows(key):
                raise ValueError(f"there is no situation {key}")
            q_table[tuple(key)] = array("d", row.tolist() + unsaved)
        if len(q_table) != rows:
            raise ValueError("a situation occurs twice")
        self._q_table = q_table
        self._unsaved_rows = {}
        self._changed = {}

    def compact(self, least: int) -> None:
        """Drop situations with fewer visits, and round values to half precision."""
        width = self._width
        self._q_table = {
            situation: array(
                "d", np.array(row[:width], "f2").astype("f8").tolist() + row[width:].tolist()
            )
            for situation, row in self._q_table.items()
            if sum(row[width : 2 * width]) >= least
        }
        self._unsaved_rows = {
            situation: None for situation in self._unsaved_rows if situation in self._q_table
        }
        self._changed = dict.fromkeys(self._q_table)

    def _new_knowledge(self) -> dict[Situation, bytes]:
        """Unsaved rows as bytes, which are faster to send between processes than arrays."""
        q_table = self._q_table
        return {situation: q_table[situation].tobytes() for situation in self._unsaved_rows}

    def take_delta(self) -> dict[str, Any]:
        """The changed rows. Unsaved rows stay unsaved."""
        q_table = self._q_table
        known, unsaved = 2 * self._width, bytes(8 * self._width)
        rows = {
            situation: q_table[situation][:known].tobytes() + unsaved for situation in self._changed
        }
        self._changed = {}
        return {"rows": rows, "counters": asdict(self._counts), "recent": list(self._recent)}

    def apply_delta(self, delta: dict[str, Any]) -> None:
        q_table, rows = self._q_table, delta["rows"]
        unsaved = array("d", bytes(8 * self._width))
        for situation in self._unsaved_rows:
            if situation not in rows:
                q_table[situation][2 * self._width :] = unsaved
        for situation, row in rows.items():
            q_table[situation] = array("d", row)
        self._unsaved_rows = {}
        self._changed = {}
        self._set_counts(delta["counters"], delta["recent"])

    def _merge_knowledge(self, new: dict[Situation, bytes]) -> None:
        """A value that changed in both learners becomes their mean, weighted by the visits of
        each since they were equal."""
        q_table, width = self._q_table, self._width
        for situation, their_row in new.items():
            theirs = array("d", their_row)
            row = q_table.get(situation)
            self._unsaved_rows[situation] = self._changed[situation] = None
            if row is None:
                q_table[situation] = theirs
                continue
            for move in compress(range(width), theirs[2 * width :]):
                added = theirs[2 * width + move]
                common = theirs[width + move] - added
                visits = row[width + move]
                ours = visits - common if visits >= common else visits
                row[move] = theirs[move] + (row[move] - theirs[move]) * ours / (ours + added)
                row[width + move] = visits + added
                row[2 * width + move] += added
            if row[width : 2 * width] == theirs[width : 2 * width]:
                # Only they have visited it since.
                row[:width] = theirs[:width]
            else:
                self._move_untried(self.abstraction.prior(situation), row)
