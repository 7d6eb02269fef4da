"""Glicko-2, the rating system of Mark Glickman (http://www.glicko.net/glicko/glicko2.pdf).

A rating has a deviation, which shrinks with every match, and a volatility: how erratic the results
are. Here each match is a rating period of its own.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import exp, log, pi, sqrt
from typing import Final

SCALE: Final = 173.7178
"""Points of one unit of the internal scale."""

MIDDLE: Final = 1500.0
TAU: Final = 0.5
"""How quickly the volatility may change."""

_CLOSE: Final = 1e-6


@dataclass(frozen=True, slots=True)
class Glicko:
    """A rating in points, its deviation, and the volatility on the internal scale."""

    rating: float = MIDDLE
    deviation: float = 350.0
    volatility: float = 0.06


@dataclass(frozen=True, slots=True)
class Result:
    """One match: the opponent in points, and 1 for a win, 0 for a loss, a share for a draw.

    weight   of the player in the strength of the own side: 1 alone, 1/2 with a partner. The system
             has players who are alone; the difference of ratings counts this much
    """

    rating: float
    deviation: float
    score: float
    weight: float = 1.0


def updated(player: Glicko, results: Sequence[Result], tau: float = TAU) -> Glicko:
    """The rating after a period with these results. The steps are those of the paper."""
    mu, phi = (player.rating - MIDDLE) / SCALE, player.deviation / SCALE
    information = surplus = 0.0
    for each in results:
        theirs, spread = (each.rating - MIDDLE) / SCALE, each.weight * each.deviation / SCALE
        slope = each.weight / sqrt(1 + 3 * spread**2 / pi**2)
        expected = 1 / (1 + exp(-slope * (mu - theirs)))
        information += slope**2 * expected * (1 - expected)
        surplus += slope * (each.score - expected)
    if not results:
        return Glicko(player.rating, SCALE * sqrt(phi**2 + player.volatility**2), player.volatility)
    variance = 1 / max(information, _CLOSE)
    volatility = _volatility(player.volatility, phi, variance, variance * surplus, tau)
    before = phi**2 + volatility**2
    after = 1 / sqrt(1 / before + 1 / variance)
    return Glicko(MIDDLE + SCALE * (mu + after**2 * surplus), SCALE * after, volatility)


def _volatility(sigma: float, phi: float, variance: float, delta: float, tau: float) -> float:
    """The new volatility: the root of the paper's function, by the Illinois algorithm."""
    start = log(sigma**2)

    def f(x: float) -> float:
        spread = phi**2 + variance + exp(x)
        return exp(x) * (delta**2 - spread) / (2 * spread**2) - (x - start) / tau**2

    low = start
    if delta**2 > phi**2 + variance:
        high = log(delta**2 - phi**2 - variance)
    else:
        high = start - tau
        while f(high) < 0:
            high -= tau
    at_low, at_high = f(low), f(high)
    while abs(high - low) > _CLOSE:
        middle = low + (low - high) * at_low / (at_high - at_low)
        at_middle = f(middle)
        if at_middle * at_high <= 0:
            low, at_low = high, at_high
        else:
            at_low /= 2
        high, at_high = middle, at_middle
    return exp(low / 2)
