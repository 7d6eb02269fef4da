"""Exports learned values to SQLite and CSV, and learning curves to CSV, JSON and SVG."""

import csv
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import asdict
from pathlib import Path
from typing import Final, NamedTuple

from agents.learners.tabular import TabularLearner
from agents.learners.weights import WeightLearner
from agents.registry import make, title_of
from agents.storage.bounded import check_ours
from agents.storage.files import reason_of, replacing
from agents.storage.store import Store
from app.lab.curve_file import SUFFIXES, write_curve, write_runs
from app.lab.roster import Curve
from engine import GAMES

_SQLITE: Final = b"SQLite format 3\0"
Row = tuple[str, str, float, int]
COLUMNS = ("state", "action", "value", "visits")


class Exported(NamedTuple):
    rows: int
    database: Path
    text: Path


def export(game: str, agent: str, store: Store, folder: Path) -> Exported:
    """Write an agent's values to two files, replacing those of an earlier export.

    Raises ValueError with a sentence for people.
    """
    rows = list(known_rows(game, agent, store))
    database, text = folder / f"{game}.{agent}.db", folder / f"{game}.{agent}.csv"
    check_ours(text, (",".join(COLUMNS).encode(),))
    check_ours(database, (_SQLITE,))
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with replacing(database, private=False) as path:
            _write_database(path, rows)
        with replacing(text, private=False) as path:
            _write_csv(path, rows)
    except OSError as error:
        raise ValueError(f"{folder} cannot be written to: {reason_of(error)}.") from error
    except sqlite3.Error as error:
        raise ValueError(f"{database} cannot be written: {error}.") from error
    return Exported(len(rows), database, text)


def export_curves(game: str, agent: str, curves: Sequence[Curve], folder: Path) -> list[Path]:
    """Write the curve of an agent as CSV, JSON and SVG, and its measured runs as CSV.

    curves   the whole curve, then those of the runs (see `Roster.curves`)

    Earlier exports are replaced, other files are not. Raises ValueError with a sentence.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ValueError(f"{folder} cannot be written to: {reason_of(error)}.") from error
    whole, *others = curves
    runs = [(curve.run, curve.points) for curve in others if curve.run is not None]
    title = f"{title_of(game, agent)} at {GAMES[game].title}"
    about = {
        "game": game,
        "agent": agent,
        "matches": whole.games,
        "runs": [
            asdict(run) | {"points": [asdict(point) for point in points]} for run, points in runs
        ],
    }
    paths = [folder / f"{game}.{agent}.curve{suffix}" for suffix in SUFFIXES]
    for path in paths:
        write_curve(path, title, whole.points, about)
    if runs:
        paths.append(folder / f"{game}.{agent}.runs.csv")
        write_runs(paths[-1], runs)
    return paths


def known_rows(game: str, agent: str, store: Store) -> Iterator[Row]:
    """Yield every move that was tried, with its situation in words."""
    learner = make(game, agent, store)
    if not isinstance(learner, TabularLearner | WeightLearner):
        raise ValueError(f"The values of {agent} cannot be exported as rows.")
    names = learner.abstraction.move_names
    for state, known in learner.all_known():
        for move, visits in enumerate(known.visits):
            if visits:
                yield state, names[move], float(known.values[move]), int(visits)


def _write_database(path: Path, rows: list[Row]) -> None:
    with closing(sqlite3.connect(path)) as database, database:
        database.execute(
            "CREATE TABLE knowledge (state TEXT NOT NULL, action TEXT NOT NULL, "
            "value REAL NOT NULL, visits INTEGER NOT NULL)"
        )
        database.executemany("INSERT INTO knowledge VALUES (?, ?, ?, ?)", rows)


def _write_csv(path: Path, rows: list[Row]) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(COLUMNS)
        writer.writerows(rows)
