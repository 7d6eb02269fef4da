"""Q-learning and SARSA: learning from one decision to the next."""

from agents.learners.tabular import TabularLearner
from agents.learners.value_learner import TraceLearner


class QLearner(TraceLearner, TabularLearner):
    """The value of a step is its reward plus the best value at the seat's next decision."""

    name = "q"


class SarsaLearner(QLearner):
    """The value of a step is its reward plus the value of the move chosen next, which may be a
    random one."""

    name = "sarsa"
    on_policy = True
