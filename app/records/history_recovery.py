"""Recovers sound rows from a damaged history file.

SQLite stops at the first damaged page. Here each table is read from both ends up to the damage,
and then row by row. If the first page, which holds the schema, is damaged, it is taken from a new
file: all files are created by the same statements, so that their tables begin at the same pages.
A wrong guess does no harm, because every row is checked by its checksum.
"""

import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from pathlib import Path
from shutil import copyfile
from tempfile import TemporaryDirectory
from typing import Final

from app.records.history_rows import TABLES, Row, is_sound

_PAGE: Final = 4096
_HEADER: Final = 100
_SIZE_AT: Final = slice(28, 32)
_FREE_PAGES_AT: Final = slice(32, 40)
_MOST_PROBES: Final = 20_000
"""Rows that are looked for one by one between the two ends."""

_TIME_LIMIT: Final = 1.0
"""Seconds for one attempt. A view in the place of a table could take forever."""

_STEPS: Final = 10_000
"""Steps of SQLite between two looks at the clock."""

Recovered = dict[str, list[Row]]


def recover_rows(damaged: Path, create: Callable[[Path], None]) -> Recovered:
    """The sound rows of a damaged file, by table. Changes nothing. Raises OSError.

    create   creates an empty history file
    """
    with TemporaryDirectory(prefix="kibitz-") as folder:
        empty, copy = Path(folder, "empty.db"), Path(folder, "copy.db")
        create(empty)
        first_page = empty.read_bytes()[:_PAGE]
        best: Recovered = {}
        for length in (0, _HEADER, _PAGE):
            for beside in ("-wal", "-shm"):
                Path(f"{copy}{beside}").unlink(missing_ok=True)
            copyfile(damaged, copy)
            with suppress(FileNotFoundError):
                copyfile(f"{damaged}-wal", f"{copy}-wal")
            if length:
                _replace_start(copy, first_page[:length])
            found = _sound_rows(copy)
            if _count(found) > _count(best):
                best = found
        return best


def _count(rows: Recovered) -> int:
    return sum([len(each) for each in rows.values()])


def _replace_start(path: Path, start: bytes) -> None:
    """Overwrite the start of a file, with the number of its pages and without free pages."""
    head = bytearray(start)
    head[_SIZE_AT] = (path.stat().st_size // _PAGE).to_bytes(4, "big")
    head[_FREE_PAGES_AT] = bytes(8)
    with path.open("r+b") as file:
        file.write(head)


def _sound_rows(path: Path) -> Recovered:
    found: Recovered = {}
    with suppress(sqlite3.Error), closing(sqlite3.connect(path)) as database:
        database.text_factory = lambda text: text.decode("utf-8", "surrogateescape")
        until = time.monotonic() + _TIME_LIMIT
        database.set_progress_handler(lambda: time.monotonic() > until, _STEPS)
        for table in TABLES:
            rows: dict[int, Row] = {}
            for row in _all_rows(database, table):
                if is_sound(table, row):
                    rows[row["id"]] = row
                if time.monotonic() > until:
                    break
            found[table] = [rows[number] for number in sorted(rows)]
    return found


def _all_rows(database: sqlite3.Connection, table: str) -> Iterator[Row]:
    """The rows that can be read, some of them perhaps twice."""
    first, last = 0, 0
    with suppress(sqlite3.Error):
        for row in _select(database, table, "1 ORDER BY id ASC"):
            first = row["id"] if isinstance(row["id"], int) else first
            yield row
        return
    with suppress(sqlite3.Error):
        for row in _select(database, table, "1 ORDER BY id DESC"):
            last = row["id"] if isinstance(row["id"], int) else last
            yield row
    for number in range(first + 1, min(last, first + 1 + _MOST_PROBES)):
        with suppress(sqlite3.Error):
            yield from _select(database, table, "id = ?", number)


def _select(database: sqlite3.Connection, table: str, which: str, *values: object) -> Iterator[Row]:
    names = ["id", *TABLES[table], "checksum"]
    found = database.execute(f"SELECT {', '.join(names)} FROM {table} WHERE {which}", values)
    for each in found:
        yield dict(zip(names, each, strict=True))
