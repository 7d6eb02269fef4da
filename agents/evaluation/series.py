"""Series of matches on shared deals: every deal is played in every seating of the agents.

A result depends on the seed, never on the number of workers or on how the work is divided.
"""

import pickle
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, field
from datetime import UTC, datetime
from itertools import islice, permutations
from pathlib import Path
from time import perf_counter
from typing import Any, Final

from agents.agent import Agent, Learner
from agents.evaluation.intervals import clustered_interval
from agents.evaluation.recorder import Recorder, Row
from agents.match import Match
from agents.parallel.parts import Shared, executor_for, run_parts
from agents.protocols.program import ProgramError, ProgramMissing, ProgramPlayer
from agents.registry import make
from agents.search.agent import Budget
from agents.seeds import Purpose, match_seed
from agents.storage.store import Store
from engine import GAMES
from engine.game import OptionValue

MAX_PERMUTED_SIDES: Final = 5
"""With more sides, the agents are rotated instead of seated in every order."""

PART_SECONDS: Final = 1.0
"""How long a part of a series takes, roughly. Progress is reported after each part."""

PARTS_PER_WORKER: Final = 4
"""How many parts are submitted per worker, so that no worker waits for the next one."""

Progress = Callable[[int, int], None]
"""Called with the number of matches played and the number of all matches."""


@dataclass(frozen=True, slots=True)
class Conditions:
    """How the matches of an evaluation or an arena are played.

    seed       the same seed gives the same deals
    options    of the game
    workers    how many matches are played in parallel
    qtables    the folder of learned values; None for the values that come with the program
    executor   plays the matches instead of processes on this machine
    progress   is called after each part
    budget     of agents that search; None leaves each its own
    purpose    decides which deals are played
    record     whether outcomes hold every decision
    programs   whether agents may be other programs
    salt       of the deals; a secret if other programs play
    """

    seed: int = 0
    options: dict[str, OptionValue] = field(default_factory=dict)
    workers: int = 1
    qtables: Path | None = None
    executor: Executor | None = None
    progress: Progress | None = None
    budget: Budget | None = None
    purpose: Purpose = Purpose.REPORTING
    record: bool = False
    programs: bool = False
    salt: str = ""

    def prepared_agents(self, game: str, names: Iterable[str]) -> "dict[str, Prepared]":
        """Return agents by name, ready to be sent. Raises ValueError for an unknown name."""
        store = Store(self.qtables) if self.qtables else None
        agents = {
            name: make(game, name, store, budget=self.budget, programs=self.programs, strict=True)
            for name in set(names)
        }
        return {name: Prepared.of(agent, store) for name, agent in agents.items()}

    def series(self, game: str, agents: Sequence[str], known: "dict[str, Prepared]") -> "Series":
        """Return the series of these agents, one for each side."""
        players = tuple([known[name].pickled for name in agents])
        return Series(
            game,
            tuple(agents),
            self.purpose,
            self.seed,
            self.options,
            players,
            self.record,
            self.salt,
        )

    def sides(self, game: str) -> int:
        return len(GAMES[game].new(0, None, None, **self.options).sides)

    def check_agents(self, game: str, agents: Sequence[str]) -> None:
        """Raises ValueError unless there is one agent for each side."""
        sides = self.sides(game)
        if len(agents) != sides:
            raise ValueError(
                f"{GAMES[game].title} has {sides} sides with these options: "
                f"name {sides} agents, not {len(agents)}."
            )


@dataclass(slots=True)
class Outcome:
    """One match.

    seating   the index of the agent on each side
    shares, scores, places
              per side; a share is 1 for a win, 0 for a loss and between for a draw
    returns   per seat its share of the match
    rows      its decisions, if they are recorded
    failure   why the agent on side `failed` lost before the end, such as a program that crashed
    """

    deal: int
    seating: tuple[int, ...]
    shares: list[float]
    scores: list[int]
    places: list[float]
    decisions: int
    failure: str = ""
    failed: int = -1
    returns: list[float] = field(default_factory=list)
    rows: list[Row] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Series:
    """Everything a worker needs to play matches of a series.

    players   the agent of each side with all it knows, pickled. Each part starts from these,
              so that parts do not depend on each other
    """

    game: str
    agents: tuple[str, ...]
    purpose: Purpose
    seed: int
    options: dict[str, OptionValue]
    players: tuple[bytes, ...]
    record: bool = False
    salt: str = ""


@dataclass(frozen=True, slots=True)
class Prepared:
    """An agent that is ready to be sent to workers.

    source   where the values of a learner come from; None for other agents
    """

    pickled: bytes
    source: str | None

    @classmethod
    def of(cls, agent: Agent, store: Store | None = None) -> "Prepared":
        source = agent.source if isinstance(agent, Learner) else None
        if isinstance(agent, Learner) and store and source and source.endswith("home"):
            seconds = store.path(agent.game, agent.name).stat().st_mtime
            source += f", saved {datetime.fromtimestamp(seconds, UTC):%Y-%m-%d %H:%M}"
        return cls(pickle.dumps(agent, pickle.HIGHEST_PROTOCOL), source)


