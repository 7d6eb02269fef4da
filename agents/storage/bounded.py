"""Reads files that others may have written: regular files only, up to a size, within a time.

Every file that this program did not write in the same run is read here. A named pipe would wait
forever, and a device or a link to one would never end.
"""

import errno
import os
import select
import stat
import time
from pathlib import Path
from typing import Final

from agents.storage.files import reason_of

TIME_LIMIT: Final = 10.0
"""Seconds for a whole file."""

_CHUNK: Final = 1 << 20
_READ_ONLY: Final = os.O_RDONLY | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC


class Unsuitable(OSError):
    """A file that is not read. `strerror` is the reason, as the end of a sentence."""


def read_bounded(path: Path, limit: int, links: bool = True, head: bool = False) -> bytes:
    """Return the contents of a regular file.

    limit   the largest size in bytes
    links   whether a symbolic link to a regular file is followed
    head    whether only the first `limit` bytes are read, of a file of any size

    Raises OSError; for a file of another kind, a larger file and a slow disk, Unsuitable.
    """
    file = _open_regular(path, links)
    try:
        size = os.fstat(file).st_size
        if size > limit and not head:
            raise _too_large(limit)
        return _read(file, limit, head)
    finally:
        os.close(file)


def read_end(path: Path, limit: int) -> bytes:
    """Return the last bytes of a regular file, at most `limit`. Raises OSError."""
    file = _open_regular(path, links=True)
    try:
        os.lseek(file, max(0, os.fstat(file).st_size - limit), os.SEEK_SET)
        return _read(file, limit, head=True)
    finally:
        os.close(file)


def read_stream(file: int, limit: int, seconds: float = TIME_LIMIT) -> bytes:
    """Return all bytes of an open file or pipe, such as standard input.

    Raises Unsuitable if there are more than `limit`, or if it does not end in time.
    """
    until = time.monotonic() + seconds
    parts: list[bytes] = []
    size = 0
    while True:
        left = until - time.monotonic()
        if left <= 0 or not select.select([file], [], [], left)[0]:
            raise Unsuitable(errno.ETIMEDOUT, f"it did not end within {seconds:g} s")
        part = os.read(file, _CHUNK)
        if not part:
            return b"".join(parts)
        parts.append(part)
        size += len(part)
        if size > limit:
            raise _too_large(limit)


def check_regular(path: Path, limit: int, links: bool = True) -> None:
    """Raise Unsuitable unless `read_bounded` would read the file, and OSError if there is none.

    Does not open it: closing a file releases the locks that SQLite holds on it in this process.
    """
    about = os.stat(path) if links else os.lstat(path)
    _check_kind(about)
    if about.st_size > limit:
        raise _too_large(limit)


def check_ours(path: Path, starts: tuple[bytes, ...]) -> None:
    """Raise ValueError with a sentence if a file exists that this program did not write.

    starts   how our files of this kind start
    """
    try:
        head = read_bounded(path, max(map(len, starts)), head=True)
    except FileNotFoundError:
        return
    except OSError as error:
        raise ValueError(f"{path} cannot be replaced: {reason_of(error)}.") from error
    if not head.startswith(starts):
        raise ValueError(f"{path} exists and Kibitz did not write it; give another name.")


def _open_regular(path: Path, links: bool) -> int:
    """Open a regular file. Looks before opening, because opening a device may already do
    something, and again afterwards, because the file may have been replaced."""
    _check_kind(os.stat(path) if links else os.lstat(path))
    file = os.open(path, _READ_ONLY if links else _READ_ONLY | os.O_NOFOLLOW)
    try:
        _check_kind(os.fstat(file))
    except Unsuitable:
        os.close(file)
        raise
    return file


def _check_kind(about: os.stat_result) -> None:
    if not stat.S_ISREG(about.st_mode):
        raise Unsuitable(errno.EINVAL, "it is not a regular file")


def _read(file: int, limit: int, head: bool) -> bytes:
    """Read at most `limit` bytes. A file may grow while it is read."""
    until = time.monotonic() + TIME_LIMIT
    parts: list[bytes] = []
    size = 0
    while part := os.read(file, min(_CHUNK, limit + 1 - size)):
        parts.append(part)
        size += len(part)
        if size > limit:
            if head:
                return b"".join(parts)[:limit]
            raise _too_large(limit)
        if time.monotonic() > until:
            raise Unsuitable(errno.ETIMEDOUT, f"reading it takes longer than {TIME_LIMIT:g} s")
    return b"".join(parts)


def _too_large(limit: int) -> Unsuitable:
    size = f"{limit >> 20} MB" if limit >= 1 << 20 else f"{limit >> 10} KB"
    return Unsuitable(errno.EFBIG, f"it is larger than {size}")
