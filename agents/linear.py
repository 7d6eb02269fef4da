"""Approximate values: what a move is worth is a sum over what is noticed about the situation."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from agents.feature_learner import LearningSettings
from agents.features import Abstraction, Situation
from agents.rewards import Rewards
from agents.value_learner import Step, ValueLearner
from agents.weights import WeighingLearner


class LinearLearner(ValueLearner, WeighingLearner):
    """What it learns in one situation it knows in all that share some of its features.

    A step is worth its reward and a mixture, set by `trace`, of what was promised when the
    seat decided again and of what then came. It is learned when the hand is over.
    """

    name = "linear"

    def __init__(
        self,
        abstraction: Abstraction[Any],
        rewards: Rewards,
        settings: LearningSettings | None = None,
        name: str = "",
        learning: bool = True,
    ) -> None:
        super().__init__(abstraction, rewards, settings, name, learning)
        self._hands: dict[int, list[tuple[Step, float]]] = {}

    def _values(self, situation: Situation) -> Sequence[float]:
        sums = self._weights.sums(self._weights.rows(situation))
        values: list[float] = (sums + self.abstraction.prior(situation)).tolist()
        return values

    def _move_value(self, situation: Situation, move: int, outcome: float) -> tuple[float, float]:
        error = outcome - self._values(situation)[move]
        rows = self._weights.rows(situation)
        changes = self._weights.correct(rows, (move,), np.array([error]), self.settings)
        return error, float(changes[0])

    def _go_on(self, seat: int, step: Step, chosen: float, best: float) -> None:
        self._hands.setdefault(seat, []).append((step, best))

    def _end(self, seat: int, step: Step) -> None:
        gamma, trace = self.settings.gamma, self.settings.trace
        outcome = step.reward
        self._learn(step, outcome)
        for each, promised in reversed(self._hands.pop(seat, [])):
            outcome = each.reward + gamma * ((1 - trace) * promised + trace * outcome)
            self._learn(each, outcome)

    def forget_match(self) -> None:
        super().forget_match()
        self._hands.clear()
