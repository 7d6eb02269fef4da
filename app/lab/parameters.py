"""The settings and rewards of a learner that a person can change before it trains."""

from dataclasses import dataclass, fields
from typing import Any, Final

from agents.learners.feature_learner import FeatureLearner
from agents.learners.imitation import Imitator
from agents.learners.settings import REWARD_LIMITS, SETTING_LIMITS
from agents.learners.tabular import TabularLearner
from agents.learners.value_learner import TraceLearner, ValueLearner
from agents.registry import create
from engine.limits import outside

_TITLES: Final = {
    "alpha": "Learning rate (α)",
    "settle": "Settling",
    "gamma": "Patience (γ)",
    "epsilon": "Curiosity (ε)",
    "familiar": "Familiarity",
    "decay": "Its decay",
    "least": "Least curiosity",
}
_OF_IMITATORS: Final = ("alpha", "settle")
"""The settings that learners from a teacher use."""


@dataclass(frozen=True, slots=True)
class Parameter:
    """A setting or a reward of a learner, with its usual value."""

    name: str
    title: str
    help: str
    value: float
    reward: bool = False

    def problem_with(self, value: float) -> str:
        """What is wrong with a value and what to do; empty if nothing is wrong."""
        return outside(
            self.title, value, REWARD_LIMITS if self.reward else SETTING_LIMITS[self.name]
        )


def parameters(game: str, agent: str) -> list[Parameter]:
    """Return the parameters of a learner, settings first."""
    learner = create(game, agent)
    if not isinstance(learner, FeatureLearner):
        return []
    found = [
        Parameter(name, _TITLES.get(name, _words(name)), SETTING_LIMITS[name]["help"], value)
        for name, value in _numbers(learner.settings)
        if _uses(learner, name)
    ]
    if not isinstance(learner, ValueLearner):
        return found
    return found + [
        Parameter(
            name, _words(name), f"The reward for: {_words(name).lower()}.", value, reward=True
        )
        for name, value in _numbers(learner.rewards)
    ]


def _uses(learner: FeatureLearner, setting: str) -> bool:
    if isinstance(learner, Imitator):
        return setting in _OF_IMITATORS
    if setting == "trust":
        return isinstance(learner, TabularLearner) and any(
            layout.outline for layout in learner.abstraction.layouts
        )
    return setting != "trace" or isinstance(learner, TraceLearner)


def _numbers(values: Any) -> list[tuple[str, float]]:
    return [(each.name, float(getattr(values, each.name))) for each in fields(values)]


def _words(name: str) -> str:
    return name.replace("_", " ").capitalize()
