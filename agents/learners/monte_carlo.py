"""First-visit Monte Carlo: learning from whole hands."""

from agents.learners.features import Situation
from agents.learners.tabular import TabularLearner
from agents.learners.value_learner import Step


class MonteCarloLearner(TabularLearner):
    """The value of a step is the sum of rewards to the end of its hand. Only the first visit to
    each situation and move in a hand counts."""

    name = "mc"
    predicts = False

    def _end(self, hand: list[Step]) -> None:
        outcome = 0.0
        first: dict[tuple[Situation, int], tuple[Step, float]] = {}
        for step in reversed(hand):
            outcome = step.reward + self.settings.gamma * outcome
            first[step.situation, step.move] = (step, outcome)
        for step, worth in reversed(first.values()):
            self._learn(step, worth)
