"""The stage seen from the app: orders go to its two processes, reports come back."""

import os
import signal
from collections.abc import Callable
from contextlib import suppress
from enum import Enum, auto
from multiprocessing import get_context
from multiprocessing.connection import Connection
from multiprocessing.context import SpawnProcess
from pathlib import Path
from threading import Lock, Thread
from typing import Any, Final

from textual.message import Message

from agents.names import MARK, kind_of, own_name
from app.lab.notices import Failed, Notice
from app.lab.stage.processes import evaluate_on_stage, train_on_stage
from app.lab.stage.record import StageRecord
from app.lab.stage.reports import Order, Purpose, Report, Save, Saved, Subject

_END_SECONDS: Final = 2.0
"""How long to wait for a thread to end."""


class Phase(Enum):
    STARTING = auto()
    LEARNING = auto()
    PAUSED = auto()
    STOPPED = auto()
    FAILED = auto()


class StageReported(Message):
    """A process of the stage has sent a report."""

    def __init__(self, feed: "Feed", report: Report) -> None:
        super().__init__()
        self.feed = feed
        self.report = report


class Feed:
    """A learner on the stage. This class starts no process; tests send reports themselves.

    folder   for values to play with
    name     under which it is saved; at first that of a named learner, or empty
    saved    the matches of training of the last saved values; -1 if there are none
    """

    def __init__(self, subject: Subject, folder: Path) -> None:
        self.subject = subject
        self.folder = folder
        self.record = StageRecord()
        self.phase = Phase.STARTING
        self.name = subject.agent if own_name(subject.agent) else ""
        self.saved = -1

    def start(self) -> None:
        """Start to learn."""

    def take(self, report: Report) -> None:
        """Update the state from a report. Called in the thread of the screens."""
        if self.phase is Phase.STARTING:
            self.phase = Phase.LEARNING
        if isinstance(report, Failed):
            self.phase = Phase.FAILED
        elif isinstance(report, Saved):
            if report.purpose is Purpose.KEEP:
                self.saved, self.name = report.matches, report.name
        else:
            self.record.take(report)

    @property
    def alive(self) -> bool:
        """Whether it can still be saved."""
        return self.phase is not Phase.FAILED

    def pause(self) -> None:
        """Pause or resume."""
        if self.phase in (Phase.STARTING, Phase.LEARNING):
            self.phase = Phase.PAUSED
            self._order(Order.PAUSE)
        elif self.phase is Phase.PAUSED:
            self.phase = Phase.LEARNING
            self._order(Order.RESUME)

    def stop(self) -> None:
        """Stop learning. The learner can still be saved."""
        if self.phase in (Phase.STARTING, Phase.LEARNING, Phase.PAUSED):
            self.phase = Phase.STOPPED
            self._order(Order.STOP)

    def save(self, purpose: Purpose) -> None:
        """Save the current values in a file to play with; a report `Saved` says where."""
        if self.alive:
            self._order(Save(self.folder, purpose, self.record.points))

    def save_as(self, name: str) -> None:
        """Save the learner under a name."""
        if self.alive:
            folder = self.subject.qtables
            self._order(Save(folder, Purpose.KEEP, self.record.points, name))

    def fork(self, name: str, settings: dict[str, float], rewards: dict[str, float]) -> None:
        """Save a learner under a name that knows the same, with these settings and rewards."""
        if self.alive:
            folder, points = self.subject.qtables, self.record.points
            self._order(Save(folder, Purpose.FORK, points, name, settings, rewards))

    def name_of(self, saved: Saved) -> str:
        """The name of the agent with saved values."""
        return saved.name or f"{kind_of(self.subject.agent)}{MARK}{saved.path}"

    def end(self) -> None:
        """End the processes. What was not saved is lost."""

    def _order(self, order: Order | Save) -> None:
        """Send an order to the trainer."""


class ProcessFeed(Feed):
    """Trains and measures in two processes.

    listener   called from other threads with each report
    """

    def __init__(
        self, subject: Subject, folder: Path, listener: Callable[[Feed, Report], None]
    ) -> None:
        super().__init__(subject, folder)
        self._listener = listener
        self._processes: list[SpawnProcess] = []
        self._trainer: Connection[Any, Any] | None = None
        self._lock = Lock()
        self._ended = self._failed = False
        self._waiting: list[Order | Save] = []
        self._thread = Thread(target=self._start, daemon=True)

    def start(self) -> None:
        """Start both processes, in a thread since that takes a moment. The evaluator comes first:
        it draws the first point."""
        self._thread.start()

    def _start(self) -> None:
        context = get_context("spawn")
        ends = context.Pipe()
        try:
            for main, end in zip((evaluate_on_stage, train_on_stage), ends, strict=True):
                near, far = context.Pipe()
                process = context.Process(target=main, args=(self.subject, far, end), daemon=False)
                with self._lock:
                    if self._ended:
                        return
                    process.start()
                    self._processes.append(process)
                far.close()
                end.close()
                trains = main is train_on_stage
                Thread(target=self._follow, args=(near, trains), daemon=True).start()
                trainer = near
        except OSError as error:
            self._fail(f"The processes could not be started ({error}).")
            return
        with self._lock:
            self._trainer = trainer
            orders, self._waiting = self._waiting, []
        for order in orders:
            self._order(order)

    def _follow(self, connection: "Connection[Any, Any]", trains: bool) -> None:
        """Pass on the reports of a process until it ends.

        trains   whether it is the trainer. Without the evaluator a learner still learns
        """
        while True:
            try:
                report: Report = connection.recv()
            except (EOFError, OSError):
                report = Failed("A process of the learner ended unexpectedly.")
            except Exception as error:
                report = Failed(f"A report of the learner cannot be read ({error}).")
            if isinstance(report, Failed):
                break
            self._tell(report)
        if trains:
            self._fail(report.sentence)
            self._kill()
        elif not self._failed:
            on = "It goes on without being measured, and you can save it."
            self._tell(Notice(f"{report.sentence} {on}"))

    def _fail(self, sentence: str) -> None:
        self._failed = True
        self._tell(Failed(sentence))

    def _tell(self, report: Report) -> None:
        if not self._ended:
            self._listener(self, report)

    def _order(self, order: Order | Save) -> None:
        with self._lock:
            if self._trainer is None:
                self._waiting.append(order)
                return
        with suppress(OSError):
            self._trainer.send(order)

    def end(self) -> None:
        with self._lock:
            self._ended = True
        self._kill()
        for process in self._processes:
            process.join(_END_SECONDS)

    def _kill(self) -> None:
        for process in self._processes:
            if process.pid is not None:
                with suppress(ProcessLookupError, PermissionError):
                    os.killpg(process.pid, signal.SIGKILL)
                process.kill()
