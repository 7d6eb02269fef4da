"""What can be changed about a learner before it trains, in words."""

from dataclasses import dataclass, fields
from math import isinf, isnan
from typing import Any, Final

from agents.learners.feature_learner import FeatureLearner
from agents.learners.linear import LinearLearner
from agents.learners.value_learner import ValueLearner
from agents.registry import create

_SETTINGS: Final = {
    "alpha": ("Learning rate (α)", "How much a new experience counts against all earlier ones."),
    "settle": ("Settling", "Visits after which the learning rate has fallen to half; 0: never."),
    "gamma": ("Patience (γ)", "What a reward is worth one decision later, from 0 to 1."),
    "epsilon": ("Curiosity (ε)", "The share of tries at random at first, from 0 to 1."),
    "decay": ("Its decay", "The factor by which curiosity falls with every action."),
    "least": ("Least curiosity", "Where curiosity stays at last."),
    "hopeless": ("Hopeless", "How much worse than the best a move may look and still be tried."),
    "trace": ("Trace", "How much what really came counts against what was promised on the way."),
    "shared": ("Shared", "How much of what a move teaches goes for all moves of its situation."),
}
_SHARES: Final = frozenset({"alpha", "gamma", "epsilon", "decay", "least", "trace", "shared"})
_NEEDS: Final = {
    "gamma": ValueLearner,
    "hopeless": ValueLearner,
    "trace": LinearLearner,
    "shared": ValueLearner,
}
"""Settings that mean something only to some learners."""


@dataclass(frozen=True, slots=True)
class Parameter:
    """One number of a learner.

    reward   whether it is a reward, or a setting
    """

    name: str
    title: str
    help: str
    value: float
    reward: bool = False

    def problem_with(self, value: float) -> str:
        """What is wrong with a value for it, or nothing."""
        if isnan(value) or (self.reward and isinf(value)):
            return "give a number"
        if not self.reward and self.name in _SHARES and not 0 <= value <= 1:
            return "give a number from 0 to 1"
        if not self.reward and value < 0:
            return "give 0 or more"
        return ""


def parameters(game: str, agent: str) -> list[Parameter]:
    """All that this learner knows how to change, with the usual values."""
    learner = create(game, agent)
    if not isinstance(learner, FeatureLearner):
        return []
    found = [
        Parameter(name, *_SETTINGS.get(name, (_words(name), "")), value)
        for name, value in _numbers(learner.settings)
        if isinstance(learner, _NEEDS.get(name, FeatureLearner))
    ]
    if not isinstance(learner, ValueLearner):
        return found
    return found + [
        Parameter(
            name, _words(name), f"The reward for: {_words(name).lower()}.", value, reward=True
        )
        for name, value in _numbers(learner.rewards)
    ]


def _numbers(values: Any) -> list[tuple[str, float]]:
    return [(each.name, float(getattr(values, each.name))) for each in fields(values)]


def _words(name: str) -> str:
    return name.replace("_", " ").capitalize()
