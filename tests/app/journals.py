"""Journals for tests: recorded random matches, and the journals in a home folder."""

from datetime import UTC, datetime
from pathlib import Path
from random import Random

from app.match.past import Past
from app.match.seating import plan_table
from app.records.history import History
from app.records.journal import Recorded, labels_of, read_journal
from app.records.scorekeeper import Scorekeeper
from app.ui.tables import table_class
from engine.game import OVER, State

NOW = datetime(2026, 11, 16, 12, 30, tzinfo=UTC)


def play_at_random(state: State, actions: int = 10_000, seed: int = 1) -> list[int]:
    """Take random actions, at most this many, and return them."""
    rng = Random(seed)
    taken: list[int] = []
    while state.turn != OVER and len(taken) < actions:
        taken.append(rng.choice(state.legal()))
        state.apply(taken[-1])
    return taken


def keeper_of(home: Path) -> Scorekeeper:
    return Scorekeeper(home / "games", History(home / "history.db"), lambda: NOW)


def recorded_match(home: Path, game: str, actions: int = 10_000) -> Path:
    """Record a random match, or its first actions, and return the journal."""
    keeper = keeper_of(home)
    first = 0 if table_class(game).rotates_start else None
    journal = keeper.begin(plan_table(game, seed=4711), 4711, first)
    state = journal.setup.deal()
    taken = play_at_random(state, actions)
    journal.begin_with(Past(), labels_of(journal.setup.deal(), taken))
    if state.turn == OVER:
        keeper.finish(journal, state, Past())
    journal.close()
    return journal.path


def journals_in(home: Path) -> list[Path]:
    return sorted((home / "games").glob("*.jsonl"))


def only_journal(home: Path) -> Recorded:
    (path,) = journals_in(home)
    return read_journal(path)
