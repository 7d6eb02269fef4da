"""The format of files with learned values: a header and a pickle of plain values.

The pickle may hold lists, dictionaries, numbers, strings and bytes only. A file with any
opcode that could name, build or call an object is refused before it is unpickled.
"""

import hashlib
import pickle
import struct
from io import BytesIO
from pathlib import Path
from pickletools import genops
from typing import Final, NoReturn

from agents.storage.bounded import Unsuitable, check_ours, read_bounded

_MAGIC: Final = b"KIBITZ-Q"
_FORMAT: Final = 1
_HEADER: Final = struct.Struct(">8sH32sQ32s")
"""Magic, format, SHA-256 of the fingerprint, length and SHA-256 of the pickle."""

MAX_SIZE: Final = 256 << 20
"""The largest file that is read, in bytes."""

_MAX_OPCODES: Final = 1_000_000
_MAX_DEPTH: Final = 8
_PROTOCOL: Final = 4
_MAX_NUMBER: Final = 2**61 - 1
"""Smaller whole numbers have different hashes. A dictionary whose keys all have the same hash
takes quadratic time."""

# Without tuples every key of a dictionary is a number, a string or bytes, so that
# hashing one can neither recurse nor take exponential time. Without the PUT opcodes
# the memo grows one by one, so that no index can ask for a huge one.
_HARMLESS: Final = frozenset(
    [
        "PROTO", "FRAME", "STOP", "MARK", "NONE", "NEWTRUE", "NEWFALSE",
        "BININT", "BININT1", "BININT2", "LONG1", "BINFLOAT",
        "SHORT_BINUNICODE", "BINUNICODE", "SHORT_BINBYTES", "BINBYTES",
        "EMPTY_LIST", "APPEND", "APPENDS", "EMPTY_DICT", "SETITEM", "SETITEMS",
        "MEMOIZE", "BINGET", "LONG_BINGET",
    ]
)  # fmt: skip


class Refused(Exception):
    """A file that cannot be loaded. The message is the reason, as the end of a sentence.

    mark   the word that the file's name gets when it is moved aside
    """

    def __init__(self, reason: str, mark: str = "damaged") -> None:
        super().__init__(reason)
        self.mark = mark


class _Unpickler(pickle.Unpickler):
    """Loads no classes, functions or persistent objects."""

    def find_class(self, module: str, name: str, /) -> NoReturn:
        raise Refused(f"it asks for {module}.{name}")

    def persistent_load(self, pid: object, /) -> NoReturn:
        raise Refused("it asks for an object outside itself")


def encode(data: dict[str, object], fingerprint: str) -> bytes:
    """Return the contents of a file. Raises ValueError for data that could not be read back."""
    pickled = pickle.dumps(data, protocol=_PROTOCOL)
    try:
        _unpickle(pickled)
    except Refused as refusal:
        raise ValueError(f"These values cannot be stored: {refusal}.") from refusal
    checksum = hashlib.sha256(pickled).digest()
    return _HEADER.pack(_MAGIC, _FORMAT, _digest(fingerprint), len(pickled), checksum) + pickled


def decode(contents: bytes, fingerprint: str | None) -> dict[str, object]:
    """Return the data that `encode` was given. Raises only Refused, for any other contents.

    fingerprint   that the file must have; None for any, see `check_fingerprint`
    """
    if len(contents) < _HEADER.size:
        raise Refused("it is cut short")
    magic, version, _, length, checksum = _HEADER.unpack_from(contents)
    if magic != _MAGIC:
        raise Refused("it does not hold learned values of this program")
    if version != _FORMAT:
        raise Refused(f"it has format {version} and this program reads {_FORMAT}", "outdated")
    pickled = contents[_HEADER.size :]
    if len(pickled) != length:
        raise Refused("its length is wrong")
    if hashlib.sha256(pickled).digest() != checksum:
        raise Refused("its checksum is wrong")
    if fingerprint is not None:
        check_fingerprint(contents, fingerprint)
    return _unpickle(pickled)


def check_fingerprint(contents: bytes, fingerprint: str) -> None:
    """Raise Refused if a file that `decode` accepts has another fingerprint."""
    if _HEADER.unpack_from(contents)[2] != _digest(fingerprint):
        raise Refused("it was learned with other rules or features", "outdated")


def read_contents(path: Path) -> bytes:
    """Return the contents of a regular file, without opening pipes or links.

    Raises Refused for files of another kind and for files that are too large.
    """
    try:
        return read_bounded(path, MAX_SIZE + _HEADER.size, links=False)
    except Unsuitable as unsuitable:
        raise Refused(str(unsuitable.strerror)) from unsuitable


def check_replaceable(path: Path) -> None:
    """Raise ValueError with a sentence if a file exists that is not one of learned values."""
    check_ours(path, (_MAGIC,))


def _unpickle(pickled: bytes) -> dict[str, object]:
    try:
        _check_opcodes(pickled)
        data = _Unpickler(BytesIO(pickled)).load()
    except Refused:
        raise
    except Exception as error:
        raise Refused("it is not a complete pickle") from error
    _check_structure(data)
    if not isinstance(data, dict) or not all(type(key) is str for key in data):
        raise Refused("it does not hold learned values")
    return data


def _check_opcodes(pickled: bytes) -> None:
    """Refuse any opcode that is not harmless, and anything after the end of the pickle."""
    end = 0
    for count, (opcode, argument, position) in enumerate(genops(pickled)):
        if opcode.name not in _HARMLESS:
            raise Refused(f"it holds more than plain values ({opcode.name})")
        if isinstance(argument, int) and not -_MAX_NUMBER < argument < _MAX_NUMBER:
            raise Refused("it holds a number that is too large")
        if count > _MAX_OPCODES:
            raise Refused("it holds too many values")
        end = position or 0
    if end + 1 != len(pickled):
        raise Refused("something follows its end")


def _check_structure(data: object) -> None:
    """Refuse values that are not plain or nested too deeply. Shared values count each time."""
    level = [data]
    count = 0
    for _ in range(_MAX_DEPTH):
        below: list[object] = []
        for value in level:
            if isinstance(value, dict):
                below += value.keys()
                below += value.values()
            elif isinstance(value, list):
                below += value
            elif not (value is None or isinstance(value, (bool, int, float, str, bytes))):
                raise Refused("it holds more than plain values")
            count += 1
            if len(below) > _MAX_OPCODES or count > _MAX_OPCODES:
                raise Refused("it holds too many values")
        if not below:
            return
        level = below
    raise Refused("it is nested too deeply")


def _digest(fingerprint: str) -> bytes:
    return hashlib.sha256(fingerprint.encode()).digest()
