"""How a game lists its own agents.

`agents/<game>/__init__.py` holds one `GameAgents` called `AGENTS`, and the game's row in
`engine.manifest` names it. A roster is plain data: code is named by `module:attribute` and
imported on first use, so reading the list loads neither numpy nor the rules of a game.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any

from agents.learners.settings import (
    FROM_NOTHING,
    WEIGHTS_FROM_NOTHING,
    LearningSettings,
    NeuralSettings,
)
from engine.game import OptionValue


def load(path: str) -> Any:
    """The object named by `module:attribute`."""
    module, _, attribute = path.partition(":")
    return getattr(import_module(module), attribute)


@dataclass(frozen=True, slots=True)
class Description:
    """What a list of agents shows.

    name     for scripts, such as `hard`
    title    for people
    level    how well it plays, in one word
    summary  how it decides, in one line
    """

    name: str
    title: str
    level: str
    summary: str


@dataclass(frozen=True, slots=True)
class Entry(Description):
    """One agent of a game.

    path   `module:attribute` of a class or function that makes the agent without arguments
    """

    path: str


def easy(path: str) -> Entry:
    return Entry("easy", "Easy", "Casual", "follows a few simple rules", path)


def hard(path: str) -> Entry:
    return Entry("hard", "Hard", "Strong", "counts cards and weighs the odds", path)


def search(path: str, summary: str = "tries its moves in many possible deals") -> Entry:
    return Entry("search", "Search", "Expert", summary, path)


@dataclass(frozen=True, slots=True)
class NeuralSetup:
    """How the network of a game sees it and learns.

    encoding  `module:attribute` of a function that makes its `Encoding`; by default all fields
              of the view
    rewards   amounts of `HandRewards` that differ from the defaults
    """

    encoding: str = ""
    settings: NeuralSettings = NeuralSettings()
    rewards: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class LearnerSetup:
    """How the learners of a game see it, what rewards them, and which agent some imitate.
    By default they see every field of the view, and have no teacher.

    features         `module:attribute` of the game's `Abstraction`
    rewards          `module:attribute` of the game's `Rewards`
    reward_amounts   amounts that differ from the defaults of `rewards`
    settings         of the tabular learners
    linear_settings  of `linear`
    teacher          `module:attribute` of the agent that `logistic` imitates
    pairs            settings of `pairs`, if the game has it. It sees the game as its network does
    matches_per_part
                     matches that a tabular learner plays in about a second, for training with
                     several workers; None for the default
    """

    features: str = ""
    rewards: str = "agents.learners.rewards:GenericRewards"
    reward_amounts: Mapping[str, float] = field(default_factory=dict)
    settings: LearningSettings = FROM_NOTHING
    linear_settings: LearningSettings = WEIGHTS_FROM_NOTHING
    teacher: str = ""
    neural: NeuralSetup = NeuralSetup()
    pairs: NeuralSettings | None = None
    matches_per_part: int | None = None


@dataclass(frozen=True, slots=True)
class OriginalLearner:
    """A baseline: the learner `name` with the features of an earlier program.

    sees   those features in words
    """

    name: str
    features: str
    sees: str


@dataclass(frozen=True, slots=True)
class Pretraining:
    """How a learner is trained from nothing before it is shipped. See
    `agents.training.course.Course`.

    variants     see `Course`
    min_visits   situations met fewer times are not shipped
    generations  that are shipped besides the trained learner; those with more matches than the
                 course are left out
    """

    matches: int = 1000
    opponents: tuple[str, ...] = ()
    settings: Mapping[str, float] = field(default_factory=dict)
    variants: tuple[dict[str, OptionValue], ...] = ()
    min_visits: int = 3
    generations: tuple[int, ...] = (100, 1000, 10_000)


@dataclass(frozen=True, slots=True)
class GameAgents:
    """The agents of one game. `random` plays every game and is not listed.

    players      agents that do not learn, weakest first
    baselines    for comparison, listed last
    pretraining  courses of the learners that are shipped with values, by name
    newcomer     the players around a newcomer's table, in the order of the seats and from the
                 beginning again if there are more seats; by default a strong agent and `q`
    odds         `module:attribute` of a function of a view and the strength of each side (see
                 `agents.evaluation.strengths`): the seat's chance to win by the score; without
                 it, a strength counts less the more one-sided a match is
    playouts     the fast agent that plays out hands where luck is measured (see `app.study.luck`)
    """

    players: tuple[Entry, ...] = ()
    learners: LearnerSetup = LearnerSetup()
    baselines: tuple[OriginalLearner | Entry, ...] = ()
    pretraining: Mapping[str, Pretraining] = field(default_factory=dict)
    newcomer: tuple[str, ...] = ()
    odds: str = ""
    playouts: str = "easy"
