"""Reads the mind of a learner: what a table knows, or what it expects in a few fixed positions."""

from collections.abc import Hashable
from random import Random
from typing import Any, Final

import numpy as np

from agents.agent import Agent, Learner
from agents.learners.features import Abstraction
from agents.learners.tabular import TabularLearner
from agents.match import Match
from agents.registry import create
from agents.seeds import Purpose, match_seed
from app.lab.stage.discoveries import Opinion
from app.lab.stage.reports import Expectations, Position, TableMind
from engine import GAMES
from engine.game import OVER, View

POSITIONS: Final = 12
"""Fixed positions that are followed; the screen shows the first ones."""

_DEALS: Final = 40
_ENOUGH: Final = 5 * POSITIONS
"""Positions to choose from. Further deals are not played then."""

_HANDS: Final = 4
_ACTIONS_OF_DEAL: Final = 120
_MOST_SITUATIONS: Final = 20_000
_FREQUENT: Final = 60
"""The most visited situations, in which discoveries are looked for."""

_LEAST_VISITS: Final = 30
_LEAST_TRIES: Final = 5
_PADDING: Final = -1


def read_table(learner: TabularLearner, matches: int) -> TableMind:
    """The situations of a table with their best moves and visits."""
    found = []
    for situation in learner.situations():
        known = learner.known(situation)
        tried = [move for move, visits in enumerate(known.visits) if visits]
        if tried:
            best = max(tried, key=lambda move: known.values[move])
            found.append((int(sum(known.visits)), situation, best))
    found.sort(key=lambda each: -each[0])
    found = found[:_MOST_SITUATIONS]
    width = max([len(situation) for _, situation, _ in found], default=1)
    rows = np.full((len(found), width), _PADDING, dtype=np.int8)
    for number, (_, situation, _) in enumerate(found):
        rows[number, : len(situation)] = situation
    best_moves = np.array([best for *_, best in found], dtype=np.int16)
    visits = np.array([seen for seen, *_ in found], dtype=np.float32)
    return TableMind(matches, width, rows.tobytes(), best_moves.tobytes(), visits.tobytes())


def table_opinions(learner: TabularLearner, mind: TableMind) -> dict[Hashable, Opinion]:
    """Opinions about the situations that are met most often."""
    rows = np.frombuffer(mind.situations, dtype=np.int8).reshape(-1, mind.width)
    visits = np.frombuffer(mind.visits, dtype=np.float32)
    opinions: dict[Hashable, Opinion] = {}
    for row, seen in zip(rows[:_FREQUENT].tolist(), visits[:_FREQUENT].tolist(), strict=True):
        situation = tuple([value for value in row if value != _PADDING])
        known = learner.known(situation)
        values = {
            move: float(known.values[move])
            for move, tries in enumerate(known.visits)
            if tries >= _LEAST_TRIES
        }
        if seen >= _LEAST_VISITS and len(values) > 1:
            opinions[situation] = Opinion(values)
    return opinions


def abstraction_of(game: str) -> Abstraction[Any]:
    """The words for the situations of a game: those of its tabular learner."""
    learner = create(game, "q")
    assert isinstance(learner, TabularLearner)
    return learner.abstraction


def sample_positions(game: str, seed: int, player: Agent) -> list[Position]:
    """Decisions with several moves from seeded play, as different as possible: each kind of
    decision comes once before any comes twice."""
    abstraction = abstraction_of(game)
    by_kind: dict[int, list[Position]] = {}
    for number in range(_DEALS):
        deal = match_seed(Purpose.TUNING, seed, number)
        state = GAMES[game].new(deal, None, None)
        match = Match(state, [player] * state.seats, deal, played=0)
        chance = Random(deal)
        actions: list[int] = []
        while state.turn != OVER and state.hand_no <= _HANDS and len(actions) < _ACTIONS_OF_DEAL:
            legal, view = state.legal(), state.view(state.turn)
            if (
                len(legal) > 1
                and chance.random() < 0.2
                and len({view.label(action) for action in legal}) > 1
            ):
                situation = abstraction.situation(view)
                words = abstraction.words(situation)
                kind = by_kind.setdefault(situation[0], [])
                if all(words != other.words for other in kind):
                    kind.append(Position(deal, tuple(actions), words))
            actions.append(match.decide().action)
            match.step(actions[-1])
        if sum([len(kind) for kind in by_kind.values()]) >= _ENOUGH:
            break
    found: list[Position] = []
    while any(by_kind.values()) and len(found) < POSITIONS:
        for positions in by_kind.values():
            if positions and len(found) < POSITIONS:
                found.append(positions.pop(0))
    return found


def view_of(game: str, position: Position) -> tuple[View, list[int]]:
    """The view of the seat to act, and its legal actions."""
    state = GAMES[game].new(position.seed, None, None)
    for action in position.actions:
        state.apply(action)
    return state.view(state.turn), state.legal()


def expectations(
    learner: Learner, positions: list[tuple[View, list[int]]], matches: int
) -> Expectations:
    """What the learner expects from each legal action."""
    chance = Random(0)
    values = [dict(learner.act(view, legal, chance).scores) for view, legal in positions]
    return Expectations(matches, tuple(values))
