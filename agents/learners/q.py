"""Q-learning and SARSA: learning from one decision to the next."""

from agents.learners.tabular import TabularLearner
from agents.learners.value_learner import Step, TraceLearner


class QLearner(TraceLearner, TabularLearner):
    """The value of a step is its reward plus the best value at the seat's next decision. Without
    a trace it is updated as soon as the seat decides again."""

    name = "q"

    def _continue(self, seat: int, step: Step, following: Step) -> None:
        settings = self.settings
        if settings.trace:
            super()._continue(seat, step, following)
        else:
            next_value = following.value if self.on_policy else following.best
            self._learn(step, step.reward + settings.gamma * next_value)


class SarsaLearner(QLearner):
    """The value of a step is its reward plus the value of the move chosen next, which may be a
    random one."""

    name = "sarsa"
    on_policy = True
