"""A learned table for other programs: SQLite and CSV, a row for each state and action."""

import csv
import os
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from pathlib import Path
from typing import NamedTuple

from agents.learners.tabular import TabularLearner
from agents.learners.weights import WeighingLearner
from agents.registry import make
from agents.storage.store import Store

Row = tuple[str, str, float, int]
COLUMNS = ("state", "action", "value", "visits")


class Exported(NamedTuple):
    rows: int
    database: Path
    text: Path


def export(game: str, agent: str, store: Store, folder: Path) -> Exported:
    """Write what an agent knows into two files of that folder, in place of those of an
    earlier export. Raises ValueError with a sentence."""
    rows = list(known_rows(game, agent, store))
    database, text = folder / f"{game}.{agent}.db", folder / f"{game}.{agent}.csv"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        _write_whole(database, lambda path: _write_database(path, rows))
        _write_whole(text, lambda path: _write_text(path, rows))
    except OSError as error:
        raise ValueError(f"{folder} cannot be written to: {error.strerror}.") from error
    except sqlite3.Error as error:
        raise ValueError(f"{database} cannot be written: {error}.") from error
    return Exported(len(rows), database, text)


def known_rows(game: str, agent: str, store: Store) -> Iterator[Row]:
    """All that was learned about, in words, the states as they stand in the table."""
    learner = make(game, agent, store)
    if not isinstance(learner, TabularLearner | WeighingLearner):
        raise ValueError(f"What {agent} knows cannot be put into a table.")
    names = learner.abstraction.move_names
    for state, known in learner.all_known():
        for move, visits in enumerate(known.visits):
            if visits:
                yield state, names[move], float(known.values[move]), int(visits)


def _write_whole(path: Path, write: Callable[[Path], None]) -> None:
    """A file that is there is complete, also if the program is killed meanwhile."""
    unfinished = path.with_name(f".{path.name}.unfinished")
    try:
        unfinished.unlink(missing_ok=True)
        write(unfinished)
        os.replace(unfinished, path)
    finally:
        with suppress(OSError):
            unfinished.unlink(missing_ok=True)


def _write_database(path: Path, rows: list[Row]) -> None:
    with closing(sqlite3.connect(path)) as database, database:
        database.execute(
            "CREATE TABLE knowledge (state TEXT NOT NULL, action TEXT NOT NULL, "
            "value REAL NOT NULL, visits INTEGER NOT NULL)"
        )
        database.executemany("INSERT INTO knowledge VALUES (?, ?, ?, ?)", rows)


def _write_text(path: Path, rows: list[Row]) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(COLUMNS)
        writer.writerows(rows)
