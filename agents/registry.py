"""The agents that can play each game, by name.

A game lists its own agents in its roster (`agents.roster.GameAgents`), which its row in
`engine.manifest` names. `random` and the learners are added here. Listing agents imports none
of their code; making one does.

A named learner, such as `q:rosa`, is in a store. It is a learner of its kind (`q`) with its own
settings and values.
"""

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import cache, partial
from typing import TYPE_CHECKING, Any, Final

from agents.agent import Agent, Learner
from agents.learners.settings import LearningSettings, NeuralSettings
from agents.names import COLON, MARK, AgentName, generation_name, kind_of
from agents.roster import (
    Description,
    Entry,
    GameAgents,
    LearnerSetup,
    OriginalLearner,
    load,
)
from engine.manifest import GAME_ROWS, GameRow

if TYPE_CHECKING:
    from agents.learners.encoding import Encoding
    from agents.learners.features import Abstraction
    from agents.learners.rewards import Rewards
    from agents.search.agent import Budget
    from agents.storage.store import Store

_ORIGINAL: Final = "-original"
"""Ends the names of the baselines that see a game as an earlier program did."""

_RANDOM: Final = Entry(
    "random", "Random", "Novice", "takes any legal move", "agents.random_player:RandomPlayer"
)

_MOST_LISTED: Final = 10
"""Named learners that an error message lists."""

_VALUE_LEARNERS: Final = {
    "q": ("Q", "agents.learners.q:QLearner"),
    "sarsa": ("Sarsa", "agents.learners.q:SarsaLearner"),
    "mc": ("Monte Carlo", "agents.learners.monte_carlo:MonteCarloLearner"),
    "linear": ("Linear", "agents.learners.linear:LinearLearner"),
}
"""Titles and classes of the learners that are made from features, rewards and settings."""


@dataclass(frozen=True, slots=True)
class AgentSpec(Description):
    """An agent that can play a game.

    make     creates it, untrained
    learns   whether it is a learner
    """

    make: Callable[[], Agent]
    learns: bool = True


def _listed(entry: Entry, learns: bool) -> AgentSpec:
    def make() -> Agent:
        agent: Agent = load(entry.path)()
        return agent

    return AgentSpec(entry.name, entry.title, entry.level, entry.summary, make, learns)


class _Learners:
    """Makes the learners of one game from its setup."""

    def __init__(self, game: str, setup: LearnerSetup) -> None:
        self._game = game
        self._setup = setup

    def specs(self) -> list[AgentSpec]:
        setup = self._setup
        hopeful = "remembers which moves paid off if the best move follows"
        realistic = "remembers which moves paid off with the moves it made next"
        additive = "scores each move by a weighted sum of features"
        specs = [
            self._by_value("q", hopeful, setup.settings),
            self._by_value("sarsa", realistic, setup.settings),
            self._by_value("mc", "remembers how whole hands ended", setup.settings),
            self._by_value("linear", additive, setup.linear_settings),
        ]
        if setup.pairs:
            summary = "adds up weights of facts and of pairs of facts"
            specs.append(AgentSpec("pairs", "Pairs", "Learning", summary, self._pairs))
        if setup.teacher:
            summary = "learns to predict the moves of Hard"
            specs.append(AgentSpec("logistic", "Logistic", "Apprentice", summary, self._logistic))
        summary = "has a network that predicts how hands end"
        return [*specs, AgentSpec("neural", "Neural", "Learning", summary, self._neural)]

    def original(self, original: OriginalLearner) -> AgentSpec:
        title, path = _VALUE_LEARNERS[original.name]
        name = f"{original.name}{_ORIGINAL}"

        def make() -> Agent:
            features, rewards = load(original.features)(), load(self._setup.rewards)()
            learner: Agent = load(path)(features, rewards, name=name)
            return learner

        return AgentSpec(name, f"{title}, original", "Learning", f"sees {original.sees}", make)

    def _by_value(self, name: str, summary: str, settings: LearningSettings) -> AgentSpec:
        title, path = _VALUE_LEARNERS[name]

        def make() -> Agent:
            learner: Agent = load(path)(self._features(), self._rewards(), settings)
            return learner

        return AgentSpec(name, title, "Learning", summary, make)

    def _logistic(self) -> Agent:
        learner: Agent = load("agents.learners.logistic:LogisticLearner")(
            self._features(), self._teacher()
        )
        return learner

    def _pairs(self) -> Agent:
        return self._by_network("agents.learners.pairs:PairLearner", self._setup.pairs)

    def _neural(self) -> Agent:
        setup = self._setup.neural
        path = "agents.learners.neural:NeuralLearner"
        return self._by_network(path, setup.settings, hidden=setup.layers)

    def _by_network(self, path: str, settings: NeuralSettings | None, **more: Any) -> Agent:
        rewards = load("agents.learners.rewards:HandRewards")(**self._setup.neural.rewards)
        learner: Agent = load(path)(network_encoding(self._game), rewards, settings, **more)
        return learner

    def _features(self) -> "Abstraction[Any]":
        path = self._setup.features
        features: Abstraction[Any] = (
            load(path)() if path else load("agents.learners.generic:GenericAbstraction")(self._game)
        )
        return features

    def _rewards(self, changes: Mapping[str, float] | None = None) -> "Rewards":
        amounts = {**self._setup.reward_amounts, **(changes or {})}
        rewards: Rewards = load(self._setup.rewards)(**amounts)
        return rewards

    def _teacher(self) -> Agent | None:
        if not self._setup.teacher:
            return None
        teacher: Agent = load(self._setup.teacher)()
        return teacher


