"""Learned tables on disk: written whole or not at all, and read with suspicion.

A file is a header and a pickle. The pickle may hold lists, dictionaries, numbers,
strings and bytes, nothing else: anything that could name, build or call an object is
turned away before it is unpickled. A file that is turned away is moved aside, never
deleted, and the reason is kept in `notices` for the screen. The last good versions stay
beside the newest one, numbered from 1, and the newest of them takes its place.
"""

import gzip
import hashlib
import os
import pickle
import stat
import struct
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from io import BytesIO
from pathlib import Path
from pickletools import genops
from shutil import copyfile
from typing import Final, NoReturn

from filelock import FileLock, Timeout

from agents.agent import Learner
from agents.storage.files import reason_of, unused, write_whole

_MAGIC: Final = b"KIBITZ-Q"
_FORMAT: Final = 1
_HEADER: Final = struct.Struct(">8sH32sQ32s")
"""Magic, format, SHA-256 of the fingerprint, length and SHA-256 of the pickle."""

SHIPPED: Final = Path(__file__).parents[1] / "pretrained"
"""Tables that come with the program, in the same form as the learned ones, packed."""

VERSIONS: Final = 3
"""How many good versions are kept besides the newest."""

_LARGEST: Final = 256 << 20
_MOST_OPCODES: Final = 1_000_000
_DEEPEST: Final = 8
_PROTOCOL: Final = 4

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


class StoreError(Exception):
    """A table could not be read or written. The message is a sentence for people."""


class Refused(StoreError):
    """A file that will not be loaded; `mark` is the word its name gets when moved aside."""

    def __init__(self, reason: str, mark: str = "damaged") -> None:
        super().__init__(reason)
        self.mark = mark


Take = Callable[[dict[str, object]], None]
"""Takes over a table; raises ValueError if its values make no sense."""


class _Unpickler(pickle.Unpickler):
    """Knows no classes, no functions and no persistent objects."""

    def find_class(self, module: str, name: str, /) -> NoReturn:
        raise Refused(f"it asks for {module}.{name}")

    def persistent_load(self, pid: object, /) -> NoReturn:
        raise Refused("it asks for an object outside itself")


def _utc_now() -> datetime:
    return datetime.now(UTC)


