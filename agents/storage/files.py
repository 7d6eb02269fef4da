"""Writing whole files atomically, unused paths, and reasons of errors."""

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path


def unused_path(path: Path) -> Path:
    """Return the path itself, or the path with a number appended if it is taken."""
    free, number = path, 1
    while os.path.lexists(free):
        number += 1
        free = path.with_name(f"{path.name}-{number}")
    return free


@contextmanager
def replacing(
    path: Path, private: bool = True, before_replace: Callable[[], None] | None = None
) -> Iterator[Path]:
    """Yield an empty temporary file that replaces `path` when the block succeeds.

    The temporary file is in the same folder and is flushed to the disk first, so that `path`
    always holds either the old or the complete new contents. It is removed on errors.

    private         whether only the owner may read the file
    before_replace  called when the new file is safe on the disk and the old one still in place
    """
    temporary = path.with_name(f".{path.name}.{os.urandom(4).hex()}")
    os.close(os.open(temporary, os.O_CREAT | os.O_EXCL, 0o600 if private else 0o666))
    try:
        yield temporary
        _flush(temporary)
        if before_replace is not None:
            before_replace()
        os.replace(temporary, path)
    except BaseException:
        with suppress(OSError):
            os.unlink(temporary)
        raise
    _flush(path.parent)


def write_atomic(
    path: Path,
    contents: bytes,
    private: bool = True,
    before_replace: Callable[[], None] | None = None,
) -> None:
    """Write a whole file with `replacing`."""
    with replacing(path, private, before_replace) as temporary:
        temporary.write_bytes(contents)


def _flush(path: Path) -> None:
    """Flush a file or the entries of a folder to the disk."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def reason_of(error: Exception) -> str:
    """Return why a file or a program could not be used, as the end of a sentence."""
    reason = (error.strerror if isinstance(error, OSError) else None) or str(error)
    return reason[:1].lower() + reason[1:]
