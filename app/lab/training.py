"""Training from the command line: a progress bar while it runs, a report at the end."""

import os
from collections.abc import Callable, Sequence
from concurrent.futures import Executor
from contextlib import nullcontext, suppress
from dataclasses import asdict, dataclass, replace
from math import inf
from pathlib import Path
from time import perf_counter
from typing import Any

from agents.agent import Learner
from agents.names import own_name
from agents.parallel.parts import WorkError
from agents.registry import portable_name, title_of
from agents.storage.files import reason_of, write_atomic
from agents.storage.store import Store
from agents.storage.values_file import Refused, check_replaceable, read_contents
from agents.training.course import Course
from agents.training.measurement import growing_marks, milestones
from agents.training.session import TrainingSession
from agents.training_log import CurvePoint
from app.home.locations import Locations
from app.lab.course_file import Measuring
from app.lab.curve_file import check_curve_file, write_curve
from app.lab.learner_store import CONTINUE, resolved, starting_learner
from app.lab.progress_bar import progress_bar
from app.lab.stop_signals import StopSignals
from app.lab.training_record import TrainingRecord
from app.records.bookmark import Bookmark, read_bookmark, write_bookmark
from app.records.history import History, HistoryError
from engine import GAMES


def run_course(
    course: Course,
    locations: Locations,
    workers: int,
    measuring: Measuring,
    out: Path | None,
    show_bar: bool,
    checkpoint: int | None = None,
    executor: Executor | None = None,
    start: str = CONTINUE,
    seconds: float | None = None,
    curve: Path | None = None,
) -> dict[str, Any]:
    """Train, save and return the report that `kibitz train --json` prints.

    checkpoint   save after so many matches, besides every minute
    executor     plays instead of processes on this machine, with `workers` in parallel
    start        see `app.lab.learner_store`
    seconds      stop after so many seconds of playing
    curve        a file for the learning curve of the learner; its suffix decides the format

    A signal stops the training after the current round. What was learned is then saved, and
    also if the workers are lost. A killed training loses what came after its last checkpoint.
    The same course started again continues where it stopped, unless `start` says otherwise.
    """
    if curve is not None:
        check_curve_file(curve)
    if out is not None:
        check_writable(out)
    locations.prepare()
    learner, store, start = starting_learner(course, locations, start)
    bookmark = locations.course(course.game, course.agent)
    saved = store.path(learner.game, learner.name)
    continues = start == CONTINUE and saved.exists()
    first = _matches_played(bookmark, course) if continues else 0
    history = History(locations.history)
    record = TrainingRecord(history, course, workers, first)
    opponents = [
        portable_name(course.game, name, Store(locations.qtables)) for name in course.opponents
    ]
    started = perf_counter()
    bar = progress_bar(f"{course.game} {course.agent}", course.games, first, seconds)
    with bar if show_bar else nullcontext(_no_bar) as update, StopSignals() as signals:
        host = _CommandHost(store, course, bookmark, record, update, signals, start, history)
        session = TrainingSession(
            replace(resolved(course, learner), opponents=tuple(opponents)),
            learner,
            host,
            first=first,
            workers=workers,
            executor=executor,
            measure_at=_marks(course, learner, first, measuring, seconds),
            measured_games=measuring.games,
            checkpoint_matches=checkpoint,
            max_seconds=inf if seconds is None else seconds,
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
    if curve is not None:
        title = f"{title_of(course.game, course.agent)} at {GAMES[course.game].title}"
        about = {"game": course.game, "agent": course.agent, "matches": learner.log.matches}
        write_curve(curve, title, learner.log.points, about)
    stats = learner.stats()
    return {
        "game": course.game,
        "agent": course.agent,
        "games": session.played - first,
        "first": first,
        "from": learner.source if start == CONTINUE else start,
        "trained": learner.log.matches,
        "seed": course.seed,
        "workers": workers,
        "options": dict(course.options),
        "opponents": list(course.opponents),
        "stopped": not session.finished,
        "seconds": round(seconds, 3),
        "training_seconds": round(session.seconds, 3),
        "games_per_second": round((session.played - first) / max(session.seconds, 1e-9), 2),
        "updates": stats.updates,
        "table_size": stats.table_size,
        "size_unit": stats.size_unit,
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


def _marks(
    course: Course, learner: Learner, first: int, measuring: Measuring, seconds: float | None
) -> Sequence[int]:
    """Return after how many matches to measure. A learner that has learned nothing is measured
    first, so that its curve begins at match 0."""
    if not measuring.points:
        return ()
    if seconds is not None:
        return growing_marks(course.games)
    marks = milestones(course.games, measuring.points)
    return marks if learner.log.matches else [first, *marks]


def _no_bar(session: TrainingSession) -> None:
    pass


def check_writable(out: Path) -> None:
    """Raise ValueError if a file cannot be written there, before hours of training."""
    folder = out.parent
    if out.is_dir():
        raise ValueError(f"{out} is a folder; name a file in it.")
    if not folder.is_dir():
        raise ValueError(f"There is no folder {folder} for {out.name}; create it first.")
    if not os.access(out if out.exists() else folder, os.W_OK):
        raise ValueError(f"{out} cannot be written: permission denied.")


def _copy(saved: Path, out: Path) -> None:
    check_replaceable(out)
    try:
        write_atomic(out, read_contents(saved), private=False)
    except (OSError, Refused) as error:
        raise ValueError(f"{out} cannot be written: {reason_of(error)}.") from error


@dataclass(slots=True)
class _CommandHost:
    """Saves each checkpoint to the learner's file, with a bookmark to continue from.

    course   as it was given, for the bookmark
    start    what the training starts from; the first save moves other values aside
    """

    store: Store
    course: Course
    bookmark: Path
    record: TrainingRecord
    update_bar: Callable[[TrainingSession], None]
    signals: StopSignals
    start: str
    history: History

    def progress(self, session: TrainingSession) -> None:
        self.update_bar(session)

    def measured(self, points: Sequence[CurvePoint]) -> None:
        self.record.add_points(points)

    def stop_requested(self) -> bool:
        return self.signals.received

    def keep_generation(self, session: TrainingSession) -> None:
        self._move_aside()
        self.store.save_generation(session.learner)

    def checkpoint(self, session: TrainingSession) -> None:
        self._move_aside()
        self.store.save(session.learner)
        try:
            if session.finished:
                self.bookmark.unlink(missing_ok=True)
            else:
                write_bookmark(self.bookmark, Bookmark(self.course, session.played))
        except OSError as error:
            raise ValueError(f"{self.bookmark} cannot be written: {reason_of(error)}.") from error

    def _move_aside(self) -> None:
        """Keep the values that this training does not continue under another name."""
        if self.start == CONTINUE:
            return
        self.start = CONTINUE
        game, agent = self.course.game, self.course.agent
        aside = self.store.set_aside(game, agent)
        if aside is None:
            return
        self.store.notices.append(
            f"What {agent} had learned before is kept as {aside.name} in {aside.parent}."
        )
        with suppress(HistoryError):
            self.history.forget(game, agent)


def summary(report: dict[str, Any]) -> str:
    """Return the report of a training as text."""
    lines = [
        f"{report['game']} {report['agent']}: {report['games']} matches in "
        f"{report['training_seconds']:.1f} s ({report['games_per_second']:.1f}/s), "
        f"{report['table_size']:,} {report['size_unit']} known"
    ]
    if report["stopped"]:
        command = "the same command"
        if report["from"] != CONTINUE and not own_name(report["agent"]):
            command += " without --from"
        lines.append(f"Stopped early. What was learned is saved; {command} continues.")
    if report["first"]:
        lines.append(f"It continued after match {report['first']}, where it had stopped.")
    lines += [
        f"after {point['games']:>7}: {point['win_rate']:.1%} against {point['against']} "
        f"({point['low']:.1%} – {point['high']:.1%})"
        for point in report["curve"]
    ]
    return "\n".join(lines + report["notices"])
