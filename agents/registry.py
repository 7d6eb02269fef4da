"""Who can sit down at each game. A new agent or a new game is one entry here.

Who is on offer is plain data; how somebody plays is imported when they sit down (`_later`), so
that nobody who only reads the list waits for numpy and for players of other games.
"""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

from agents.agent import Agent, Learner
from agents.learners.rewards import (
    EuchreRewards,
    FodinhaRewards,
    NottyRewards,
    Rewards,
    SmearRewards,
    TrucoRewards,
)
from agents.learners.settings import LearningSettings, NeuralSettings
from agents.protocols.program import PREFIX, ProgramPlayer

if TYPE_CHECKING:
    from agents.search.agent import Budget
    from agents.storage.store import Store

STRONGEST: Final = "search"
"""Who plays best in every game."""

_ORIGINAL: Final = "-original"
"""How the names of those end that see a game as an earlier program did."""


Make = Callable[..., Any]
"""Makes an agent, or the way in which one sees its game."""


def _later(place: str) -> Make:
    """What makes it is found there, as in `agents.learners.q:QLearner`, and imported with the
    first call."""
    module, _, name = place.partition(":")

    def make(*arguments: object, **named: object) -> Any:
        return getattr(import_module(module), name)(*arguments, **named)

    return make


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
    make = _later("agents.random_player:RandomPlayer")
    return AgentSpec("random", "Random", "Novice", "takes any legal move", make)


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

    abstraction: Make
    rewards: Rewards
    settings: LearningSettings
    teacher: Make
    table: Make | None = None
    lengthy: dict[str, float] = field(default_factory=dict)


_EUCHRE: Final = Lessons(
    _later("agents.euchre.features:EuchreAbstraction"),
    EuchreRewards(),
    LearningSettings(gamma=1.0, settle=100),
    _later("agents.euchre.rules:HardEuchre"),
)
# Revokes stay untried: they cost as much as the highest bet. A hand is largely luck, and promises
# made of it mislead: the best of many noisy values is too high.
_SMEAR: Final = Lessons(
    _later("agents.smear.features:SmearAbstraction"),
    SmearRewards(),
    LearningSettings(alpha=0.05, gamma=0.95, settle=20, hopeless=60, trace=0.8),
    _later("agents.smear.rules:HardSmear"),
    _later("agents.smear.coarse_features:SmearTable"),
)
# False flors stay untried: they cost more than anything else at the table.
_TRUCO: Final = Lessons(
    _later("agents.truco.features:TrucoAbstraction"),
    TrucoRewards(),
    LearningSettings(gamma=1.0, settle=50, hopeless=25),
    _later("agents.truco.rules:HardTruco"),
)
_FODINHA: Final = Lessons(
    _later("agents.fodinha.features:FodinhaAbstraction"),
    FodinhaRewards(),
    LearningSettings(gamma=1.0, settle=100),
    _later("agents.fodinha.rules:HardFodinha"),
)
# Only the win counts: if groups paid by themselves, churning them would pay best. A match takes
# a hundred decisions, so how it ends says little of any move but much of the situation. Taken for
# the move's merit, it drives a learner from the moves it often makes to those it seldom did.
_NOTTY: Final = Lessons(
    _later("agents.notty.features:NottyAbstraction"),
    NottyRewards(group=0, card_fewer=0, steal=0, draw=0, passed=0),
    LearningSettings(alpha=0.05, gamma=1.0, settle=50, hopeless=50),
    _later("agents.notty.rules:HardNotty"),
    lengthy={"shared": 0.8, "hopeless": 3},
)

_Q: Final = _later("agents.learners.q:QLearner")
_SARSA: Final = _later("agents.learners.q:SarsaLearner")
_MONTE_CARLO: Final = _later("agents.learners.monte_carlo:MonteCarloLearner")
_LINEAR: Final = _later("agents.learners.linear:LinearLearner")
_LOGISTIC: Final = _later("agents.learners.logistic:LogisticLearner")
_NEURAL: Final = _later("agents.learners.neural:NeuralLearner")
_SITUATION: Final = _later("agents.learners.situation_encoding:SituationEncoding")


