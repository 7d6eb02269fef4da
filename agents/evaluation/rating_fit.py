"""Ratings of agents by maximum likelihood, from matches of any number of sides.

The model is that of Bradley and Terry, and of Luce with more than two sides: a side wins with a
chance in proportion to exp(strength). Strengths are shown in points, 400 for odds of ten to one, as
the Elo ratings of chess are. A side of several partners, all the same agent, has the agent's
strength. Sides that differ, such as a soloist and a pair, also have an advantage of their own.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from agents.evaluation.ratings import ANCHOR, POINTS

_PRIOR: Final = (POINTS / 1000) ** 2
"""Precision of a normal prior with a deviation of 1,000 points, so that the rating of an agent
that never won is finite."""
_STEPS: Final = 50
_Z: Final = 1.959964
"""Half the width of a 95 % interval in deviations."""
_CLOSE: Final = 1e-6

Floats = NDArray[np.float64]

LineUp = tuple[str, ...]
"""The agent of each side."""

Deals = Sequence[Mapping[LineUp, Sequence[float]]]
"""For each deal: how many matches each side of a line-up has won. A draw counts as shares."""


class Interval(NamedTuple):
    """Points with a 95 % interval."""

    points: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Fit:
    """Ratings by agent, and the advantage of each side in points, 0 for the first side."""

    ratings: dict[str, Interval]
    advantages: tuple[float, ...]


def fit(deals: Deals, anchor: str, uneven: bool = False, resamples: int = 200) -> Fit:
    """Rate all agents that played.

    anchor      the agent that has `ANCHOR` points
    uneven      whether the sides differ
    resamples   of whole deals, for the intervals: matches of one deal resemble each other. With few
                deals, resamples may all be alike, so the interval is at least as wide as that of
                independent matches
    """
    met = sorted({line_up for deal in deals for line_up in deal})
    agents = sorted({agent for line_up in met for agent in line_up})
    sides = len(met[0])
    inputs = _inputs(met, agents, sides if uneven else 1)
    kept = [at for at in range(inputs.shape[2]) if at != agents.index(anchor)]
    inputs = inputs[:, :, kept]
    won = np.zeros((len(deals), len(met), sides))
    places = {line_up: at for at, line_up in enumerate(met)}
    for number, deal in enumerate(deals):
        for line_up, shares in deal.items():
            won[number, places[line_up]] = shares

    def rated(wins: Floats, start: Floats | None = None) -> Floats:
        found = np.zeros(len(agents) + (sides - 1 if uneven else 0))
        found[kept] = _most_likely(inputs, wins, start)
        return found

    best = rated(won.sum(axis=0))
    chance = np.random.default_rng(0)
    rows = []
    for _ in range(resamples):
        drawn = chance.multinomial(len(deals), np.full(len(deals), 1 / len(deals)))
        rows.append(rated(np.tensordot(drawn.astype(np.float64), won, axes=1), best[kept]))
    spread = np.zeros(len(best))
    total = won.sum(axis=0)
    spread[kept] = _Z * _deviations(inputs, total.sum(axis=1), best[kept])
    low, high = best - spread, best + spread
    if rows:
        quantiles = np.quantile(np.array(rows), [0.025, 0.975], axis=0)
        low, high = np.minimum(low, quantiles[0]), np.maximum(high, quantiles[1])
    ratings = {
        agent: Interval(*[float(ANCHOR + POINTS * each[at]) for each in (best, low, high)])
        for at, agent in enumerate(agents)
    }
    extra = [float(POINTS * each) for each in best[len(agents) :]]
    return Fit(ratings, (0.0, *(extra or [0.0] * (sides - 1))))


def _inputs(met: Sequence[LineUp], agents: Sequence[str], uneven_sides: int) -> Floats:
    """For each line-up and side, what its strength is the sum of: its agent, and its place."""
    sides = len(met[0])
    inputs = np.zeros((len(met), sides, len(agents) + uneven_sides - 1))
    for number, line_up in enumerate(met):
        for side, agent in enumerate(line_up):
            inputs[number, side, agents.index(agent)] = 1.0
            if 0 < side < uneven_sides:
                inputs[number, side, len(agents) + side - 1] = 1.0
    return inputs


def _most_likely(inputs: Floats, won: Floats, start: Floats | None) -> Floats:
    """Newton's method; the logarithm of the likelihood is concave."""
    count = inputs.shape[2]
    strengths = np.zeros(count) if start is None else start.copy()
    if not count:
        return strengths
    played = won.sum(axis=1)
    for _ in range(_STEPS):
        shares = _chances(inputs, strengths)
        slope = np.einsum("ms,msk->k", won - played[:, None] * shares, inputs) - _PRIOR * strengths
        step: Any = np.linalg.solve(_information(inputs, played, shares), slope)
        # Far from the top a whole step may overshoot.
        step *= min(1.0, 2.0 / max(float(np.abs(step).max()), 1e-12))
        strengths = strengths + step
        if np.abs(step).max() < _CLOSE:
            break
    return strengths


def _chances(inputs: Floats, strengths: Floats) -> Floats:
    """The chance of each side of each line-up to win."""
    raw = inputs @ strengths
    odds = np.exp(raw - raw.max(axis=1, keepdims=True))
    return np.asarray(odds / odds.sum(axis=1, keepdims=True))


def _information(inputs: Floats, played: Floats, shares: Floats) -> Floats:
    """The Fisher information about the strengths, and that of the prior."""
    mean = np.einsum("ms,msk->mk", shares, inputs)
    bend = np.einsum("m,ms,msk,msl->kl", played, shares, inputs, inputs, optimize=True)
    bend -= np.einsum("m,mk,ml->kl", played, mean, mean, optimize=True)
    return np.asarray(bend + _PRIOR * np.eye(inputs.shape[2]))


def _deviations(inputs: Floats, played: Floats, strengths: Floats) -> Floats:
    """The standard deviations of the strengths if all matches were independent."""
    if not len(strengths):
        return strengths
    information = _information(inputs, played, _chances(inputs, strengths))
    return np.asarray(np.sqrt(np.diag(np.linalg.inv(information))))
