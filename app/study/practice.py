"""When exercises come back: a Leitner box of seven compartments.

An exercise starts in no compartment. A right answer moves it up one, a wrong answer down to the
first; a nearly right one leaves it where it is. Compartment n waits INTERVALS[n] days. Everything
follows from the answers, which are all that is stored.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from typing import Final

from app.records.practice_rows import Attempt
from app.study.exercises import Exercise, Grade, Source

INTERVALS: Final = (1, 2, 4, 8, 16, 32, 64)
"""Days until an exercise comes back, for each compartment."""

_FIRST: Final = [Source.OWN, Source.SHARED, Source.AGENTS]
"""New exercises in this order: one's own mistakes teach most."""


@dataclass(frozen=True, slots=True)
class Progress:
    """How well an exercise is known.

    box   its compartment, from 1
    due   the day on which it comes back
    """

    box: int
    due: date


def progress_of(answers: Iterable[Attempt]) -> dict[str, Progress]:
    """The progress of every exercise that was answered, by its key. answers: oldest first.

    A right answer before the day it was due changes nothing: nobody learns by repeating an answer
    that has just been shown.
    """
    found: dict[str, Progress] = {}
    for answer in sorted(answers, key=lambda each: each.day):
        before = found.get(answer.key)
        box = before.box if before is not None else 0
        if answer.grade == Grade.WRONG.value:
            box = 1
        elif before is not None and answer.day < before.due:
            continue
        elif answer.grade == Grade.RIGHT.value:
            box = min(box + 1, len(INTERVALS))
        box = max(box, 1)
        found[answer.key] = Progress(box, answer.day + timedelta(INTERVALS[box - 1]))
    return found


def streak(days: Iterable[date], today: date) -> int:
    """Days in a row up to today, or up to yesterday if today is still missing."""
    known = set(days)
    day = today if today in known else today - timedelta(1)
    length = 0
    while day - timedelta(length) in known:
        length += 1
    return length


@dataclass(frozen=True, slots=True)
class Practice:
    """What there is to practise on a day.

    exercises   all of them, and `answers` all answers so far, oldest first
    """

    exercises: Sequence[Exercise]
    answers: Sequence[Attempt]
    today: date

    def due(self, game: str = "") -> list[Exercise]:
        """Exercises that come back today or earlier, the longest overdue first; then new ones
        from your own matches. game: only this one"""
        progress = progress_of(self.answers)
        chosen = [each for each in self.exercises if game in ("", each.game)]
        known = [
            each for each in chosen if each.key in progress and progress[each.key].due <= self.today
        ]
        own = [each for each in chosen if each.source is Source.OWN and each.key not in progress]
        return [*sorted(known, key=lambda each: progress[each.key].due), *own]

    def fresh(self, game: str = "", first: str = "") -> list[Exercise]:
        """Exercises that were never answered, besides those that are due.

        game    only this one
        first   the game whose exercises come first
        """
        answered = {each.key for each in self.answers}
        chosen = [
            each
            for each in self.exercises
            if game in ("", each.game)
            and each.key not in answered
            and each.source is not Source.OWN
        ]
        return sorted(chosen, key=lambda each: (each.game != first, _FIRST.index(each.source)))

    def next(self, game: str = "", first: str = "") -> Exercise | None:
        """The exercise to show now; None if nothing is due or new."""
        return next(iter([*self.due(game), *self.fresh(game, first)]), None)

    @property
    def streak(self) -> int:
        """Days of practice in a row."""
        return streak([each.day for each in self.answers], self.today)

    @property
    def answered_today(self) -> int:
        return sum(each.day == self.today for each in self.answers)

    def following(self) -> date | None:
        """The day on which the next exercise comes back, if none is due today."""
        progress = progress_of(self.answers)
        known = {each.key for each in self.exercises}
        days = [each.due for key, each in progress.items() if key in known]
        return min(days, default=None)


class Session:
    """Practice while its screen is open: one exercise after the other.

    practice   with the answers given meanwhile
    game       only exercises of this game; empty for all
    first      the game whose new exercises come first
    """

    def __init__(self, practice: Practice, game: str = "", first: str = "") -> None:
        self.practice = practice
        self.game = game
        self.first = first
        self._left_out: set[str] = set()

    @property
    def games(self) -> list[str]:
        """The games with exercises, in the order in which they come."""
        return list(dict.fromkeys([each.game for each in self.practice.exercises]))

    def next_game(self) -> None:
        """Show only exercises of the next game, and after the last one all."""
        choices = ["", *sorted(self.games)]
        at = choices.index(self.game) if self.game in choices else -1
        self.game = choices[(at + 1) % len(choices)]

    def leave_out(self, exercise: Exercise) -> None:
        """Do not show an exercise that cannot be shown."""
        self._left_out.add(exercise.key)
        left = [each for each in self.practice.exercises if each.key not in self._left_out]
        self.practice = replace(self.practice, exercises=left)

    def answered(self, answer: Attempt) -> None:
        self.practice = replace(self.practice, answers=[*self.practice.answers, answer])

    def next(self) -> Exercise | None:
        return self.practice.next(self.game, self.first)

    def words(self) -> str:
        """`2 due · 34 new · 3 days in a row`."""
        due, new = len(self.practice.due(self.game)), len(self.practice.fresh(self.game))
        days = self.practice.streak
        streak = f" · {days} days in a row" if days > 1 else ""
        return f"{due} due · {new} new{streak}"
