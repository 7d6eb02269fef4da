"""What a screen draws: one moment of one table."""

from dataclasses import dataclass

from agents.agent import Decision, LearningStats, Lesson
from app.match.learning_record import Sample
from engine.game import Event, Played, View

NOBODY = -1
"""In place of a seat."""


@dataclass(frozen=True, slots=True)
class Ending:
    """The end of a hand or of the match, in words."""

    sentence: str
    match_over: bool


@dataclass(frozen=True, slots=True)
class HandResult:
    """A finished hand, for the score sheet.

    view   the viewer's view right after the hand, with the new scores
    """

    number: int
    points: tuple[float, ...]
    sentence: str
    view: View


@dataclass(frozen=True, slots=True)
class LearnerStatus:
    """A learner at the table.

    seats     that it plays
    samples   of its figures since it sat down, oldest first
    lessons   its latest updates that the viewer may know about, newest last
    """

    seats: tuple[int, ...]
    stats: LearningStats
    samples: tuple[Sample, ...] = ()
    lessons: tuple[Lesson, ...] = ()


@dataclass(frozen=True, slots=True)
class Thought:
    """A decision of an agent, and the view it was based on.

    number     how many actions of the match came before it
    agent      the name of the agent
    situation  what the agent noticed, in words; may be empty
    following  further actions that belong to the same choice, such as the other discards
    worth      values of the moves, if the scores of the decision are frequencies
    """

    number: int
    agent: str
    view: View
    legal: tuple[int, ...]
    decision: Decision
    situation: str = ""
    following: tuple[int, ...] = ()
    worth: Decision | None = None


@dataclass(frozen=True, slots=True)
class Moment:
    """One moment of a table, with only what the viewer may see.

    view      from the viewer's seat
    views     of all seats while all hands are open, else empty
    asked     the seat of the person who has to decide, or NOBODY
    legal     the actions of that person
    last      the last action, HIDDEN if it is secret
    events    the latest events, oldest first
    ending    the end of a hand that is on the screen; `view` is then from after its last card,
              with the new scores and before the next deal
    learners  the learners at the table
    thoughts  what agents thought in the latest hand the viewer may know about
    withheld  whether there are later thoughts that are still secret
    advising  whether a hint is being computed
    advice    the hint for the person who is asked
    assisted  whether a hint was shown in this match
    unrated   whether a move was taken back, the match continues another one, or `teaching`
    teaching  whether costly moves are pointed out before they are played
    forced    whether the only legal card is being played for a person
    decided   whether the hand is played out without asking, since its result is certain
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
    learners: tuple[LearnerStatus, ...] = ()
    thoughts: tuple[Thought, ...] = ()
    withheld: bool = False
    advising: bool = False
    advice: Thought | None = None
    assisted: bool = False
    unrated: bool = False
    teaching: bool = False
    forced: bool = False
    decided: bool = False

    def view_of(self, seat: int) -> View | None:
        """The view of a seat, if the viewer may see it."""
        if self.views:
            return self.views[seat]
        return self.view if self.view.seat == seat else None