def _row(game: str) -> GameRow:
    if game not in GAME_ROWS:
        raise ValueError(f"There is no game {game!r}; choose one of: {', '.join(GAME_ROWS)}.")
    return GAME_ROWS[game]


def roster(game: str) -> GameAgents:
    """The game's own agents; empty for a game that has none."""
    path = _row(game).agents
    agents: GameAgents = load(path) if path else GameAgents()
    return agents


def network_encoding(game: str) -> "Encoding":
    """How the network of a game sees it."""
    path = roster(game).learners.neural.encoding
    encoding: Encoding = (
        load(path)() if path else load("agents.learners.field_encoding:FieldEncoding")(game)
    )
    return encoding


@cache
def _specs(row: GameRow) -> dict[str, AgentSpec]:
    own = roster(row.name)
    learners = _Learners(row.name, own.learners)
    specs = [_listed(entry, learns=False) for entry in (_RANDOM, *own.players)]
    specs += [
        AgentSpec(each.name, each.title, each.level, each.summary, partial(own.play, each), False)
        for each in own.followers
    ]
    specs += learners.specs()
    for each in own.baselines:
        specs.append(
            _listed(each, learns=True) if isinstance(each, Entry) else learners.original(each)
        )
    return {spec.name: spec for spec in specs}


def agents_for(game: str) -> dict[str, AgentSpec]:
    """The agents of a game by name, weakest first; learners at the end."""
    return dict(_specs(_row(game)))


def known_agents(game: str, store: "Store") -> dict[str, AgentSpec]:
    """The agents of a game by name, and the named learners in a store, each after its kind."""
    named: dict[str, list[AgentSpec]] = {}
    for name in store.named(game):
        # A file may belong to a kind that this version of the program does not have.
        with suppress(ValueError):
            spec = spec_of(game, name)
            if spec is not None:
                named.setdefault(kind_of(name), []).append(spec)
    specs = [
        each for spec in agents_for(game).values() for each in (spec, *named.get(spec.name, ()))
    ]
    return {spec.name: spec for spec in specs}


def strongest(game: str) -> str:
    """The name of the agent that plays a game best: the last one of its roster that does not
    learn. A game without such agents is played best by a learner."""
    players = roster(game).players
    return players[-1].name if players else "linear"


def follows_another(game: str, name: str) -> bool:
    """True for levels and styles, which play as another agent with slips."""
    return any(level.name == name for level in roster(game).followers)


def is_baseline(name: str) -> bool:
    """True for agents that exist only for comparison."""
    return name.endswith(_ORIGINAL)


