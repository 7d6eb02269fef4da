"""Linear value approximation: the value of a move is a sum of weights of features."""

from collections.abc import Sequence

import numpy as np

from agents.learners.features import Situation
from agents.learners.value_learner import Step, TraceLearner
from agents.learners.weights import WeightLearner


class LinearLearner(TraceLearner, WeightLearner):
    """Generalises: an update in one situation changes all that share some of its features."""

    name = "linear"

    def _values(self, situation: Situation) -> Sequence[float]:
        sums = self._weights.sums(self._weights.rows(situation))
        values: list[float] = (sums + self.abstraction.prior(situation)).tolist()
        return values

    def _learn(self, step: Step, outcome: float) -> None:
        error = outcome - self._values(step.situation)[step.move]
        change = self._correct(step, error)
        self._count_update(error, change, step.reward, step.reasons)

    def _correct(self, step: Step, error: float) -> float:
        """Correct the value of the step's move and return its change."""
        move, settings, weights = step.move, self.settings, self._weights
        rows = weights.rows(step.situation)
        if not settings.shared:
            return float(weights.correct(rows, (move,), np.array([error]), settings)[0])
        errors = np.full(weights.width, settings.shared * error)
        errors[move] = error
        return float(weights.correct(rows, range(len(errors)), errors, settings)[move])
