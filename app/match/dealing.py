"""Starts the match of a plan: makes the players and deals the cards."""

import secrets
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime
from hashlib import sha256

from agents.agent import Agent, Learner
from agents.match import Match
from agents.random_player import RandomPlayer
from agents.registry import make
from agents.storage.store import Store, StoreError
from app.match.past import Past
from app.match.seating import PERSON, TablePlan
from engine import GAMES
from engine.chance import SEED_BITS
from engine.game import State


@dataclass(frozen=True, slots=True)
class Deal:
    """A match that has just been dealt.

    first   the seat that starts, if the number of the match decides it
    """

    match: Match
    seed: int
    first: int | None = None


_DAILY_SEEDS = 1_000_000_000
_DRAWN = 1 << SEED_BITS - 1
"""The highest bit of a seed says that it was drawn here. The others are random."""


def fresh_seed() -> int:
    """A secret seed. With 127 random bits nobody can find it from the cards."""
    return _DRAWN | secrets.randbits(SEED_BITS - 1)


def is_secret(seed: int | None) -> bool:
    """Whether a seed was drawn here. Then it stays secret until the match is over, because the
    cards of all players can be computed from it. A seed that was typed is known anyway."""
    return seed is not None and bool(seed & _DRAWN)


def short_seed(seed: int | None) -> str:
    """A seed for a line of the screen; the journal and the history have all its digits."""
    text = str(seed)
    return text if len(text) <= _SHOWN_DIGITS else f"{text[:4]}…{text[-4:]}"


_SHOWN_DIGITS = 12


def daily_seed(game: str, day: date) -> int:
    """The seed of a game's deal of the day.

    Anyone can compute it, and the cards, on any day. It promises the same cards to all players,
    not that nobody has seen them before.
    """
    digest = sha256(f"daily/{game}/{day.isoformat()}".encode()).digest()
    return int.from_bytes(digest[:8], "big") % _DAILY_SEEDS


def is_daily(game: str, seed: int, started: str) -> bool:
    """Whether a match was the deal of the day it started on (ISO 8601)."""
    return seed == daily_seed(game, datetime.fromisoformat(started).astimezone(UTC).date())


DAILY_OPPONENT = "hard"
"""Plays all other seats of the deal of the day. It does not learn, so everyone meets the same."""


def daily_plan(plan: TablePlan, day: date) -> TablePlan:
    """The table of the deal of a day in UTC. The seats and options are those of everyone."""
    seats = (PERSON, *[DAILY_OPPONENT] * (len(plan.seats) - 1))
    seed = daily_seed(plan.game, day)
    return replace(plan, seats=seats, names=(), seed=seed, daily=day.isoformat())


def make_players(plan: TablePlan, store: Store) -> list[Agent | None]:
    """An agent for each seat, None for a person. One agent plays all seats with its name."""
    made: dict[str, Agent] = {}
    for name in plan.seats:
        if name != PERSON and name not in made:
            made[name] = _make(plan.game, name, store, plan.programs)
    return [made.get(name) for name in plan.seats]


def _make(game: str, name: str, store: Store, programs: bool) -> Agent:
    """An agent with what it has learned; without it, and with a notice, if that cannot be read."""
    try:
        return make(game, name, store, learning=True, programs=programs)
    except StoreError as error:
        store.notices.append(str(error))
        return make(game, name, learning=True, programs=programs)


def first_seat(plan: TablePlan, rotates_start: bool) -> int | None:
    return (plan.match_no - 1) % len(plan.seats) if rotates_start else None


def initial_state(plan: TablePlan, seed: int, rotates_start: bool) -> State:
    """The match of a plan before the first action."""
    first = first_seat(plan, rotates_start)
    return GAMES[plan.game].new(seed=seed, deck=None, first=first, **plan.options)


def deal(
    plan: TablePlan,
    store: Store,
    rotates_start: bool,
    players: Sequence[Agent | None] | None = None,
) -> Deal:
    """Start the match of a plan. The same seed gives the same deals.

    players   of the match before; by default they are made
    """
    seed = fresh_seed() if plan.seed is None else plan.seed
    return _deal_to(plan, seed, rotates_start, players or make_players(plan, store))


def deal_resumed(
    plan: TablePlan,
    seed: int,
    rotates_start: bool,
    past: Past,
    players: Sequence[Agent | None],
) -> Deal:
    """Start a match whose past actions will be replayed.

    Learners do not learn from an unrated match: they would learn actions that were taken back
    twice.
    """
    seated = list(players)
    for seat in past.taken_over:
        seated[seat] = RandomPlayer()
    for player in seated:
        if past.unrated and isinstance(player, Learner):
            player.learning = False
    return _deal_to(plan, seed, rotates_start, seated)


def _deal_to(
    plan: TablePlan, seed: int, rotates_start: bool, players: Sequence[Agent | None]
) -> Deal:
    match = Match(initial_state(plan, seed, rotates_start), players, seed, record=True, played=0)
    return Deal(match, seed, first_seat(plan, rotates_start))
