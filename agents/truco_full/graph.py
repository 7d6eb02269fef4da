"""All public situations of a round of two players, and what each choice leads to.

They are found by playing rounds in the engine, so that no rule stands here. Seat 0 is the mano.
Rounds differ in who holds a flor; the cards only decide tricks and comparisons.
"""

from functools import cache
from typing import Final, NamedTuple

from agents.truco_full.situations import Situation
from engine.games.truco import HAND, NOBODY, PACK, Score
from engine.games.truco_full import (
    ENVITE_AL_RESTO,
    ENVITE_FALTA,
    GAME,
    MAZO,
    QUIERO,
    FullState,
    falta_points,
)

HIGHER_ENVIDO: Final = 2
HIGHER_FLOR: Final = 3
"""In place of a seat: the winner of a comparison."""

_DECKS: Final = (
    "4E 6C 10O 4C 6E 10C 12B",
    "4E 6E 10E 4C 6O 10C 12B",
    "4C 6O 10C 4E 6E 10E 12B",
    "4E 6E 10E 4C 6C 10C 12B",
)
"""Rounds by the flores held, as bits of the seats."""
FLORES: Final = len(_DECKS)
_LED, _LOWER, _EQUAL, _HIGHER = [PACK.card(code) for code in ("2O", "4O", "2C", "3O")]


class Pay(NamedTuple):
    """Points that are added: to a seat, or to the winner of a comparison.

    falta   what a falta envido is worth comes on top
    """

    winner: int
    points: int
    falta: bool


class Edge(NamedTuple):
    """What a choice leads to.

    to    the next node, or None at the end of the round
    """

    to: "Slot | None"
    pays: tuple[Pay, ...]


class Slot(NamedTuple):
    """Identifies a node: the situation of the seat to act, and its cards.

    trick    the winner of each finished trick
    """

    situation: Situation
    trick: tuple[int, ...]


class Node:
    """A public situation.

    calls   what each choice other than a card leads to
    lead    what playing a card leads to, if it is the first of the trick
    follow  the same by the winner of the trick, if it is the second
    """

    __slots__ = ("calls", "follow", "lead", "leader", "seat", "situation", "slot", "to_play")

    def __init__(self, state: FullState) -> None:
        self.slot = slot_of(state)
        self.situation = self.slot.situation
        self.seat = state.turn
        self.to_play = state.to_play
        self.leader = state.trick[0][0] if state.trick else NOBODY
        self.calls: dict[int, Edge] = {}
        self.lead: Edge | None = None
        self.follow: dict[int, Edge] = {}

    @property
    def cards(self) -> int:
        """The number of cards that may be played; 0 if a call is due."""
        if self.lead is None and not self.follow:
            return 0
        return HAND - len(self.slot.trick)

    def actions(self) -> list[int]:
        return [*range(self.cards), *sorted(self.calls)]

    def edges(self) -> list[Edge]:
        lead = [] if self.lead is None else [self.lead]
        return [*self.calls.values(), *lead, *self.follow.values()]


def slot_of(state: FullState) -> Slot:
    return Slot(Situation.of(state.view(state.turn)), state.results)


def start(flores: int) -> FullState:
    """The beginning of a round in which these seats hold a flor."""
    state = GAME.new(deck=_DECKS[flores].split(), first=0)
    state.deals_on = False
    return state


def _after(state: FullState, action: int, card: int | None = None) -> tuple[FullState, Edge]:
    after = state.clone()
    if card is not None:
        after.hands[after.turn][0] = card
    falta = action == QUIERO and state.envite in (ENVITE_FALTA, ENVITE_AL_RESTO)
    after.apply(action)
    over = after.last_round is not None
    steps = after.last_round.steps if after.last_round is not None else after.steps
    pays = tuple([_pay(state, step, falta) for step in steps[len(state.steps) :]])
    return after, Edge(None if over else slot_of(after), pays)


def _pay(before: FullState, step: Score, falta: bool) -> Pay:
    compared = step.reason == "envido" or step.reason == "contraflor"
    if step.reason == "flor":
        compared = _flores(before) == FLORES - 1
    if not compared:
        return Pay(step.seat, step.points, False)
    winner = HIGHER_ENVIDO if step.reason == "envido" else HIGHER_FLOR
    points = step.points
    if falta:
        points -= falta_points(before.points, before.options.target, step.seat)
    return Pay(winner, points, falta)


def _flores(state: FullState) -> int:
    flores = 0
    for seat, cards in enumerate(state.dealt):
        flores |= (len({PACK.codes[card][-1] for card in cards}) == 1) << seat
    return flores


@cache
def nodes(flores: int) -> list[Node]:
    """The nodes of rounds in which these seats hold a flor, each before those it leads to."""
    found: dict[Slot, Node] = {}
    order: list[Node] = []

    def visit(state: FullState) -> None:
        node = Node(state)
        if node.slot in found:
            return
        found[node.slot] = node
        for action in state.legal():
            if action == MAZO:
                continue
            if action >= HAND:
                after, node.calls[action] = _after(state, action)
                _go_on(after, node.calls[action])
        if state.legal()[0] == 0:
            if node.leader == NOBODY:
                after, node.lead = _after(state, 0, _LED)
                _go_on(after, node.lead)
            else:
                leader = node.leader
                for winner, card in ((leader, _LOWER), (1 - leader, _HIGHER), (NOBODY, _EQUAL)):
                    after, node.follow[winner] = _after(state, 0, card)
                    _go_on(after, node.follow[winner])
        order.append(node)

    def _go_on(after: FullState, edge: Edge) -> None:
        if edge.to is not None:
            visit(after)

    visit(start(flores))
    return order[::-1]
