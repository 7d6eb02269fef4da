"""Learning from one decision to the next: Q-learning and SARSA."""

from agents.tabular import TabularLearner
from agents.value_learner import Step


class QLearner(TabularLearner):
    """A step is worth its reward and the best that can follow it."""

    name = "q"

    def _go_on(self, seat: int, step: Step, chosen: float, best: float) -> None:
        self._learn(step, step.reward + self.settings.gamma * best)

    def _end(self, seat: int, step: Step) -> None:
        self._learn(step, step.reward)


class SarsaLearner(QLearner):
    """A step is worth its reward and what really followed it, tries at random included."""

    name = "sarsa"

    def _go_on(self, seat: int, step: Step, chosen: float, best: float) -> None:
        self._learn(step, step.reward + self.settings.gamma * chosen)
