"""Imitation: a softmax classifier that predicts the move of a stronger agent."""

from random import Random
from typing import Any, Final

import numpy as np

from agents.agent import Agent, Decision, Scale
from agents.learners.features import Abstraction, Situation
from agents.learners.imitation import Imitator
from agents.learners.settings import LearningSettings
from agents.learners.weights import Floats, WeightLearner
from engine.game import View

IMITATION: Final = LearningSettings(alpha=1.0, settle=1000.0, epsilon=0.0, least=0.0)


class LogisticLearner(Imitator, WeightLearner):
    """Plays what it believes its teacher would. While learning it asks the teacher after each of
    its decisions, and so learns the right moves in the situations its own play leads to."""

    name = "logistic"

    def __init__(
        self,
        abstraction: Abstraction[Any],
        teacher: Agent,
        settings: LearningSettings = IMITATION,
        name: str = "",
        learning: bool = True,
    ) -> None:
        super().__init__(abstraction, settings, name, learning)
        self.teacher = teacher

    def act(self, view: View, legal: list[int], rng: Random) -> Decision:
        situation = self.abstraction.situation(view)
        moves = self.abstraction.moves(view, legal)
        choices = list(dict.fromkeys(moves.values()))
        probabilities = self._probabilities(situation, choices)
        likely = dict(zip(choices, probabilities.tolist(), strict=True))
        best = max(likely.values())
        action = rng.choice([each for each, made in moves.items() if likely[made] == best])
        if self.learning:
            advice = self.teacher.act(view, legal, rng).action
            self._count_action(explored=False)
            if len(choices) > 1:
                self._learn(situation, choices, probabilities, moves[advice])
        scores = {each: likely[made] for each, made in moves.items()}
        meaning = f"probability that {self.teacher.name} makes this move"
        return Decision(action, scores, meaning, scale=Scale.FREQUENCY)

    def _probabilities(self, situation: Situation, choices: list[int]) -> Floats:
        """The probability of each move: the softmax of their sums."""
        sums = self._weights.sums(self._weights.rows(situation))
        probabilities: Floats = np.exp(sums[choices] - sums[choices].max())
        probabilities /= probabilities.sum()
        return probabilities

    def _learn(
        self, situation: Situation, choices: list[int], probabilities: Floats, advised: int
    ) -> None:
        """One step down the gradient of the cross-entropy: the advised move becomes more
        likely, all others less."""
        errors = np.equal(choices, advised) - probabilities
        rows = self._weights.rows(situation)
        changes = self._weights.correct(rows, choices, errors, self.settings)
        right = choices.index(advised)
        reason = f"{self.teacher.name}: {self.abstraction.move_words(advised)}"
        self._count_update(float(errors[right]), float(changes[right]), 0.0, (reason,))

    def fingerprint(self) -> str:
        return f"{super().fingerprint()} | chances of {self.teacher.name}"