def seatings(agents: Sequence[str]) -> list[tuple[int, ...]]:
    """Return the different ways to assign agents to sides, as indices of agents per side."""
    count = len(agents)
    orders: Iterable[tuple[int, ...]] = (
        permutations(range(count))
        if count <= MAX_PERMUTED_SIDES
        else [tuple((side + turn) % count for side in range(count)) for turn in range(count)]
    )
    different: dict[tuple[str, ...], tuple[int, ...]] = {}
    for order in orders:
        different.setdefault(tuple(agents[index] for index in order), order)
    return list(different.values())


def play_matches(shared: Shared[Series], first: int, count: int) -> tuple[list[Outcome], float]:
    """Play matches of a series, starting with number `first`.

    Return their outcomes and the seconds they took.
    """
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
    seed = match_seed(series.purpose, series.seed, deal, series.salt)
    state = GAMES[series.game].new(seed, None, None, **series.options)
    seated: list[Agent | None] = [None] * state.seats
    for side, seats in enumerate(state.sides):
        for seat in seats:
            seated[seat] = players[seating[side]]
    rows: list[Row] = []
    if series.record:
        for side, seats in enumerate(state.sides):
            recorder = Recorder(players[seating[side]], seating[side], rows)
            for seat in seats:
                seated[seat] = recorder
    match = Match(state, seated, seed)
    try:
        match.play_out()
    except ProgramMissing:
        raise
    except ProgramError as error:
        return _lost_by_failure(match, deal, seating, str(error))
    returns = state.returns()
    shares = [returns[seats[0]] for seats in state.sides]
    return Outcome(
        deal,
        seating,
        shares,
        state.scores(),
        state.places(),
        match.decisions,
        returns=returns,
        rows=rows,
    )


def _lost_by_failure(match: Match, deal: int, seating: tuple[int, ...], why: str) -> Outcome:
    """The program to act has failed: its side loses, and the others share the win."""
    state = match.state
    program = match.players[state.turn]
    program = getattr(program, "agent", program)
    if isinstance(program, ProgramPlayer):
        program.forgive()
    sides = len(state.sides)
    failed = next(side for side, seats in enumerate(state.sides) if state.turn in seats)
    shares = [0.0 if side == failed else 1.0 / (sides - 1) for side in range(sides)]
    places = [float(sides) if side == failed else sides / 2 for side in range(sides)]
    return Outcome(deal, seating, shares, state.scores(), places, match.decisions, why, failed)


def whole_rotations(agents: Sequence[str], games: int) -> int:
    """The number of matches, rounded up so that every deal is played in every seating."""
    ways = len(seatings(agents))
    return -(-games // ways) * ways


def play_series(rows: Sequence[Series], games: int, conditions: Conditions) -> list[list[Outcome]]:
    """Return the outcomes of the first matches of each series, in their order."""
    splitters = [SeriesSplitter(series) for series in rows]
    splitter_of_part: list[SeriesSplitter] = []
    workers = conditions.workers

    def parts() -> Iterator[tuple[Shared[Series], int, int]]:
        for splitter in splitters:
            for part in splitter.parts(games, workers):
                splitter_of_part.append(splitter)
                yield part

    played: dict[int, list[Outcome]] = {}
    done = 0
    with executor_for(workers, conditions.executor) as executor:
        finished = run_parts(executor, play_matches, parts(), PARTS_PER_WORKER * workers)
        for number, (outcomes, seconds) in finished:
            splitter_of_part[number].record(len(outcomes), seconds)
            played[number] = outcomes
            done += len(outcomes)
            if conditions.progress:
                conditions.progress(done, games * len(rows))
    in_order = (outcome for number in range(len(played)) for outcome in played[number])
    return [list(islice(in_order, games)) for _ in rows]


class SeriesSplitter:
    """Divides a series into parts of about a second, from the time its matches have taken.

    Agents that follow rules play hundreds of matches per second, agents that search less than
    one.
    """

    def __init__(self, series: Series) -> None:
        self._shared = Shared(series)
        self._matches_of_deal = len(seatings(series.agents))
        self._matches = 0
        self._seconds = 0.0

    def record(self, matches: int, seconds: float) -> None:
        """Note how long matches of this series took."""
        self._matches += matches
        self._seconds += seconds

    def parts(self, games: int, workers: int) -> Iterator[tuple[Shared[Series], int, int]]:
        """Yield the arguments of `play_matches`.

        The last parts get shorter and shorter, so that the wait for the last worker is short.
        """
        start = 0
        while start < games:
            count = max(1, min(self._matches_per_part(), (games - start) // (2 * workers)))
            yield self._shared, start, count
            start += count

    def _matches_per_part(self) -> int:
        """Before any match was played: the matches of one deal."""
        if self._seconds <= 0:
            return self._matches_of_deal
        return int(self._matches * PART_SECONDS / self._seconds)


def summarize(name: str, index: int, outcomes: list[Outcome]) -> dict[str, Any]:
    """Return the results of an agent as `kibitz evaluate --json` prints them."""
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
    failures = [
        outcome.failure
        for outcome in outcomes
        if outcome.seating[outcome.failed] == index and outcome.failure
    ]
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
        **({"failures": len(failures), "failure": failures[0]} if failures else {}),
    }
