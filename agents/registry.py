"""Who can sit down at each game. A new agent or a new game is one entry here."""

from collections.abc import Callable
from dataclasses import dataclass

from agents.agent import Agent, Learner
from agents.features.euchre import EuchreAbstraction
from agents.features.notty import NottyAbstraction
from agents.q import QLearner
from agents.random_player import RandomPlayer
from agents.rewards import EuchreRewards, NottyRewards
from agents.rules.euchre import EasyEuchre, HardEuchre
from agents.rules.notty import EasyNotty, HardNotty
from agents.store import Store


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


_AGENTS: dict[str, tuple[AgentSpec, ...]] = {
    "euchre": (
        _random(),
        _easy(EasyEuchre),
        _hard(HardEuchre),
        _q(lambda: QLearner(EuchreAbstraction(), EuchreRewards())),
    ),
    "notty": (
        _random(),
        _easy(EasyNotty),
        _hard(HardNotty),
        _q(lambda: QLearner(NottyAbstraction(), NottyRewards())),
    ),
}


def agents_for(game: str) -> dict[str, AgentSpec]:
    """The agents of a game by name, weakest first."""
    return {spec.name: spec for spec in _AGENTS[game]}


def make(game: str, name: str, store: Store | None = None, learning: bool = False) -> Agent:
    """An agent for a seat; a learner knows what the store has kept for it.

    learning   whether a learner goes on learning, or plays what it knows
    """
    specs = agents_for(game)
    if name not in specs:
        raise ValueError(f"There is no agent {name!r} here; choose one of: {', '.join(specs)}.")
    agent = specs[name].make()
    if isinstance(agent, Learner):
        agent.learning = learning
        if store is not None:
            store.load(agent)
    return agent
