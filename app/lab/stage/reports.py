"""The messages between the app and the two processes of the stage."""

from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path

from agents.training_log import CurvePoint
from app.lab.notices import Failed, Notice


@dataclass(frozen=True, slots=True)
class Subject:
    """The learner on the stage. It starts from nothing, or from what a named learner knows, and is
    never stored unless it is saved.

    qtables   the folder of named learners
    """

    game: str
    agent: str
    seed: int
    qtables: Path = Path()


@dataclass(frozen=True, slots=True)
class Snapshot:
    """What the learner knew after so many matches and seconds of training.

    final   whether training has stopped
    """

    matches: int
    seconds: float
    values: dict[str, object]
    final: bool = False


# From the app to the trainer


class Order(StrEnum):
    PAUSE = "pause"
    RESUME = "resume"
    STOP = "stop"
    """Ends the training. The process stays, so that what was learned can be saved."""


class Purpose(StrEnum):
    """Why the values are saved."""

    KEEP = "keep"
    PLAY = "play"
    WATCH = "watch"
    FORK = "fork"


@dataclass(frozen=True, slots=True)
class Save:
    """Save the values in this folder, with the learning curve so far.

    name      of a named learner; empty for a file to play with
    settings, rewards
              changes of a fork
    """

    folder: Path
    purpose: Purpose
    points: tuple[CurvePoint, ...] = ()
    name: str = ""
    settings: dict[str, float] = field(default_factory=dict)
    rewards: dict[str, float] = field(default_factory=dict)


# From the trainer to the app


@dataclass(frozen=True, slots=True)
class Vitals:
    """Figures of the training.

    seconds    since it started, without pauses
    matches_per_second, updates_per_second, error
               since the last report; error is the mean |TD error|
    playing, learning
               CPU seconds of the trainer since the last report
    memory     of the trainer in MB
    situations known to a table, or the number of weights
    """

    seconds: float
    matches: int
    matches_per_second: float
    updates_per_second: float
    error: float
    epsilon: float
    situations: int
    memory: float
    playing: float
    learning: float


@dataclass(frozen=True, slots=True)
class Saved:
    """name: of the named learner; empty for a file to play with."""

    path: Path
    purpose: Purpose
    matches: int
    name: str = ""


# From the evaluator to the app


@dataclass(frozen=True, slots=True)
class Measured:
    """A point of each curve.

    busy   CPU seconds of the evaluator since the last report
    """

    points: tuple[CurvePoint, ...]
    busy: float = 0.0


@dataclass(frozen=True, slots=True)
class Played:
    """A hand of one side of the comparison.

    actions   of all seats, in order
    points    for each side; None if the hand was cut off
    """

    actions: tuple[int, ...]
    points: tuple[float, ...] | None

    def ahead(self, side: int) -> float | None:
        """By how many points a side is ahead of the best other one after the hand."""
        if self.points is None:
            return None
        others = [each for at, each in enumerate(self.points) if at != side]
        return self.points[side] - max(others, default=0.0)


@dataclass(frozen=True, slots=True)
class Comparison:
    """The same deal played by the learner that knew nothing and by the current one.

    own       the seats of the learner; `hard` has the others
    side      the number of its side
    matches   of training behind the current one
    prelude   the actions before the hand, if it is not the first of the match
    """

    seed: int
    prelude: tuple[int, ...]
    own: tuple[int, ...]
    side: int
    matches: int
    then: Played
    now: Played

    @property
    def gain(self) -> float | None:
        """By how many points the current one did better; None if a hand was cut off."""
        then, now = self.then.ahead(self.side), self.now.ahead(self.side)
        return None if then is None or now is None else now - then


@dataclass(frozen=True, slots=True)
class Position:
    """A fixed position: a deal and the actions up to a decision.

    words   what a table-based learner notices in it
    """

    seed: int
    actions: tuple[int, ...]
    words: str


@dataclass(frozen=True, slots=True)
class Positions:
    """The fixed positions whose expectations are followed."""

    positions: tuple[Position, ...]


@dataclass(frozen=True, slots=True)
class Expectations:
    """What the learner expects from each legal action in each fixed position."""

    matches: int
    values: tuple[dict[int, float], ...]


@dataclass(frozen=True, slots=True)
class TableMind:
    """The situations that a table knows, most visited first.

    situations   one row of `width` small integers each, padded with -1
    best, visits the best move and the visits of each, as int16 and float32
    """

    matches: int
    width: int
    situations: bytes
    best: bytes
    visits: bytes


@dataclass(frozen=True, slots=True)
class Discovery:
    """The best move in a situation has changed for good.

    where, move  in words; for a fixed position also its number and the action
    now, before  the value of the move now and when another one seemed best
    """

    matches: int
    where: str
    move: str
    now: float
    before: float
    position: int = -1
    action: int = -1


Report = (
    Vitals
    | Saved
    | Measured
    | Comparison
    | Positions
    | Expectations
    | TableMind
    | Discovery
    | Notice
    | Failed
)
