"""How far predicted chances can be trusted: of the moves that an agent expected to win with 70 %,
did 70 % win?"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from agents.agent import Scale
from agents.evaluation.series import Conditions
from agents.match import Match
from agents.registry import make
from agents.seeds import match_seed
from agents.storage.store import Store
from engine import GAMES
from engine.game import OVER

BINS: Final = 10


class Prediction(NamedTuple):
    """The chance that an agent gave its move, and the share of the match that it then won."""

    chance: float
    won: float


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

    gap   the mean distance between prediction and result, by bins weighted by their predictions
    """

    bins: tuple[Bin, ...]
    gap: float


def reliability(predictions: Sequence[Prediction]) -> Reliability:
    bins = []
    for number in range(BINS):
        inside = [each for each in predictions if min(int(each.chance * BINS), BINS - 1) == number]
        if inside:
            predicted, won = [sum(column) / len(inside) for column in zip(*inside, strict=True)]
            bins.append(Bin(number / BINS, (number + 1) / BINS, len(inside), predicted, won))
    total = sum([each.count for each in bins])
    gap = sum([each.count * abs(each.predicted - each.won) for each in bins]) / max(1, total)
    return Reliability(tuple(bins), gap)


def predictions(
    game: str,
    agents: Sequence[str],
    games: int,
    conditions: Conditions,
) -> Iterator[Prediction]:
    """The predictions of the first agent in matches against the others.

    agents   one for each side; the first one plays each side equally often
    """
    conditions.check_agents(game, agents)
    store = Store(conditions.qtables) if conditions.qtables else None
    players = [make(game, name, store, budget=conditions.budget) for name in agents]
    for number in range(games):
        seed = match_seed(conditions.purpose, conditions.seed, number // len(agents))
        state = GAMES[game].new(seed, None, None, **conditions.options)
        own = number % len(agents)
        seated = [players[0]] * state.seats
        rivals = [side for side in range(len(state.sides)) if side != own]
        for side, rival in zip(rivals, players[1:], strict=True):
            for seat in state.sides[side]:
                seated[seat] = rival
        match = Match(state, seated, seed)
        expected = []
        while state.turn != OVER:
            mine = state.turn in state.sides[own]
            decision = match.decide()
            if mine and decision.scale is Scale.CHANCE and decision.action in decision.scores:
                expected.append(decision.scores[decision.action])
            match.step(decision.action)
        won = state.returns()[state.sides[own][0]]
        yield from [Prediction(chance, won) for chance in expected]
        if conditions.progress:
            conditions.progress(number + 1, games)
