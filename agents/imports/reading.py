"""Reads files of the original programs, for the baselines that see what those programs saw."""

from collections.abc import Callable
from pathlib import Path

from agents.imports import euchre, notty
from agents.imports.imported import MAX_SIZE, ImportedValues
from agents.plain_text import sentence
from agents.storage.bounded import Unsuitable, check_regular, read_bounded
from agents.storage.files import reason_of


class ImportRefused(ValueError):
    """A file that cannot be imported. The message is a sentence that says why."""


def read_file(path: Path) -> ImportedValues:
    """Detect which program wrote a file, and read it. Raises ImportRefused."""
    try:
        check_regular(path, MAX_SIZE)
        imported = _reader_of(path)(path)
    except Unsuitable as unsuitable:
        raise ImportRefused(
            f"{path} was not imported because {unsuitable.strerror}."
        ) from unsuitable
    except OSError as error:
        raise ImportRefused(f"{path} cannot be read: {reason_of(error)}.") from error
    except ValueError as error:
        raise ImportRefused(f"{path} was not imported because {sentence(str(error))}.") from error
    except Exception as error:
        raise ImportRefused(f"{path} was not imported because it makes no sense.") from error
    if not imported.values:
        reason = imported.left_out or "nothing was ever learned in it"
        raise ImportRefused(f"{path} was not imported because {reason}.")
    return imported


def _reader_of(path: Path) -> Callable[[Path], ImportedValues]:
    start = read_bounded(path, 16, head=True)
    if not start:
        raise ValueError("it is empty")
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
