"""From a plan to a match: players in their seats, cards on the table."""

import secrets
from dataclasses import dataclass

from agents.agent import Agent
from agents.match import Match
from agents.registry import make
from agents.store import Store, StoreError
from app.seating import PERSON, TablePlan
from engine import GAMES


@dataclass(frozen=True, slots=True)
class Deal:
    match: Match
    seed: int


def fresh_seed() -> int:
    return secrets.randbelow(1_000_000_000)


def seat_players(plan: TablePlan, store: Store) -> list[Agent | None]:
    """An agent for each seat, None for a person. One learner may sit in several seats."""
    seated: dict[str, Agent] = {}
    for name in plan.seats:
        if name != PERSON and name not in seated:
            seated[name] = _make(plan.game, name, store)
    return [seated.get(name) for name in plan.seats]


def _make(game: str, name: str, store: Store) -> Agent:
    """A table that cannot be read is said and does without what was learned."""
    try:
        return make(game, name, store, learning=True)
    except StoreError as error:
        store.notices.append(str(error))
        return make(game, name, learning=True)


def deal(plan: TablePlan, store: Store, rotates_start: bool) -> Deal:
    """Begin the match of a plan; the same seed gives the same deals."""
    seed = fresh_seed() if plan.seed is None else plan.seed
    first = (plan.match_no - 1) % len(plan.seats) if rotates_start else None
    state = GAMES[plan.game].new(seed=seed, deck=None, first=first, **plan.options)
    return Deal(Match(state, seat_players(plan, store), seed, record=True), seed)
