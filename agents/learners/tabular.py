"""The Q-table: for every situation met, the value of each move.

`q`, `sarsa` and `mc` share this table. They differ in how an outcome is computed.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict
from typing import Any, Final

import numpy as np

from agents.learners.features import Abstraction, Known, Situation
from agents.learners.rewards import Rewards
from agents.learners.row import NO_ROW, Row
from agents.learners.settings import LearningSettings
from agents.learners.value_learner import Estimate, Step, ValueLearner

_NO_FEATURE: Final = -1
"""Pads the rows of shorter situations on disk."""


class TabularLearner(ValueLearner):
    """Keeps a row for each situation met."""

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
        self._q_table: dict[Situation, Row] = {}
        # The visits at the last save of rows updated since, and the rows changed since the
        # last delta.
        self._saved_visits: dict[Situation, dict[int, int]] = {}
        self._changed: dict[Situation, Row] = {}

    def _estimate(self, situation: Situation) -> Estimate:
        row = self._q_table.get(situation)
        if row is None:
            row = self._outline(situation)
        # A situation is as familiar as all with the same outline.
        outline = row.outline
        return row, row.total if outline is None else outline.total

    def _seen(self, situation: Situation) -> float:
        return self._q_table.get(situation, NO_ROW).total

    def _outline(self, situation: Situation) -> Row:
        """What is known about the outline of a situation that was never met."""
        outline = self.abstraction.outline(situation)
        return NO_ROW if outline is None else self._q_table.get(outline, NO_ROW)

    def _learn(self, step: Step, outcome: float) -> None:
        row = self._changed.get(step.situation)
        if row is None:
            row = self._mark_changed(step.situation)
        error, change = row.learn(step.move, outcome, self.settings)
        self._count_update(error, change, step.reward, step.reasons)
        self._note(step, outcome, error, change)

    def _mark_changed(self, situation: Situation) -> Row:
        """Return the row of a situation, marked as changed; a new one if there is none."""
        outline = self.abstraction.outline(situation)
        if outline is not None and outline not in self._changed:
            self._mark_changed(outline)
        row = self._changed[situation] = self._row(situation)
        if situation not in self._saved_visits:
            self._saved_visits[situation] = dict(row.visits)
        return row

    def _row(self, situation: Situation) -> Row:
        """The row of a situation; a new one if there is none."""
        row = self._q_table.get(situation)
        if row is None:
            outline = self.abstraction.outline(situation)
            row = Row(None if outline is None else self._row(outline))
            self._q_table[situation] = row
        return row

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
            row = Row()
            for move, value in moves.items():
                row.set(move, value, visits)
            rows[situation] = (row.pack(), row.visits)
        self.merge_updates({"knowledge": rows, "counters": counts, "recent": []})

    # Explaining

    def known(self, situation: Situation) -> Known:
        """The values and visits of a situation; without visits if it was never met."""
        values, _ = self._estimate(situation)
        visits = self._q_table.get(situation, NO_ROW).visits
        moves = range(self._width)
        return Known([values[move] for move in moves], [visits.get(move, 0) for move in moves])

    def situations(self) -> Iterable[Situation]:
        """Every situation met."""
        return self._q_table

    def all_known(self) -> Iterator[tuple[str, Known]]:
        """Every situation met, in words, with its values and visits."""
        return zip(
            map(self.abstraction.words, self._q_table),
            map(self.known, self._q_table),
            strict=True,
        )

    def parts(self, situation: Situation) -> list[str]:
        """The words under which `all_known` lists a situation."""
        return [self.abstraction.words(situation)]

    # Saving, loading and merging

    def _size(self) -> int:
        """Situations met, without their outlines."""
        layouts = len(self.abstraction.layouts)
        outlined = [layout for layout in self.abstraction.layouts if layout.outline]
        if not outlined:
            return len(self._q_table)
        return sum([situation[0] < layouts for situation in self._q_table])

    def _dump_knowledge(self) -> dict[str, object]:
        longest = max([len(situation) for situation in self._q_table], default=0)
        keys = np.full((len(self._q_table), longest), _NO_FEATURE, dtype="<i1")
        cells = np.zeros((len(self._q_table), 2 * self._width), dtype="<f8")
        for number, (situation, row) in enumerate(self._q_table.items()):
            keys[number, : len(situation)] = situation
            for move, visits in row.visits.items():
                cells[number, move] = row[move]
                cells[number, self._width + move] = visits
        return {"features": longest, "situations": keys.tobytes(), "cells": cells.tobytes()}

    def _restore_knowledge(self, data: dict[str, object]) -> None:
        longest, keys, cells = data.get("features"), data.get("situations"), data.get("cells")
        if not (type(longest) is int and isinstance(keys, bytes) and isinstance(cells, bytes)):
            raise ValueError("parts of the Q-table are missing")
        rows = len(cells) // (16 * self._width)
        if len(cells) != rows * 16 * self._width or len(keys) != rows * longest:
            raise ValueError("situations and values do not fit together")
        both = np.frombuffer(cells, dtype="<f8").reshape(rows, 2 * self._width)
        values, visits = both[:, : self._width], both[:, self._width :]
        if not np.isfinite(both).all() or (visits < 0).any() or (visits % 1 != 0).any():
            raise ValueError("some values are not numbers")
        situations: list[Situation] = []
        for key in np.frombuffer(keys, dtype="<i1").reshape(rows, longest).tolist():
            while key and key[-1] == _NO_FEATURE:
                key.pop()
            if not self.abstraction.knows(key):
                raise ValueError(f"there is no situation {key}")
            situations.append(tuple(key))
        if len(set(situations)) != rows:
            raise ValueError("a situation occurs twice")
        self._q_table = {}
        in_order = [self._row(situation) for situation in situations]
        for number, move in np.argwhere(visits).tolist():
            in_order[number].set(move, float(values[number, move]), int(visits[number, move]))
        self._saved_visits = {}
        self._changed = {}

    def compact(self, least: int, rough: bool = False) -> None:
        """Drop situations with fewer visits than `least`, and round values to half precision."""
        self._q_table = {
            situation: row for situation, row in self._q_table.items() if row.total >= least
        }
        for row in self._q_table.values():
            for move, value in row.items():
                row[move] = float(np.float16(value))
        self._saved_visits = {
            situation: visits
            for situation, visits in self._saved_visits.items()
            if situation in self._q_table
        }
        self._changed = dict(self._q_table)

    def _new_knowledge(self) -> dict[Situation, tuple[bytes, dict[int, int]]]:
        """Unsaved rows, each with its visits since the last save."""
        q_table = self._q_table
        new = {}
        for situation, saved in self._saved_visits.items():
            row = q_table[situation]
            added = {move: visits - saved.get(move, 0) for move, visits in row.visits.items()}
            new[situation] = (row.pack(), {move: more for move, more in added.items() if more})
        return new

    def take_delta(self) -> dict[str, Any]:
        """The changed rows. Unsaved rows stay unsaved."""
        rows = {situation: row.pack() for situation, row in self._changed.items()}
        self._changed = {}
        return {"rows": rows, "counters": asdict(self._counts), "recent": list(self._recent)}

    def apply_delta(self, delta: dict[str, Any]) -> None:
        for situation, packed in delta["rows"].items():
            self._row(situation).update_from(packed)
        self._saved_visits = {}
        self._changed = {}
        self._set_counts(delta["counters"], delta["recent"])

    def _merge_knowledge(self, new: dict[Situation, tuple[bytes, dict[int, int]]]) -> None:
        for situation, (packed, added) in new.items():
            self._mark_changed(situation).merge(Row().update_from(packed), added)
