"""The process that works for the laboratory. Nothing that draws is imported here.

It never outlives the app: when the app's end of the connection closes, it ends itself and
all whom it had set to work.
"""

import os
import signal
from collections.abc import Callable
from multiprocessing import set_start_method
from multiprocessing.connection import Connection
from pathlib import Path
from threading import Condition, Thread
from time import perf_counter
from typing import Any, Final

from agents.evaluation.arena import arena
from agents.evaluation.evaluation import evaluate
from agents.evaluation.series import Conditions
from agents.storage.store import Store, StoreError
from agents.training.measurement import measure, milestones
from agents.training.rounds import train
from app.lab.jobs import (
    Evaluated,
    Evaluation,
    Failed,
    Job,
    Kept,
    Learned,
    Measured,
    Order,
    Progress,
    Ranked,
    Remark,
    Report,
    Stopped,
    ThrownAway,
    Tournament,
    Training,
)
from app.lab.learner_store import apprentice
from engine import GAMES

_MODESTY: Final = 10
"""How much the process stands back behind the screen when both want to compute."""

_OFTEN: Final = 0.2
"""Seconds between two reports of progress."""


class GivenUp(Exception):
    """The person has ordered to stop."""


class Desk:
    """Where orders are heard and reports are handed over.

    hear      waits for the next order; EOFError when the app is gone
    """

    def __init__(self, hear: Callable[[], Order], tell: Callable[[Report], None]) -> None:
        self._hear = hear
        self.tell = tell
        self._changed = Condition()
        self._paused = False
        self._order: Order | None = None
        self._told_at = 0.0

    def listen(self) -> None:
        """Hear orders until the app is gone."""
        while True:
            try:
                order = self._hear()
            except (EOFError, OSError):
                return
            with self._changed:
                if order in (Order.PAUSE, Order.GO_ON):
                    self._paused = order is Order.PAUSE
                else:
                    self._order = order
                self._changed.notify_all()

    def ordered(self) -> Order | None:
        """Whether to stop, and then what for; waits while the work is paused."""
        with self._changed:
            self._changed.wait_for(lambda: self._order is not None or not self._paused)
            return self._order

    def answer(self) -> Order:
        """Keep or throw away; waits for the person."""
        answers = (Order.KEEP, Order.THROW_AWAY)
        with self._changed:
            self._changed.wait_for(lambda: self._order in answers)
            return Order.KEEP if self._order is Order.KEEP else Order.THROW_AWAY

    def progress(self, progress: Progress) -> None:
        """Tell how far the work is, though not more often than a person can read."""
        now = perf_counter()
        if progress.measuring or progress.done == progress.total or now - self._told_at >= _OFTEN:
            self._told_at = now
            self.tell(progress)


def work(job: Job, tables: Path, experiments: Path, connection: "Connection[Any, Any]") -> None:
    """All that the process does, from its start to its end."""
    os.setsid()
    os.nice(_MODESTY)
    with open(os.devnull, "w") as nowhere:
        # The terminal belongs to the app: not even a warning may be printed on it.
        os.dup2(nowhere.fileno(), 1)
        os.dup2(nowhere.fileno(), 2)
    set_start_method("spawn", force=True)
    desk = Desk(connection.recv, connection.send)

    def listen() -> None:
        desk.listen()
        os.killpg(0, signal.SIGKILL)

    Thread(target=listen, daemon=True).start()
    desk.tell(do(job, tables, experiments, desk))


def do(job: Job, tables: Path, experiments: Path, desk: Desk) -> Report:
    """Do the job and report on the way; the last report, whatever happens."""
    try:
        if isinstance(job, Training):
            return _train(job, tables, experiments, desk)
        if isinstance(job, Evaluation):
            return _evaluate(job, tables, desk)
        return _let_meet(job, tables, desk)
    except GivenUp:
        return Stopped()
    except (ValueError, StoreError) as error:
        return Failed(str(error))
    except Exception as error:
        return Failed(f"The work went wrong ({type(error).__name__}: {error}).")


def _train(job: Training, tables: Path, experiments: Path, desk: Desk) -> Report:
    course = job.course
    learner, store = apprentice(course, tables, experiments)
    _tell_notices(store, desk)
    apart = store.folder == experiments
    marks = milestones(course.games, job.measurements + 1)
    played, measured_at, seconds = 0, -1, 0.0

    def take_measure() -> None:
        nonlocal measured_at
        desk.progress(Progress(played, course.games, seconds, measuring=True))
        desk.tell(Measured(tuple(measure(course, learner, job.measured, played))))
        measured_at = played

    take_measure()
    order = desk.ordered()
    if order is None:
        passed = 0
        started = perf_counter()
        for played in train(course, learner, job.workers):
            seconds += perf_counter() - started
            desk.progress(Progress(played, course.games, seconds))
            order = desk.ordered()
            if order is not None:
                break
            if sum([mark <= played for mark in marks]) > passed:
                passed = sum([mark <= played for mark in marks])
                take_measure()
            started = perf_counter()
    if order in (None, Order.STOP):
        if measured_at < played:
            take_measure()
        desk.tell(Learned(played, seconds))
        order = desk.answer()
    if order is not Order.KEEP:
        return ThrownAway()
    store.save(learner)
    _tell_notices(store, desk)
    return Kept(apart)


def _tell_notices(store: Store, desk: Desk) -> None:
    for notice in store.notices:
        desk.tell(Remark(notice))
    store.notices.clear()


def _evaluate(job: Evaluation, tables: Path, desk: Desk) -> Report:
    sides = len(GAMES[job.game].new(0, None, None).sides)
    names = [job.agent, *[job.against] * (sides - 1)]
    return Evaluated(evaluate(job.game, names, job.games, _conditions(job, tables, desk)))


def _let_meet(job: Tournament, tables: Path, desk: Desk) -> Report:
    conditions = _conditions(job, tables, desk)
    pairings, ladder = arena(job.game, job.agents, job.games, conditions)
    return Ranked(tuple(pairings), tuple(ladder))


def _conditions(job: Evaluation | Tournament, tables: Path, desk: Desk) -> Conditions:
    return Conditions(job.seed, workers=job.workers, qtables=tables, progress=_count(desk))


def _count(desk: Desk) -> Callable[[int, int], None]:
    """Reports what is done, and gives up when ordered to."""
    started = perf_counter()

    def progress(done: int, total: int) -> None:
        nonlocal started
        desk.progress(Progress(done, total, perf_counter() - started))
        before = perf_counter()
        if desk.ordered() is not None:
            raise GivenUp
        started += perf_counter() - before

    return progress
