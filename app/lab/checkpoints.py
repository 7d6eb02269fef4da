"""Checkpoints of the Lab: what an unfinished training has learned, separate from the values
that the agent plays with.

A training has a bookmark and a file of values here, and holds a lock while it runs. If the
program is killed, the operating system releases the lock, and the next Lab offers to keep what
was learned.
"""

import hashlib
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final
from uuid import uuid4

from filelock import FileLock, Timeout

from agents.agent import Learner
from agents.names import generation_name, own_name
from agents.registry import title_of
from agents.storage.store import (
    Store,
    StoreError,
    read_values,
    write_values,
)
from agents.storage.values_file import Refused, read_contents
from agents.training.course import Course, new_learner
from app.home.locations import Locations
from app.records.bookmark import Bookmark, read_bookmark, write_bookmark
from engine import GAMES

_BOOKMARK: Final = ".json"
_VALUES: Final = ".pkl"


def new_bookmark(course: Course, locations: Locations) -> Path:
    """Return an unused path for the bookmark of a checkpoint."""
    name = f"{course.game}.{course.agent}.{uuid4().hex[:8]}"
    return locations.checkpoints / f"{name}{_BOOKMARK}"


class Checkpoint:
    """The checkpoint of a training that runs now."""

    def __init__(self, bookmark: Path, start: Bookmark) -> None:
        """bookmark: see `new_bookmark`; start: what is known before the first match.

        Raises OSError.
        """
        self._bookmark = bookmark
        self._progress = start
        bookmark.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        self._lock = _lock_of(self._bookmark)
        self._lock.acquire(timeout=0)
        write_bookmark(self._bookmark, start)

    def save(self, learner: Learner, played: int, seconds: float) -> None:
        """Raises OSError."""
        write_values(self._bookmark.with_suffix(_VALUES), learner)
        self._progress = replace(self._progress, played=played, seconds=seconds)
        write_bookmark(self._bookmark, self._progress)

    def save_generation(self, learner: Learner, played: int, seconds: float) -> None:
        """Save the learner, and also keep it as a generation. Raises OSError."""
        write_values(_generation_path(self._bookmark, learner.log.matches), learner)
        self.save(learner, played, seconds)

    def keep_generations(self, store: Store) -> None:
        """Move the generations to the store. Raises StoreError."""
        _keep_generations(self._bookmark, self._progress.course, store)

    def close(self, keep: bool) -> None:
        """End the training. keep: whether the Lab offers the checkpoint later."""
        if keep:
            self._lock.release()
        else:
            remove_checkpoint(self._bookmark, self._lock)


@dataclass(frozen=True, slots=True)
class Interrupted:
    """A training that was interrupted.

    changed   whether the agent's values have changed since the training began
    """

    bookmark: Path
    progress: Bookmark
    changed: bool

    @property
    def question(self) -> str:
        course, played = self.progress.course, self.progress.played
        title = title_of(course.game, course.agent)
        question = (
            f"Training of {title} at {GAMES[course.game].title} was interrupted after "
            f"{played:,} matches. Keep what it learned?"
        )
        if not self.changed:
            return question
        return (
            f"{question}\n\n{title} has learned elsewhere since this training began. Keeping it "
            "replaces that; the present values stay as an earlier version."
        )


def interrupted_trainings(locations: Locations) -> list[Interrupted]:
    """Return the trainings that were interrupted, oldest first.

    Trainings that still run, perhaps in another window, are left out. Trainings that learned
    nothing are removed.
    """
    found = []
    for bookmark in sorted(locations.checkpoints.glob(f"*{_BOOKMARK}"), key=_modified):
        lock = _lock_of(bookmark)
        try:
            lock.acquire(timeout=0)
        except (Timeout, OSError):
            continue
        progress = read_bookmark(bookmark)
        if progress is not None and not bookmark.with_suffix(_VALUES).exists():
            remove_checkpoint(bookmark, lock)
            continue
        lock.release()
        if progress is None:
            continue
        with suppress(ValueError):  # The agent may be gone in this version of the program.
            changed = values_checksum(progress.course, locations) != progress.values_before
            found.append(Interrupted(bookmark, progress, changed))
    return found


def values_checksum(course: Course, locations: Locations) -> str | None:
    """Return a checksum of the saved values of a course's learner, if there are any."""
    path = Store(locations.qtables).path(course.game, course.agent)
    try:
        return hashlib.sha256(read_contents(path)).hexdigest()
    except (OSError, Refused):
        return None


def keep_interrupted(training: Interrupted, locations: Locations) -> None:
    """Save what an interrupted training learned, and remove its checkpoint. Raises StoreError."""
    course = training.progress.course
    learner = new_learner(course)
    store = Store(locations.qtables)
    try:
        read_values(
            training.bookmark.with_suffix(_VALUES), learner, own_setup=bool(own_name(course.agent))
        )
    except Refused as refusal:
        raise StoreError(f"The checkpoint was not loaded because {refusal}.") from refusal
    store.replace(learner)
    _keep_generations(training.bookmark, course, store)
    remove_checkpoint(training.bookmark)


def _generation_path(bookmark: Path, matches: int) -> Path:
    return bookmark.with_name(f"{generation_name(bookmark.stem, matches)}{_VALUES}")


def _generations(bookmark: Path) -> list[tuple[int, Path]]:
    """The matches of training and the file of each generation of a checkpoint."""
    found = Store(bookmark.parent).generations(*bookmark.stem.split(".", 1))
    return [(matches, _generation_path(bookmark, matches)) for matches in found]


def _keep_generations(bookmark: Path, course: Course, store: Store) -> None:
    for matches, path in _generations(bookmark):
        store.add_generation(course.game, course.agent, matches, path)


def _modified(path: Path) -> float:
    return path.stat().st_mtime


def _lock_of(bookmark: Path) -> FileLock:
    return FileLock(bookmark.with_name(f".{bookmark.stem}.lock"))


def remove_checkpoint(bookmark: Path, lock: FileLock | None = None) -> None:
    """Remove a checkpoint. lock: its lock, if this process holds it.

    The bookmark goes last, because a bookmark without values is ignored.
    """
    lock = lock or _lock_of(bookmark)
    for _, path in _generations(bookmark):
        path.unlink(missing_ok=True)
    bookmark.with_suffix(_VALUES).unlink(missing_ok=True)
    bookmark.unlink(missing_ok=True)
    lock.release()
    Path(lock.lock_file).unlink(missing_ok=True)