def _learners(lessons: Lessons) -> tuple[AgentSpec, ...]:
    """All who learn a game. A weight is met in many more situations than a cell of a table: it
    settles later, and as situations share it, moves need to share less."""
    coarse = lessons.table or lessons.abstraction
    table = lessons.settings
    whole = replace(table, **lessons.lengthy)
    weights = replace(whole, alpha=0.1, settle=1000, trace=0.8, shared=whole.shared / 2)

    def spec(name: str, title: str, summary: str, make: Make) -> AgentSpec:
        return AgentSpec(name, title, "Learning", summary, make)

    def by_table(kind: Make, settings: LearningSettings) -> Make:
        return lambda: kind(coarse(), lessons.rewards, settings)

    def by_weights() -> Agent:
        learner: Agent = _LINEAR(lessons.abstraction(), lessons.rewards, weights)
        return learner

    def by_imitation() -> Agent:
        learner: Agent = _LOGISTIC(lessons.abstraction(), lessons.teacher())
        return learner

    hopeful = "remembers which moves paid off, hoping for the best to follow"
    realistic = "remembers which moves paid off, as it really went on"
    additive = "adds up what all it notices makes a move worth"
    return (
        spec("q", "Q", hopeful, by_table(_Q, table)),
        spec("sarsa", "Sarsa", realistic, by_table(_SARSA, table)),
        spec("mc", "Monte Carlo", "remembers how whole hands ended", by_table(_MONTE_CARLO, whole)),
        spec("linear", "Linear", additive, by_weights),
        spec("logistic", "Logistic", "guesses what Hard would do", by_imitation),
    )


def _neural(
    lessons: Lessons, level: str, settings: NeuralSettings, encoding: Make | None = None
) -> AgentSpec:
    """encoding: how the network sees the game, if the named features do not tell it enough."""

    def make() -> Agent:
        sees = encoding() if encoding else _SITUATION(lessons.abstraction(), lessons.teacher())
        learner: Agent = _NEURAL(sees, lessons.rewards, settings, lessons.teacher())
        return learner

    summary = "has a network that foresees how hands end"
    return AgentSpec("neural", "Neural", level, summary, make)


def _smear_original() -> AgentSpec:
    network = _later("agents.smear.original_network:OriginalNetwork")
    sees = "has a network that sees cards only, and plays what Hard would"
    title = "Neural, original"
    return AgentSpec("neural-original", title, "Learning", sees, lambda: network(_SMEAR.teacher()))


def _truco_expert() -> AgentSpec:
    summary = "mixes bids and bluffs so that nobody can profit from knowing how"
    return AgentSpec(
        "search", "Expert", "Expert", summary, _later("agents.truco.expert:ExpertTruco")
    )


def _notty_search() -> AgentSpec:
    make = _later("agents.notty.search:SearchNotty")
    return AgentSpec("search", "Search", "Expert", "steals, and looks for ways out", make)


def _original(
    name: str, title: str, kind: Make, abstraction: Make, rewards: Rewards, sees: str
) -> AgentSpec:
    """A baseline: a learner that sees the game as the original program did."""
    name = f"{name}{_ORIGINAL}"

    def make() -> Agent:
        learner: Agent = kind(abstraction(), rewards, name=name)
        return learner

    return AgentSpec(name, f"{title}, original", "Learning", f"sees {sees}", make)


