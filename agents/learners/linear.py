"""Linear value approximation: the value of a move is a sum of weights of features."""

import numpy as np

from agents.learners.features import Situation
from agents.learners.row import Row
from agents.learners.steps import Outcome
from agents.learners.value_learner import Estimate, TraceLearner
from agents.learners.weights import WeightLearner


class LinearLearner(TraceLearner, WeightLearner):
    """Generalises: an update in one situation changes all that share some of its features."""

    name = "linear"

    def _estimate(self, situation: Situation) -> Estimate:
        rows = self._weights.rows(situation)
        row = Row()
        row.values = dict(enumerate(self._weights.sums(rows).tolist()))
        return row, self._weights.least_visits(rows)

    def _learn(self, outcomes: list[Outcome]) -> None:
        changes = []
        for step, outcome in outcomes:
            rows = self._weights.rows(step.situation)
            error = outcome - float(self._weights.sums(rows)[step.move])
            change = self._weights.correct(rows, (step.move,), np.array([error]), self.settings)
            changes.append((error, float(change[0])))
        self._learned(outcomes, changes)
