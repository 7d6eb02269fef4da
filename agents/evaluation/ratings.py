"""Ratings of the agents with fixed play, and what they mean for the chances at a table.

`agents.evaluation.measured_ratings` plays the matches and writes the file. The scale is that of
`agents.evaluation.rating_fit`: `hard` has 1,500 points, and 400 points are odds of ten to one. A
side of partners has their mean rating. Ratings of a game are used for tables of all sizes.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from math import exp, log, sqrt
from pathlib import Path
from typing import Any, Final

from agents.agent import Sides
from agents.names import AgentName
from agents.registry import agents_for
from engine import GAMES

FILE: Final = Path(__file__).with_name("ratings.json")

ANCHOR: Final = 1500
"""The points of `hard`."""

POINTS: Final = 400 / log(10)
"""Points of one unit of log-odds."""

UNSETTLED: Final = 60.0
"""The least deviation of a learner's rating: it goes on learning after it was measured."""

_OF_95: Final = 2 * 1.959964
"""Width of a 95 % interval in deviations."""


@dataclass(frozen=True, slots=True)
class Rating:
    """Points with a 95 % interval. matches: how many it played in the arena."""

    points: float
    low: float
    high: float
    matches: int
    learns: bool = False

    @property
    def deviation(self) -> float:
        spread = (self.high - self.low) / _OF_95
        return max(spread, UNSETTLED) if self.learns else spread


@dataclass(frozen=True, slots=True)
class Rival:
    """The opponent that is as hard to beat alone as all other sides of a table together.

    rating, deviation   in points, for the person's own rating
    weight              the share of the person in the strength of the own side
    """

    rating: float
    deviation: float
    weight: float = 1.0


@cache
def _read() -> dict[str, Any]:
    found: dict[str, Any] = json.loads(FILE.read_text(encoding="utf-8")) if FILE.exists() else {}
    return found


def ladder(game: str) -> dict[str, Rating]:
    """All rated agents of a game, strongest first. Empty for a game without an arena."""
    known = agents_for(game)
    rows = _read().get(game, {}).get("agents", {})
    found = [
        (name, Rating(points, low, high, int(matches), known[name].learns))
        for name, (points, low, high, matches) in rows.items()
        if name in known
    ]
    return dict(sorted(found, key=lambda each: -each[1].points))


def rating_of(game: str, agent: str) -> Rating | None:
    """The rating of an agent; None for a program, a named learner and a generation, and for an
    agent that was not in the arena. A learner that has learned nothing plays as `random`."""
    try:
        name = AgentName.parse(agent)
    except ValueError:
        return None
    if name.matches == 0:
        return ladder(game).get("random")
    return None if name.frozen or name.own else ladder(game).get(agent)


def advantages(game: str, sides: Sides) -> tuple[float, ...]:
    """The advantage of each side over the first, in points; 0 for sides that were not measured."""
    found = _read().get(game, {}).get("advantages", [])
    if not any(found) or sides != _usual_sides(game):
        return (0.0,) * len(sides)
    return tuple(found)


@cache
def _usual_sides(game: str) -> Sides:
    return GAMES[game].new(0, None, None).sides


def rival_of(game: str, players: Sequence[str], sides: Sides, seat: int) -> Rival | None:
    """The rival of the person in this seat; None if an agent at the table has no rating.

    players   the name of the agent in each seat; the one in `seat` does not matter
    """
    ratings = {at: rating_of(game, name) for at, name in enumerate(players) if at != seat}
    extra = advantages(game, sides)
    mine = next(at for at, side in enumerate(sides) if seat in side)
    weight = 1 / len(sides[mine])
    points, variance = -extra[mine], 0.0
    strengths: list[tuple[float, float]] = []
    for at, side in enumerate(sides):
        known = [each for each in (ratings[member] for member in side if member != seat) if each]
        if len(known) < len(side) - (at == mine):
            return None
        total = sum([each.points for each in known]) / len(side)
        spread = sum([each.deviation**2 for each in known]) / len(side) ** 2
        if at == mine:
            points, variance = points - total, variance + spread
        else:
            strengths.append((total + extra[at], spread))
    top = max([strength for strength, _ in strengths])
    odds = [exp((strength - top) / POINTS) for strength, _ in strengths]
    points += top + POINTS * log(sum(odds))
    variance += sum(
        [
            (share / sum(odds)) ** 2 * spread
            for share, (_, spread) in zip(odds, strengths, strict=True)
        ]
    )
    return Rival(points / weight, sqrt(variance) / weight, weight)


def chance_against(rival: Rival, rating: float) -> float:
    """The chance of a person with this rating to win."""
    return 1 / (1 + exp(-rival.weight * (rating - rival.rating) / POINTS))
