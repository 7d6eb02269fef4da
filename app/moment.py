"""What a screen is handed to draw: one moment of one table."""

from dataclasses import dataclass

from agents.agent import LearningStats
from engine.game import Event, Played, View

NOBODY = -1


@dataclass(frozen=True, slots=True)
class Ending:
    """The end of a hand or of the match, in words. The moment shows the table before it."""

    sentence: str
    match_over: bool


@dataclass(frozen=True, slots=True)
class HandResult:
    """A finished hand, for the scores.

    view   what the onlooker knew right after it: the scores then, how the hand was counted
    """

    number: int
    points: tuple[float, ...]
    sentence: str
    view: View


@dataclass(frozen=True, slots=True)
class Lesson:
    """Where a learner stands: its seats and what it reports."""

    seats: tuple[int, ...]
    stats: LearningStats


@dataclass(frozen=True, slots=True)
class Moment:
    """One moment of a table, as those who look at it may see it.

    view     what the seat the table is seen from knows
    views    the views of all seats while all hands lie open, else empty
    asked    the seat of the person who is asked, or NOBODY
    legal    what that person may do
    last     the last action, HIDDEN if the onlooker was not shown it
    events   the latest events, oldest first
    ending   the end of a hand that waits to be read; `view` is then from just before it
    """

    view: View
    views: tuple[View, ...] = ()
    asked: int = NOBODY
    legal: tuple[int, ...] = ()
    last: Played | None = None
    events: tuple[Event, ...] = ()
    ending: Ending | None = None
    paused: bool = False
    delay: float = 0.0
    log: tuple[str, ...] = ()
    results: tuple[HandResult, ...] = ()
    lessons: tuple[Lesson, ...] = ()

    def view_of(self, seat: int) -> View | None:
        """What that seat knows, if the onlooker may see it."""
        if self.views:
            return self.views[seat]
        return self.view if self.view.seat == seat else None
