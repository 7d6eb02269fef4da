"""Records training runs in the history."""

from collections.abc import Sequence
from dataclasses import asdict, replace

from agents.training.course import Course
from agents.training_log import CurvePoint
from app.records.history import History, HistoryError


class TrainingRecord:
    """One run in the history. A history that cannot be written does not stop the training.

    number    of the run, or None if it is not recorded
    notices   sentences about what could not be written
    """

    def __init__(self, history: History, course: Course, workers: int, first: int = 0) -> None:
        """first: matches of the course that earlier runs have played."""
        self.number: int | None = None
        self.notices: list[str] = []
        self._history = history
        self._first = first
        self._course = course
        self._last: dict[str, CurvePoint] = {}
        """The last measurement against each rival."""
        settings = asdict(course) | {"workers": workers}
        try:
            self.number = history.start_run(course.game, course.agent, course.seed, settings)
        except HistoryError as error:
            self.notices.append(str(error))

    def add_points(self, points: Sequence[CurvePoint]) -> None:
        if self.number is None:
            return
        self._last |= {point.against: point for point in points}
        # The history counts the matches of each run from 0.
        points = [replace(point, games=point.games - self._first) for point in points]
        try:
            self._history.add_points(self.number, points)
        except HistoryError as error:
            self._give_up(error)

    def end(self, played: int, seconds: float, kept: bool) -> None:
        """played: matches of the course; kept: whether the learner's curve includes this run."""
        if self.number is None:
            return
        try:
            self._history.end_run(self.number, played - self._first, seconds, kept)
            if kept and self._last:
                game, agent = self._course.game, self._course.agent
                self._history.add_standings(game, agent, list(self._last.values()))
        except HistoryError as error:
            self._give_up(error)

    def _give_up(self, error: HistoryError) -> None:
        """Report the first error only."""
        self.number = None
        self.notices.append(str(error))
