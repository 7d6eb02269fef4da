"""The SQLite file of the history: created, migrated, and renamed when damaged.

Every call opens it, runs one transaction and closes it again, so that two windows never wait
long for each other.
"""

import json
import os
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Final, TypeVar

from filelock import FileLock, Timeout

from agents.storage.files import unused_path

_PATIENCE: Final = 10.0
"""Seconds to wait for another window that writes."""

_DAMAGED: Final = (sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CORRUPT)

MIGRATIONS: Final = (
    (
        """CREATE TABLE matches (
            id INTEGER PRIMARY KEY, game TEXT NOT NULL, options TEXT NOT NULL,
            seed TEXT NOT NULL, scores TEXT NOT NULL, hands INTEGER NOT NULL,
            started TEXT NOT NULL, finished TEXT NOT NULL, watched INTEGER NOT NULL,
            assisted INTEGER NOT NULL, unrated INTEGER NOT NULL, journal TEXT NOT NULL)""",
        """CREATE TABLE seats (
            match INTEGER NOT NULL REFERENCES matches, seat INTEGER NOT NULL,
            name TEXT NOT NULL, player TEXT NOT NULL, side INTEGER NOT NULL,
            result REAL NOT NULL, PRIMARY KEY (match, seat))""",
        "CREATE INDEX matches_by_game ON matches (game, id)",
    ),
    (
        """CREATE TABLE runs (
            id INTEGER PRIMARY KEY, game TEXT NOT NULL, agent TEXT NOT NULL,
            seed TEXT NOT NULL, settings TEXT NOT NULL, started TEXT NOT NULL,
            games INTEGER NOT NULL, seconds REAL NOT NULL, kept INTEGER)""",
        """CREATE TABLE points (
            run INTEGER NOT NULL REFERENCES runs, games INTEGER NOT NULL,
            against TEXT NOT NULL, win_rate REAL NOT NULL, low REAL NOT NULL,
            high REAL NOT NULL)""",
        "CREATE INDEX runs_by_agent ON runs (game, agent, id)",
        "CREATE INDEX points_by_run ON points (run)",
    ),
    (
        """CREATE TABLE evaluations (
            id INTEGER PRIMARY KEY, game TEXT NOT NULL, finished TEXT NOT NULL,
            report TEXT NOT NULL)""",
        """CREATE TABLE standings (
            evaluation INTEGER NOT NULL REFERENCES evaluations, game TEXT NOT NULL,
            agent TEXT NOT NULL, against TEXT NOT NULL, win_rate REAL NOT NULL,
            low REAL NOT NULL, high REAL NOT NULL, games INTEGER NOT NULL)""",
        "CREATE INDEX standings_by_agent ON standings (game, agent, against, evaluation)",
    ),
)
"""Each entry takes a database to the next schema version. Entries are added, never changed."""

T = TypeVar("T")


class HistoryError(ValueError):
    """The history cannot be read or written. The message is a sentence for people."""


def utc_now() -> datetime:
    return datetime.now(UTC)


class HistoryFile:
    """notices: sentences for the person, oldest first."""

    def __init__(self, path: Path, clock: Callable[[], datetime] = utc_now) -> None:
        """clock: for the names of damaged files."""
        self.path = path
        self.notices: list[str] = []
        self._clock = clock

    def read(self, look: Callable[[sqlite3.Connection], T], nothing: T) -> T:
        """Run a query; without a file return `nothing` and create none."""
        try:
            return self._do(look, "BEGIN") if self.path.exists() else nothing
        except OSError as error:
            raise HistoryError(f"{self.path} cannot be read: {error.strerror}.") from error
        except sqlite3.Error as error:
            raise HistoryError(f"{self.path} cannot be read: {error}.") from error
        except (json.JSONDecodeError, TypeError) as error:
            raise HistoryError(f"{self.path} contains invalid data.") from error

    def write(self, change: Callable[[sqlite3.Connection], T]) -> T:
        try:
            self.path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            return self._do(change, "BEGIN IMMEDIATE")
        except OSError as error:
            raise HistoryError(f"{self.path} cannot be written: {error.strerror}.") from error
        except sqlite3.Error as error:
            raise HistoryError(f"{self.path} cannot be written: {error}.") from error

    def _do(self, work: Callable[[sqlite3.Connection], T], begin: str) -> T:
        """Run the work in one transaction, and again in a new file if the old one is damaged."""
        try:
            return self._once(work, begin)
        except sqlite3.DatabaseError as error:
            if getattr(error, "sqlite_errorcode", None) not in _DAMAGED:
                raise
        self._move_aside()
        return self._once(work, begin)

    def _once(self, work: Callable[[sqlite3.Connection], T], begin: str) -> T:
        with closing(self._connect()) as database:
            if _version(database) < len(MIGRATIONS):
                self._migrate(database)
            if _version(database) > len(MIGRATIONS):
                raise HistoryError(
                    f"{self.path} was written by a newer Kibitz; use that one, or another --home."
                )
            with database:
                database.execute(begin)
                return work(database)

    def _connect(self) -> sqlite3.Connection:
        database = sqlite3.connect(self.path, timeout=_PATIENCE, isolation_level=None)
        database.row_factory = sqlite3.Row
        return database

    def _migrate(self, database: sqlite3.Connection) -> None:
        """Apply all missing migrations in one transaction."""
        with self._alone(), database:
            database.execute("PRAGMA journal_mode = WAL")
            database.execute("BEGIN IMMEDIATE")
            for version in range(_version(database), len(MIGRATIONS)):
                for statement in MIGRATIONS[version]:
                    database.execute(statement)
                database.execute(f"PRAGMA user_version = {version + 1}")

    def _move_aside(self) -> None:
        """Rename a damaged file, unless another window has already done so."""
        try:
            with self._alone():
                if self._sound():
                    return
                time = self._clock().strftime("%Y%m%dT%H%M%SZ")
                aside = unused_path(self.path.with_name(f"{self.path.name}.damaged-{time}"))
                os.replace(self.path, aside)
                for beside in ("-wal", "-shm"):
                    with suppress(FileNotFoundError):
                        os.replace(f"{self.path}{beside}", f"{aside}{beside}")
        except OSError as error:
            raise HistoryError(
                f"{self.path} is damaged and cannot be renamed: {error.strerror}."
            ) from error
        self.notices.append(
            f"{self.path.name} was damaged and renamed to {aside.name}; a new history starts."
        )

    @contextmanager
    def _alone(self) -> Iterator[None]:
        """Keep other windows from creating, migrating or renaming the file."""
        try:
            with FileLock(self.path.with_name(f".{self.path.name}.lock"), timeout=_PATIENCE):
                yield
        except Timeout as error:
            raise HistoryError(f"{self.path} is in use by another window; try again.") from error

    def _sound(self) -> bool:
        try:
            with closing(self._connect()) as database:
                return bool(database.execute("PRAGMA quick_check").fetchone()[0] == "ok")
        except sqlite3.DatabaseError:
            return False


def _version(database: sqlite3.Connection) -> int:
    return int(database.execute("PRAGMA user_version").fetchone()[0])
