"""How strong agents are: matches on shared deals, everybody in every place."""

import pickle
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from itertools import islice, permutations
from math import sqrt
from pathlib import Path
from time import perf_counter
from typing import Any, Final

from agents.agent import Agent
from agents.match import Match
from agents.parallel.parts import Shared, results, workforce
from agents.registry import make
from agents.search.agent import Budget
from agents.seeds import seed_of
from agents.storage.store import Store
from engine import GAMES
from engine.game import OptionValue

MOST_PERMUTED: Final = 5
"""With more sides than this, rotations stand for all the ways to seat the agents."""

PART: Final = 1.0
"""Seconds that a part of the work takes, about: who sends it is told of it and can stop then."""

BACKLOG: Final = 4
"""Parts of the work that are sent out for each who plays, so that nobody waits for the next."""

Progress = Callable[[int, int], None]
"""Called with the number of matches played and the number of all matches."""


@dataclass(slots=True)
class Outcome:
    """One match: which deal it was, who sat on which side, and how it ended per side."""

    deal: int
    seating: tuple[int, ...]
    shares: list[float]
    scores: list[int]
    places: list[float]
    decisions: int


@dataclass(frozen=True, slots=True)
class Series:
    """All that anybody needs to play matches of an evaluation, wherever that is.

    players   for each side the agent with all it knows, pickled: in every part of a series
              they start from there, whoever played the parts before
    """

    game: str
    agents: tuple[str, ...]
    seed: int
    options: dict[str, OptionValue]
    players: tuple[bytes, ...]


def packed(agent: Agent) -> bytes:
    """An agent as it is now, to be sent to wherever it plays."""
    return pickle.dumps(agent, pickle.HIGHEST_PROTOCOL)


def pack_agents(
    game: str, names: Iterable[str], tables: Path | None = None, budget: Budget | None = None
) -> dict[str, bytes]:
    """Agents by their names. Raises ValueError for one that nobody knows.

    tables   the folder of what the learners have learned; None: as they were shipped
    budget   how much those think who look ahead; None: each as much as it usually does
    """
    store = Store(tables) if tables else None
    return {name: packed(make(game, name, store, budget=budget)) for name in set(names)}


def seatings(agents: Sequence[str]) -> list[tuple[int, ...]]:
    """The different ways to give the agents the sides, as indices of agents per side."""
    count = len(agents)
    orders: Iterable[tuple[int, ...]] = (
        permutations(range(count))
        if count <= MOST_PERMUTED
        else [tuple((side + turn) % count for side in range(count)) for turn in range(count)]
    )
    different: dict[tuple[str, ...], tuple[int, ...]] = {}
    for order in orders:
        different.setdefault(tuple(agents[index] for index in order), order)
    return list(different.values())


