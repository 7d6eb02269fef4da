"""How far predicted chances can be trusted: of the moves that an agent expected to win with 70 %,
did 70 % win?"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any, Final, NamedTuple

import numpy as np

from agents.agent import Agent, Decision, Scale
from agents.evaluation.series import Conditions
from agents.evaluation.strengths import at_table
from agents.match import Match
from agents.registry import make
from agents.seeds import match_seed
from agents.storage.store import Store
from engine import GAMES
from engine.game import OVER, State, View

BINS: Final = 10

RESAMPLED: Final = 500
"""How often the matches are drawn again for the interval."""


class Prediction(NamedTuple):
    """The chance that was stated for a move, and the share of the match that was then won, or of
    several matches played on from there."""

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


Hint = Callable[[Sequence[str], int, View, list[int], int], Decision]
"""The decision that a hint shows. The arguments are the name of the agent in each seat, the seed of
the match, what the seat sees, its legal actions, and how many actions came before."""


@dataclass(frozen=True, slots=True)
class Asking:
    """How hints are measured.

    hint        of the app
    per_match   at most this many moves of a match, chosen at random
    playouts    the result of a hint is the mean of so many matches, played on from its position
                with new deals; 0 takes the result of the match itself, which hints of one match
                share. More of them leave less to luck
    """

    hint: Hint
    per_match: int = 1
    playouts: int = 0


class Position(NamedTuple):
    """A move that was made. number: how many actions came before."""

    state: State
    action: int
    number: int


class _Sample:
    """Keeps some of the positions of a match, each with the same chance, before their number is
    known."""

    def __init__(self, size: int, rng: Random) -> None:
        self.kept: list[Position] = []
        self._size = size
        self._rng = rng
        self._offered = 0

    def offer(self, state: State, action: int, number: int) -> None:
        self._offered += 1
        if len(self.kept) < self._size:
            self.kept.append(Position(state.clone(), action, number))
        elif (at := self._rng.randrange(self._offered)) < self._size:
            self.kept[at] = Position(state.clone(), action, number)


def _stated(decision: Decision, action: int) -> list[float]:
    """The chance that a decision states for an action, if it does."""
    if decision.scale is not Scale.CHANCE or action not in decision.scores:
        return []
    return [decision.scores[action]]


def _played_on(position: Position, players: Sequence[Agent], count: int, seed: int) -> float:
    """The mean share of the seat to act in matches that go on with the same move and new deals."""
    seat, total = position.state.turn, 0.0
    rng = Random(f"{seed}/{position.number}/playing on")
    for _ in range(count):
        luck = rng.getrandbits(63)
        after = position.state.with_chance(luck)
        after.apply(position.action)
        Match(after, players, luck).play_out()
        total += after.returns()[seat]
    return total / count


def predictions(
    game: str,
    agents: Sequence[str],
    games: int,
    conditions: Conditions,
    asking: Asking | None = None,
    side: int | None = None,
) -> Iterator[Prediction]:
    """The predictions of the first agent in matches against the others.

    agents   one for each side
    asking   instead, the predictions of hints for its moves
    side     the side of the first agent; None for each side equally often
    """
    conditions.check_agents(game, agents)
    store = Store(conditions.qtables) if conditions.qtables else None
    players = [
        make(game, name, store, budget=conditions.budget, programs=conditions.programs)
        for name in agents
    ]
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
        around = [players[at] for at in seated]
        match = Match(state, around, seed)
        expected: list[float] = []
        asked = _Sample(asking.per_match if asking else 0, Random(f"{seed}/asking"))
        while state.turn != OVER:
            decision = match.decide()
            action = decision.action
            if state.turn in state.sides[own]:
                if not asking:
                    view = state.view(state.turn)
                    expected += _stated(at_table(game, view, decision, names), action)
                elif len(state.legal()) > 1:
                    asked.offer(state, action, match.decisions)
            match.step(action)
        won = state.returns()[state.sides[own][0]]
        yield from [Prediction(each, won, number) for each in expected]
        if asking:
            for position in asked.kept:
                before = position.state
                view = before.view(before.turn)
                hint = asking.hint(names, seed, view, before.legal(), position.number)
                for chance in _stated(hint, position.action):
                    if asking.playouts:
                        won = _played_on(position, around, asking.playouts, seed)
                    yield Prediction(chance, won, number)
        if conditions.progress:
            conditions.progress(number + 1, games)


def reliability_table(report: dict[str, Any]) -> str:
    """Return predictions and results as text."""
    first, *rest = report["agents"]
    others = " ".join(rest)
    hints = "hints for " if report["hints"] else ""
    low, high = report["ci95"]
    lines = [
        f"{report['game']}: {hints}{first} against {others}, {report['games']} matches, "
        f"seed {report['seed']}",
        f"{'predicted':<12}{'moves':>8}{'mean':>9}{'won':>9}",
    ]
    for each in report["bins"]:
        between = f"{each['low']:.0%} – {each['high']:.0%}"
        lines.append(
            f"{between:<12}{each['count']:>8,}{each['predicted']:>9.1%}{each['won']:>9.1%}"
        )
    total = sum([each["count"] for each in report["bins"]])
    lines += [
        f"{'all':<12}{total:>8,}{report['predicted']:>9.1%}{report['won']:>9.1%}"
        f"  ({low:.1%} – {high:.1%})",
        f"mean gap {100 * report['gap']:.1f} percentage points, without luck about "
        f"{100 * report['beyond']:.1f}",
        f"right predictions have {100 * report['by_luck']:.1f} on average by luck, and in one "
        f"series of twenty more than {100 * report['most_luck']:.1f}",
    ]
    return "\n".join(lines)
