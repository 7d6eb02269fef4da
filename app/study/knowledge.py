"""What a learner knows, in words that can be searched and sorted.

A Q-table has one entry for each situation. A learner with weights has one entry for each part
of a situation; the value of a situation is the sum over its parts.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from agents.agent import Agent
from agents.learners.features import Known, Situation
from agents.learners.logistic import LogisticLearner
from agents.learners.tabular import TabularLearner
from agents.learners.value_learner import MEANING
from agents.learners.weights import WeightLearner
from agents.registry import AgentSpec, known_agents, make
from agents.storage.store import Store, StoreError
from app.match.moment import Thought

_READABLE: Final = (TabularLearner, WeightLearner)


class Order(StrEnum):
    """How entries are sorted."""

    VISITS = "visits"
    VALUE = "value"
    SITUATION = "situation"


@dataclass(frozen=True, slots=True)
class Entry:
    """The values of one situation, or of one part of situations.

    words     the situation or the part, in words
    moves     the moves that have values, best first
    known     the value and the visits of every move
    seen      the visits of all moves together
    made      the action that was taken, for a position of a match
    position  the situation of that position
    """

    words: str
    moves: tuple[int, ...]
    known: Known
    seen: int
    made: str = ""
    position: Situation = ()

    @property
    def best(self) -> int | None:
        """The move with the highest value; None without visits."""
        return self.moves[0] if self.moves and self.seen else None

    @property
    def value(self) -> float:
        return self.known.values[self.moves[0]] if self.moves else 0.0


class Knowledge:
    """A snapshot of what one learner knows.

    whole     whether an entry is a whole situation, or a part that situations share
    meaning   what the numbers mean, in words
    """

    def __init__(self, agent: Agent) -> None:
        """Raises ValueError for an agent whose knowledge cannot be read."""
        if not isinstance(agent, _READABLE):
            raise ValueError(f"The knowledge of {agent.name} cannot be shown in words.")
        self._learner = agent
        self.agent = agent.name
        self.game = agent.game
        self.move_names = agent.abstraction.move_names
        self.whole = isinstance(agent, TabularLearner)
        self.meaning = _meaning(agent)
        self._entries: list[tuple[str, Entry]] = []
        """Each with its searchable text."""
        self._sorted: dict[Order, list[tuple[str, Entry]]] = {}
        for words, known in agent.all_known():
            learned = [move for move, times in enumerate(known.visits) if times]
            entry = _entry(words, known, learned)
            self._entries.append((f"{words} {self.best_words(entry)}".lower(), entry))

    def __len__(self) -> int:
        return len(self._entries)

    def best_words(self, entry: Entry) -> str:
        return "" if entry.best is None else self.move_names[entry.best]

    def find(self, text: str, order: Order, limit: int) -> tuple[list[Entry], int]:
        """The first entries that contain all these words, and the number of all of them."""
        found = self._in_order(order)
        for word in text.lower().split():
            found = [each for each in found if word in each[0]]
        return [entry for _, entry in found[:limit]], len(found)

    def _in_order(self, order: Order) -> list[tuple[str, Entry]]:
        if order not in self._sorted:
            self._sorted[order] = sorted(self._entries, key=lambda each: _ORDERS[order](each[1]))
        return self._sorted[order]

    def positions(self, thoughts: Sequence[Thought]) -> list[Entry]:
        """The entries of the positions in which this learner moved, in order."""
        abstraction = self._learner.abstraction
        found = []
        for thought in thoughts:
            if thought.agent != self.agent:
                continue
            view = thought.view
            situation = abstraction.situation(view)
            choices = set(abstraction.moves(view, thought.legal).values())
            known = self._learner.known(situation)
            made = view.label(thought.decision.action)
            words = abstraction.words(situation)
            found.append(_entry(words, known, sorted(choices), made, situation))
        return found

    def position(self, situation: Situation, made: str) -> Entry:
        """The entry of a situation. made: the move that was made there, in words."""
        known = self._learner.known(situation)
        learned = [move for move, times in enumerate(known.visits) if times]
        words = self._learner.abstraction.words(situation)
        return _entry(words, known, learned, made, situation)

    def behind(self, position: Entry) -> list[Entry]:
        """The entries used for a position: its own, or those of its parts."""
        parts = set(self._learner.parts(position.position))
        found = [entry for _, entry in self._entries if entry.words in parts]
        return sorted(found, key=_ORDERS[Order.VISITS])


_ORDERS: Final[dict[Order, Callable[[Entry], float | str]]] = {
    Order.VISITS: lambda entry: -entry.seen,
    Order.VALUE: lambda entry: -entry.value,
    Order.SITUATION: lambda entry: entry.words,
}


def _entry(
    words: str,
    known: Known,
    moves: Sequence[int],
    made: str = "",
    position: Situation = (),
) -> Entry:
    best_first = sorted(moves, key=lambda move: -known.values[move])
    seen = int(sum([known.visits[move] for move in moves]))
    return Entry(words, tuple(best_first), known, seen, made, position)


def _meaning(learner: TabularLearner | WeightLearner) -> str:
    if isinstance(learner, TabularLearner):
        return MEANING
    if isinstance(learner, LogisticLearner):
        return f"weight: the higher, the more often {learner.teacher.name} makes the move"
    return f"weight: added to the {MEANING}"


def read_knowledge(game: str, agent: str, store: Store) -> Knowledge:
    """The knowledge of an agent, as learned here or pretrained. Slow for large learners.

    Raises ValueError.
    """
    return Knowledge(make(game, agent, store))


def readable(game: str, store: Store) -> dict[str, AgentSpec]:
    """The agents of a game whose knowledge can be read, by name."""
    return {name: spec for name, spec in known_agents(game, store).items() if can_read(spec)}


def can_read(spec: AgentSpec) -> bool:
    """Whether the knowledge of an agent can be read. False also if its pretrained file is
    missing."""
    try:
        return isinstance(spec.make(), _READABLE)
    except StoreError:
        return False
