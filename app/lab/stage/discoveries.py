"""Discoveries: the best move in a situation that is often met changes, and stays the best."""

from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from typing import Final, NamedTuple

STAYS: Final = 4
"""In so many snapshots in a row the new move has to be the best."""

MOST_AT_ONCE: Final = 2
"""Discoveries reported for one snapshot, the largest changes first. The others come later."""

LONGER: Final = 1.5
"""The new move has to stay the best until the learner has so many times the matches."""

_RARER: Final = 2
"""After a discovery, the next one about the same situation needs so many times the matches."""


class Opinion(NamedTuple):
    """What a learner thinks of a situation: the value of each move."""

    values: Mapping[int, float]

    @property
    def best(self) -> int | None:
        """The best move; None if it is not clearly better than the second."""
        if len(self.values) < 2:
            return None
        first, second = sorted(self.values, key=lambda move: -self.values[move])[:2]
        top, next_best = self.values[first], self.values[second]
        spread = top - min(self.values.values())
        return first if top - next_best > 0.1 * spread and top > next_best else None


@dataclass(slots=True)
class _Course:
    """The history of one situation.

    settled    the best move that was established; None at first
    candidate  the best move of the last snapshots, how many they were, and the matches at the
               first of them
    before     the value of each move before that
    """

    settled: int | None = None
    candidate: int | None = None
    since: int = 0
    started: int = 0
    before: Mapping[int, float] | None = None
    reported: int = 0


class Change(NamedTuple):
    """A discovery: the situation, its new best move, and the value of that move now and when
    another one seemed best."""

    situation: Hashable
    move: int
    now: float
    before: float


class Discoverer:
    """Follows the opinions of a learner from snapshot to snapshot.

    most   situations that are followed at most
    """

    def __init__(self, most: int = 200) -> None:
        self._most = most
        self._courses: dict[Hashable, _Course] = {}

    def look(self, matches: int, opinions: Mapping[Hashable, Opinion]) -> list[Change]:
        """Take in a snapshot and return what was discovered."""
        found: list[Change] = []
        for situation, opinion in opinions.items():
            course = self._courses.get(situation)
            if course is None:
                if len(self._courses) >= self._most:
                    continue
                course = self._courses[situation] = _Course(before=dict(opinion.values))
            best = opinion.best
            if best is None or best == course.settled:
                course.candidate, course.since = None, 0
                course.before = dict(opinion.values)
                continue
            if best != course.candidate:
                course.candidate, course.since, course.started = best, 0, matches
            course.since += 1
            stayed = course.since >= STAYS and matches >= LONGER * course.started
            if stayed and matches >= _RARER * course.reported:
                before = (course.before or {}).get(best, 0.0)
                found.append(Change(situation, best, opinion.values[best], before))
        found.sort(key=lambda change: -abs(change.now - change.before))
        for change in found[:MOST_AT_ONCE]:
            course = self._courses[change.situation]
            course.settled, course.reported = change.move, matches
            course.candidate, course.since = None, 0
            course.before = dict(opinions[change.situation].values)
        return found[:MOST_AT_ONCE]
