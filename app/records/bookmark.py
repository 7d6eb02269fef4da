"""Bookmarks: how far an unfinished course has come."""

import json
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final

from agents.storage.bounded import read_bounded
from agents.storage.files import write_atomic
from agents.training.course import Course

_LARGEST: Final = 1 << 16


@dataclass(frozen=True, slots=True)
class Bookmark:
    """How far a course has come.

    played          matches played so far
    seconds         spent on them
    run             number of the run in the history, if it has one
    values_before   checksum of the saved values that the training started from, if there were any
    """

    course: Course
    played: int
    seconds: float = 0.0
    run: int | None = None
    values_before: str | None = None


def read_bookmark(path: Path) -> Bookmark | None:
    """Return the bookmark in a file, or None if there is no valid one."""
    from pydantic import TypeAdapter, ValidationError

    try:
        found = TypeAdapter(Bookmark).validate_json(read_bounded(path, _LARGEST))
    except (OSError, ValidationError):
        return None
    return found if 0 <= found.played <= found.course.games else None


def write_bookmark(path: Path, bookmark: Bookmark) -> None:
    """Raises OSError."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    write_atomic(path, json.dumps(asdict(bookmark)).encode())
