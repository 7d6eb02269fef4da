"""Tables of the original programs, for the baselines that see what those saw.

The originals kept no count of how often they had tried a move. What they learned counts here
as if each of their values had been tried equally often.
"""

import os
import stat
from collections.abc import Callable
from dataclasses import dataclass
from math import isfinite
from pathlib import Path
from typing import Final

from agents.learners.features import Situation
from agents.storage.files import reason_of

LARGEST: Final = 256 << 20
MOST_SITUATIONS: Final = 200_000
"""More would not fit into a table on disk."""

Values = dict[Situation, dict[int, float]]
"""What moves are worth in a situation, by their numbers."""


class ImportRefused(ValueError):
    """A file that is not taken over; the message is a sentence that says why."""


@dataclass(frozen=True, slots=True)
class ForeignTable:
    """What a file has to say to one of our learners.

    found     how many situations it tells of, with or without any use here
    taken     how many of them are among `values`
    visits    how often each value counts as tried
    actions, explored
              what the original had done in all, and how much of that at random
    left_out  why situations were left out, if any were
    """

    game: str
    agent: str
    values: Values
    found: int
    taken: int
    visits: int = 1
    actions: int = 0
    explored: int = 0
    left_out: str = ""


def read_table(path: Path) -> ForeignTable:
    """Find out which program's table a file is, and read it. Raises ImportRefused."""
    try:
        _check_file(path)
        table = _reader_of(path)(path)
    except OSError as error:
        raise ImportRefused(f"{path} cannot be read: {reason_of(error)}.") from error
    except ValueError as error:
        raise ImportRefused(f"{path} was not imported because {error}.") from error
    if not table.values:
        why = table.left_out or "nothing was ever learned in it"
        raise ImportRefused(f"{path} was not imported because {why}.")
    return table


def a_value(value: object) -> float:
    """Raises ValueError for what is no finite number."""
    if type(value) not in (int, float) or not isfinite(value):  # type: ignore[arg-type]
        raise ValueError("some of its values are not numbers")
    return float(value)  # type: ignore[arg-type]


def _check_file(path: Path) -> None:
    about = os.stat(path)
    if not stat.S_ISREG(about.st_mode):
        raise ValueError("it is not a regular file")
    if about.st_size > LARGEST:
        raise ValueError(f"it is larger than {LARGEST >> 20} MB")
    if not about.st_size:
        raise ValueError("it is empty")


def _reader_of(path: Path) -> Callable[[Path], ForeignTable]:
    from agents.imports import euchre, notty

    with path.open("rb") as file:
        start = file.read(16)
    if start == b"SQLite format 3\0":
        return euchre.read
    if start.startswith(b"KIBITZ-Q"):
        raise ValueError("it is a table of this program already; put it into the folder qtables")
    if start.startswith(b"\x80"):
        return notty.read
    raise ValueError("it is neither a pickle of Notty nor an SQLite file of the Euchre program")
