"""Who can sit down at each game. A new agent or a new game is one entry here."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any, Final

from agents.agent import Agent, Learner
from agents.encodings import Encoding
from agents.encodings.notty import NottyEncoding
from agents.encodings.situation import SituationEncoding
from agents.encodings.smear import SmearEncoding
from agents.feature_learner import LearningSettings
from agents.features import Abstraction
from agents.features.euchre import EuchreAbstraction
from agents.features.fodinha import FodinhaAbstraction
from agents.features.notty import FourFeatures, NottyAbstraction
from agents.features.originals.euchre import EuchreCards
from agents.features.originals.fodinha import FodinhaCards, FodinhaGlance
from agents.features.originals.truco import TrucoCards
from agents.features.smear import SmearAbstraction
from agents.features.smear_table import SmearTable
from agents.features.truco import TrucoAbstraction
from agents.linear import LinearLearner
from agents.logistic import LogisticLearner
from agents.monte_carlo import MonteCarloLearner
from agents.network_original import OriginalNetwork
from agents.neural import NeuralLearner, NeuralSettings
from agents.program_player import PREFIX, ProgramPlayer
from agents.q import QLearner, SarsaLearner
from agents.random_player import RandomPlayer
from agents.rewards import (
    EuchreRewards,
    FodinhaRewards,
    NottyRewards,
    Rewards,
    SmearRewards,
    TrucoRewards,
)
from agents.rules.euchre import EasyEuchre, HardEuchre
from agents.rules.fodinha import EasyFodinha, HardFodinha
from agents.rules.notty import EasyNotty, HardNotty
from agents.rules.smear import EasySmear, HardSmear
from agents.rules.truco import EasyTruco, HardTruco
from agents.search import Budget, Thinker
from agents.search_euchre import euchre_search
from agents.search_fodinha import fodinha_search
from agents.search_notty import SearchNotty
from agents.search_smear import smear_search
from agents.store import Store, StoreError, read_shipped, shipped
from agents.tabular import TabularLearner
from agents.truco_expert import ExpertTruco
from agents.value_learner import ValueLearner

STRONGEST: Final = "search"
"""Who plays best in every game."""

_ORIGINAL: Final = "-original"
"""How the names of those end that see a game as an earlier program did."""


@dataclass(frozen=True, slots=True)
class AgentSpec:
    """An agent on offer.

    name     for scripts, such as `hard`
    title    for people
    level    how well it plays, in one word
    summary  how it decides, in one line
    """

    name: str
    title: str
    level: str
    summary: str
    make: Callable[[], Agent]


def _random() -> AgentSpec:
    return AgentSpec("random", "Random", "Novice", "takes any legal move", RandomPlayer)


def _easy(make: Callable[[], Agent]) -> AgentSpec:
    return AgentSpec("easy", "Easy", "Casual", "follows a few simple rules", make)


def _hard(make: Callable[[], Agent]) -> AgentSpec:
    return AgentSpec("hard", "Hard", "Strong", "counts cards and weighs the odds", make)


def _search(make: Callable[[], Agent]) -> AgentSpec:
    return AgentSpec("search", "Search", "Expert", "tries its moves in many possible deals", make)


@dataclass(frozen=True, slots=True)
class Lessons:
    """How the learners of a game see it, what they are rewarded for, and whom they imitate.

    table   how those see it who keep tables, if more coarsely
    lengthy how those learn who learn from how hands end, if hands are so long that a single
            move hardly tells in it
    """

    abstraction: Callable[[], Abstraction[Any]]
    rewards: Rewards
    settings: LearningSettings
    teacher: Callable[[], Agent]
    table: Callable[[], Abstraction[Any]] | None = None
    lengthy: dict[str, float] = field(default_factory=dict)


_EUCHRE: Final = Lessons(
    EuchreAbstraction, EuchreRewards(), LearningSettings(gamma=1.0, settle=100), HardEuchre
)
# Revokes stay untried: they cost as much as the highest bet. A hand is largely luck, and promises
# made of it mislead: the best of many noisy values is too high.
_SMEAR: Final = Lessons(
    SmearAbstraction,
    SmearRewards(),
    LearningSettings(alpha=0.05, gamma=0.95, settle=20, hopeless=60, trace=0.8),
    HardSmear,
    SmearTable,
)
# False flors stay untried: they cost more than anything else at the table.
_TRUCO: Final = Lessons(
    TrucoAbstraction, TrucoRewards(), LearningSettings(gamma=1.0, settle=50, hopeless=25), HardTruco
)
_FODINHA: Final = Lessons(
    FodinhaAbstraction, FodinhaRewards(), LearningSettings(gamma=1.0, settle=100), HardFodinha
)
# Only the win counts: if groups paid by themselves, churning them would pay best. A match takes
# a hundred decisions, so how it ends says little of any move but much of the situation. Taken for
# the move's merit, it drives a learner from the moves it often makes to those it seldom did.
_NOTTY: Final = Lessons(
    NottyAbstraction,
    NottyRewards(group=0, card_fewer=0, steal=0, draw=0, passed=0),
    LearningSettings(alpha=0.05, gamma=1.0, settle=50, hopeless=50),
    HardNotty,
    lengthy={"shared": 0.8, "hopeless": 3},
)


def _learners(lessons: Lessons) -> tuple[AgentSpec, ...]:
    """All who learn a game. A weight is met in many more situations than a cell of a table: it
    settles later, and as situations share it, moves need to share less."""

    def spec(name: str, title: str, summary: str, make: Callable[[], Agent]) -> AgentSpec:
        return AgentSpec(name, title, "Learning", summary, make)

    def by_rewards(
        kind: type[ValueLearner], title: str, summary: str, settings: LearningSettings
    ) -> AgentSpec:
        tabular = issubclass(kind, TabularLearner)
        sees = lessons.table if tabular and lessons.table else lessons.abstraction

        def make() -> Agent:
            return kind(sees(), lessons.rewards, settings)

        return spec(kind.name, title, summary, make)

    def by_imitation() -> Agent:
        return LogisticLearner(lessons.abstraction(), lessons.teacher())

    table = lessons.settings
    whole = replace(table, **lessons.lengthy)
    weights = replace(whole, alpha=0.1, settle=1000, trace=0.8, shared=whole.shared / 2)
    hopeful = "remembers which moves paid off, hoping for the best to follow"
    realistic = "remembers which moves paid off, as it really went on"
    additive = "adds up what all it notices makes a move worth"
    return (
        by_rewards(QLearner, "Q", hopeful, table),
        by_rewards(SarsaLearner, "Sarsa", realistic, table),
        by_rewards(MonteCarloLearner, "Monte Carlo", "remembers how whole hands ended", whole),
        by_rewards(LinearLearner, "Linear", additive, weights),
        spec(LogisticLearner.name, "Logistic", "guesses what Hard would do", by_imitation),
    )


def _neural(
    lessons: Lessons,
    level: str,
    settings: NeuralSettings,
    encoding: Callable[[], Encoding[Any]] | None = None,
) -> AgentSpec:
    """encoding: how the network sees the game, if the named features do not tell it enough."""

    def make() -> Agent:
        sees = (
            encoding() if encoding else SituationEncoding(lessons.abstraction(), lessons.teacher())
        )
        return NeuralLearner(sees, lessons.rewards, settings, lessons.teacher())

    summary = "has a network that foresees how hands end"
    return AgentSpec(NeuralLearner.name, "Neural", level, summary, make)


def _smear_original() -> AgentSpec:
    def make() -> Agent:
        return OriginalNetwork(HardSmear())

    sees = "has a network that sees cards only, and plays what Hard would"
    return AgentSpec(OriginalNetwork.name, "Neural, original", "Learning", sees, make)


def _truco_expert() -> AgentSpec:
    summary = "mixes bids and bluffs so that nobody can profit from knowing how"
    return AgentSpec("search", "Expert", "Expert", summary, ExpertTruco)


def _notty_search() -> AgentSpec:
    return AgentSpec("search", "Search", "Expert", "steals, and looks for ways out", SearchNotty)


def _original(
    kind: type[ValueLearner],
    title: str,
    abstraction: Callable[[], Abstraction[Any]],
    rewards: Rewards,
    sees: str,
) -> AgentSpec:
    """A baseline: a learner that sees the game as the original program did."""
    name = f"{kind.name}{_ORIGINAL}"

    def make() -> Agent:
        return kind(abstraction(), rewards, name=name)

    return AgentSpec(name, f"{title}, original", "Learning", f"sees {sees}", make)


_AGENTS: Final[dict[str, tuple[AgentSpec, ...]]] = {
    "euchre": (
        _random(),
        _easy(EasyEuchre),
        _hard(HardEuchre),
        _search(euchre_search),
        *_learners(_EUCHRE),
        _neural(_EUCHRE, "Strong", NeuralSettings(unit=50, caution=3, guided=1.0)),
        _original(QLearner, "Q", EuchreCards, EuchreRewards(), "all open cards and the score"),
    ),
    "smear": (
        _random(),
        _easy(EasySmear),
        _hard(HardSmear),
        _search(smear_search),
        *_learners(_SMEAR),
        _neural(
            # Points decide while both sides are far from the target, the match does at the end.
            replace(_SMEAR, rewards=SmearRewards(match_won=60, match_lost=-60)),
            "Strong",
            NeuralSettings(unit=20, settle=200_000, hopeless=15, caution=1.5),
            SmearEncoding,
        ),
        _smear_original(),
    ),
    "truco": (
        _random(),
        _easy(EasyTruco),
        _hard(HardTruco),
        _truco_expert(),
        *_learners(_TRUCO),
        _neural(_TRUCO, "Strong", NeuralSettings(unit=30, hopeless=25, caution=6, guided=1.0)),
        _original(QLearner, "Q", TrucoCards, TrucoRewards(), "its cards and the stake"),
        _original(
            MonteCarloLearner,
            "Monte Carlo",
            TrucoCards,
            TrucoRewards(),
            "its cards and the stake",
        ),
    ),
    "fodinha": (
        _random(),
        _easy(EasyFodinha),
        _hard(HardFodinha),
        _search(fodinha_search),
        *_learners(_FODINHA),
        _neural(_FODINHA, "Strong", NeuralSettings(unit=20, caution=1, guided=1.0)),
        _original(
            QLearner,
            "Q",
            FodinhaCards,
            FodinhaRewards(),
            "its cards, calls and plays",
        ),
        _original(
            LinearLearner,
            "Linear",
            FodinhaGlance,
            FodinhaRewards(),
            "how high its cards are",
        ),
    ),
    "notty": (
        _random(),
        _easy(EasyNotty),
        _hard(HardNotty),
        _notty_search(),
        *_learners(_NOTTY),
        _neural(
            _NOTTY,
            "Learning",
            NeuralSettings(unit=50, trace=0.95, hopeless=20, caution=2, guided=1.0),
            NottyEncoding,
        ),
        _original(
            QLearner,
            "Q",
            FourFeatures,
            NottyRewards(),
            "sizes of hands and deck",
        ),
    ),
}


def agents_for(game: str) -> dict[str, AgentSpec]:
    """The agents of a game by name, weakest first; learners at the end."""
    if game not in _AGENTS:
        raise ValueError(f"Nobody here plays {game!r}; choose one of: {', '.join(_AGENTS)}.")
    return {spec.name: spec for spec in _AGENTS[game]}


def is_baseline(name: str) -> bool:
    """Whether an agent is there for others to be compared with."""
    return name.endswith(_ORIGINAL)


def create(game: str, name: str) -> Agent:
    """An agent as it is before it has learned anything."""
    if name.startswith(PREFIX):
        agents_for(game)
        return ProgramPlayer(game, name.removeprefix(PREFIX))
    specs = agents_for(game)
    if name not in specs:
        raise ValueError(f"There is no agent {name!r} here; choose one of: {', '.join(specs)}.")
    return specs[name].make()


def make(
    game: str,
    name: str,
    store: Store | None = None,
    learning: bool = False,
    budget: Budget | None = None,
) -> Agent:
    """An agent for a seat; a learner knows what the store has kept for it, or what came
    with the program.

    learning   whether a learner goes on learning, or plays what it knows
    budget     how much an agent thinks that looks ahead; None for its own measure

    A table that cannot be read keeps nobody from playing: the store's notices tell of it.
    """
    agent = create(game, name)
    if budget is not None and isinstance(agent, Thinker):
        agent.budget = budget
    if isinstance(agent, Learner):
        agent.learning = learning
        notices = sit_down(agent, store)
        if store is not None:
            store.notices += notices
    return agent


def sit_down(learner: Learner, store: Store | None) -> list[str]:
    """Give a learner what it learned here before, else what came with the program."""
    try:
        if store is not None and store.load(learner):
            return []
    except StoreError as error:
        return [str(error)]
    try:
        if shipped(learner.game, learner.name).exists():
            learner.restore(read_shipped(learner.game, learner.name, learner.fingerprint()))
    except (StoreError, ValueError) as error:
        return [str(error)]
    return []
