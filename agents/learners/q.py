"""Learning from one decision to the next: Q-learning and SARSA."""

from agents.learners.tabular import TabularLearner
from agents.learners.value_learner import Step, TracingLearner


class QLearner(TracingLearner, TabularLearner):
    """A step is worth its reward and the best that can follow it. Unless there is a trace, that
    is known and learned as soon as the seat decides again."""

    name = "q"

    def _go_on(self, seat: int, step: Step, following: Step) -> None:
        settings = self.settings
        if settings.trace:
            super()._go_on(seat, step, following)
        else:
            promised = following.value if self.on_policy else following.best
            self._learn(step, step.reward + settings.gamma * promised)


class SarsaLearner(QLearner):
    """A step is worth its reward and what really followed it, tries at random included."""

    name = "sarsa"
    on_policy = True
