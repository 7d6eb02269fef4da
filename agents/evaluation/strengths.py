"""How strong the shipped agents are, and what that means for the chances at a table.

Agents state chances between players as strong as `hard`. `at_table` corrects them for the actual
players, whose names are public.

The strength of an agent is measured: it plays one seat, `hard` plays the others. It is the
difference between the log-odds of its wins and those of `hard` in its place. The strengths of
partners add up, unless the same agent plays all seats of the side, which is measured too.

`agents.evaluation.measured_strengths` writes the file. The strengths of levels and styles follow
from their ratings (`agents.evaluation.ratings`).
"""

import json
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from math import exp, log
from pathlib import Path
from typing import Final

from agents.agent import Decision, Scale, Sides
from agents.evaluation.calibration import calibration, fair
from agents.evaluation.ratings import ANCHOR, POINTS, rating_of
from agents.names import AgentName
from agents.odds import log_odds, shifted
from agents.registry import roster
from agents.roster import load
from engine import GAMES
from engine.game import View

STANDARD: Final = "hard"
"""The agent with strength 0."""

IN_A_CROWD: Final = 0.75
"""The weight of strengths at a table with more than two sides. Weak players there also eliminate
strong ones, so that strengths measured among strong players are too large among weak ones."""

FADING: Final = 2
"""How quickly strengths count less the closer a side is to winning: the power of the distance to
certainty. A weaker opponent who is ahead still loses often. Fitted to 500 hints at Notty."""

FILE: Final = Path(__file__).with_name("strengths.json")

Tally = list[float]
"""Matches won and played."""

Strengths = dict[str, dict[str, dict[str, list[Tally]]]]
"""By game, seats and agent: a tally for each of the `places`."""


@cache
def measured() -> Strengths:
    found: Strengths = json.loads(FILE.read_text(encoding="utf-8"))
    return found


def places(sides: Sides) -> list[list[tuple[int, ...]]]:
    """Where an agent is measured: in each seat that differs from the others, and in all seats of a
    side. Each place has the seats of one match, and those of others that are as good."""
    seats: list[tuple[int, ...]] = [(seat,) for seat in range(sum(map(len, sides)))]
    teams = [side for side in sides if len(side) > 1]
    found = [seats] if symmetric(sides) else [[seat] for seat in seats]
    return [*found, teams] if teams else found


def symmetric(sides: Sides) -> bool:
    """Whether no side is different from the others."""
    return len({len(side) for side in sides}) == 1


def measured_name(agent: str) -> str | None:
    """The name under which an agent may have been measured; None for a program, a named learner
    and a generation. A learner that has learned nothing plays as `random`."""
    try:
        name = AgentName.parse(agent)
    except ValueError:
        return None
    if name.matches == 0:
        return "random"
    return None if name.frozen or name.own else agent


def is_measured(game: str, agent: str) -> bool:
    """Whether the strength of an agent is known: from matches against `hard`, or by its rating."""
    return _has_tally(game, agent) or rating_of(game, agent) is not None


def _has_tally(game: str, agent: str) -> bool:
    name = measured_name(agent)
    return any(name in agents for agents in measured().get(game, {}).values())


def strength(game: str, sides: Sides, agent: str, seats: tuple[int, ...]) -> float | None:
    """The log-odds by which an agent wins more often than `hard` in these seats. None if it was not
    measured there."""
    count = sum(map(len, sides))
    agents = measured().get(game, {}).get(str(count), {})
    at = next((at for at, place in enumerate(places(sides)) if seats in place), None)
    own, usual = agents.get(measured_name(agent) or ""), agents.get(STANDARD)
    if own is None and at is not None and not _has_tally(game, agent):
        rating = rating_of(game, agent)
        return None if rating is None else (rating.points - ANCHOR) / POINTS * _part(sides, seats)
    if own is None or usual is None or at is None or at >= len(own):
        return None
    return _log_odds(own[at]) - _log_odds(usual[at])


def _part(sides: Sides, seats: tuple[int, ...]) -> float:
    """The part of these seats in the strength of their side."""
    return len(seats) / max([len(side) for side in sides if seats[0] in side])


def _log_odds(tally: Tally) -> float:
    """Half a match is added to both results, so that a win in all of them is not certainty."""
    won, played = tally
    return log((won + 0.5) / (played - won + 0.5))


def edges(game: str, players: Sequence[str], sides: Sides) -> list[float]:
    """The strength of each side. An agent that was not measured counts as `hard`.

    players   the name of the agent in each seat
    """
    weight = 1.0 if len(sides) == 2 else IN_A_CROWD
    measured_sides = sides
    if str(len(players)) not in measured().get(game, {}):
        measured_sides = _usual_sides(game)
    found = []
    for side in sides:
        names = [players[seat] for seat in side]
        team = strength(game, sides, names[0], side) if len(set(names)) == 1 else None
        if team is None:
            alone = [
                strength(game, measured_sides, name, (seat % len(measured_sides),))
                for name, seat in zip(names, side, strict=True)
            ]
            team = sum([each or 0.0 for each in alone])
        found.append(weight * team)
    return found


@cache
def _usual_sides(game: str) -> Sides:
    """The sides of the default table, for tables of a size that was not measured."""
    return GAMES[game].new(0, None, None).sides


def chances(game: str, players: Sequence[str], sides: Sides) -> list[float]:
    """The chance of each side to win a match, by strength alone."""
    usual = measured().get(game, {}).get(str(len(players)), {}).get(STANDARD, [])
    uneven = bool(usual) and not symmetric(sides)
    weights = []
    for side, edge in zip(sides, edges(game, players, sides), strict=True):
        won, played = usual[side[0]] if uneven else (1, len(sides))
        weights.append(won / played * exp(edge))
    return [weight / sum(weights) for weight in weights]


def at_table(game: str, view: View, decision: Decision, players: Sequence[str]) -> Decision:
    """A decision with the chances to win at a table with these players, calibrated.

    players   the name of the agent in each seat
    """
    if decision.scale is not Scale.CHANCE or not decision.scores:
        return decision
    trust = calibration(game)
    by = trust.strengths * shift(game, view, decision, players)
    middle = fair(len(view.sides))
    scores = {
        action: shifted(chance, by + (trust.slope - 1) * (log_odds(chance) - middle))
        for action, chance in decision.scores.items()
    }
    return replace(decision, scores=scores)


def shift(game: str, view: View, decision: Decision, players: Sequence[str]) -> float:
    """By how much the log-odds of the view's seat are higher than between equal players.

    Without odds by the score, a strength counts less the closer the seat is to winning: it has then
    had most of its effect.

    decision   with chances to win between equal players
    """
    own = edges(game, players, view.sides)
    if not any(own):
        return 0.0
    path = roster(game).odds
    if path:
        odds = load(path)
        return log_odds(odds(view, tuple(own))) - log_odds(odds(view, (0.0,) * len(own)))
    chance = decision.scores.get(decision.action, max(decision.scores.values()))
    mine = next(at for at, side in enumerate(view.sides) if view.seat in side)
    others = [exp(edge) for at, edge in enumerate(own) if at != mine]
    return (own[mine] - log(sum(others) / len(others))) * min(1.0, 2 - 2 * chance) ** FADING
