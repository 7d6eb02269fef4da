"""What a screen is handed to draw: one moment of one table."""

from dataclasses import dataclass

from agents.agent import Decision, LearningStats
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
class Thought:
    """What an agent thought before a move, its own view of the table included.

    number     how many actions of the match came before it
    agent      the name of the agent
    situation  what the agent noticed, in words; may be empty
    """

    number: int
    agent: str
    view: View
    legal: tuple[int, ...]
    decision: Decision
    situation: str = ""


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
    thoughts what agents thought in the latest hand that onlookers may know all about
    withheld whether agents thought of more than onlookers may know yet
    advising whether a hint is being thought of
    advice   a hint for the person who is asked
    assisted whether a person was given a hint in this match
    unrated  whether a move was taken back, or the match played on from another one
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
    thoughts: tuple[Thought, ...] = ()
    withheld: bool = False
    advising: bool = False
    advice: Thought | None = None
    assisted: bool = False
    unrated: bool = False

    @property
    def scored(self) -> View:
        """The view whose scores count: at the end of a hand, that from right after it."""
        return self.results[-1].view if self.ending is not None else self.view

    def view_of(self, seat: int) -> View | None:
        """What that seat knows, if the onlooker may see it."""
        if self.views:
            return self.views[seat]
        return self.view if self.view.seat == seat else None
