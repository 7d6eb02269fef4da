"""Linear value approximation: the value of a move is a sum of weights of features."""

import numpy as np

from agents.learners.features import Situation
from agents.learners.value_learner import Estimate, Step, TraceLearner
from agents.learners.weights import WeightLearner


class LinearLearner(TraceLearner, WeightLearner):
    """Generalises: an update in one situation changes all that share some of its features."""

    name = "linear"

    def _estimate(self, situation: Situation) -> Estimate:
        rows = self._weights.rows(situation)
        return self._weights.sums(rows).tolist(), self._weights.least_visits(rows)

    def _learn(self, step: Step, outcome: float) -> None:
        rows = self._weights.rows(step.situation)
        error = outcome - float(self._weights.sums(rows)[step.move])
        change = self._weights.correct(rows, (step.move,), np.array([error]), self.settings)
        self._count_update(error, float(change[0]), step.reward, step.reasons)
        self._note(step, outcome, error, float(change[0]))
