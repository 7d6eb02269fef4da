"""Journal files: each line is written as soon as its action is taken.

A written line survives a crash of the program. Actions of persons and ends of hands are also
flushed to the disk, in a thread. Write errors raise nothing: the first one is reported in
`notices`, and the match continues.
"""

import errno
import os
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from typing import Final

from filelock import BaseFileLock, FileLock, Timeout

from app.match.past import Past
from app.records.journal import (
    ASSISTED,
    UNRATED,
    JournalError,
    MatchSetup,
    Recorded,
    line_of,
    lines_of_match,
    read_journal,
)
from app.records.times import in_iso

SUFFIX: Final = ".jsonl"
_TESTING: Final = 0.1
"""Seconds after which another process that only tests the lock has released it."""
_LONGEST_SEED: Final = 20
_MOST_NAMES: Final = 1000


class Journal:
    """The journal of one match. Its file is created with the first action.

    notices    sentences for the person, oldest first
    """

    def __init__(self, path: Path, setup: MatchSetup) -> None:
        self.path = path
        self.setup = setup
        self.notices: list[str] = []
        self._marks = set[str]()
        self._length = 0
        self._created = self._closed = False
        self._unwritten = line_of(setup.line()).encode()
        self._file: int | None = None
        self._lock = _lock(path)
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="journal")
        self._flush: Future[None] | None = None
        self._reported = False

    # Lines

    def action(self, seat: int, label: str, flush: bool) -> None:
        self._append(line_of({"seat": seat, "do": label}), flush)

    def undo(self, left: int) -> None:
        """Record that actions were taken back. left: how many remain."""
        self._append(line_of({"undo": left}), flush=True)

    def mark(self, assisted: bool, unrated: bool) -> None:
        """Record what is now true of the match; each mark is written once."""
        for mark, true in ((ASSISTED, assisted), (UNRATED, unrated)):
            if true and mark not in self._marks:
                self._marks.add(mark)
                self._append(line_of({"mark": mark}))

    def taken_over(self, seat: int) -> None:
        self._append(line_of({"taken over": seat}))

    def end(self, finished: datetime) -> None:
        self._append(line_of({"end": in_iso(finished)}), flush=True)

    def begin_with(self, past: Past, labels: Sequence[tuple[int, str]]) -> None:
        """Write the past of a match that continues another one."""
        self._marks = _marks(past)
        self._unwritten = b""
        self._append("".join(lines_of_match(self.setup, past, labels)), flush=True)

    # The file

    def append_to(self, recorded: Recorded, lock: BaseFileLock) -> None:
        """Continue an existing file. Starts with a newline, since the last line may lack it."""
        self._marks = _marks(recorded.past)
        self._length = recorded.length
        self._created = True
        self._unwritten = b"\n"
        self._lock = lock

    @property
    def unwritten(self) -> bool:
        """Whether lines could not be written, for example because the disk is full."""
        return self._reported and bool(self._unwritten)

    def write_rest(self) -> bool:
        """Write these lines after all, also to a closed journal. Returns whether it worked."""
        self._append("")
        if self._file is not None and not self._unwritten:
            os.close(self._file)
            self._file = None
            _unlock(self._lock)
        return not self._unwritten

    def close(self) -> None:
        """Flush and close the file. Its time says when the match was left, even if nothing was
        played since it was opened."""
        self._closed = True
        self._thread.shutdown()
        if self._file is not None:
            with suppress(OSError):
                os.fsync(self._file)
            os.close(self._file)
            self._file = None
        with suppress(OSError):
            os.utime(self.path)
        _unlock(self._lock)

    def _append(self, line: str, flush: bool = False) -> None:
        self._unwritten += line.encode()
        try:
            file = self._file if self._file is not None else self._open()
            written = os.write(file, self._unwritten)
            if written < len(self._unwritten):
                os.ftruncate(file, self._length)
                raise OSError(0, "No space left on the disk")
            self._length += written
            self._unwritten = b""
        except OSError as error:
            self._report(error)
            return
        if (
            flush
            and not self._closed
            and (self._flush is None or self._flush.running() or self._flush.done())
        ):
            self._flush = self._thread.submit(_flush, file)

    def _open(self) -> int:
        self.path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        if self._created:
            with suppress(Timeout):
                self._lock.acquire(timeout=0)
            file = os.open(self.path, os.O_WRONLY | os.O_APPEND | os.O_NOFOLLOW)
        else:
            file = self._create()
            self._created = True
        self._file = file
        os.ftruncate(file, self._length)
        with suppress(OSError):
            folder = os.open(self.path.parent, os.O_RDONLY)
            try:
                os.fsync(folder)
            finally:
                os.close(folder)
        return file

    def _create(self) -> int:
        """Create the file under the first name that nobody else has, and keep other windows from
        opening it. Another window may start the same match in the same second."""
        for path in _names(self.path):
            lock = _lock(path)
            try:
                lock.acquire(timeout=0)
                file = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_EXCL, 0o600)
            except Timeout:
                continue
            except FileExistsError:
                # The file may be in use: its lock stays where it is.
                lock.release(force=True)
                continue
            except OSError:
                _unlock(lock)
                raise
            self.path, self._lock = path, lock
            return file
        raise FileExistsError(errno.EEXIST, "there are too many matches of this name")

    def _report(self, error: OSError) -> None:
        if not self._reported:
            self._reported = True
            self.notices.append(
                f"This match cannot be saved ({error.strerror or error}). You can play on."
            )


def _marks(past: Past) -> set[str]:
    marks = {ASSISTED: past.assisted, UNRATED: past.unrated}
    return {mark for mark, true in marks.items() if true}


def _flush(file: int) -> None:
    with suppress(OSError):
        os.fsync(file)


def _lock(path: Path) -> BaseFileLock:
    return FileLock(path.with_name(f".{path.name}.lock"), thread_local=False)


def _take(lock: BaseFileLock) -> None:
    """Raises Timeout if another process keeps the lock, rather than only testing it."""
    lock.acquire(timeout=_TESTING, poll_interval=0.005)


def _unlock(lock: BaseFileLock) -> None:
    if lock.is_locked:
        with suppress(OSError):
            os.unlink(lock.lock_file)
        lock.release(force=True)


def new_journal(folder: Path, setup: MatchSetup, now: datetime) -> Journal:
    """A journal for a new match. Its name may get a number when its file is created."""
    seed = str(setup.seed)[:_LONGEST_SEED]
    return Journal(folder / f"{now:%Y%m%dT%H%M%SZ}-{setup.game}-{seed}{SUFFIX}", setup)


def _names(path: Path) -> Iterator[Path]:
    """A path, and the same with a number."""
    yield path
    for number in range(2, _MOST_NAMES):
        yield path.with_name(f"{path.stem}-{number}{SUFFIX}")


def reopen(path: Path) -> tuple[Recorded, Journal]:
    """Read a journal and continue it. Raises JournalError."""
    lock = _lock(path)
    try:
        _take(lock)
        recorded = read_journal(path)
    except Timeout as error:
        raise JournalError("That match is open in another window.") from error
    except OSError as error:
        raise JournalError(f"{path.name} cannot be opened: {error.strerror}.") from error
    except JournalError:
        _unlock(lock)
        raise
    journal = Journal(path, recorded.setup)
    journal.append_to(recorded, lock)
    return recorded, journal


def in_use(path: Path) -> bool:
    """Whether the match is open in a window."""
    lock = _lock(path)
    try:
        _take(lock)
    except (Timeout, OSError):
        return True
    _unlock(lock)
    return False
