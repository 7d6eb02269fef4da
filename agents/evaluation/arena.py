"""Every agent against every other: a matrix of results and a ladder of ratings."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from random import Random

from agents.evaluation.series import Conditions, Outcome, play_series, summarize
from engine.manifest import variant_name


@dataclass(frozen=True, slots=True)
class Pairing:
    """Two agents, and the win rate of the first against the second with its 95 % interval."""

    first: str
    second: str
    win_rate: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Rated:
    """An agent on the ladder.

    rating   a skill that the agent almost certainly has: `skill` minus three times `doubt`
    source   where the values of a learner come from; None for other agents
    """

    agent: str
    rating: float
    skill: float
    doubt: float
    source: str | None = None


def line_ups(first: str, second: str, sides: int) -> list[tuple[str, ...]]:
    """Return how two agents meet: one of each, or one against several of the other."""
    if sides == 2:
        return [(first, second)]
    return [(first, *[second] * (sides - 1)), (second, *[first] * (sides - 1))]


def arena(
    game: str, agents: Sequence[str], games: int, conditions: Conditions | None = None
) -> tuple[list[Pairing], list[Rated]]:
    """Let each pair of agents play `games` matches on shared deals.

    In games with more than two sides each pair plays twice as many: once with the first agent
    against several of the second, and once the other way round.
    """
    conditions = conditions or Conditions()
    game = variant_name(game, conditions.options)
    if len(set(agents)) < 2 or len(set(agents)) < len(agents):
        raise ValueError("An arena takes two or more different agents.")
    sides = conditions.sides(game)
    met = [names for pair in combinations(agents, 2) for names in line_ups(*pair, sides)]
    known = conditions.prepared_agents(game, agents)
    pairings: list[Pairing] = []
    matches: list[tuple[tuple[str, ...], Outcome]] = []
    rows = [conditions.series(game, names, known) for names in met]
    for names, outcomes in zip(met, play_series(rows, games, conditions), strict=True):
        entry = summarize(names[0], 0, outcomes)
        low, high = entry["ci95"]
        pairings.append(Pairing(names[0], names[1], entry["win_rate"], low, high))
        matches += [(names, outcome) for outcome in outcomes]
    Random(conditions.seed).shuffle(matches)
    ladder = [replace(each, source=known[each.agent].source) for each in _rate(agents, matches)]
    return pairings, ladder


def _rate(agents: Sequence[str], matches: list[tuple[tuple[str, ...], Outcome]]) -> list[Rated]:
    """Return the ladder by openskill's Plackett-Luce model, strongest first."""
    from openskill.models import PlackettLuce

    model = PlackettLuce()
    skills = {agent: model.rating(name=agent) for agent in agents}
    for line_up, outcome in matches:
        names = [line_up[index] for index in outcome.seating]
        rated = model.rate([[skills[name]] for name in names], ranks=list(outcome.places))
        # An agent that plays several sides gets the mean of their ratings.
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
