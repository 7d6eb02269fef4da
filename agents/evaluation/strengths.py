"""How strong the shipped agents are, and what that means for the chances at a table.

Agents state chances between players as strong as `hard`. `at_table` corrects them for the actual
players, whose names are public.

The strength of an agent is measured: it plays one seat, `hard` plays the others. It is the
difference between the log-odds of its wins and those of `hard` in its place. The strengths of
partners add up.

`agents.evaluation.measured_strengths` writes the file.
"""

import json
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from math import exp, log
from pathlib import Path
from typing import Final

from agents.agent import Decision, Scale, Sides
from agents.names import AgentName
from agents.odds import log_odds, shifted
from agents.registry import roster
from agents.roster import load
from engine.game import View

STANDARD: Final = "hard"
"""The agent with strength 0."""

IN_A_CROWD: Final = 0.75
"""The weight of strengths at a table with more than two sides. Weak players there also eliminate
strong ones, so that strengths measured among strong players are too large among weak ones."""

FILE: Final = Path(__file__).with_name("strengths.json")

Tally = list[float]
"""Matches won and played."""

Strengths = dict[str, dict[str, dict[str, list[Tally]]]]
"""By game, seats and agent: a tally for each kind of seat (see `kinds_of`)."""


@cache
def measured() -> Strengths:
    found: Strengths = json.loads(FILE.read_text(encoding="utf-8"))
    return found


def kinds_of(sides: Sides) -> list[int]:
    """The kind of each seat: one for all if all sides have as many players."""
    seats = sum(map(len, sides))
    return [0] * seats if len(set(map(len, sides))) == 1 else list(range(seats))


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
    name = measured_name(agent)
    return any(name in agents for agents in measured().get(game, {}).values())


def strength(game: str, seats: int, agent: str, kind: int) -> float:
    """The log-odds by which an agent wins more often than `hard` in its place. An agent that was
    not measured counts as `hard`. A table of another size uses the sizes that were measured."""
    tables = measured().get(game, {})
    name = measured_name(agent)
    found = []
    for agents in [tables[str(seats)]] if str(seats) in tables else tables.values():
        if name in agents and STANDARD in agents:
            own, usual = agents[name], agents[STANDARD]
            at = [kind] if kind < len(own) and str(seats) in tables else list(range(len(own)))
            found += [_log_odds(own[place]) - _log_odds(usual[place]) for place in at]
    return sum(found) / len(found) if found else 0.0


def _log_odds(tally: Tally) -> float:
    """Half a match is added to both results, so that a win in all of them is not certainty."""
    won, played = tally
    return log((won + 0.5) / (played - won + 0.5))


def edges(game: str, players: Sequence[str], sides: Sides) -> list[float]:
    """The strength of each side.

    players   the name of the agent in each seat
    """
    kinds = kinds_of(sides)
    weight = 1.0 if len(sides) == 2 else IN_A_CROWD
    return [
        weight * sum([strength(game, len(players), players[seat], kinds[seat]) for seat in side])
        for side in sides
    ]


def chances(game: str, players: Sequence[str], sides: Sides) -> list[float]:
    """The chance of each side to win a match, by strength alone."""
    usual = measured().get(game, {}).get(str(len(players)), {}).get(STANDARD, [])
    uneven = len(usual) > 1
    weights = []
    for side, edge in zip(sides, edges(game, players, sides), strict=True):
        won, played = usual[side[0]] if uneven else (1, len(sides))
        weights.append(won / played * exp(edge))
    return [weight / sum(weights) for weight in weights]


def at_table(game: str, view: View, decision: Decision, players: Sequence[str]) -> Decision:
    """A decision with the chances to win at a table with these players.

    players   the name of the agent in each seat
    """
    if decision.scale is not Scale.CHANCE or not decision.scores:
        return decision
    by = _shift(game, view, tuple(edges(game, players, view.sides)))
    scores = {action: shifted(chance, by) for action, chance in decision.scores.items()}
    return replace(decision, scores=scores)


def _shift(game: str, view: View, own: tuple[float, ...]) -> float:
    """By how much the log-odds of the view's seat are higher than between equal players."""
    if not any(own):
        return 0.0
    path = roster(game).odds
    if path:
        odds = load(path)
        return log_odds(odds(view, own)) - log_odds(odds(view, (0.0,) * len(own)))
    mine = next(at for at, side in enumerate(view.sides) if view.seat in side)
    others = [exp(edge) for at, edge in enumerate(own) if at != mine]
    return own[mine] - log(sum(others) / len(others))
