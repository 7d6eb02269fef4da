"""Approximate values: what a move is worth is a sum over what is noticed about the situation."""

from collections.abc import Sequence

import numpy as np

from agents.features import Situation
from agents.learners.value_learner import TracingLearner
from agents.learners.weights import WeighingLearner


class LinearLearner(TracingLearner, WeighingLearner):
    """What it learns in one situation it knows in all that share some of its features."""

    name = "linear"

    def _values(self, situation: Situation) -> Sequence[float]:
        sums = self._weights.sums(self._weights.rows(situation))
        values: list[float] = (sums + self.abstraction.prior(situation)).tolist()
        return values

    def _move_value(self, situation: Situation, move: int, outcome: float) -> tuple[float, float]:
        error = outcome - self._values(situation)[move]
        rows = self._weights.rows(situation)
        if not self.settings.shared:
            changes = self._weights.correct(rows, (move,), np.array([error]), self.settings)
            return error, float(changes[0])
        errors = np.full(self._weights.width, self.settings.shared * error)
        errors[move] = error
        changes = self._weights.correct(rows, range(len(errors)), errors, self.settings)
        return error, float(changes[move])
