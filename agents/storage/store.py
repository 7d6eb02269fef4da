"""Learned values on disk, one file for each game and agent, and one for each generation.

A generation is a learner as it was after so many matches of training. It has the name of its
learner and that number, such as `q@1000`. A named learner, such as `q:rosa`, has its own file and
generations, and its file also decides its settings and rewards.

A file that is refused is moved aside, never deleted, and the reason is added to `notices`
for the screen. The last good versions are kept next to the newest file, numbered from 1. If
the newest file is refused, the newest good version replaces it.
"""

import glob
import gzip
import os
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from io import BytesIO
from pathlib import Path
from shutil import copyfile
from typing import Final

from filelock import FileLock, Timeout

from agents.agent import Learner, Setup
from agents.names import COLON, MARK, generation_name, own_name
from agents.storage.files import reason_of, unused_path, write_atomic
from agents.storage.restoring import check_restorable
from agents.storage.values_file import (
    MAX_SIZE,
    Refused,
    check_fingerprint,
    decode,
    encode,
    read_contents,
)
from agents.training_log import TrainingLog

SHIPPED: Final = Path(__file__).parents[1] / "pretrained"
"""Values that come with the program, in the same format but compressed."""

VERSIONS: Final = 3
"""How many good versions are kept besides the newest."""

Take = Callable[[dict[str, object]], None]
"""Receives the data of a file. Raises ValueError if they make no sense."""

Read = Callable[[Path], bool]
"""Reads a file. Returns False if there is none. Raises Refused."""

_LOG: Final = "training"
"""The key of the training log in the data of a file."""

_SETUP: Final = "setup"
"""The key of the settings and rewards."""

_MAX_AMOUNT: Final = 2.0**53


class StoreError(Exception):
    """A file could not be read or written. The message is a sentence for people."""


def _utc_now() -> datetime:
    return datetime.now(UTC)


class Store:
    """A folder of learned values.

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
        """Return the paths of earlier good versions, newest first."""
        return [path.with_name(f"{path.name}.{number}") for number in range(1, VERSIONS + 1)]

    def load(self, learner: Learner) -> bool:
        """Restore the learner from its file. Return False if there is no usable file."""
        path = self.path(learner.game, learner.name)

        def read(path: Path) -> bool:
            found = read_values(path, learner, own_setup=bool(own_name(learner.name)))
            if found:
                learner.stored_as = learner.name
            return found

        try:
            return read(path)
        except Refused:
            pass
        with self.locked(path):
            # Another window may have replaced it in the meantime.
            if self._read_or_move_aside(path, read):
                return True
            return self._load_version(path, read)

    def _load_version(self, path: Path, read: Read) -> bool:
        """Go back to the newest earlier version that can be read."""
        for version in self.versions(path):
            try:
                if not read(version):
                    continue
                self._write(path, read_contents(version))
            except (Refused, StoreError, OSError):
                continue
            self.notices.append(f"{path.name} was replaced by an earlier version.")
            return True
        return False

    def save(self, learner: Learner) -> None:
        """Write the learner's values, merged with what other windows have saved since.

        Raises StoreError, also if another window has deleted or renamed a named learner.
        """

        def merge(data: dict[str, object]) -> None:
            theirs = log_of(data)
            learner.merge(data)
            learner.log = learner.log.merged(theirs, learner.saved_log)

        self._save(learner, merge, self._check_not_deleted)

    def replace(self, learner: Learner) -> None:
        """Write the learner's values. The saved ones are kept as an earlier version."""
        self._save(learner, lambda data: None)

    def _save(
        self, learner: Learner, take: Take, check: Callable[[Learner], None] | None = None
    ) -> None:
        path = self.path(learner.game, learner.name)
        self._make_folder()
        with self.locked(path):
            if check is not None:
                check(learner)
            self._read_or_move_aside(path, lambda path: _read(path, learner.fingerprint(), take))
            data = values_of(learner)
            contents = encode(data, learner.fingerprint())
            try:
                check_restorable(data, learner)
            except ValueError as error:
                raise StoreError(f"{path} was not changed: {error}.") from error
            self._write(path, contents)
        _restoring(learner)(data)
        learner.unsaved = 0
        learner.stored_as = learner.name

    def _check_not_deleted(self, learner: Learner) -> None:
        name = learner.name
        if own_name(name) and learner.stored_as == name and not self.exists(learner.game, name):
            raise StoreError(
                f"{name} was deleted or renamed in another window, so what it learned here was "
                "not saved."
            )

    def save_generation(self, learner: Learner) -> None:
        """Keep the learner as it is now as the generation of its matches of training. Its
        updates stay unsaved. Raises StoreError as `save` does."""
        self._check_not_deleted(learner)
        contents = encode(values_of(learner), learner.fingerprint())
        self.write_generation(learner.game, learner.name, learner.log.matches, contents)

    def add_generation(self, game: str, agent: str, matches: int, path: Path) -> None:
        """Copy a file with a generation into this folder."""
        try:
            contents = read_contents(path)
        except (Refused, OSError) as error:
            raise StoreError(f"{path} cannot be read: {reason_of(error)}.") from error
        self.write_generation(game, agent, matches, contents)

    def write_generation(self, game: str, agent: str, matches: int, contents: bytes) -> None:
        """Write the contents of the file of a generation."""
        path = self.path(game, generation_name(agent, matches))
        self._make_folder()
        try:
            write_atomic(path, contents)
        except OSError as error:
            raise StoreError(f"{path} cannot be saved: {reason_of(error)}.") from error

    def generations(self, game: str, agent: str) -> list[int]:
        """Return the matches of training of each generation that has a file here."""
        return _generations(self.folder, f"{game}.{agent}", ".pkl")

    def named(self, game: str) -> list[str]:
        """Return the names of the named learners of a game, such as `q:rosa`, in order."""
        files = self.folder.glob(f"{glob.escape(game)}.*{COLON}*.pkl")
        names = [path.name.removeprefix(f"{game}.").removesuffix(".pkl") for path in files]
        return sorted([name for name in names if MARK not in name])

    def exists(self, game: str, agent: str) -> bool:
        """Return whether there is a file for an agent."""
        return os.path.lexists(self.path(game, agent))

    def set_aside(self, game: str, agent: str) -> Path | None:
        """Move an agent's file and its generations aside. Return the new path of the file, or
        None if there was no file."""
        for matches in self.generations(game, agent):
            self._set_aside(self.path(game, generation_name(agent, matches)))
        return self._set_aside(self.path(game, agent))

    def _set_aside(self, path: Path) -> Path | None:
        if not os.path.lexists(path):
            return None
        with self.locked(path):
            if not os.path.lexists(path):
                return None
            aside = self._aside(path, "reset")
            try:
                os.rename(path, aside)
            except OSError as error:
                raise StoreError(f"{path} cannot be moved aside: {reason_of(error)}.") from error
        return aside

    def _read_or_move_aside(self, path: Path, read: Read) -> bool:
        try:
            return read(path)
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
        """Return an unused name for a file that is moved aside."""
        time = self._clock().strftime("%Y%m%dT%H%M%SZ")
        return unused_path(path.with_name(f"{path.name}.{mark}-{time}"))

    def _make_folder(self) -> None:
        try:
            self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            self.folder.chmod(0o700)
        except OSError as error:
            raise StoreError(f"{self.folder} cannot be used: {reason_of(error)}.") from error

    def _write(self, path: Path, contents: bytes) -> None:
        try:
            write_atomic(path, contents, before_replace=lambda: self._keep_version(path))
        except OSError as error:
            raise StoreError(f"{path} cannot be saved: {reason_of(error)}.") from error

    def _keep_version(self, path: Path) -> None:
        """Keep the newest file as version 1 before it is replaced.

        The file itself stays in place, so that there is always one. Versions that do not fit
        on the disk are no reason not to save.
        """
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
    def locked(self, path: Path) -> Iterator[None]:
        """Keep other windows from writing a file. Raises StoreError."""
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


