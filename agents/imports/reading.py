"""Reads files of the original programs, for the baselines that see what those programs saw."""

import os
import stat
from collections.abc import Callable
from pathlib import Path
from typing import Final

from agents.imports import euchre, notty
from agents.imports.imported import ImportedValues
from agents.storage.files import reason_of

MAX_SIZE: Final = 256 << 20


class ImportRefused(ValueError):
    """A file that cannot be imported. The message is a sentence that says why."""


def read_file(path: Path) -> ImportedValues:
    """Detect which program wrote a file, and read it. Raises ImportRefused."""
    try:
        _check_file(path)
        imported = _reader_of(path)(path)
    except OSError as error:
        raise ImportRefused(f"{path} cannot be read: {reason_of(error)}.") from error
    except ValueError as error:
        raise ImportRefused(f"{path} was not imported because {error}.") from error
    if not imported.values:
        reason = imported.left_out or "nothing was ever learned in it"
        raise ImportRefused(f"{path} was not imported because {reason}.")
    return imported


def _check_file(path: Path) -> None:
    about = os.stat(path)
    if not stat.S_ISREG(about.st_mode):
        raise ValueError("it is not a regular file")
    if about.st_size > MAX_SIZE:
        raise ValueError(f"it is larger than {MAX_SIZE >> 20} MB")
    if not about.st_size:
        raise ValueError("it is empty")


def _reader_of(path: Path) -> Callable[[Path], ImportedValues]:
    with path.open("rb") as file:
        start = file.read(16)
    if start == b"SQLite format 3\0":
        return euchre.read
    if start.startswith(b"KIBITZ-Q"):
        raise ValueError(
            "it is a file of this program already; add it with kibitz learners import if its name "
            "ends with .kibitz, otherwise put it into the folder qtables"
        )
    if start.startswith(b"\x80"):
        return notty.read
    raise ValueError("it is neither a pickle of Notty nor an SQLite file of the Euchre program")
