"""Imitation: a softmax classifier that learns which move a stronger player would make."""

from random import Random
from typing import Any, Final

import numpy as np

from agents.agent import Agent, Decision, Scale
from agents.learners.features import Abstraction, Situation
from agents.learners.imitation import Imitator
from agents.learners.settings import LearningSettings
from agents.learners.weights import Floats, WeighingLearner
from engine.game import View

IMITATION: Final = LearningSettings(alpha=1.0, settle=1000, epsilon=1.0, decay=0.9995, least=0.3)
"""Here epsilon is the share of decisions in which the teacher's move is played: at first
all, later fewer, so that the student sees where its own play leads and what would have
been right there."""


class LogisticLearner(Imitator, WeighingLearner):
    """Asks its teacher at each of its own decisions, but only while it learns."""

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
        chances = self._chances(situation, choices)
        likely = dict(zip(choices, chances.tolist(), strict=True))
        move = max(choices, key=likely.__getitem__)
        action = next(action for action, made in moves.items() if made == move)
        if self.learning:
            advice = self.teacher.act(view, legal, rng).action
            if rng.random() < self._epsilon():
                action = advice
            self._count_action(explored=False)
            if len(choices) > 1:
                self._learn(situation, choices, chances, moves[advice])
        scores = {each: likely[made] for each, made in moves.items()}
        meaning = f"how likely {self.teacher.name} makes this move"
        return Decision(action, scores, meaning, scale=Scale.HABIT)

    def _chances(self, situation: Situation, choices: list[int]) -> Floats:
        """How likely each of the moves is the teacher's, by the softmax of their sums."""
        sums = self._weights.sums(self._weights.rows(situation)) + self.abstraction.prior(situation)
        chances: Floats = np.exp(sums[choices] - sums[choices].max())
        chances /= chances.sum()
        return chances

    def _learn(
        self, situation: Situation, choices: list[int], chances: Floats, advised: int
    ) -> None:
        """The gradient of the cross-entropy: what was advised is made more likely, all else
        less, each by how far off it was."""
        errors = np.equal(choices, advised) - chances
        rows = self._weights.rows(situation)
        changes = self._weights.correct(rows, choices, errors, self.settings)
        right = choices.index(advised)
        reason = f"{self.teacher.name}: {self.abstraction.move_words(advised)}"
        self._count_update(float(errors[right]), float(changes[right]), 0.0, (reason,))

    def fingerprint(self) -> str:
        return f"{super().fingerprint()} | chances of {self.teacher.name}"