def _generations(folder: Path, start: str, end: str) -> list[int]:
    """Return the numbers of files such as `truco.q@1000.pkl`, in order."""
    numbers = [
        path.name.removeprefix(f"{start}{MARK}").removesuffix(end)
        for path in folder.glob(f"{glob.escape(start)}{MARK}*{end}")
    ]
    # `01` is not a generation: its file would not be found by its number.
    return sorted([int(each) for each in numbers if each.isdecimal() and str(int(each)) == each])


def values_of(learner: Learner) -> dict[str, object]:
    """Return the data of a learner's file: what it has learned, its training log, and its
    settings and rewards."""
    return {**learner.dump(), _LOG: learner.log.as_plain(), _SETUP: [*learner.setup()]}


def log_of(data: dict[str, object]) -> TrainingLog:
    """Return the training log in the data of a file; an empty one if there is none.

    Raises ValueError.
    """
    return TrainingLog.of_plain(data[_LOG]) if _LOG in data else TrainingLog()


def _restoring(learner: Learner) -> Take:
    def take(data: dict[str, object]) -> None:
        log = log_of(data)
        learner.restore(data)
        learner.log = learner.saved_log = log

    return take


def setup_of(data: dict[str, object]) -> Setup | None:
    """Return the settings and rewards in the data of a file; None if there are none.

    Raises ValueError.
    """
    found = data.get(_SETUP)
    if found is None:
        return None
    if not isinstance(found, list) or len(found) != 2:
        raise ValueError("the settings are wrong")
    for amounts in found:
        if not isinstance(amounts, dict) or not all(map(_is_amount, amounts.items())):
            raise ValueError("the settings are wrong")
    return dict(found[0]), dict(found[1])


def _is_amount(entry: tuple[object, object]) -> bool:
    name, value = entry
    return type(name) is str and type(value) in (int, float) and abs(value) < _MAX_AMOUNT  # type: ignore[arg-type]


