"""A job under way, seen from the app: orders go to its process, reports come back."""

import os
import signal
from asyncio import Event
from collections.abc import Callable
from contextlib import suppress
from dataclasses import asdict, dataclass
from enum import Enum, auto
from multiprocessing import get_context
from pathlib import Path
from threading import Thread
from typing import Final

from agents.training.measurement import CurvePoint
from app.lab.jobs import (
    LAST,
    Evaluated,
    Evaluation,
    Failed,
    Job,
    Kept,
    Learned,
    Measured,
    Order,
    Progress,
    Remark,
    Report,
    Training,
)
from app.lab.worker import work
from app.records.history import History, HistoryError

_PARTING: Final = 2.0
"""Seconds to wait for the last words of a process that was ended."""


class Phase(Enum):
    PREPARING = auto()
    WORKING = auto()
    PAUSED = auto()
    STOPPING = auto()
    ASKING = auto()
    """The course is over: what was learned is kept or thrown away."""
    KEEPING = auto()
    OVER = auto()


@dataclass(frozen=True, slots=True)
class Rooms:
    """Where the tables are that a job reads and keeps."""

    tables: Path
    experiments: Path


Hear = Callable[["Run", Report], None]
"""Called from another thread with what the process reports."""


class Run:
    """A job and how it goes.

    points   what a course has measured so far
    result   the last report, when it is over
    over     set when nothing more will come
    """

    def __init__(self, job: Job, rooms: Rooms, history: History, hear: Hear) -> None:
        self.job = job
        self.phase = Phase.PREPARING
        self.progress = Progress(0, 1, 0.0)
        self.points: list[CurvePoint] = []
        self.result: Report | None = None
        self.over = Event()
        self._hear = hear
        context = get_context("spawn")
        self._connection, self._far_end = context.Pipe()
        # Not a daemon, since daemons may have no workers of their own; `end` sees to its end.
        self._process = context.Process(
            target=work, args=(job, rooms.tables, rooms.experiments, self._far_end), daemon=False
        )
        self._ended = False
        self._record = _Record(job, history)
        self._thread = Thread(target=self._follow, daemon=True)

    def start(self) -> None:
        self._thread.start()

    @property
    def busy(self) -> bool:
        return self.phase is not Phase.OVER

    @property
    def unsaved(self) -> bool:
        """Whether there is something learned that would be lost."""
        return self.busy and isinstance(self.job, Training) and self.phase is not Phase.KEEPING

    # Orders

    def pause(self) -> None:
        """Pause, or go on."""
        if self.phase is Phase.WORKING:
            self._order(Order.PAUSE, Phase.PAUSED)
        elif self.phase is Phase.PAUSED:
            self._order(Order.GO_ON, Phase.WORKING)

    def stop(self) -> None:
        if self.phase in (Phase.PREPARING, Phase.WORKING, Phase.PAUSED):
            self._order(Order.STOP, Phase.STOPPING)

    def keep(self) -> None:
        if self.unsaved:
            self._order(Order.KEEP, Phase.KEEPING)

    def throw_away(self) -> None:
        if self.unsaved:
            self._order(Order.THROW_AWAY, Phase.KEEPING)

    def _order(self, order: Order, phase: Phase) -> None:
        with suppress(OSError):
            self._connection.send(order)
            self.phase = phase

    def end(self) -> None:
        """End the process at once; what was not kept is lost."""
        self._ended = True
        self._kill()
        if self._thread.is_alive():
            self._thread.join(_PARTING)

    def _kill(self) -> None:
        """The process leads a group: those whom it has set to work end with it."""
        pid = self._process.pid
        if pid is not None:
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(pid, signal.SIGKILL)
            self._process.kill()

    # Reports

    def take(self, report: Report) -> None:
        """What the process has reported; called where the screens live."""
        if isinstance(report, Progress):
            self.progress = report
            if self.phase is Phase.PREPARING:
                self.phase = Phase.WORKING
        elif isinstance(report, Measured):
            self.points += report.points
        elif isinstance(report, Learned):
            self.progress = Progress(report.games, self.progress.total, report.seconds)
            if self.phase is not Phase.KEEPING:
                self.phase = Phase.ASKING
        elif isinstance(report, LAST):
            self.result = report
            self.phase = Phase.OVER
            self.over.set()

    def _follow(self) -> None:
        """Hear the process out, and remember what is worth it."""
        self._say(self._record.begin())
        last: Report | None = None
        try:
            self._process.start()
            self._far_end.close()
            if self._ended:
                self._kill()
            while not isinstance(last, LAST):
                last = self._connection.recv()
                if not isinstance(last, LAST):
                    self._say(self._record.write(last))
                    self._hear(self, last)
        except Exception as error:
            last = Failed(self._what_happened(error))
        else:
            self._process.join(_PARTING)
        self._connection.close()
        self._say(self._record.write(last))
        if not self._ended:
            self._hear(self, last)

    def _what_happened(self, error: Exception) -> str:
        if self._process.pid is None:
            return f"The work could not be started ({error})."
        self._kill()
        self._process.join(_PARTING)
        return (
            "The process that did the work has ended unexpectedly "
            f"(status {self._process.exitcode}); nothing was changed."
        )

    def _say(self, complaint: str) -> None:
        if complaint and not self._ended:
            self._hear(self, Remark(complaint))


class _Record:
    """What the history keeps of a run. A history that fails is complained about once."""

    def __init__(self, job: Job, history: History) -> None:
        self._job = job
        self._history = history
        self._number: int | None = None
        self._games = 0
        self._seconds = 0.0

    def begin(self) -> str:
        job = self._job
        if not isinstance(job, Training):
            return ""
        course = job.course
        settings = asdict(course) | {"workers": job.workers}
        try:
            self._number = self._history.start_run(course.game, course.agent, course.seed, settings)
        except HistoryError as error:
            return str(error)
        return ""

    def write(self, report: Report) -> str:
        """What there is to complain about."""
        try:
            if isinstance(report, Evaluated) and isinstance(self._job, Evaluation):
                self._history.add_evaluation(self._job.game, report.report)
            elif self._number is not None:
                self._write_run(self._number, report)
        except HistoryError as error:
            self._number = None
            return str(error)
        return ""

    def _write_run(self, number: int, report: Report) -> None:
        if isinstance(report, Progress):
            self._games, self._seconds = report.done, report.seconds
        elif isinstance(report, Learned):
            self._games, self._seconds = report.games, report.seconds
        elif isinstance(report, Measured):
            self._history.add_points(number, report.points)
        elif isinstance(report, LAST):
            # What is kept apart does not continue the curve of the one at the tables.
            kept = isinstance(report, Kept) and not report.apart
            self._history.end_run(number, self._games, self._seconds, kept)
