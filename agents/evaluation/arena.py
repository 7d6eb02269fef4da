"""Everybody against everybody: a matrix of results and a ladder of ratings."""

from collections.abc import Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from random import Random

from agents.evaluation.evaluation import (
    Outcome,
    Progress,
    Series,
    pack_agents,
    play_series,
    standing,
)
from agents.search.agent import Budget
from engine import GAMES
from engine.game import OptionValue


@dataclass(frozen=True, slots=True)
class Pairing:
    """Two agents and how the first did against the second."""

    first: str
    second: str
    win_rate: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Rated:
    """An agent on the ladder. `rating` is the skill it has with near certainty."""

    agent: str
    rating: float
    skill: float
    doubt: float


def tables_of(first: str, second: str, sides: int) -> list[tuple[str, ...]]:
    """Where two agents meet: one of each, or one against a table full of the other."""
    if sides == 2:
        return [(first, second)]
    return [(first, *[second] * (sides - 1)), (second, *[first] * (sides - 1))]


def arena(
    game: str,
    agents: Sequence[str],
    games: int,
    seed: int = 0,
    options: dict[str, OptionValue] | None = None,
    workers: int = 1,
    tables: Path | None = None,
    executor: Executor | None = None,
    progress: Progress | None = None,
    budget: Budget | None = None,
) -> tuple[list[Pairing], list[Rated]]:
    """Each pair plays `games` matches on shared deals; at tables of more than two sides, as
    many with one of the first among the second as the other way round."""
    options = options or {}
    if len(set(agents)) < 2 or len(set(agents)) < len(agents):
        raise ValueError("An arena takes two or more different agents.")
    sides = len(GAMES[game].new(0, None, None, **options).sides)
    met = [table for pair in combinations(agents, 2) for table in tables_of(*pair, sides)]
    known = pack_agents(game, agents, tables, budget)
    rows = [
        Series(game, table, seed, options, tuple([known[name] for name in table])) for table in met
    ]
    pairings: list[Pairing] = []
    matches: list[tuple[tuple[str, ...], Outcome]] = []
    played = play_series(rows, games, workers, executor, progress)
    for table, outcomes in zip(met, played, strict=True):
        entry = standing(table[0], 0, outcomes)
        low, high = entry["ci95"]
        pairings.append(Pairing(table[0], table[1], entry["win_rate"], low, high))
        matches += [(table, outcome) for outcome in outcomes]
    Random(seed).shuffle(matches)
    return pairings, _rate(agents, matches)


def _rate(agents: Sequence[str], matches: list[tuple[tuple[str, ...], Outcome]]) -> list[Rated]:
    """A ladder by openskill's Plackett-Luce model, the strongest first."""
    from openskill.models import PlackettLuce

    model = PlackettLuce()
    skills = {agent: model.rating(name=agent) for agent in agents}
    for table, outcome in matches:
        names = [table[index] for index in outcome.seating]
        rated = model.rate([[skills[name]] for name in names], ranks=list(outcome.places))
        # Where an agent sits on several sides, all of them have their say about it.
        changed: dict[str, list[tuple[float, float]]] = {}
        for name, (rating,) in zip(names, rated, strict=True):
            changed.setdefault(name, []).append((rating.mu, rating.sigma))
        for name, values in changed.items():
            skills[name].mu = sum([mu for mu, _ in values]) / len(values)
            skills[name].sigma = sum([sigma for _, sigma in values]) / len(values)
    ladder = [
        Rated(name, skill.ordinal(), float(skill.mu), float(skill.sigma))
        for name, skill in skills.items()
    ]
    return sorted(ladder, key=lambda each: each.rating, reverse=True)