class Store:
    """The folder of learned tables, one file for each game and agent.

    notices   sentences about files that were moved aside, oldest first
    """

    def __init__(
        self, folder: Path, clock: Callable[[], datetime] = _utc_now, patience: float = 10.0
    ) -> None:
        """clock: names the files moved aside; patience: seconds to wait for another window."""
        self.folder = folder
        self.notices: list[str] = []
        self._clock = clock
        self._patience = patience

    def path(self, game: str, agent: str) -> Path:
        return self.folder / f"{game}.{agent}.pkl"

    def versions(self, path: Path) -> list[Path]:
        """Where earlier good versions of a table are kept, newest first."""
        return [path.with_name(f"{path.name}.{number}") for number in range(1, VERSIONS + 1)]

    def load(self, learner: Learner) -> bool:
        """Give the learner what was saved. False if there is nothing that can be used."""
        path = self.path(learner.game, learner.name)
        fingerprint = learner.fingerprint()
        try:
            return _read(path, fingerprint, learner.restore)
        except Refused:
            pass
        with self._locked(path):
            # Another window may have mended it meanwhile.
            if self._read_or_move_aside(path, fingerprint, learner.restore):
                return True
            return self._load_version(path, fingerprint, learner.restore)

    def _load_version(self, path: Path, fingerprint: str, take: Take) -> bool:
        """Go back to the newest earlier version that can be read."""
        for version in self.versions(path):
            try:
                if not _read(version, fingerprint, take):
                    continue
                self._write(path, _contents(version))
            except (StoreError, OSError):
                continue
            self.notices.append(f"An earlier version of {path.name} has taken its place.")
            return True
        return False

    def save(self, learner: Learner) -> None:
        """Write what the learner knows together with what other windows wrote meanwhile."""
        path = self.path(learner.game, learner.name)
        self._open_folder()
        with self._locked(path):
            self._read_or_move_aside(path, learner.fingerprint(), learner.merge)
            data = learner.dump()
            self._write(path, encode(data, learner.fingerprint()))
        learner.restore(data)
        learner.unsaved = 0

    def set_aside(self, game: str, agent: str) -> Path | None:
        """Take a table out of use; where it is kept now, or None if there is none."""
        path = self.path(game, agent)
        if not os.path.lexists(path):
            return None
        with self._locked(path):
            if not os.path.lexists(path):
                return None
            aside = self._aside(path, "reset")
            try:
                os.rename(path, aside)
            except OSError as error:
                raise StoreError(f"{path} cannot be moved aside: {reason_of(error)}.") from error
        return aside

    def _read_or_move_aside(self, path: Path, fingerprint: str, take: Take) -> bool:
        try:
            return _read(path, fingerprint, take)
        except Refused as refusal:
            self._move_aside(path, refusal)
            return False

    def _move_aside(self, path: Path, refusal: Refused) -> None:
        aside = self._aside(path, refusal.mark)
        try:
            os.rename(path, aside)
        except OSError as error:
            raise StoreError(
                f"{path.name} was not loaded because {refusal}, "
                f"and it cannot be moved aside: {reason_of(error)}."
            ) from error
        self.notices.append(
            f"{path.name} was not loaded because {refusal}; it is kept as {aside.name}."
        )

    def _aside(self, path: Path, mark: str) -> Path:
        """A free name for a file that is moved aside."""
        time = self._clock().strftime("%Y%m%dT%H%M%SZ")
        return unused(path.with_name(f"{path.name}.{mark}-{time}"))

    def _open_folder(self) -> None:
        try:
            self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            self.folder.chmod(0o700)
        except OSError as error:
            raise StoreError(f"{self.folder} cannot be used: {reason_of(error)}.") from error

    def _write(self, path: Path, contents: bytes) -> None:
        try:
            write_whole(path, contents, before=lambda: self._keep_version(path))
        except OSError as error:
            raise StoreError(f"{path} cannot be saved: {reason_of(error)}.") from error

    def _keep_version(self, path: Path) -> None:
        """Keep the newest table as version 1 before it is replaced; it stays in its place
        until then, so that there is never none. A disk that has no room for versions is
        no reason not to save."""
        if not path.exists():
            return
        older = self.versions(path)
        for version, newer in zip(older[:0:-1], older[-2::-1], strict=True):
            with suppress(OSError):
                os.replace(newer, version)
        try:
            os.link(path, older[0])
        except OSError:
            with suppress(OSError):
                copyfile(path, older[0])

    @contextmanager
    def _locked(self, path: Path) -> Iterator[None]:
        lock = FileLock(path.with_name(f".{path.name}.lock"), timeout=self._patience)
        try:
            lock.acquire()
        except Timeout as timeout:
            raise StoreError(f"{path} is in use by another window; try again.") from timeout
        except OSError as error:
            raise StoreError(f"{path} cannot be locked: {reason_of(error)}.") from error
        try:
            yield
        finally:
            lock.release()


def encode(data: dict[str, object], fingerprint: str) -> bytes:
    """A file's contents. Raises ValueError for data that could not be read back."""
    pickled = pickle.dumps(data, protocol=_PROTOCOL)
    try:
        _unpickle(pickled)
    except Refused as refusal:
        raise ValueError(f"This table cannot be stored: {refusal}.") from refusal
    checksum = hashlib.sha256(pickled).digest()
    return _HEADER.pack(_MAGIC, _FORMAT, _digest(fingerprint), len(pickled), checksum) + pickled


