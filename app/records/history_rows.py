"""Rows of the history, each with a checksum.

A row whose checksum is wrong, or that cannot be understood, is left out and reported, so that
one damaged byte costs one row. No index is kept: a damaged index would hide rows silently.
"""

import hashlib
import json
import sqlite3
from collections.abc import Callable, Iterator, Mapping
from itertools import islice
from typing import Any, Final, TypeVar

Row = dict[str, Any]
T = TypeVar("T")

TABLES: Final[Mapping[str, Mapping[str, type]]] = {
    "matches": {
        "game": str,
        "options": str,
        "seed": str,
        "seats": str,
        "scores": str,
        "hands": int,
        "started": str,
        "finished": str,
        "watched": int,
        "assisted": int,
        "unrated": int,
        "journal": str,
    },
    "runs": {
        "game": str,
        "agent": str,
        "seed": str,
        "settings": str,
        "started": str,
        "games": int,
        "seconds": float,
        "kept": int,
    },
    "points": {
        "run": int,
        "games": int,
        "against": str,
        "win_rate": float,
        "low": float,
        "high": float,
    },
    "evaluations": {"game": str, "finished": str, "report": str},
    "standings": {
        "evaluation": int,
        "game": str,
        "agent": str,
        "against": str,
        "win_rate": float,
        "low": float,
        "high": float,
        "games": int,
    },
    "reports": {
        "game": str,
        "journal": str,
        "seat": int,
        "finished": str,
        "judge": str,
        "decisions": int,
        "mattered": int,
        "lost": float,
        "at_stake": float,
        "points": float,
        "accuracy": float,
        "result": float,
        "luck": str,
        "mistakes": str,
    },
    "exercises": {"game": str, "key": str, "source": str, "journal": str, "exercise": str},
    "answers": {"game": str, "key": str, "day": str, "grade": str, "move": str},
    "par": {"game": str, "day": str, "version": str, "margins": str},
}
"""The columns of each table and their types, besides `id` and `checksum`. Any may be None."""

_SQL_TYPES: Final = {str: "TEXT", int: "INTEGER", float: "REAL"}


CREATE_DAMAGED: Final = (
    "CREATE TABLE damaged (id INTEGER PRIMARY KEY, source TEXT NOT NULL, row TEXT NOT NULL)"
)
"""SQL that creates the table to which damaged rows are moved, as JSON."""


def create_statement(table: str) -> str:
    """SQL that creates a table."""
    typed = ", ".join([f"{name} {_SQL_TYPES[kind]}" for name, kind in TABLES[table].items()])
    return f"CREATE TABLE {table} (id INTEGER PRIMARY KEY, {typed}, checksum TEXT NOT NULL)"


def checksum_of(table: str, row: Mapping[str, Any]) -> str:
    values = [table, row["id"], *[row[name] for name in TABLES[table]]]
    return hashlib.sha256(json.dumps(values).encode()).hexdigest()[:32]


def is_sound(table: str, row: Mapping[str, Any]) -> bool:
    """Whether the checksum of a row is right. A damaged row may hold values of any type."""
    try:
        return bool(row["checksum"] == checksum_of(table, row))
    except (TypeError, ValueError):
        return False


def typed(table: str, values: Mapping[str, object]) -> Row:
    """Values with the types of their columns, as SQLite returns them."""
    columns = TABLES[table]
    return {name: None if value is None else columns[name](value) for name, value in values.items()}


class Rows:
    """The rows of an open database.

    damaged   the table and the number of each damaged row that was met
    """

    def __init__(self, database: sqlite3.Connection) -> None:
        self._database = database
        self.damaged: list[tuple[str, int]] = []

    def select(
        self,
        table: str,
        read: Callable[[Row], T],
        equal: Mapping[str, object] | None = None,
        newest_first: bool = False,
        limit: int | None = None,
    ) -> list[T]:
        """The sound rows in which columns have these values, as `read` returns them.

        read   raises any error for a row that it does not understand; such a row is damaged
        """
        return list(islice(self._select(table, read, newest_first, equal or {}), limit))

    def _select(
        self,
        table: str,
        read: Callable[[Row], T],
        newest_first: bool,
        equal: Mapping[str, object],
    ) -> Iterator[T]:
        names = ["id", *TABLES[table], "checksum"]
        where = " AND ".join([f"{name} = :{name}" for name in equal]) or "1"
        order = "DESC" if newest_first else "ASC"
        found = self._database.execute(
            f"SELECT {', '.join(names)} FROM {table} WHERE {where} ORDER BY id {order}", equal
        )
        for values in found:
            row = dict(zip(names, values, strict=True))
            try:
                if not is_sound(table, row):
                    raise ValueError("the checksum is wrong")
                result = read(row)
            except Exception:
                self.damaged.append((table, row["id"]))
                continue
            yield result

    def insert(self, table: str, **values: object) -> int:
        """Add a row and return its number."""
        return self.adopt(table, dict.fromkeys(TABLES[table]) | values)

    def adopt(self, table: str, values: Mapping[str, object]) -> int:
        """Add a row, with its number if it has an `id`, and return its number."""
        row = typed(table, {name: values[name] for name in TABLES[table]})
        names, marks = ", ".join(row), ", ".join(f":{name}" for name in row)
        cursor = self._database.execute(
            f"INSERT INTO {table} (id, {names}, checksum) VALUES (:id, {marks}, '')",
            {"id": values.get("id")} | row,
        )
        number = cursor.lastrowid or 0
        self._sign(table, {"id": number} | row)
        return number

    def update(self, table: str, row: Row, **changes: object) -> None:
        """Change a row that was selected."""
        changed = row | typed(table, changes)
        assignments = ", ".join([f"{name} = :{name}" for name in changes])
        self._database.execute(f"UPDATE {table} SET {assignments} WHERE id = :id", changed)
        self._sign(table, changed)

    def delete(self, table: str, **equal: object) -> None:
        where = " AND ".join([f"{name} = :{name}" for name in equal])
        self._database.execute(f"DELETE FROM {table} WHERE {where}", equal)

    def restore(self, table: str, row: Row) -> None:
        """Add a sound row of another file, with its number."""
        names = ["id", *TABLES[table], "checksum"]
        marks = ", ".join([f":{name}" for name in names])
        self._database.execute(
            f"INSERT OR IGNORE INTO {table} ({', '.join(names)}) VALUES ({marks})", row
        )

    def set_aside(self, table: str, number: int) -> None:
        """Move a damaged row to the table of damaged rows."""
        found = self._database.execute(f"SELECT * FROM {table} WHERE id = ?", (number,)).fetchone()
        if found is not None:
            self.keep_damaged(table, tuple(found))
            self._database.execute(f"DELETE FROM {table} WHERE id = ?", (number,))

    def keep_damaged(self, source: str, values: tuple[object, ...]) -> None:
        self._database.execute(
            "INSERT INTO damaged (source, row) VALUES (?, ?)",
            (source, json.dumps(values, default=repr)),
        )

    def count_damaged(self) -> int:
        """How many damaged rows have been moved aside so far."""
        return int(self._database.execute("SELECT COUNT(*) FROM damaged").fetchone()[0])

    def _sign(self, table: str, row: Row) -> None:
        self._database.execute(
            f"UPDATE {table} SET checksum = ? WHERE id = ?", (checksum_of(table, row), row["id"])
        )


def unread(row: Row) -> Row:
    """Returns a row as it is."""
    return row