def spec_of(game: str, name: str) -> AgentSpec | None:
    """The agent with this name, which may be a named learner, a generation, or have a file of
    values. None for another program.

    Raises ValueError for a name that no agent of the game has, and for a name or a generation of
    an agent that does not learn. Does not check whether a named learner, a generation or a file
    exists.
    """
    if _is_program(name):
        agents_for(game)
        return None
    parsed = AgentName.parse(name)
    specs = agents_for(game)
    if parsed.kind not in specs:
        raise ValueError(f"There is no agent {name!r}; choose one of: {', '.join(specs)}.")
    spec = specs[parsed.kind]
    if not spec.learns and (parsed.own or parsed.frozen):
        raise ValueError(f"{spec.name} does not learn, so there is no {name}.")
    if parsed.own:
        spec = _named(game, parsed.agent, spec)
    if not parsed.frozen:
        return spec
    if parsed.file is not None:
        about, title = f"plays with the values in {parsed.file}", parsed.file.name
    elif parsed.matches:
        about, title = f"is as it was after {parsed.matches:,} matches", f"{parsed.matches:,}"
    else:
        about, title = "has learned nothing", "0"

    def made() -> Agent:
        return make(game, name)

    return AgentSpec(name, f"{spec.title} {MARK}{title}", spec.level, about, made)


def _named(game: str, name: str, kind: AgentSpec) -> AgentSpec:
    """A named learner, which has learned nothing when it is made."""
    own = AgentName.parse(name).own

    def made() -> Agent:
        learner = kind.make()
        learner.name = name
        return learner

    return AgentSpec(name, f"{kind.title} {own}", kind.level, kind.summary, made)


def title_of(game: str, name: str) -> str:
    """The name of an agent for people."""
    spec = spec_of(game, name)
    return spec.title if spec else name


def check_name(game: str, name: str, store: "Store | None" = None) -> None:
    """Raise ValueError with a sentence if there is no such agent, named learner, generation or
    file."""
    if spec_of(game, name) is None:
        return
    parsed = AgentName.parse(name)
    _check_named(game, parsed, store)
    if parsed.file is not None and not parsed.file.is_file():
        raise ValueError(f"There is no file {parsed.file} for {name}.")
    if parsed.matches is not None:
        known = generations(game, parsed.agent, store)
        if parsed.matches not in known:
            raise _no_generation(parsed, known)


def _check_named(game: str, name: AgentName, store: "Store | None") -> None:
    """Raise ValueError if there is no such named learner."""
    if name.own and (store is None or not store.exists(game, name.agent)):
        raise unknown_learner(game, name.agent, store)


def unknown_learner(game: str, agent: str, store: "Store | None") -> ValueError:
    """The error for a named learner that does not exist."""
    known = store.named(game) if store is not None else []
    others = f", or choose one of: {', '.join(known[:_MOST_LISTED])}" if known else ""
    return ValueError(
        f"There is no learner {agent} for {game}; create it with "
        f"kibitz train {game} --agent {agent} --from nothing{others}."
    )


def generations(game: str, agent: str, store: "Store | None" = None) -> list[int]:
    """The generations of a learner by their matches of training: 0, and all that are in the
    store or come with the program."""
    from agents.storage.store import shipped_generations

    stored = store.generations(game, agent) if store is not None else []
    return sorted({0, *stored, *shipped_generations(game, agent)})


def portable_name(game: str, name: str, store: "Store") -> str:
    """The name of an agent for a process that does not know the store: a named learner or a
    generation in the store is named by its file.

    Raises ValueError for a named learner that does not exist.
    """
    if _is_program(name):
        return name
    parsed = AgentName.parse(name)
    _check_named(game, parsed, store)
    if not parsed.matches and (parsed.frozen or not parsed.own):
        return name if not parsed.own else generation_name(parsed.kind, 0)
    path = store.path(game, name)
    return f"{parsed.kind}{MARK}{path}" if path.is_file() else name


def _no_generation(name: AgentName, known: list[int]) -> ValueError:
    names = ", ".join([generation_name(name.agent, matches) for matches in known])
    return ValueError(f"{name.agent} has no generation {name.matches}; there are: {names}.")


def _is_program(name: str) -> bool:
    from agents.protocols.program import is_program

    return is_program(name)


def create(game: str, name: str, programs: bool = False) -> Agent:
    """An agent that has learned nothing yet.

    programs   whether it may be another program, see `agents.protocols.program.check_allowed`
    """
    from agents.protocols.program import PREFIX, ProgramPlayer, check_allowed

    if _is_program(name):
        agents_for(game)
        check_allowed(name, programs)
        return ProgramPlayer(game, name.removeprefix(PREFIX))
    specs = agents_for(game)
    spec = spec_of(game, name) if COLON in name else specs.get(name)
    if spec is None:
        raise ValueError(f"There is no agent {name!r}; choose one of: {', '.join(specs)}.")
    return spec.make()


