"""First-visit Monte Carlo: learning from whole hands."""

from typing import Any

from agents.learners.features import Abstraction, Situation
from agents.learners.rewards import Rewards
from agents.learners.settings import LearningSettings
from agents.learners.tabular import TabularLearner
from agents.learners.value_learner import Step


class MonteCarloLearner(TabularLearner):
    """The value of a step is the sum of rewards to the end of its hand. Only the first visit to
    each situation and move in a hand counts."""

    name = "mc"
    predicts = False

    def __init__(
        self,
        abstraction: Abstraction[Any],
        rewards: Rewards,
        settings: LearningSettings | None = None,
        name: str = "",
        learning: bool = True,
    ) -> None:
        super().__init__(abstraction, rewards, settings, name, learning)
        self._hands: dict[int, list[Step]] = {}

    def _continue(self, seat: int, step: Step, following: Step) -> None:
        self._hands.setdefault(seat, []).append(step)

    def _end(self, seat: int, step: Step) -> None:
        steps = [*self._hands.pop(seat, []), step]
        outcome = 0.0
        first: dict[tuple[Situation, int], tuple[Step, float]] = {}
        for each in reversed(steps):
            outcome = each.reward + self.settings.gamma * outcome
            first[each.situation, each.move] = (each, outcome)
        for each, worth in reversed(first.values()):
            self._learn(each, worth)

    def forget_match(self) -> None:
        super().forget_match()
        self._hands.clear()
