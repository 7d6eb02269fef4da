"""The Q-table: for every situation met, the value of each move.

`q`, `sarsa` and `mc` share this table. They differ in how an outcome is computed.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict
from typing import Any, Final

import numpy as np

from agents.learners.features import Abstraction, Known, Situation
from agents.learners.q_table import QTable
from agents.learners.rewards import Rewards
from agents.learners.row import NO_ROW, Row
from agents.learners.settings import LearningSettings
from agents.learners.steps import Outcome
from agents.learners.value_learner import Estimate, ValueLearner

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
        self.q_table = QTable(abstraction.outlines())

    def _estimate(self, situation: Situation) -> Estimate:
        return self.q_table.estimate(situation)

    def _seen(self, situation: Situation) -> float:
        return self.q_table.rows.get(situation, NO_ROW).total

    def _learn(self, outcomes: list[Outcome]) -> None:
        self._learned(outcomes, self.q_table.learn(outcomes, self.settings))

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
        row, _ = self._estimate(situation)
        visits = self.q_table.rows.get(situation, NO_ROW).visits
        moves = range(self._width)
        return Known([row[move] for move in moves], [visits.get(move, 0) for move in moves])

    def situations(self) -> Iterable[Situation]:
        """Every situation met."""
        return self.q_table.rows

    def all_known(self) -> Iterator[tuple[str, Known]]:
        """Every situation met, in words, with its values and visits."""
        return zip(
            map(self.abstraction.words, self.q_table.rows),
            map(self.known, self.q_table.rows),
            strict=True,
        )

    def parts(self, situation: Situation) -> list[str]:
        """The words under which `all_known` lists a situation."""
        return [self.abstraction.words(situation)]

    # Saving, loading and merging

    def _size(self) -> int:
        """Situations met, without their outlines."""
        rows = self.q_table.rows
        layouts = len(self.abstraction.layouts)
        if not any(layout.outline for layout in self.abstraction.layouts):
            return len(rows)
        return sum([situation[0] < layouts for situation in rows])

    def _dump_knowledge(self) -> dict[str, object]:
        rows = self.q_table.rows
        longest = max([len(situation) for situation in rows], default=0)
        keys = np.full((len(rows), longest), _NO_FEATURE, dtype="<i1")
        cells = np.zeros((len(rows), 2 * self._width), dtype="<f8")
        for number, (situation, row) in enumerate(rows.items()):
            keys[number, : len(situation)] = situation
            values = row.values
            for move, visits in row.visits.items():
                cells[number, move] = values[move]
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
        self.q_table.clear()
        in_order = [self.q_table.row(situation) for situation in situations]
        for number, move in np.argwhere(visits).tolist():
            in_order[number].set(move, float(values[number, move]), int(visits[number, move]))

    def compact(self, least: int, rough: bool = False) -> None:
        """Drop situations with fewer visits than `least`, and round values to half precision."""
        self.q_table.drop(least)
        for row in self.q_table.rows.values():
            for move, value in row.values.items():
                row.values[move] = float(np.float16(value))

    def _new_knowledge(self) -> dict[Situation, tuple[bytes, dict[int, int]]]:
        return self.q_table.updates()

    def take_delta(self) -> dict[str, Any]:
        """The changed rows. Unsaved rows stay unsaved."""
        rows = self.q_table.take_delta()
        return {"rows": rows, "counters": asdict(self._counts), "recent": list(self._recent)}

    def apply_delta(self, delta: dict[str, Any]) -> None:
        self.q_table.apply_delta(delta["rows"])
        self._set_counts(delta["counters"], delta["recent"])

    def _merge_knowledge(self, new: dict[Situation, tuple[bytes, dict[int, int]]]) -> None:
        self.q_table.merge(new)
