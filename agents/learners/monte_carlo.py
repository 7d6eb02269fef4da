"""First-visit Monte Carlo: learning from whole hands."""

from agents.learners.steps import Outcome, Step, first_visits
from agents.learners.tabular import TabularLearner


class MonteCarloLearner(TabularLearner):
    """The value of a step is the sum of rewards to the end of its hand. Only the first visit to
    each situation and move in a hand counts."""

    name = "mc"
    predicts = False

    def _outcomes(self, hand: list[Step]) -> list[Outcome]:
        return first_visits(hand, self.settings.gamma)
