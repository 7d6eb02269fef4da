"""Who can sit down at each game. A new agent or a new game is one entry here."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from agents.agent import Agent, Learner
from agents.features.euchre import EuchreAbstraction
from agents.features.fodinha import FodinhaAbstraction
from agents.features.notty import FourFeatures, NottyAbstraction
from agents.features.smear import SmearAbstraction
from agents.features.truco import TrucoAbstraction
from agents.q import QLearner, QSettings
from agents.random_player import RandomPlayer
from agents.rewards import EuchreRewards, FodinhaRewards, NottyRewards, SmearRewards, TrucoRewards
from agents.rules.euchre import EasyEuchre, HardEuchre
from agents.rules.fodinha import EasyFodinha, HardFodinha
from agents.rules.notty import EasyNotty, HardNotty
from agents.rules.smear import EasySmear, HardSmear
from agents.rules.truco import EasyTruco, HardTruco
from agents.store import Store, StoreError


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


def _q(make: Callable[[], Agent]) -> AgentSpec:
    return AgentSpec("q", "Q", "Learning", "remembers which moves paid off", make)


def _euchre_q() -> QLearner:
    """A hand is short: its result counts in full for every decision that led to it."""
    return QLearner(EuchreAbstraction(), EuchreRewards(), QSettings(gamma=1.0, settle=100))


def _smear_q() -> QLearner:
    """Revokes stay untried: they cost as much as the highest bet."""
    settings = QSettings(alpha=0.1, settle=50, gamma=0.95, hopeless=60)
    return QLearner(SmearAbstraction(), SmearRewards(), settings)


def _truco_q() -> QLearner:
    """False flors stay untried: they cost more than anything else at the table."""
    settings = QSettings(gamma=1.0, settle=50, hopeless=25)
    return QLearner(TrucoAbstraction(), TrucoRewards(), settings)


def _fodinha_q() -> QLearner:
    return QLearner(FodinhaAbstraction(), FodinhaRewards(), QSettings(gamma=1.0, settle=100))


def _notty_q() -> QLearner:
    """Only the win counts: if groups paid by themselves, churning them would pay best."""
    rewards = NottyRewards(group=0, card_fewer=0, steal=0, draw=0, passed=0)
    settings = QSettings(gamma=0.99, settle=50, hopeless=50)
    return QLearner(NottyAbstraction(), rewards, settings)


def _notty_q_four() -> AgentSpec:
    return AgentSpec(
        "q-four",
        "Q, four features",
        "Learning",
        "sees rough sizes of hands and deck only",
        lambda: QLearner(FourFeatures(), NottyRewards(), name="q-four"),
    )


_AGENTS: Final[dict[str, tuple[AgentSpec, ...]]] = {
    "euchre": (
        _random(),
        _easy(EasyEuchre),
        _hard(HardEuchre),
        _q(_euchre_q),
    ),
    "smear": (
        _random(),
        _easy(EasySmear),
        _hard(HardSmear),
        _q(_smear_q),
    ),
    "truco": (
        _random(),
        _easy(EasyTruco),
        _hard(HardTruco),
        _q(_truco_q),
    ),
    "fodinha": (
        _random(),
        _easy(EasyFodinha),
        _hard(HardFodinha),
        _q(_fodinha_q),
    ),
    "notty": (
        _random(),
        _easy(EasyNotty),
        _hard(HardNotty),
        _q(_notty_q),
        _notty_q_four(),
    ),
}


def agents_for(game: str) -> dict[str, AgentSpec]:
    """The agents of a game by name, weakest first; learners at the end."""
    if game not in _AGENTS:
        raise ValueError(f"Nobody here plays {game!r}; choose one of: {', '.join(_AGENTS)}.")
    return {spec.name: spec for spec in _AGENTS[game]}


def make(game: str, name: str, store: Store | None = None, learning: bool = False) -> Agent:
    """An agent for a seat; a learner knows what the store has kept for it.

    learning   whether a learner goes on learning, or plays what it knows

    A table that cannot be read keeps nobody from playing: the store's notices tell of it.
    """
    specs = agents_for(game)
    if name not in specs:
        raise ValueError(f"There is no agent {name!r} here; choose one of: {', '.join(specs)}.")
    agent = specs[name].make()
    if isinstance(agent, Learner):
        agent.learning = learning
        if store is not None:
            try:
                store.load(agent)
            except StoreError as error:
                store.notices.append(str(error))
    return agent
