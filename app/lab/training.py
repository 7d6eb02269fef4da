"""Training from the command line: a bar while it runs, a curve when it is done."""

import json
import sys
from collections.abc import Iterator
from concurrent.futures import Executor
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from time import perf_counter
from typing import Any, Final, Protocol

from agents.parallel.parts import WorkError
from agents.storage.files import reason_of, write_atomic
from agents.training.course import Course
from agents.training.measurement import CurvePoint, measure, milestones
from agents.training.rounds import train
from app.home.locations import Locations
from app.lab.course_file import Measuring
from app.lab.learner_store import apprentice
from app.lab.stopping import Stopping
from app.records.history import History, HistoryError


class Bar(Protocol):
    def __call__(self, played: int) -> None: ...


CHECKPOINT_SECONDS: Final = 60.0
"""What was learned is saved at least this often."""


def run_course(
    course: Course,
    locations: Locations,
    workers: int,
    measuring: Measuring,
    out: Path | None,
    show_bar: bool,
    checkpoint: int | None = None,
    executor: Executor | None = None,
) -> dict[str, Any]:
    """Train and save; what came of it.

    executor   plays in place of processes of our own, `workers` at once

    Told to stop, it finishes the round it is in and saves; left alone by those who play, it
    saves what was learned so far; killed, it loses what came after the last checkpoint, that is
    after `checkpoint` matches or so many seconds. The same course started again goes on where
    it stopped.
    """
    locations.prepare()
    learner, store = apprentice(course, locations.qtables, locations.experiments)
    record = _Record(History(locations.history), course, workers)
    bookmark = _Bookmark(locations.course(course.game, course.agent), course)
    found = store.path(learner.game, learner.name).exists()
    first = bookmark.read() if found else 0
    played, kept, stopped = first, first, False
    started = kept_at = perf_counter()
    curve: list[CurvePoint] = []
    with _bar(course, first, show_bar) as bar, Stopping() as stopping:
        try:
            for played_now in train(course, learner, workers, executor, first):
                before, played = played, played_now
                bar(played)
                if stopping.asked:
                    stopped = played < course.games
                    break
                if _is_due(course, measuring, before, played):
                    curve += measure(
                        course,
                        learner,
                        measuring.games,
                        played,
                        executor=executor,
                        workers=workers,
                    )
                enough = checkpoint is not None and played - kept >= checkpoint
                if enough or perf_counter() - kept_at >= CHECKPOINT_SECONDS:
                    store.save(learner)
                    bookmark.write(played)
                    kept, kept_at = played, perf_counter()
        except KeyboardInterrupt:
            stopped = True
        except WorkError:
            store.save(learner)
            bookmark.write(played)
            raise
        # Before the bar goes: where the terminal has gone, it cannot.
        seconds = perf_counter() - started
        store.save(learner)
        bookmark.write(played)
        record.close(curve, played, seconds)
    if out is not None:
        try:
            write_atomic(out, store.path(learner.game, learner.name).read_bytes(), private=False)
        except OSError as error:
            raise ValueError(f"{out} cannot be written: {reason_of(error)}.") from error
    stats = learner.stats()
    return {
        "game": course.game,
        "agent": course.agent,
        "games": played - first,
        "first": first,
        "seed": course.seed,
        "workers": workers,
        "options": dict(course.options),
        "opponents": list(course.opponents),
        "stopped": stopped,
        "seconds": round(seconds, 3),
        "games_per_second": round((played - first) / seconds, 2),
        "updates": stats.updates,
        "table_size": stats.table_size,
        "epsilon": stats.epsilon,
        "curve": [asdict(point) for point in curve],
        "notices": store.notices + record.notices,
    }


class _Bookmark:
    """How far an unfinished course came, for the next time it is started."""

    def __init__(self, path: Path, course: Course) -> None:
        self._path = path
        self._course: dict[str, Any] = json.loads(json.dumps(asdict(course)))

    def read(self) -> int:
        """The matches played; 0 if it was another course, or none was left unfinished."""
        try:
            found = json.loads(self._path.read_text(encoding="utf-8"))
            played = found["played"] if found["course"] == self._course else 0
        except (OSError, ValueError, LookupError, TypeError):
            return 0
        valid = type(played) is int and 0 <= played < self._course["games"]
        return played if valid else 0

    def write(self, played: int) -> None:
        try:
            if played >= self._course["games"]:
                self._path.unlink(missing_ok=True)
                return
            self._path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            contents = json.dumps({"played": played, "course": self._course})
            write_atomic(self._path, contents.encode())
        except OSError as error:
            raise ValueError(f"{self._path} cannot be written: {error.strerror}.") from error


def _is_due(course: Course, measuring: Measuring, before: int, played: int) -> bool:
    """Whether one of the curve's marks has been passed."""
    marks = milestones(course.games, measuring.points) if measuring.points else []
    return any(before < mark <= played for mark in marks)


class _Record:
    """A run in the history. What cannot be written there stops no training: it is a notice."""

    def __init__(self, history: History, course: Course, workers: int) -> None:
        self.notices: list[str] = []
        self._history = history
        self._run: int | None = None
        try:
            self._run = history.start_run(
                course.game, course.agent, course.seed, asdict(course) | {"workers": workers}
            )
        except HistoryError as error:
            self.notices.append(str(error))

    def close(self, curve: list[CurvePoint], games: int, seconds: float) -> None:
        if self._run is not None:
            try:
                self._history.add_points(self._run, curve)
                self._history.end_run(self._run, games, seconds, kept=True)
            except HistoryError as error:
                self.notices.append(str(error))
        self.notices = self._history.notices + self.notices


@contextmanager
def _bar(course: Course, first: int, shown: bool) -> Iterator[Bar]:
    """A progress bar with rate and time left on the terminal, or nothing.

    first   matches that were played before
    """
    if not shown:
        yield lambda played: None
        return
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeRemainingColumn,
    )

    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("{task.fields[rate]}"),
        TimeRemainingColumn(),
    )
    started = perf_counter()
    with Progress(*columns, console=Console(file=sys.stderr), transient=True) as progress:
        task = progress.add_task(
            f"{course.game} {course.agent}", total=course.games, completed=first, rate=""
        )

        def update(played: int) -> None:
            rate = (played - first) / (perf_counter() - started)
            progress.update(task, completed=played, rate=f"{rate:.1f} games/s")

        yield update


def summary(report: dict[str, Any]) -> str:
    """A training run for a person to read."""
    lines = [
        f"{report['game']} {report['agent']}: {report['games']} matches in "
        f"{report['seconds']:.1f} s ({report['games_per_second']:.1f}/s), "
        f"{report['table_size']} situations known"
    ]
    if report["stopped"]:
        lines.append(
            "Stopped early; what was learned so far is saved, and the same command goes on from it."
        )
    if report["first"]:
        lines.append(f"It went on after match {report['first']}, where it had stopped.")
    lines += [
        f"after {point['games']:>7}: {point['win_rate']:.1%} against {point['against']} "
        f"({point['low']:.1%} – {point['high']:.1%})"
        for point in report["curve"]
    ]
    return "\n".join(lines + report["notices"])
