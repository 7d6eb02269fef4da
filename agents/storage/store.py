"""Learned values on disk, one file for each game and agent.

A file that is refused is moved aside, never deleted, and the reason is added to `notices`
for the screen. The last good versions are kept next to the newest file, numbered from 1. If
the newest file is refused, the newest good version replaces it.
"""

import gzip
import os
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from shutil import copyfile
from typing import Final

from filelock import FileLock, Timeout

from agents.agent import Learner
from agents.storage.files import reason_of, unused_path, write_atomic
from agents.storage.values_file import Refused, decode, encode, read_contents

SHIPPED: Final = Path(__file__).parents[1] / "pretrained"
"""Values that come with the program, in the same format but compressed."""

VERSIONS: Final = 3
"""How many good versions are kept besides the newest."""

Take = Callable[[dict[str, object]], None]
"""Receives the data of a file. Raises ValueError if they make no sense."""


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
        fingerprint = learner.fingerprint()
        try:
            return _read(path, fingerprint, learner.restore)
        except Refused:
            pass
        with self._locked(path):
            # Another window may have replaced it in the meantime.
            if self._read_or_move_aside(path, fingerprint, learner.restore):
                return True
            return self._load_version(path, fingerprint, learner.restore)

    def _load_version(self, path: Path, fingerprint: str, take: Take) -> bool:
        """Go back to the newest earlier version that can be read."""
        for version in self.versions(path):
            try:
                if not _read(version, fingerprint, take):
                    continue
                self._write(path, read_contents(version))
            except (Refused, StoreError, OSError):
                continue
            self.notices.append(f"{path.name} was replaced by an earlier version.")
            return True
        return False

    def save(self, learner: Learner) -> None:
        """Write the learner's values, merged with what other windows have saved since."""
        self._save(learner, learner.merge)

    def replace(self, learner: Learner) -> None:
        """Write the learner's values. The saved ones are kept as an earlier version."""
        self._save(learner, lambda data: None)

    def _save(self, learner: Learner, take: Take) -> None:
        path = self.path(learner.game, learner.name)
        self._make_folder()
        with self._locked(path):
            self._read_or_move_aside(path, learner.fingerprint(), take)
            data = learner.dump()
            self._write(path, encode(data, learner.fingerprint()))
        learner.restore(data)
        learner.unsaved = 0

    def set_aside(self, game: str, agent: str) -> Path | None:
        """Move an agent's file aside. Return its new path, or None if there was no file."""
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


def read_values(path: Path, learner: Learner) -> bool:
    """Restore a learner from any file, which is left unchanged.

    Return False if there is no file. Raises Refused or StoreError.
    """
    return _read(path, learner.fingerprint(), learner.restore)


def write_values(path: Path, learner: Learner) -> None:
    """Write a learner's values to any file. Its updates stay unsaved. Raises OSError."""
    write_atomic(path, encode(learner.dump(), learner.fingerprint()))


def shipped(game: str, agent: str) -> Path:
    """Return where the values of an agent are that come with the program, if there are any."""
    return SHIPPED / f"{game}.{agent}.pkl.gz"


def read_shipped(game: str, agent: str, fingerprint: str) -> dict[str, object]:
    """Return the values that come with the program. Raises StoreError."""
    path = shipped(game, agent)
    try:
        return decode(gzip.decompress(read_contents(path)), fingerprint)
    except (OSError, EOFError, zlib.error) as error:
        raise StoreError(f"{path} cannot be read: {reason_of(error)}.") from error
    except Refused as refusal:
        raise StoreError(f"{path} was not loaded because {refusal}.") from refusal


def write_shipped(game: str, agent: str, data: dict[str, object], fingerprint: str) -> Path:
    """Write the values that come with the program. Return their path."""
    path = shipped(game, agent)
    path.parent.mkdir(exist_ok=True)
    write_atomic(path, gzip.compress(encode(data, fingerprint), mtime=0), private=False)
    return path


def _read(path: Path, fingerprint: str, take: Take) -> bool:
    """Pass the data of a file to `take`. Return False if there is no file.

    Needs no lock, because saved files are always complete.
    """
    try:
        contents = read_contents(path)
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