def read_values(path: Path, learner: Learner, own_setup: bool = False) -> bool:
    """Restore a learner from any file, compressed or not, which is left unchanged.

    own_setup   whether the learner gets the settings and rewards in the file

    Return False if there is no file. Raises Refused or StoreError.
    """
    contents = _contents_of(path)
    if contents is None:
        return False
    restore_contents(contents, learner, own_setup)
    return True


def restore_contents(contents: bytes, learner: Learner, own_setup: bool) -> None:
    """Restore a learner from the contents of a file, see `read_values`. Raises Refused, and then
    changes nothing."""
    if not own_setup:
        _pass_on(decode(contents, learner.fingerprint()), _restoring(learner))
        return
    data = decode(contents, None)
    before = learner.setup()
    try:
        _pass_on(data, lambda data: _adjust(learner, setup_of(data)))
        check_fingerprint(contents, learner.fingerprint())
        _pass_on(data, _restoring(learner))
    except Refused:
        learner.adjust(*before)
        raise


def _adjust(learner: Learner, setup: Setup | None) -> None:
    """Give a learner these settings and rewards if it knows all of them. Otherwise they belong to
    a learner with another fingerprint."""
    if setup is not None:
        with suppress(ValueError):
            learner.adjust(*setup)


def write_values(path: Path, learner: Learner) -> None:
    """Write a learner's values to any file. Its updates stay unsaved. Raises OSError."""
    write_atomic(path, encode(values_of(learner), learner.fingerprint()))


def read_about(path: Path) -> tuple[TrainingLog, Setup] | None:
    """Return the training log and the settings and rewards in a file, whatever its values mean;
    None if it cannot be read. Needs no learner."""
    try:
        data = decode(_contents(path), None)
        return log_of(data), setup_of(data) or ({}, {})
    except (OSError, Refused, ValueError):
        return None


def read_log(path: Path) -> TrainingLog | None:
    """Return the training log in a file, whatever its values mean; None if it has none or cannot
    be read. Needs no learner."""
    try:
        data = decode(_contents(path), None)
        return log_of(data) if _LOG in data else None
    except (OSError, Refused, ValueError):
        return None


def shipped(game: str, agent: str) -> Path:
    """Return where the values of an agent are that come with the program, if there are any."""
    return SHIPPED / f"{game}.{agent}.pkl.gz"


def shipped_generations(game: str, agent: str) -> list[int]:
    """Return the matches of training of each generation that comes with the program."""
    return _generations(SHIPPED, f"{game}.{agent}", ".pkl.gz")


def read_shipped(game: str, agent: str, fingerprint: str) -> dict[str, object]:
    """Return the values that come with the program. Raises StoreError."""
    path = shipped(game, agent)
    try:
        return decode(_contents(path), fingerprint)
    except OSError as error:
        raise StoreError(f"{path} cannot be read: {reason_of(error)}.") from error
    except Refused as refusal:
        raise StoreError(f"{path} was not loaded because {refusal}.") from refusal


def load_shipped(learner: Learner) -> bool:
    """Restore a learner from the values that come with the program. Return False if there are
    none. Raises StoreError."""
    path = shipped(learner.game, learner.name)
    try:
        return _read(path, learner.fingerprint(), _restoring(learner))
    except Refused as refusal:
        raise StoreError(f"{path} was not loaded because {refusal}.") from refusal


def write_shipped(game: str, agent: str, data: dict[str, object], fingerprint: str) -> Path:
    """Write the values that come with the program. Return their path."""
    path = shipped(game, agent)
    path.parent.mkdir(exist_ok=True)
    write_atomic(path, gzip.compress(encode(data, fingerprint), mtime=0), private=False)
    return path


def _contents(path: Path) -> bytes:
    """Return the contents of a file, decompressed if its name says so. Raises OSError or
    Refused."""
    contents = read_contents(path)
    if path.suffix != ".gz":
        return contents
    try:
        with gzip.open(BytesIO(contents)) as file:
            contents = file.read(MAX_SIZE + 1)
    except (OSError, EOFError, zlib.error) as error:
        raise Refused("it is not a complete compressed file") from error
    if len(contents) > MAX_SIZE:
        raise Refused("it is too large")
    return contents


def _read(path: Path, fingerprint: str, take: Take) -> bool:
    """Pass the data of a file to `take`. Return False if there is no file.

    Needs no lock, because saved files are always complete.
    """
    contents = _contents_of(path)
    if contents is None:
        return False
    _pass_on(decode(contents, fingerprint), take)
    return True


def _contents_of(path: Path) -> bytes | None:
    """Return the contents of a file; None if there is no file. Raises Refused or StoreError."""
    try:
        return _contents(path)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise StoreError(f"{path} cannot be read: {reason_of(error)}.") from error


def _pass_on(data: dict[str, object], take: Take) -> None:
    try:
        take(data)
    except ValueError as error:
        raise Refused(f"its values make no sense ({str(error).rstrip('.')})") from error
