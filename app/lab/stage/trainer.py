"""The process that trains the learner on the stage, at full speed."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from threading import Condition
from time import perf_counter, process_time
from typing import Any, Final

from agents.agent import Learner
from agents.names import kind_of
from agents.storage.files import reason_of, unused_path
from agents.storage.store import StoreError, write_values
from agents.training.rounds import train
from agents.training_log import CurvePoint, is_generation
from app.lab.notices import Notice
from app.lab.stage.beginning import begin_on_stage, contents_of, fork, save_under_name
from app.lab.stage.reports import (
    Measured,
    Order,
    Purpose,
    Report,
    Save,
    Saved,
    Snapshot,
    Subject,
    Vitals,
)

MARKS: Final = (1, 2, 5, 10, 20, 50)
"""After so many matches a snapshot is taken, whether it was asked for or not."""

_ROUND: Final = 8
"""Matches after which a network is looked at. The tables in progress continue."""

_VITALS_SECONDS: Final = 0.5
_LEARNING: Final = ("observe", "learn_targets", "learn_compared")
"""The methods in which learners learn."""


class Orders:
    """Orders of the app, received by another thread."""

    def __init__(self) -> None:
        self._changed = Condition()
        self._paused = False
        self._saves: list[Save] = []
        self.stopped = False

    def take(self, order: Order | Save) -> None:
        with self._changed:
            if isinstance(order, Save):
                self._saves = [*self._saves, order][-4:]
            elif order is Order.STOP:
                self.stopped = True
            else:
                self._paused = order is Order.PAUSE
            self._changed.notify_all()

    def next_save(self, wait: bool = False) -> Save | None:
        """The next order to save. Waits for one while paused, or if told to."""
        with self._changed:
            self._changed.wait_for(
                lambda: self._saves or not (wait or (self._paused and not self.stopped))
            )
            return self._saves.pop(0) if self._saves else None

    @property
    def paused(self) -> bool:
        return self._paused and not self.stopped


class Trainer:
    """Trains the learner until it is stopped, and reports between rounds.

    offer    hands a snapshot to the evaluator
    wanted   whether the evaluator waits for one
    """

    def __init__(
        self,
        subject: Subject,
        orders: Orders,
        send: Callable[[Report], None],
        offer: Callable[[Snapshot], None],
        wanted: Callable[[], bool],
    ) -> None:
        self._subject = subject
        self.learner: Learner
        self._course, self.learner = begin_on_stage(subject)
        self._begun = self.learner.log
        self._generations: dict[int, bytes] = {}
        self._orders = orders
        self._send = send
        self._offer = offer
        self._wanted = wanted
        self._seconds = 0.0
        self._learned = 0.0
        self._reported = (0.0, 0, 0, 0.0, process_time(), 0.0)
        for name in _LEARNING:
            if hasattr(self.learner, name):
                setattr(self.learner, name, self._timed(getattr(self.learner, name)))

    def _timed(self, learn: Callable[..., None]) -> Callable[..., None]:
        """Count the time of a method as learning."""

        def timed(*arguments: Any) -> None:
            started = perf_counter()
            learn(*arguments)
            self._learned += perf_counter() - started

        return timed

    def run(self) -> None:
        """Train until the app says stop, then go on saving on demand. Never returns."""
        if self._begun.points:
            self._send(Measured(self._begun.points))
        if not self._stops():
            started = perf_counter()
            for played in train(self._course, self.learner, latest_end=_latest_end):
                elapsed = perf_counter() - started
                self._seconds += elapsed
                self.learner.log = self.learner.log.after(0, elapsed)
                if is_generation(self.learner.log.matches):
                    self._generations[self.learner.log.matches] = contents_of(self.learner)
                self._report()
                if played in MARKS or self._wanted():
                    self._take_snapshot()
                if self._stops():
                    break
                started = perf_counter()
        self._take_snapshot(final=True)
        while True:
            self._save(self._orders.next_save(wait=True))

    def _stops(self) -> bool:
        """Save on demand, wait while paused, and return whether to stop."""
        while True:
            paused = self._orders.paused
            if save := self._orders.next_save():
                self._save(save)
            elif not paused or self._orders.stopped:
                return self._orders.stopped

    def _take_snapshot(self, final: bool = False) -> None:
        matches = self.learner.log.matches
        self._offer(Snapshot(matches, self._seconds, self.learner.dump(), final))

    def _report(self) -> None:
        before, matches, updates, error, cpu, learned = self._reported
        passed = self._seconds - before
        if passed < _VITALS_SECONDS:
            return
        stats = self.learner.stats()
        now = (
            self._seconds,
            self.learner.log.matches,
            stats.updates,
            stats.mean_td_error * stats.updates,
            process_time(),
            self._learned,
        )
        self._reported = now
        new = max(1, now[2] - updates)
        # Both clocks differ while other programs run: learning is a share of the round.
        share = min(1.0, (now[5] - learned) / passed)
        used = now[4] - cpu
        self._send(
            Vitals(
                seconds=now[0],
                matches=now[1],
                matches_per_second=(now[1] - matches) / passed,
                updates_per_second=(now[2] - updates) / passed,
                error=(now[3] - error) / new,
                epsilon=stats.epsilon,
                situations=stats.table_size,
                memory=memory_used(),
                playing=used * (1 - share),
                learning=used * share,
            )
        )

    def _save(self, save: Save | None) -> None:
        if save is None:
            return
        log = self.learner.log
        self.learner.log = log.measured(self._new_points(save))
        if save.name:
            self._save_named(save)
            return
        name = f"{self._subject.game}.{kind_of(self._subject.agent)}-{log.matches}.pkl"
        path = save.folder / name
        try:
            save.folder.mkdir(parents=True, exist_ok=True)
            path = unused_path(path)
            write_values(path, self.learner)
        except OSError as error:
            self._send(Notice(f"{path} cannot be saved: {reason_of(error)}."))
        else:
            self._send(Saved(path, save.purpose, log.matches))
        self.learner.log = log

    def _new_points(self, save: Save) -> list[CurvePoint]:
        """The points measured on this stage, with the seconds of earlier trainings."""
        begun = self._begun
        return [
            replace(point, seconds=begun.seconds + point.seconds)
            for point in save.points
            if point.games >= begun.matches
        ]

    def _save_named(self, save: Save) -> None:
        matches = self.learner.log.matches
        try:
            learner = self.learner
            if save.purpose is Purpose.FORK:
                learner = fork(learner, save.settings, save.rewards)
            path = save_under_name(learner, save, self._generations)
        except (ValueError, StoreError) as error:
            self._send(Notice(str(error)))
        else:
            self._send(Saved(path, save.purpose, matches, save.name))


def _latest_end(first: int) -> int:
    """Where a round ends at the latest: at every mark, then every few matches."""
    return min([first - first % _ROUND + _ROUND, *[mark for mark in MARKS if mark > first]])


def memory_used() -> float:
    """The memory of this process in MB; the most it has used if the system does not tell."""
    try:
        pages = int(Path("/proc/self/statm").read_text().split()[1])
    except (OSError, ValueError, IndexError):
        from resource import RUSAGE_SELF, getrusage

        return getrusage(RUSAGE_SELF).ru_maxrss / 1024
    from os import sysconf

    return pages * sysconf("SC_PAGE_SIZE") / 1e6
