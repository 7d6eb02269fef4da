"""A job that runs, seen from the app: commands go to its process, reports come back."""

import os
import signal
from asyncio import Event
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from enum import Enum, auto
from multiprocessing import get_context
from multiprocessing.context import SpawnProcess
from threading import Thread
from typing import Final

from agents.training_log import CurvePoint
from app.home.locations import Locations
from app.lab.checkpoints import new_bookmark, remove_checkpoint
from app.lab.jobs import (
    FINAL,
    Cancelled,
    Command,
    Evaluated,
    Evaluation,
    Job,
    Kept,
    Learned,
    Measured,
    Progress,
    Report,
    Training,
)
from app.lab.notices import Failed, Notice
from app.lab.training_record import TrainingRecord
from app.lab.worker import work
from app.records.history import History, HistoryError

_END_SECONDS: Final = 2.0
"""How long to wait for a process to end."""


class Phase(Enum):
    PREPARING = auto()
    WORKING = auto()
    PAUSED = auto()
    STOPPING = auto()
    ASKING = auto()
    """The course is over: the person decides whether to keep what was learned."""
    KEEPING = auto()
    OVER = auto()


Listener = Callable[["Run", Report], None]
"""Called from another thread with each report of the process."""


class Run:
    """A job and its state.

    points   what a course has measured so far
    result   the final report, when the job is over
    over     set when no more reports will come
    """

    def __init__(
        self, job: Job, locations: Locations, history: History, listener: Listener
    ) -> None:
        self.job = job
        self.phase = Phase.PREPARING
        self.progress = Progress(0, 1, 0.0)
        self.points: list[CurvePoint] = []
        self.result: Report | None = None
        self.over = Event()
        self._locations = locations
        self._listener = listener
        self._connection, self._far_end = get_context("spawn").Pipe()
        self._process: SpawnProcess | None = None
        self._bookmark = new_bookmark(job.course, locations) if isinstance(job, Training) else None
        self._ended = self._cancelled = False
        self._recorder = _Recorder(job, history)
        self._thread = Thread(target=self._follow, daemon=True)

    def start(self) -> None:
        self._thread.start()

    @property
    def busy(self) -> bool:
        return self.phase is not Phase.OVER

    @property
    def unsaved(self) -> bool:
        """Whether the person has yet to decide about what was learned."""
        return self.busy and isinstance(self.job, Training) and self.phase is not Phase.KEEPING

    # Commands

    def pause(self) -> None:
        """Pause or resume."""
        if self.phase is Phase.WORKING:
            self._send(Command.PAUSE, Phase.PAUSED)
        elif self.phase is Phase.PAUSED:
            self._send(Command.RESUME, Phase.WORKING)

    def stop(self) -> None:
        """Stop a training, and measure it. A second time: without measuring. Other jobs have
        nothing to save, so that their process is killed."""
        if self.phase in (Phase.PREPARING, Phase.WORKING, Phase.PAUSED, Phase.STOPPING):
            if isinstance(self.job, Training):
                self._send(Command.STOP, Phase.STOPPING)
            else:
                self.phase = Phase.STOPPING
                self._cancelled = True
                self._kill()

    def keep(self) -> None:
        if self.unsaved:
            self._send(Command.KEEP, Phase.KEEPING)

    def discard(self) -> None:
        if self.unsaved:
            self._send(Command.DISCARD, Phase.KEEPING)

    def _send(self, command: Command, phase: Phase) -> None:
        with suppress(OSError):
            self._connection.send(command)
            self.phase = phase

    def end(self, discard: bool = False) -> None:
        """Kill the process.

        discard   whether what was learned is discarded; else the Lab offers the last checkpoint
                  of a training the next time it is opened
        """
        self._ended = True
        self._kill()
        if self._thread.is_alive():
            self._thread.join(_END_SECONDS)
        if discard and self._bookmark is not None:
            with suppress(OSError):
                remove_checkpoint(self._bookmark)

    def _kill(self) -> None:
        """Kill the process and its workers, which are in its process group."""
        if self._process is not None and self._process.pid is not None:
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(self._process.pid, signal.SIGKILL)
            self._process.kill()

    # Reports

    def take(self, report: Report) -> None:
        """Update the state from a report. Called in the thread of the screens."""
        if isinstance(report, Progress):
            self.progress = report
            if self.phase is Phase.PREPARING:
                self.phase = Phase.WORKING
        elif isinstance(report, Measured):
            self.points += report.points
        elif isinstance(report, Learned):
            self.progress = replace(
                self.progress, done=report.games, seconds=report.seconds, measuring=False
            )
            if self.phase is not Phase.KEEPING:
                self.phase = Phase.ASKING
        elif isinstance(report, FINAL):
            self.result = report
            self.phase = Phase.OVER
            self.over.set()

    def _follow(self) -> None:
        """Start the process, and pass on its reports until it ends."""
        self._recorder.start()
        report: Report | None = None
        try:
            # Not a daemon, because daemons may not start workers. `end` kills it.
            self._process = get_context("spawn").Process(
                target=work,
                args=(
                    self.job,
                    self._locations,
                    self._recorder.number,
                    self._bookmark,
                    self._far_end,
                ),
                daemon=False,
            )
            self._process.start()
            self._far_end.close()
            if self._ended or self._cancelled:
                self._kill()
            while not isinstance(report, FINAL):
                report = self._connection.recv()
                if not isinstance(report, FINAL):
                    self._pass_on(report)
        except Exception as error:
            report = Cancelled() if self._cancelled else Failed(self._explain(error))
        else:
            self._process.join(_END_SECONDS)
        self._connection.close()
        self._pass_on(report)

    def _pass_on(self, report: Report) -> None:
        self._recorder.record(report)
        if not self._ended:
            for notice in self._recorder.take_notices():
                self._listener(self, Notice(notice))
            self._listener(self, report)

    def _explain(self, error: Exception) -> str:
        if self._process is None or self._process.pid is None:
            return f"The process could not be started ({error})."
        self._kill()
        self._process.join(_END_SECONDS)
        return f"The process ended unexpectedly (status {self._process.exitcode})."


class _Recorder:
    """Writes a job to the history."""

    def __init__(self, job: Job, history: History) -> None:
        self._job = job
        self._history = history
        self._training: TrainingRecord | None = None
        self._notices: list[str] = []
        self._games = 0
        self._seconds = 0.0

    @property
    def number(self) -> int | None:
        return self._training.number if self._training else None

    def start(self) -> None:
        if isinstance(self._job, Training):
            self._training = TrainingRecord(self._history, self._job.course, self._job.workers)

    def record(self, report: Report) -> None:
        if isinstance(report, Evaluated) and isinstance(self._job, Evaluation):
            try:
                self._history.add_evaluation(self._job.game, report.report)
            except HistoryError as error:
                self._notices.append(str(error))
        elif self._training is not None:
            self._record_training(self._training, report)

    def _record_training(self, training: TrainingRecord, report: Report) -> None:
        if isinstance(report, Progress):
            self._games, self._seconds = report.done, report.seconds
        elif isinstance(report, Learned):
            self._games, self._seconds = report.games, report.seconds
        elif isinstance(report, Measured):
            training.add_points(report.points)
        elif isinstance(report, FINAL):
            training.end(self._games, self._seconds, isinstance(report, Kept))

    def take_notices(self) -> list[str]:
        """Return the notices since the last call."""
        new = self._notices
        if self._training is not None:
            new = new + self._training.notices
            self._training.notices = []
        self._notices = []
        return new