def decode(contents: bytes, fingerprint: str) -> dict[str, object]:
    """What `encode` was given. Raises Refused, and nothing else, for anything else."""
    if len(contents) < _HEADER.size:
        raise Refused("it is cut short")
    magic, version, meaning, length, checksum = _HEADER.unpack_from(contents)
    if magic != _MAGIC:
        raise Refused("it is not a table of this program")
    if version != _FORMAT:
        raise Refused(f"it has format {version} and this program reads {_FORMAT}", "outdated")
    pickled = contents[_HEADER.size :]
    if len(pickled) != length:
        raise Refused("its length is not the one it was saved with")
    if hashlib.sha256(pickled).digest() != checksum:
        raise Refused("its checksum is wrong")
    if meaning != _digest(fingerprint):
        raise Refused("it was learned with other rules or features", "outdated")
    return _unpickle(pickled)


def examine(path: Path, learner: Learner) -> None:
    """See whether a file could be loaded, and leave it as it is. Raises StoreError."""
    _read(path, learner.fingerprint(), learner.restore)


def shipped(game: str, agent: str) -> Path:
    """Where the table is that comes with the program, if there is one."""
    return SHIPPED / f"{game}.{agent}.pkl.gz"


def read_shipped(game: str, agent: str, fingerprint: str) -> dict[str, object]:
    """A table that came with the program; it is never written to. Raises StoreError."""
    path = shipped(game, agent)
    try:
        return decode(gzip.decompress(_contents(path)), fingerprint)
    except (OSError, EOFError, zlib.error) as error:
        raise StoreError(f"{path} cannot be read: {reason_of(error)}.") from error
    except Refused as refusal:
        raise StoreError(f"{path} was not loaded because {refusal}.") from refusal


def write_shipped(game: str, agent: str, data: dict[str, object], fingerprint: str) -> Path:
    """Make a table part of the program, for the next who installs it; where it is now."""
    path = shipped(game, agent)
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(gzip.compress(encode(data, fingerprint), mtime=0))
    return path


def _read(path: Path, fingerprint: str, take: Take) -> bool:
    """Hand over what a file holds; False if there is none. A saved file is always whole,
    so reading needs no lock."""
    try:
        contents = _contents(path)
    except FileNotFoundError:
        return False
    except OSError as error:
        raise StoreError(f"{path} cannot be read: {reason_of(error)}.") from error
    data = decode(contents, fingerprint)
    try:
        take(data)
    except ValueError as error:
        raise Refused(f"its values make no sense ({error})") from error
    return True


def _contents(path: Path) -> bytes:
    """All of a regular file of at most the largest size; a pipe or a link is not opened."""
    about = os.lstat(path)
    if not stat.S_ISREG(about.st_mode):
        raise Refused("it is not a regular file")
    if about.st_size > _LARGEST + _HEADER.size:
        raise Refused(f"it is larger than {_LARGEST >> 20} MB")
    with path.open("rb") as file:
        return file.read(_LARGEST + _HEADER.size + 1)


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
        raise Refused("it does not hold a table")
    return data


def _check_opcodes(pickled: bytes) -> None:
    """Every opcode is harmless, and the pickle ends where the file ends."""
    end = 0
    for count, (opcode, _, position) in enumerate(genops(pickled)):
        if opcode.name not in _HARMLESS:
            raise Refused(f"it holds more than plain values ({opcode.name})")
        if count > _MOST_OPCODES:
            raise Refused("it holds too many values")
        end = position or 0
    if end + 1 != len(pickled):
        raise Refused("something follows its end")


def _check_structure(data: object) -> None:
    """Plain values only, nested a few levels deep. Values held twice count twice."""
    level = [data]
    count = 0
    for _ in range(_DEEPEST):
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
            if len(below) > _MOST_OPCODES or count > _MOST_OPCODES:
                raise Refused("it holds too many values")
        if not below:
            return
        level = below
    raise Refused("it is nested too deeply")


def _digest(fingerprint: str) -> bytes:
    return hashlib.sha256(fingerprint.encode()).digest()