def play_matches(shared: Shared[Series], first: int, count: int) -> tuple[list[Outcome], float]:
    """Matches number `first` and following of a series, and the seconds they took."""
    started = perf_counter()
    series = shared.value
    players: list[Agent] = [pickle.loads(player) for player in series.players]
    ways = seatings(series.agents)
    outcomes = [
        _play(series, players, number // len(ways), ways[number % len(ways)])
        for number in range(first, first + count)
    ]
    return outcomes, perf_counter() - started


def _play(series: Series, players: Sequence[Agent], deal: int, seating: tuple[int, ...]) -> Outcome:
    seed = seed_of("evaluate", series.seed, deal)
    state = GAMES[series.game].new(seed, None, None, **series.options)
    seated: list[Agent | None] = [None] * state.seats
    for side, seats in enumerate(state.sides):
        for seat in seats:
            seated[seat] = players[seating[side]]
    match = Match(state, seated, seed)
    match.play_out()
    returns = state.returns()
    shares = [returns[seats[0]] for seats in state.sides]
    return Outcome(deal, seating, shares, state.scores(), state.places(), match.decisions)


def wilson(rate: float, trials: float) -> tuple[float, float]:
    """The 95 % interval of a rate seen in so many independent trials."""
    if trials <= 0:
        return 0.0, 1.0
    z = 1.959964
    middle = (rate + z * z / (2 * trials)) / (1 + z * z / trials)
    spread = (
        z * sqrt(rate * (1 - rate) / trials + z * z / (4 * trials * trials)) / (1 + z * z / trials)
    )
    return max(0.0, middle - spread), min(1.0, middle + spread)


def clustered_interval(by_deal: Sequence[tuple[int, float]]) -> tuple[float, float]:
    """The 95 % interval of a win rate from (matches, wins) per deal.

    Matches of one deal are alike, so the deals are counted as the independent trials:
    their spread says how many matches the series is worth.
    """
    matches = sum([played for played, _ in by_deal])
    rate = sum([won for _, won in by_deal]) / matches
    worth = float(matches)
    deals = len(by_deal)
    if deals > 1 and 0 < rate < 1:
        spread = sum([(won - rate * played) ** 2 for played, won in by_deal])
        variance = spread * deals / (deals - 1) / matches**2
        if variance > 0:
            worth = rate * (1 - rate) / variance
    return wilson(rate, worth)


def check_sides(game: str, agents: Sequence[str], options: dict[str, OptionValue]) -> None:
    """One agent for each side. Raises ValueError."""
    sides = GAMES[game].new(0, None, None, **options).sides
    if len(agents) != len(sides):
        raise ValueError(
            f"{GAMES[game].title} is played by {len(sides)} sides here: "
            f"name {len(sides)} agents, not {len(agents)}."
        )


def play_series(
    rows: Sequence[Series],
    games: int,
    workers: int = 1,
    executor: Executor | None = None,
    progress: Progress | None = None,
) -> list[list[Outcome]]:
    """The first matches of each of these series, in their order, whoever plays them.

    executor   plays them in place of processes of our own
    """
    paces = [Pace(series) for series in rows]
    paces_of_parts: list[Pace] = []

    def parts() -> Iterator[tuple[Shared[Series], int, int]]:
        for pace in paces:
            for part in pace.parts(games, workers):
                paces_of_parts.append(pace)
                yield part

    played: dict[int, list[Outcome]] = {}
    done = 0
    with workforce(workers, executor) as force:
        for number, (outcomes, seconds) in results(force, play_matches, parts(), BACKLOG * workers):
            paces_of_parts[number].heed(len(outcomes), seconds)
            played[number] = outcomes
            done += len(outcomes)
            if progress:
                progress(done, games * len(rows))
    in_order = (outcome for number in range(len(played)) for outcome in played[number])
    return [list(islice(in_order, games)) for _ in rows]


class Pace:
    """Cuts a series into parts of about a second, as it turns out how long its matches take.

    Agents of rules play hundreds of matches in a second, those who look ahead less than one.
    How the series is cut shows in no result.
    """

    def __init__(self, series: Series) -> None:
        self._shared = Shared(series)
        self._deal = len(seatings(series.agents))
        self._matches = 0
        self._seconds = 0.0

    def heed(self, matches: int, seconds: float) -> None:
        """So long did so many matches take."""
        self._matches += matches
        self._seconds += seconds

    def parts(self, games: int, workers: int) -> Iterator[tuple[Shared[Series], int, int]]:
        """What `play_matches` is called with. The last parts get shorter and shorter, so that
        nobody waits long for who has the very last one."""
        start = 0
        while start < games:
            count = max(1, min(self._in_a_second(), (games - start) // (2 * workers)))
            yield self._shared, start, count
            start += count

    def _in_a_second(self) -> int:
        """Before anything is known: one deal."""
        return int(self._matches * PART / self._seconds) if self._seconds > 0 else self._deal


def evaluate(
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
) -> dict[str, object]:
    """Play `games` matches and report, in the form that `kibitz evaluate --json` prints.

    Every deal is played in every assignment of the agents to the sides. The result depends
    on the seed and not on the number of workers.
    """
    options = options or {}
    check_sides(game, agents, options)
    known = pack_agents(game, agents, tables, budget)
    series = Series(game, tuple(agents), seed, options, tuple([known[name] for name in agents]))
    started = perf_counter()
    (outcomes,) = play_series([series], games, workers, executor, progress)
    seconds = perf_counter() - started
    return {
        "game": game,
        "games": games,
        "seed": seed,
        "options": GAMES[game].make_options(options).as_dict(),
        "agents": [standing(name, index, outcomes) for index, name in enumerate(agents)],
        "seconds": round(seconds, 3),
        "games_per_second": round(games / seconds, 2),
        "decisions_per_second": round(sum([each.decisions for each in outcomes]) / seconds, 1),
    }


def standing(name: str, index: int, outcomes: list[Outcome]) -> dict[str, Any]:
    """How an agent did in these matches, as the report has it."""
    by_deal: dict[int, tuple[int, float]] = {}
    wins = draws = 0
    total = score = place = 0.0
    for outcome in outcomes:
        side = outcome.seating.index(index)
        share = outcome.shares[side]
        wins += share == 1
        draws += 0 < share < 1
        total += share
        score += outcome.scores[side]
        place += outcome.places[side]
        played, won = by_deal.get(outcome.deal, (0, 0.0))
        by_deal[outcome.deal] = (played + 1, won + share)
    games = len(outcomes)
    low, high = clustered_interval(list(by_deal.values()))
    return {
        "agent": name,
        "games": games,
        "wins": wins,
        "draws": draws,
        "win_rate": round(total / games, 6),
        "ci95": [round(low, 6), round(high, 6)],
        "mean_score": round(score / games, 4),
        "mean_place": round(place / games, 4),
    }
