"""How far predicted chances can be trusted: of the moves that an agent expected to win with 70 %,
did 70 % win?"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random
from typing import Final, NamedTuple

import numpy as np

from agents.agent import Agent, Decision, Scale
from agents.evaluation.series import Conditions
from agents.evaluation.strengths import STANDARD, at_table
from agents.match import Match
from agents.registry import make, strongest
from agents.seeds import match_seed
from agents.storage.store import Store
from engine import GAMES
from engine.game import OVER, View

BINS: Final = 10

RESAMPLED: Final = 500
"""How often the matches are drawn again for the interval."""


class Prediction(NamedTuple):
    """The chance that an agent gave its move, and the share of the match that it then won."""

    chance: float
    won: float
    match: int


@dataclass(frozen=True, slots=True)
class Bin:
    """Predictions of about the same chance.

    predicted, won   their means
    """

    low: float
    high: float
    count: int
    predicted: float
    won: float


@dataclass(frozen=True, slots=True)
class Reliability:
    """The predictions in bins. Empty bins are left out.

    gap         the mean distance between prediction and result, by bins weighted by their
                predictions. Few matches have a gap by luck, even if every prediction is right
    by_luck     the gap of right predictions in as many matches, on average
    most_luck   a gap that right predictions exceed in one series of twenty
    beyond      the gap that luck does not explain, an estimate: the root of the mean squared
                distance without its variance between matches, by bins as before
    predicted, won   the means of all predictions
    ci95        the interval of `won`, from the variation between matches
    """

    bins: tuple[Bin, ...]
    gap: float
    by_luck: float
    most_luck: float
    beyond: float
    predicted: float
    won: float
    ci95: tuple[float, float]


def reliability(predictions: Sequence[Prediction]) -> Reliability:
    bins = []
    for number in range(BINS):
        inside = [each for each in predictions if min(int(each.chance * BINS), BINS - 1) == number]
        if inside:
            predicted, won, _ = [sum(column) / len(inside) for column in zip(*inside, strict=True)]
            bins.append(Bin(number / BINS, (number + 1) / BINS, len(inside), predicted, won))
    total = max(1, len(predictions))
    gap = sum([each.count * abs(each.predicted - each.won) for each in bins]) / total
    mean = sum([each.chance for each in predictions]) / total
    won = sum([each.won for each in predictions]) / total
    luck = _luck(predictions) if predictions else _Luck(0.0, 0.0, 0.0, (0.0, 1.0))
    return Reliability(
        tuple(bins), gap, luck.mean, luck.most, luck.beyond, mean, won, luck.interval
    )


class _Luck(NamedTuple):
    """What luck does to a series: see `Reliability`."""

    mean: float
    most: float
    beyond: float
    interval: tuple[float, float]


def _luck(predictions: Sequence[Prediction]) -> _Luck:
    """What luck does to these predictions, from matches drawn again and again.

    Predictions of one match have one result, so matches are drawn, not predictions. The distance
    of a drawn series from the whole one is luck alone.
    """
    chances, results, matches = [np.array(column) for column in zip(*predictions, strict=True)]
    places = np.minimum((chances * BINS).astype(int), BINS - 1)
    numbers = np.unique(matches, return_inverse=True)[1]
    count = numbers.max() + 1
    made = np.zeros((count, BINS))
    missed = np.zeros((count, BINS))
    np.add.at(made, (numbers, places), 1.0)
    np.add.at(missed, (numbers, places), results - chances)
    sizes = np.maximum(made.sum(axis=0), 1.0)
    bias = missed.sum(axis=0) / sizes
    per_match = np.zeros(count)
    np.add.at(per_match, numbers, results)
    rng = np.random.default_rng(0)
    gaps, squares, rates = [], [], []
    for _ in range(RESAMPLED):
        drawn = rng.integers(count, size=count)
        luck = missed[drawn].sum(axis=0) - made[drawn].sum(axis=0) * bias
        total = made[drawn].sum()
        gaps.append(np.abs(luck).sum() / total)
        squares.append((luck**2 / sizes).sum() / len(predictions))
        rates.append(per_match[drawn].sum() / total)
    low, high = np.percentile(rates, [2.5, 97.5])
    squared = (sizes * bias**2).sum() / len(predictions)
    beyond = max(0.0, float(squared - np.mean(squares))) ** 0.5
    most = float(np.percentile(gaps, 95))
    return _Luck(float(np.mean(gaps)), most, beyond, (float(low), float(high)))


def advising(game: str) -> tuple[str, ...]:
    """The agents whose chances hints state: the strongest one, and `hard` where that one mixes
    its moves."""
    return tuple(dict.fromkeys([strongest(game), STANDARD]))


def _hint(advisers: Sequence[Agent], view: View, legal: list[int], rng: Random) -> Decision:
    for adviser in advisers:
        decision = adviser.act(view, legal, rng)
        if decision.scale is not Scale.FREQUENCY:
            break
    return decision


class Position(NamedTuple):
    """A move that was made, and where."""

    view: View
    legal: list[int]
    action: int


class _Sample:
    """Keeps some of the positions of a match, each with the same chance, before their number is
    known."""

    def __init__(self, size: int, rng: Random) -> None:
        self.kept: list[Position] = []
        self._size = size
        self._rng = rng
        self._offered = 0

    def offer(self, position: Position) -> None:
        self._offered += 1
        if len(self.kept) < self._size:
            self.kept.append(position)
        elif (at := self._rng.randrange(self._offered)) < self._size:
            self.kept[at] = position


def _stated(
    game: str, view: View, decision: Decision, action: int, names: Sequence[str]
) -> list[float]:
    """The chance that a decision states for an action at a table with these players, if it does."""
    if decision.scale is not Scale.CHANCE or action not in decision.scores:
        return []
    return [at_table(game, view, decision, names).scores[action]]


def predictions(
    game: str,
    agents: Sequence[str],
    games: int,
    conditions: Conditions,
    hinted: int = 0,
    side: int | None = None,
) -> Iterator[Prediction]:
    """The predictions of the first agent in matches against the others.

    agents   one for each side
    hinted   above 0: instead, the predictions of hints for at most this many moves of a match,
             chosen at random. All hints of a match have one result, so that few of them in many
             matches say most
    side     the side of the first agent; None for each side equally often
    """
    conditions.check_agents(game, agents)
    store = Store(conditions.qtables) if conditions.qtables else None
    players = [
        make(game, name, store, budget=conditions.budget, programs=conditions.programs)
        for name in agents
    ]
    advisers = [make(game, name, budget=conditions.budget) for name in advising(game)]
    for number in range(games):
        deal, own = divmod(number, len(agents)) if side is None else (number, side)
        seed = match_seed(conditions.purpose, conditions.seed, deal, conditions.salt)
        state = GAMES[game].new(seed, None, None, **conditions.options)
        seated = [0] * state.seats
        rivals = [seats for at, seats in enumerate(state.sides) if at != own]
        for rival, seats in enumerate(rivals, 1):
            for seat in seats:
                seated[seat] = rival
        names = [agents[at] for at in seated]
        match = Match(state, [players[at] for at in seated], seed)
        expected, asked = [], _Sample(hinted, Random(f"{seed}/asking"))
        while state.turn != OVER:
            decision = match.decide()
            action = decision.action
            if state.turn in state.sides[own]:
                if not hinted:
                    expected += _stated(game, state.view(state.turn), decision, action, names)
                elif len(state.legal()) > 1:
                    asked.offer(Position(state.view(state.turn), state.legal(), action))
            match.step(action)
        for view, legal, action in asked.kept:
            hint = _hint(advisers, view, legal, Random(f"{seed}/hint"))
            expected += _stated(game, view, hint, action, names)
        won = state.returns()[state.sides[own][0]]
        yield from [Prediction(each, won, number) for each in expected]
        if conditions.progress:
            conditions.progress(number + 1, games)
