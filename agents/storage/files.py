"""Writing files so that none is lost: not in a crash, and not under another one."""

import os
import tempfile
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path


def unused(path: Path) -> Path:
    """That path, or with a number behind it where something is already."""
    free, number = path, 1
    while os.path.lexists(free):
        number += 1
        free = path.with_name(f"{path.name}-{number}")
    return free


def write_whole(path: Path, contents: bytes, before: Callable[[], None] = lambda: None) -> None:
    """Write a file beside its place, flush it to the disk, and put it there.

    before   called when the new file is safe and the old one still in its place
    """
    handle, temporary = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(contents)
            file.flush()
            os.fsync(file.fileno())
        before()
        os.replace(temporary, path)
    except BaseException:
        with suppress(OSError):
            os.unlink(temporary)
        raise
    folder = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)


def reason_of(error: Exception) -> str:
    """Why a file or a program could not be used, as the end of a sentence."""
    told = error.strerror if isinstance(error, OSError) else None
    return (told or str(error)).lower()
