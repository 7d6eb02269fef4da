"""How a game lists its own agents.

`agents/<game>/__init__.py` holds one `GameAgents` called `AGENTS`, and the game's row in
`engine.manifest` names it. A roster is plain data: code is named by `module:attribute` and
imported on first use, so reading the list loads neither numpy nor the rules of a game.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any, Final

from agents.learners.settings import (
    FROM_NOTHING,
    NETWORK_LAYERS,
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
    return Entry("easy", "Easy", "Beginner", "follows a few simple rules", path)


def hard(path: str) -> Entry:
    return Entry("hard", "Hard", "Strong", "counts cards and weighs the odds", path)


def search(path: str, summary: str = "tries its moves in many possible deals") -> Entry:
    return Entry("search", "Search", "Expert", summary, path)


@dataclass(frozen=True, slots=True)
class Slips:
    """How a level differs from the agent it is based on. See `agents.level_player.LevelPlayer`.

    base          the name of an agent of `GameAgents.players`
    temperature   how far it slips, in the unit of the base's scores
    worlds        the budget of a base that searches; None for its default
    leanings      what it prefers, by the first word of labels
    """

    base: str
    temperature: float
    worlds: int | None = None
    leanings: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Level(Description):
    """An agent that plays as another one, with slips."""

    slips: Slips


_LEVELS: Final = (
    ("casual", "Casual"),
    ("regular", "Regular"),
    ("club", "Club player"),
    ("skilled", "Skilled"),
    ("sharp", "Sharp"),
    ("veteran", "Veteran"),
)
"""The levels between `easy` and `search`, weakest first."""

LEVEL_NAMES: Final = tuple([name for name, _ in _LEVELS])


def levels(*slips: Slips) -> tuple[Level, ...]:
    """One agent for each level, from the weakest to the strongest."""
    how = [f"plays as {each.base.capitalize()} and slips as people do" for each in slips]
    return tuple(
        [
            Level(name, title, "Level", summary, each)
            for (name, title), summary, each in zip(_LEVELS, how, slips, strict=True)
        ]
    )


def style(name: str, title: str, summary: str, slips: Slips) -> Level:
    return Level(name, title, "Style", summary, slips)


@dataclass(frozen=True, slots=True)
class NeuralSetup:
    """How the network of a game sees it and learns.

    encoding  `module:attribute` of a function that makes its `Encoding`; by default all fields
              of the view
    rewards   amounts of `HandRewards` that differ from the defaults
    layers    the widths of the hidden layers
    """

    encoding: str = ""
    settings: NeuralSettings = NeuralSettings()
    layers: tuple[int, ...] = NETWORK_LAYERS
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
    levels       between the first and the last of them, weakest first
    styles       agents with a preference, such as a bold bidder
    baselines    for comparison, listed last
    pretraining  courses of the learners that are shipped with values, by name
    newcomer     the players around a newcomer's table, in the order of the seats and from the
                 beginning again if there are more seats; by default a strong agent and `q`
    odds         `module:attribute` of a function of a view and the strength of each side (see
                 `agents.evaluation.strengths`): the seat's chance to win by the score; without
                 it, a strength counts less the closer a side is to winning
    standing     `module:attribute` of a function of a view and the strength of each side: the
                 chance of each side at any moment, to measure luck without odds by the score
    playouts     the fast agent that plays out hands where luck is measured (see `app.study.luck`)
    """

    players: tuple[Entry, ...] = ()
    learners: LearnerSetup = LearnerSetup()
    baselines: tuple[OriginalLearner | Entry, ...] = ()
    pretraining: Mapping[str, Pretraining] = field(default_factory=dict)
    newcomer: tuple[str, ...] = ()
    odds: str = ""
    standing: str = ""
    levels: tuple[Level, ...] = ()
    styles: tuple[Level, ...] = ()
    playouts: str = "easy"

    @property
    def followers(self) -> tuple[Level, ...]:
        """The levels and styles, which play as one of the players with slips."""
        return (*self.levels, *self.styles)

    def play(self, level: Level) -> Any:
        """The agent of a level or style."""
        from agents.level_player import LevelPlayer
        from agents.search.agent import Budget, SearchAgent

        slips = level.slips
        base = load(next(each.path for each in self.players if each.name == slips.base))()
        if slips.worlds is not None and isinstance(base, SearchAgent):
            base.budget = Budget(slips.worlds)
        return LevelPlayer(level.name, base, slips.temperature, slips.leanings)
