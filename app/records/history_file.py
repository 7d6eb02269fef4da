"""The SQLite file of the history: created, migrated, and recovered when damaged.

Every call opens it, runs one transaction and closes it again, so that two windows never wait
long for each other. Damaged rows are moved to a table of their own. A damaged file is renamed, and
its sound rows go to a new one.
"""

import json
import os
import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from datetime import datetime
from functools import cache
from pathlib import Path
from typing import Final, TypeVar

from filelock import FileLock, Timeout

from agents.storage.bounded import check_regular
from agents.storage.files import reason_of, unused_path
from app.records.history_recovery import Recovered, recover_rows
from app.records.history_rows import CREATE_DAMAGED, Rows, create_statement
from app.records.times import utc_now

LARGEST: Final = 512 << 20
"""Bytes. Ten thousand matches take about 5 MB."""

_TIME_LIMIT: Final = 10.0
"""Seconds for one transaction."""

_STEPS: Final = 100_000
"""Steps of SQLite between two looks at the clock."""

_PATIENCE: Final = 10.0
"""Seconds to wait for another window that writes."""

_DAMAGED: Final = (sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CORRUPT)

Migration = tuple[str, ...]

_OLD_MIGRATIONS: Final[tuple[Migration, ...]] = (
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
_OLD_TABLES: Final = (
    ("matches", "SELECT * FROM matches"),
    ("runs", "SELECT * FROM runs"),
    ("points", "SELECT * FROM points"),
    ("evaluations", "SELECT * FROM evaluations"),
    ("standings", "SELECT * FROM standings"),
)


def _add_checksums(database: sqlite3.Connection) -> None:
    """Give every row a checksum, and each match its seats. Nothing is left behind."""
    found = {}
    for table, query in _OLD_TABLES:
        cursor = database.execute(query)
        names = [column[0] for column in cursor.description]
        found[table] = [dict(zip(names, row, strict=True)) for row in cursor]
    seats: dict[object, list[list[object]]] = {}
    for match, *seat in database.execute(
        "SELECT match, name, player, side, result FROM seats ORDER BY match, seat"
    ):
        seats.setdefault(match, []).append(seat)
    for table in ("seats", *found):
        database.execute(f"DROP TABLE {table}")
    for table in found:
        database.execute(create_statement(table))
    database.execute(CREATE_DAMAGED)
    rows = Rows(database)
    for table, olds in found.items():
        for old in olds:
            if table == "matches":
                old["seats"] = json.dumps(seats.get(old["id"], []))
            try:
                rows.adopt(table, old)
            except (ValueError, TypeError, OverflowError):
                rows.keep_damaged(table, tuple(old.values()))


def _statements(statements: Migration) -> Callable[[sqlite3.Connection], None]:
    def migrate(database: sqlite3.Connection) -> None:
        for statement in statements:
            database.execute(statement)

    return migrate


MIGRATIONS: Final[tuple[Callable[[sqlite3.Connection], None], ...]] = (
    *[_statements(each) for each in _OLD_MIGRATIONS],
    _add_checksums,
    _statements((create_statement("reports"),)),
    _statements(tuple([create_statement(table) for table in ("exercises", "answers", "par")])),
)
"""Each entry takes a database to the next schema version. Entries are added, never changed."""

T = TypeVar("T")


class HistoryError(ValueError):
    """The history cannot be read or written. The message is a sentence for people."""


class HistoryFile:
    """notices: sentences for the person, oldest first."""

    def __init__(self, path: Path, clock: Callable[[], datetime] = utc_now) -> None:
        """clock: for the names of damaged files."""
        self.path = path
        self.notices: list[str] = []
        self._clock = clock

    def read(self, look: Callable[[Rows], T], nothing: T) -> T:
        """Run a query; without a file return `nothing` and create none."""
        try:
            if not self._exists():
                return nothing
            damaged: list[tuple[str, int]] = []

            def look_and_note(rows: Rows) -> T:
                found = look(rows)
                damaged.extend(rows.damaged)
                return found

            found = self._do(look_and_note, "BEGIN")
        except OSError as error:
            raise HistoryError(f"{self.path} cannot be read: {reason_of(error)}.") from error
        except sqlite3.Error as error:
            raise HistoryError(f"{self.path} cannot be read: {error}.") from error
        if damaged:
            self._set_aside(damaged)
        return found

    def write(self, change: Callable[[Rows], T]) -> T:
        try:
            self.path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            self._exists()
            return self._do(change, "BEGIN IMMEDIATE")
        except OSError as error:
            raise HistoryError(f"{self.path} cannot be written: {reason_of(error)}.") from error
        except sqlite3.Error as error:
            raise HistoryError(f"{self.path} cannot be written: {error}.") from error

    def _exists(self) -> bool:
        """Raises OSError for a pipe, a device or a huge file, also beside the file: SQLite opens
        those on its own, and follows links."""
        for end in ("-journal", "-wal", "-shm"):
            with suppress(FileNotFoundError):
                check_regular(self.path.with_name(self.path.name + end), LARGEST, links=False)
        try:
            check_regular(self.path, LARGEST)
        except FileNotFoundError:
            return False
        return True

    def _do(self, work: Callable[[Rows], T], begin: str) -> T:
        """Run the work in one transaction, and again in a new file if the old one is damaged."""
        try:
            return self._once(work, begin)
        except UnicodeDecodeError:
            pass  # A message of SQLite that quotes the damaged schema.
        except sqlite3.DatabaseError as error:
            if not _is_damage(error):
                raise
        self._replace_damaged()
        return self._once(work, begin)

    def _once(self, work: Callable[[Rows], T], begin: str) -> T:
        with closing(self._connect()) as database:
            version = _checked_version(database)
            if version > len(MIGRATIONS):
                raise HistoryError(
                    f"{self.path} was written by a newer Kibitz; use that one, or another --home."
                )
            if version < len(MIGRATIONS):
                self._migrate(database)
            with database:
                database.execute(begin)
                return work(Rows(database))

    def _connect(self) -> sqlite3.Connection:
        database = sqlite3.connect(self.path, timeout=_PATIENCE, isolation_level=None)
        database.text_factory = lambda text: text.decode("utf-8", "surrogateescape")
        database.execute("PRAGMA trusted_schema = OFF")
        until = time.monotonic() + _TIME_LIMIT + _PATIENCE
        database.set_progress_handler(lambda: time.monotonic() > until, _STEPS)
        return database

    def _migrate(self, database: sqlite3.Connection) -> None:
        """Apply all missing migrations in one transaction."""
        with self._alone(), database:
            database.execute("PRAGMA journal_mode = WAL")
            database.execute("BEGIN IMMEDIATE")
            _migrate_from(database, _version(database))

    def _set_aside(self, damaged: list[tuple[str, int]]) -> None:
        """Move damaged rows to a table of their own. Reports it even if that fails."""

        def move(rows: Rows) -> None:
            for each in damaged:
                rows.set_aside(*each)

        with suppress(HistoryError):
            self.write(move)
        count = len(damaged)
        self.notices.append(
            f"{self.path.name} had {count} damaged row{'s' * (count > 1)}, which "
            f"{'were' if count > 1 else 'was'} set aside; all others are there."
        )

    def _replace_damaged(self) -> None:
        """Rename a damaged file, unless another window has already done so, and put its sound
        rows into a new one."""
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
                found: Recovered = {}
                with suppress(OSError):
                    found = recover_rows(aside, LARGEST)
        except OSError as error:
            raise HistoryError(
                f"{self.path} is damaged and cannot be renamed: {reason_of(error)}."
            ) from error
        count = sum([len(rows) for rows in found.values()])
        if count:
            self._once(lambda rows: _restore(rows, found), "BEGIN IMMEDIATE")
        outcome = f"{count:,} sound rows were recovered" if count else "a new history starts"
        self.notices.append(f"{self.path.name} was damaged and renamed to {aside.name}; {outcome}.")

    @contextmanager
    def _alone(self) -> Iterator[None]:
        """Keep other windows from creating, migrating or renaming the file."""
        try:
            with FileLock(self.path.with_name(f".{self.path.name}.lock"), timeout=_PATIENCE):
                yield
        except Timeout as error:
            raise HistoryError(f"{self.path} is in use by another window; try again.") from error

    def _sound(self) -> bool:
        """Whether SQLite and the schema find no damage. A file that is gone is sound."""
        try:
            if not self._exists():
                return True
            with closing(self._connect()) as database:
                _checked_version(database)
                return bool(database.execute("PRAGMA quick_check").fetchone()[0] == "ok")
        except (sqlite3.DatabaseError, UnicodeDecodeError):
            return False


def _restore(rows: Rows, found: Recovered) -> None:
    for table, sound in found.items():
        for row in sound:
            rows.restore(table, row)


class WrongSchema(sqlite3.DatabaseError):
    """The tables are not those of this program."""


def _is_damage(error: sqlite3.DatabaseError) -> bool:
    if isinstance(error, WrongSchema):
        return True
    return getattr(error, "sqlite_errorcode", None) in _DAMAGED


def _checked_version(database: sqlite3.Connection) -> int:
    """The schema version of a file. The tables decide if they are those of the present version,
    since the number may be damaged.

    Raises WrongSchema for tables, views or triggers that our migrations did not create. A view
    could take forever, and a damaged schema hides rows.
    """
    try:
        version = _version(database)
        found = [tuple(each) for each in database.execute(_SCHEMA)]
    except sqlite3.OperationalError as error:
        # Our SQL is right, so the file is wrong, such as one of an unknown format.
        if getattr(error, "sqlite_errorcode", None) == sqlite3.SQLITE_ERROR:
            raise WrongSchema(str(error)) from error
        raise
    if found == _schema_of(len(MIGRATIONS)):
        return len(MIGRATIONS)
    if version <= len(MIGRATIONS) and (version < 0 or found != _schema_of(version)):
        raise WrongSchema("its tables are not those of Kibitz")
    return version


_SCHEMA: Final = "SELECT type, name, tbl_name, sql FROM sqlite_master ORDER BY name"


@cache
def _schema_of(version: int) -> list[tuple[object, ...]]:
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as database:
        for number in range(version):
            MIGRATIONS[number](database)
        return [tuple(each) for each in database.execute(_SCHEMA)]


def _migrate_from(database: sqlite3.Connection, version: int) -> None:
    for number in range(version, len(MIGRATIONS)):
        MIGRATIONS[number](database)
        database.execute(f"PRAGMA user_version = {number + 1}")


def _version(database: sqlite3.Connection) -> int:
    return int(database.execute("PRAGMA user_version").fetchone()[0])
