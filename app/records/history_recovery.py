"""Recovers sound rows from a damaged history file.

SQLite stops at the first damaged page, and reads nothing without the schema and the root of a
table. Here every page is read on its own, whatever the others are: rows stand in the leaves of a
table, in SQLite's documented format. The checksum of a row decides whether it is one.
"""

import struct
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Final

from agents.storage.bounded import read_bounded
from app.records.history_rows import TABLES, Row, is_sound

_PAGE: Final = 4096
_FILE_HEADER: Final = 100
_CELLS_AT: Final = 8
"""Where the pointers to the cells begin on a leaf."""

_MOST_LOCAL: Final = _PAGE - 35
_LEAST_LOCAL: Final = (_PAGE - 12) * 32 // 255 - 23
"""Bytes of a row on its own page; the rest is on a chain of overflow pages."""

_WAL_HEADER: Final = 32
_FRAME_HEADER: Final = 24
_MOST_OVERFLOW: Final = 1 << 20
_INTEGER_SIZES: Final = {1: 1, 2: 2, 3: 3, 4: 4, 5: 6, 6: 8}
"""Bytes of an integer, by its serial type."""

Recovered = dict[str, list[Row]]


def recover_rows(damaged: Path, largest: int) -> Recovered:
    """The sound rows of a damaged file, by table. Changes nothing. Raises OSError.

    largest   bytes of a file

    Rows that were deleted or changed shortly before may come back as they were.
    """
    data = read_bounded(damaged, largest)
    pages = {at // _PAGE + 1: data[at : at + _PAGE] for at in range(0, len(data), _PAGE)}
    found: dict[str, dict[int, Row]] = {table: {} for table in TABLES}
    versions = [*pages.items()]
    with suppress(OSError):
        for number, page in _logged_pages(read_bounded(Path(f"{damaged}-wal"), largest)):
            pages[number] = page
            versions.append((number, page))
    for number, page in versions:
        for table, row in _rows_of(number, page, pages):
            found[table][row["id"]] = row
    return {table: [rows[number] for number in sorted(rows)] for table, rows in found.items()}


def _logged_pages(log: bytes) -> Iterator[tuple[int, bytes]]:
    """The pages in the write-ahead log, oldest first."""
    size = _FRAME_HEADER + _PAGE
    for at in range(_WAL_HEADER, len(log) - size + 1, size):
        yield int.from_bytes(log[at : at + 4], "big"), log[at + _FRAME_HEADER : at + size]


def _rows_of(number: int, page: bytes, pages: Mapping[int, bytes]) -> Iterator[tuple[str, Row]]:
    """The sound rows on a page, if it is the leaf of a table."""
    start = _FILE_HEADER if number == 1 else 0
    if len(page) < _PAGE:
        return
    for cell in range(min(struct.unpack_from(">H", page, start + 3)[0], _PAGE // 4)):
        at = start + _CELLS_AT + 2 * cell
        if at + 2 > _PAGE:
            return
        with suppress(ValueError, IndexError, struct.error):
            row_id, values = _cell(page, struct.unpack_from(">H", page, at)[0], pages)
            for table, columns in TABLES.items():
                names = ("id", *columns, "checksum")
                if len(values) == len(names):
                    row: Row = dict(zip(names, (row_id, *values[1:]), strict=True))
                    for name, kind in columns.items():
                        if kind is float and isinstance(row[name], int):
                            row[name] = float(row[name])  # SQLite stores 2.0 as the integer 2.
                    if is_sound(table, row):
                        yield table, row


def _cell(page: bytes, at: int, pages: Mapping[int, bytes]) -> tuple[int, list[object]]:
    """The number and the values of a row. Raises ValueError or IndexError if it is none."""
    size, at = _varint(page, at)
    row_id, at = _varint(page, at)
    if size <= _MOST_LOCAL:
        return row_id, _values(page[at : at + size])
    local = _LEAST_LOCAL + (size - _LEAST_LOCAL) % (_PAGE - 4)
    if local > _MOST_LOCAL:
        local = _LEAST_LOCAL
    payload = page[at : at + local]
    following = int.from_bytes(page[at + local : at + local + 4], "big")
    while len(payload) < size <= _MOST_OVERFLOW and following in pages:
        more = pages[following]
        following = int.from_bytes(more[:4], "big")
        payload += more[4:]
    return row_id, _values(payload[:size])


def _values(payload: bytes) -> list[object]:
    """The values of a record: first the types, then the values."""
    length, at = _varint(payload, 0)
    if not at <= length <= len(payload):
        raise ValueError("not a record")
    kinds, body = [], length
    while at < length:
        kind, at = _varint(payload, at)
        kinds.append(kind)
    values: list[object] = []
    for kind in kinds:
        size = _INTEGER_SIZES.get(kind, 8 if kind == 7 else (kind - 12) // 2 if kind >= 12 else 0)
        part = payload[body : body + size]
        if len(part) < size:
            raise ValueError("not a record")
        body += size
        values.append(_value(kind, part))
    return values


def _value(kind: int, part: bytes) -> object:
    if kind == 0:
        return None
    if kind in _INTEGER_SIZES:
        return int.from_bytes(part, "big", signed=True)
    if kind == 7:
        return struct.unpack(">d", part)[0]
    if kind in (8, 9):
        return kind - 8
    if kind >= 13 and kind % 2:
        return part.decode("utf-8", "surrogateescape")
    raise ValueError("not a value of ours")


def _varint(data: bytes, at: int) -> tuple[int, int]:
    """A number of one to nine bytes, and the position after it."""
    value = 0
    for _ in range(8):
        byte = data[at]
        at += 1
        value = value << 7 | byte & 0x7F
        if byte < 0x80:
            return value, at
    return value << 8 | data[at], at + 1