_AGENTS: Final[dict[str, tuple[AgentSpec, ...]]] = {
    "euchre": (
        _random(),
        _easy(_later("agents.euchre.rules:EasyEuchre")),
        _hard(_EUCHRE.teacher),
        _search(_later("agents.euchre.search:euchre_search")),
        *_learners(_EUCHRE),
        _neural(
            # A match won now and then would drown what its last hand was worth.
            replace(_EUCHRE, rewards=EuchreRewards(match_won=0, match_lost=0)),
            "Strong",
            NeuralSettings(unit=50, caution=6, guided=1.0),
        ),
        _original(
            "q",
            "Q",
            _Q,
            _later("agents.euchre.original_features:EuchreCards"),
            EuchreRewards(),
            "all open cards and the score",
        ),
    ),
    "smear": (
        _random(),
        _easy(_later("agents.smear.rules:EasySmear")),
        _hard(_SMEAR.teacher),
        _search(_later("agents.smear.search:smear_search")),
        *_learners(_SMEAR),
        _neural(
            # Points decide while both sides are far from the target, the match does at the end.
            replace(_SMEAR, rewards=SmearRewards(match_won=60, match_lost=-60)),
            "Strong",
            NeuralSettings(unit=20, settle=200_000, hopeless=15, caution=1.5),
            _later("agents.smear.encoding:SmearEncoding"),
        ),
        _smear_original(),
    ),
    "truco": (
        _random(),
        _easy(_later("agents.truco.rules:EasyTruco")),
        _hard(_TRUCO.teacher),
        _truco_expert(),
        *_learners(_TRUCO),
        _neural(_TRUCO, "Strong", NeuralSettings(unit=30, hopeless=25, caution=6, guided=1.0)),
        _original(
            "q",
            "Q",
            _Q,
            _later("agents.truco.original_features:TrucoCards"),
            TrucoRewards(),
            "its cards and the stake",
        ),
        _original(
            "mc",
            "Monte Carlo",
            _MONTE_CARLO,
            _later("agents.truco.original_features:TrucoCards"),
            TrucoRewards(),
            "its cards and the stake",
        ),
    ),
    "fodinha": (
        _random(),
        _easy(_later("agents.fodinha.rules:EasyFodinha")),
        _hard(_FODINHA.teacher),
        _search(_later("agents.fodinha.search:fodinha_search")),
        *_learners(_FODINHA),
        _neural(_FODINHA, "Strong", NeuralSettings(unit=20, caution=1, guided=1.0)),
        _original(
            "q",
            "Q",
            _Q,
            _later("agents.fodinha.original_features:FodinhaCards"),
            FodinhaRewards(),
            "its cards, calls and plays",
        ),
        _original(
            "linear",
            "Linear",
            _LINEAR,
            _later("agents.fodinha.original_features:FodinhaGlance"),
            FodinhaRewards(),
            "how high its cards are",
        ),
    ),
    "notty": (
        _random(),
        _easy(_later("agents.notty.rules:EasyNotty")),
        _hard(_NOTTY.teacher),
        _notty_search(),
        *_learners(_NOTTY),
        _neural(
            _NOTTY,
            "Learning",
            NeuralSettings(unit=50, trace=0.95, hopeless=20, caution=2, guided=1.0),
            _later("agents.notty.encoding:NottyEncoding"),
        ),
        _original(
            "q",
            "Q",
            _Q,
            _later("agents.notty.features:FourFeatures"),
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
    store: "Store | None" = None,
    learning: bool = False,
    budget: "Budget | None" = None,
) -> Agent:
    """An agent for a seat; a learner knows what the store has kept for it, or what came
    with the program.

    learning   whether a learner goes on learning, or plays what it knows
    budget     how much an agent thinks that looks ahead; None for its own measure

    A table that cannot be read keeps nobody from playing: the store's notices tell of it.
    """
    agent = create(game, name)
    if budget is not None:
        from agents.search.agent import SearchAgent

        if isinstance(agent, SearchAgent):
            agent.budget = budget
    if isinstance(agent, Learner):
        agent.learning = learning
        notices = sit_down(agent, store)
        if store is not None:
            store.notices += notices
    return agent


def sit_down(learner: Learner, store: "Store | None") -> list[str]:
    """Give a learner what it learned here before, else what came with the program."""
    from agents.storage.store import StoreError, read_shipped, shipped

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