def make(
    game: str,
    name: str,
    store: "Store | None" = None,
    learning: bool = False,
    budget: "Budget | None" = None,
    strict: bool = False,
    programs: bool = False,
) -> Agent:
    """An agent ready to play. A learner knows what the store holds for it, or what was shipped
    with the program. A generation, and a learner with values from a file, never learns.

    learning   whether a learner continues to learn
    budget     of an agent that searches; None for its default
    strict     raise ValueError if stored values cannot be read. The file stays where it is
    programs   whether it may be another program

    Otherwise a learner whose stored values cannot be read plays without them, and the store's
    notices report it; a named learner then raises ValueError. Raises ValueError if there is no
    such agent, named learner, generation or file.
    """
    named = False
    if not _is_program(name) and (MARK in name or COLON in name):
        spec_of(game, name)
        parsed = AgentName.parse(name)
        _check_named(game, parsed, store)
        if parsed.frozen:
            return _make_frozen(game, parsed, store)
        named = True
    agent = create(game, name, programs)
    if budget is not None:
        from agents.level_player import LevelPlayer
        from agents.search.agent import SearchAgent

        searcher = agent.base if isinstance(agent, LevelPlayer) else agent
        if isinstance(searcher, SearchAgent):
            searcher.budget = budget
    if isinstance(agent, Learner):
        agent.learning = learning
        if strict and store is not None:
            _check_readable(agent, store)
        notices = restore_learner(agent, store)
        if store is not None:
            store.notices += notices
            if named and agent.source == Learner.source:
                raise ValueError(f"{name} cannot be read. {' '.join(store.notices[-1:])}".strip())
    return agent


def _check_readable(learner: Learner, store: "Store") -> None:
    """Raise ValueError if the learner has a file that cannot be used."""
    from agents.storage.store import StoreError, read_values
    from agents.storage.values_file import Refused

    path = store.path(learner.game, learner.name)
    try:
        read_values(path, spec_made(learner), own_setup=bool(AgentName.parse(learner.name).own))
    except (Refused, StoreError) as error:
        kind = kind_of(learner.name)
        raise ValueError(
            f"{path} cannot be used because {str(error).rstrip('.')}; move it away to play with "
            f"the shipped values, or name {kind}@FILE or {kind}@0."
        ) from error


def spec_made(learner: Learner) -> Learner:
    """Another learner of the same name that has learned nothing."""
    made = create(learner.game, learner.name)
    assert isinstance(made, Learner)
    return made


def _make_frozen(game: str, name: AgentName, store: "Store | None") -> Learner:
    learner = create(game, name.agent)
    assert isinstance(learner, Learner)
    learner.learning = False
    if name.file is not None:
        learner.name = f"{name.agent}{MARK}{name.file}"
        _restore_from_file(learner, name)
    elif name.matches is not None:
        learner.name = generation_name(name.agent, name.matches)
        if name.matches:
            notices = restore_learner(learner, store)
            if learner.source == Learner.source:
                reason = f" {notices[0]}" if notices else ""
                known = generations(game, name.agent, store)
                raise ValueError(f"{_no_generation(name, known)}{reason}")
            learner.source = f"generation {name.matches}, {learner.source}"
    return learner


def _restore_from_file(learner: Learner, name: AgentName) -> None:
    from agents.storage.store import StoreError, read_values
    from agents.storage.values_file import Refused

    assert name.file is not None
    try:
        found = read_values(name.file, learner, own_setup=True)
    except Refused as refusal:
        raise ValueError(f"{name.file} was not loaded because {refusal}.") from refusal
    except StoreError as error:
        raise ValueError(str(error)) from error
    if not found:
        raise ValueError(f"There is no file {name.file} for {learner.name}.")
    learner.source = f"file {name.file}"


def restore_learner(learner: Learner, store: "Store | None") -> list[str]:
    """Load what the store holds for a learner, or else what was shipped with the program.
    Returns notices of files that cannot be read."""
    from agents.storage.store import StoreError, load_shipped

    try:
        if store is not None and store.load(learner):
            learner.source = "home"
            return []
    except StoreError as error:
        return [str(error)]
    try:
        if load_shipped(learner):
            learner.source = "shipped"
    except StoreError as error:
        return [str(error)]
    return []
