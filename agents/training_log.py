"""How a learner was trained: the matches it has played and its learning curve.

The log is part of each file with learned values. Reading it needs neither numpy nor a game.
"""

from collections.abc import Iterable
from dataclasses import astuple, dataclass
from typing import Final

MAX_POINTS: Final = 300
"""How many points of a curve are kept."""

FIRST_GENERATION: Final = 10
"""Matches of training before the first generation. Each later one has ten times as many."""

_MAX_NAME: Final = 100
_MAX_COUNT: Final = 2**53


@dataclass(frozen=True, slots=True)
class CurvePoint:
    """The win rate of a learner after some matches of training, with its 95 % interval.

    games      matches of training
    against    the rival on all other sides
    seconds    spent on training so far
    measured   matches played to measure it
    """

    games: int
    against: str
    win_rate: float
    low: float
    high: float
    seconds: float = 0.0
    measured: int = 0


@dataclass(frozen=True, slots=True)
class TrainingLog:
    """What is known about the training of a learner since it had learned nothing.

    matches   of training; matches at a table with a person do not count
    seconds   spent on them
    points    measurements, oldest first
    """

    matches: int = 0
    seconds: float = 0.0
    points: tuple[CurvePoint, ...] = ()

    def after(self, matches: int, seconds: float = 0.0) -> "TrainingLog":
        """The log after more matches or seconds."""
        return TrainingLog(self.matches + matches, self.seconds + seconds, self.points)

    def measured(self, points: Iterable[CurvePoint]) -> "TrainingLog":
        """The log with more points. A point replaces one with the same matches and rival."""
        known = {(point.games, point.against): point for point in (*self.points, *points)}
        in_order = sorted(known.values(), key=lambda point: point.games)
        return TrainingLog(self.matches, self.seconds, tuple(_thinned(in_order)))

    def merged(self, theirs: "TrainingLog", common: "TrainingLog") -> "TrainingLog":
        """The log of a learner whose updates are added to those of another.

        common   the log of both before they were trained separately
        """
        matches = theirs.matches + max(0, self.matches - common.matches)
        seconds = theirs.seconds + max(0.0, self.seconds - common.seconds)
        return TrainingLog(matches, seconds, theirs.points).measured(self.points)

    def as_plain(self) -> list[object]:
        """The log as plain data for a file."""
        return [self.matches, self.seconds, [list(astuple(point)) for point in self.points]]

    @classmethod
    def of_plain(cls, data: object) -> "TrainingLog":
        """The log from a file. Raises ValueError for anything but `as_plain`."""
        if not isinstance(data, list) or len(data) != 3:
            raise ValueError("the training log is wrong")
        matches, seconds, points = data
        if not _is_count(matches) or not _is_amount(seconds) or not isinstance(points, list):
            raise ValueError("the training log is wrong")
        if len(points) > MAX_POINTS:
            raise ValueError("the learning curve has too many points")
        return cls(matches, float(seconds), tuple([_point(each) for each in points]))


def next_generation(matches: int) -> int:
    """The number of the first generation after so many matches: a power of ten."""
    mark = FIRST_GENERATION
    while mark <= matches:
        mark *= 10
    return mark


def is_generation(matches: int) -> bool:
    """Whether a learner with so many matches of training is kept as a generation."""
    return matches > 0 and next_generation(matches - 1) == matches


def _point(data: object) -> CurvePoint:
    if not isinstance(data, list) or len(data) != 7:
        raise ValueError("the learning curve is wrong")
    games, against, win_rate, low, high, seconds, measured = data
    if (
        not (_is_count(games) and _is_count(measured) and _is_amount(seconds))
        or not (isinstance(against, str) and len(against) <= _MAX_NAME and against.isprintable())
        or not all(_is_amount(share) and share <= 1 for share in (win_rate, low, high))
    ):
        raise ValueError("the learning curve is wrong")
    return CurvePoint(
        games, against, float(win_rate), float(low), float(high), float(seconds), measured
    )


def _is_count(value: object) -> bool:
    return type(value) is int and 0 <= value < _MAX_COUNT


def _is_amount(value: object) -> bool:
    return type(value) in (int, float) and 0 <= value < _MAX_COUNT  # type: ignore[operator]


def _thinned(points: list[CurvePoint]) -> list[CurvePoint]:
    """At most MAX_POINTS points: every other measurement is dropped, but not the first and the
    last."""
    while len(points) > MAX_POINTS:
        marks = sorted({point.games for point in points})
        kept = {*marks[::2], marks[-1]}
        if len(kept) == len(marks):
            return points[-MAX_POINTS:]
        points = [point for point in points if point.games in kept]
    return points
