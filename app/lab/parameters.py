"""The settings and rewards of a learner that a person can change before it trains."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, fields
from typing import Any, Final

from agents.agent import Learner
from agents.learners.feature_learner import FeatureLearner
from agents.learners.imitation import Imitator
from agents.learners.settings import REWARD_LIMITS, SETTING_LIMITS
from agents.learners.tabular import TabularLearner
from agents.learners.value_learner import TraceLearner, ValueLearner
from agents.names import own_name
from agents.registry import create
from agents.storage.store import Store, read_about
from app.lab.learner_store import adjust_changes_meaning
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


def parameters(game: str, agent: str, store: Store | None = None) -> list[Parameter]:
    """Return the parameters of a learner, settings first. A named learner has its own in the
    store; reading them takes a while."""
    learner = create(game, agent)
    if not isinstance(learner, FeatureLearner):
        return []
    if store is not None and own_name(agent):
        about = read_about(store.path(game, agent))
        if about is not None:
            with suppress(ValueError):
                learner.adjust(*about[1])
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


def changes_meaning(
    game: str,
    agent: str,
    known: Sequence[Parameter],
    settings: Mapping[str, float],
    rewards: Mapping[str, float],
) -> bool:
    """Whether what a learner with these parameters has learned loses its meaning with changes."""
    learner = create(game, agent)
    if not isinstance(learner, Learner):
        return False
    learner.adjust(
        {each.name: each.value for each in known if not each.reward},
        {each.name: each.value for each in known if each.reward},
    )
    return adjust_changes_meaning(learner, settings, rewards)


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
