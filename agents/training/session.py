"""A training session: plays a course, measures the learner, and saves it on the way.

The learner's log gets the seconds and the measurements, and its generations are kept.

`kibitz train` and the Lab run the same session. Each has a host, which shows the progress,
saves checkpoints and records the measurements.
"""

from collections.abc import Callable, Sequence
from concurrent.futures import Executor
from dataclasses import replace
from math import inf
from time import perf_counter
from typing import Final, Protocol

from agents.agent import Learner
from agents.parallel.parts import WorkError
from agents.training.course import Course
from agents.training.measurement import measure
from agents.training.rounds import check_opponents, train
from agents.training_log import CurvePoint, is_generation

CHECKPOINT_SECONDS: Final = 60.0
"""A killed session loses at most this much training, or the round under way if it is longer."""


class _Skipped(Exception):
    """The measurement under way is not wanted any more."""


class SessionHost(Protocol):
    """The program around a session."""

    def progress(self, session: "TrainingSession") -> None:
        """A round is over, or a measurement begins."""

    def measured(self, points: Sequence[CurvePoint]) -> None:
        """A measurement is over."""

    def checkpoint(self, session: "TrainingSession") -> None:
        """Save what was learned, so that a killed program does not lose it."""

    def keep_generation(self, session: "TrainingSession") -> None:
        """Keep the learner as it is now: it has the matches of a generation."""

    def stop_requested(self) -> bool:
        """Return whether to stop. May wait while the session is paused."""
        ...


class TrainingSession:
    """One run of a course.

    played     matches of the course that have been played
    seconds    spent on matches, without measurements, checkpoints and pauses
    curve      all measurements so far
    measuring  whether the learner is being measured
    """

    def __init__(
        self,
        course: Course,
        learner: Learner,
        host: SessionHost,
        *,
        first: int = 0,
        workers: int = 1,
        executor: Executor | None = None,
        measure_at: Sequence[int] = (),
        measured_games: int = 100,
        checkpoint_matches: int | None = None,
        max_seconds: float = inf,
        interrupt: Callable[[], bool] | None = None,
        clock: Callable[[], float] = perf_counter,
    ) -> None:
        """first: the match to continue with; measure_at: after how many matches to measure;
        measured_games: matches of each measurement; checkpoint_matches: save after so many
        matches, besides every CHECKPOINT_SECONDS; max_seconds: stop after so many seconds of
        matches; executor: plays instead of processes here; interrupt: asked during rounds whether
        to end the course in the middle of one, see `train`. Raises ValueError if there is no such
        opponent."""
        check_opponents(course)
        self.course = course
        self.learner = learner
        self.first = first
        self.played = first
        self.seconds = 0.0
        self.curve: list[CurvePoint] = []
        self.measuring = False
        self._host = host
        self._workers = workers
        self._executor = executor
        self._measure_at = measure_at
        self._measured_games = measured_games
        self._checkpoint_matches = checkpoint_matches
        self._max_seconds = max_seconds
        self._interrupt = interrupt
        self._clock = clock
        self._saved_at = clock()
        self._saved_played = first

    @property
    def finished(self) -> bool:
        return self.played >= self.course.games

    def run(self) -> None:
        """Train until the course is over, the host stops it or Ctrl+C interrupts it.

        Ends with a checkpoint in every case. Raises WorkError if the workers were lost.
        """
        lost: WorkError | None = None
        try:
            self._play()
        except KeyboardInterrupt:
            pass
        except WorkError as error:
            lost = error
        self._checkpoint()
        if lost is not None:
            raise lost

    def _play(self) -> None:
        if self.first in self._measure_at:
            self.measure(self._host.stop_requested)
            if self._host.stop_requested():
                return
        started = self._clock()
        for played in train(
            self.course,
            self.learner,
            self._workers,
            self._executor,
            self.first,
            interrupt=self._interrupt,
        ):
            elapsed = self._clock() - started
            self.seconds += elapsed
            self.learner.log = self.learner.log.after(0, elapsed)
            before, self.played = self.played, played
            self._host.progress(self)
            stop = self._host.stop_requested()
            late = self.seconds >= self._max_seconds
            due = late and bool(self._measure_at)
            if not stop and (due or any(before < mark <= played for mark in self._measure_at)):
                self.measure(self._host.stop_requested)
            if is_generation(self.learner.log.matches):
                self._host.keep_generation(self)
            if stop or late:
                return
            if self._checkpoint_due():
                self._checkpoint()
            started = self._clock()

    def measure(self, skip: Callable[[], bool] | None = None) -> None:
        """Measure the learner, unless that was done after the same match.

        skip   asked on the way whether to give up the measurement
        """
        if self.curve and self.curve[-1].games == self.played:
            return

        def check(done: int, total: int) -> None:
            if skip is not None and skip():
                raise _Skipped

        self.measuring = True
        self._host.progress(self)
        try:
            points = measure(
                self.course,
                self.learner,
                self._measured_games,
                self.played,
                executor=self._executor,
                workers=self._workers,
                progress=check,
            )
        except _Skipped:
            return
        finally:
            self.measuring = False
        self.curve += points
        log = self.learner.log
        self.learner.log = log.measured([replace(point, games=log.matches) for point in points])
        self._host.measured(points)

    def _checkpoint_due(self) -> bool:
        new = self.played - self._saved_played
        enough = self._checkpoint_matches is not None and new >= self._checkpoint_matches
        return enough or self._clock() - self._saved_at >= CHECKPOINT_SECONDS

    def _checkpoint(self) -> None:
        self._host.checkpoint(self)
        self._saved_played, self._saved_at = self.played, self._clock()
