"""Training from the command line: a progress bar while it runs, a report at the end."""

from collections.abc import Callable, Sequence
from concurrent.futures import Executor
from contextlib import nullcontext
from dataclasses import asdict, dataclass
from pathlib import Path
from time import perf_counter
from typing import Any

from agents.parallel.parts import WorkError
from agents.storage.files import reason_of, write_atomic
from agents.storage.store import Store
from agents.training.course import Course
from agents.training.measurement import milestones
from agents.training.session import TrainingSession
from agents.training_log import CurvePoint
from app.home.locations import Locations
from app.lab.bookmark import Bookmark, read_bookmark, write_bookmark
from app.lab.course_file import Measuring
from app.lab.learner_store import learner_and_store
from app.lab.progress_bar import progress_bar
from app.lab.stop_signals import StopSignals
from app.lab.training_record import TrainingRecord
from app.records.history import History


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
    """Train, save and return the report that `kibitz train --json` prints.

    checkpoint   save after so many matches, besides every minute
    executor     plays instead of processes on this machine, with `workers` in parallel

    A signal stops the training after the current round. What was learned is then saved, and
    also if the workers are lost. A killed training loses what came after its last checkpoint.
    The same course started again continues where it stopped.
    """
    locations.prepare()
    learner, store = learner_and_store(course, locations)
    bookmark = locations.course(course.game, course.agent)
    saved = store.path(learner.game, learner.name)
    first = _matches_played(bookmark, course) if saved.exists() else 0
    history = History(locations.history)
    record = TrainingRecord(history, course, workers, first)
    started = perf_counter()
    bar = progress_bar(f"{course.game} {course.agent}", course.games, first)
    with bar if show_bar else nullcontext(_no_bar) as update, StopSignals() as signals:
        session = TrainingSession(
            course,
            learner,
            _CommandHost(store, bookmark, record, update, signals),
            first=first,
            workers=workers,
            executor=executor,
            measure_at=milestones(course.games, measuring.points) if measuring.points else (),
            measured_games=measuring.games,
            checkpoint_matches=checkpoint,
        )
        try:
            session.run()
        except WorkError:
            record.end(session.played, session.seconds, kept=True)
            raise
        # The bar may fail to close if the terminal is gone, so the run is recorded before.
        seconds = perf_counter() - started
        record.end(session.played, session.seconds, kept=True)
    if out is not None:
        _copy(saved, out)
    stats = learner.stats()
    return {
        "game": course.game,
        "agent": course.agent,
        "games": session.played - first,
        "first": first,
        "seed": course.seed,
        "workers": workers,
        "options": dict(course.options),
        "opponents": list(course.opponents),
        "stopped": not session.finished,
        "seconds": round(seconds, 3),
        "games_per_second": round((session.played - first) / seconds, 2),
        "updates": stats.updates,
        "table_size": stats.table_size,
        "epsilon": stats.epsilon,
        "curve": [asdict(point) for point in session.curve],
        "notices": store.notices + history.notices + record.notices,
    }


def _matches_played(bookmark: Path, course: Course) -> int:
    """Return where to continue; 0 if the bookmark is for another course or a finished one."""
    found = read_bookmark(bookmark)
    if found is None or found.course != course or found.played >= course.games:
        return 0
    return found.played


def _no_bar(played: int) -> None:
    pass


def _copy(saved: Path, out: Path) -> None:
    try:
        write_atomic(out, saved.read_bytes(), private=False)
    except OSError as error:
        raise ValueError(f"{out} cannot be written: {reason_of(error)}.") from error


@dataclass(frozen=True, slots=True)
class _CommandHost:
    """Saves each checkpoint to the learner's file, with a bookmark to continue from."""

    store: Store
    bookmark: Path
    record: TrainingRecord
    update_bar: Callable[[int], None]
    signals: StopSignals

    def progress(self, session: TrainingSession) -> None:
        self.update_bar(session.played)

    def measured(self, points: Sequence[CurvePoint]) -> None:
        self.record.add_points(points)

    def stop_requested(self) -> bool:
        return self.signals.received

    def keep_generation(self, session: TrainingSession) -> None:
        self.store.save_generation(session.learner)

    def checkpoint(self, session: TrainingSession) -> None:
        self.store.save(session.learner)
        try:
            if session.finished:
                self.bookmark.unlink(missing_ok=True)
            else:
                write_bookmark(self.bookmark, Bookmark(session.course, session.played))
        except OSError as error:
            raise ValueError(f"{self.bookmark} cannot be written: {reason_of(error)}.") from error


def summary(report: dict[str, Any]) -> str:
    """Return the report of a training as text."""
    lines = [
        f"{report['game']} {report['agent']}: {report['games']} matches in "
        f"{report['seconds']:.1f} s ({report['games_per_second']:.1f}/s), "
        f"{report['table_size']} situations known"
    ]
    if report["stopped"]:
        lines.append("Stopped early. What was learned is saved; the same command continues.")
    if report["first"]:
        lines.append(f"It continued after match {report['first']}, where it had stopped.")
    lines += [
        f"after {point['games']:>7}: {point['win_rate']:.1%} against {point['against']} "
        f"({point['low']:.1%} – {point['high']:.1%})"
        for point in report["curve"]
    ]
    return "\n".join(lines + report["notices"])
