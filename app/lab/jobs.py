"""The jobs of the Lab, and the messages between the app and the process that does them."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from agents.evaluation.arena import Pairing, Rated
from agents.training.course import Course
from agents.training_log import CurvePoint
from app.lab.notices import Failed, Notice


@dataclass(frozen=True, slots=True)
class Training:
    """A course to run.

    start          what the learner starts from, see `app.lab.learner_store`
    measurements   how often to measure on the way, besides before and after the course
    measured       matches of each measurement, against each reference agent
    """

    course: Course
    workers: int = 1
    measurements: int = 8
    measured: int = 100
    start: str = "home"

    @property
    def game(self) -> str:
        return self.course.game


@dataclass(frozen=True, slots=True)
class Evaluation:
    """One agent against another on all other sides, on shared deals."""

    game: str
    agent: str
    against: str
    games: int
    seed: int = 0
    workers: int = 1


@dataclass(frozen=True, slots=True)
class Tournament:
    """Every agent against every other, `games` matches per pair."""

    game: str
    agents: tuple[str, ...]
    games: int
    seed: int = 0
    workers: int = 1


Job = Training | Evaluation | Tournament


class Command(StrEnum):
    """What the app sends to the process. KEEP before the end of a course stops the course and
    keeps what was learned without measuring it. A second STOP skips the last measurement."""

    PAUSE = "pause"
    RESUME = "resume"
    STOP = "stop"
    KEEP = "keep"
    DISCARD = "discard"


@dataclass(frozen=True, slots=True)
class Progress:
    """How much of a job is done.

    measuring   whether a course waits for a measurement
    seconds     spent on the matches so far, without pauses and measurements
    known       situations or weights that the learner of a course has updated
    epsilon     its share of random moves
    """

    done: int
    total: int
    seconds: float
    measuring: bool = False
    known: int = 0
    epsilon: float = 0.0


@dataclass(frozen=True, slots=True)
class Measured:
    points: tuple[CurvePoint, ...]


@dataclass(frozen=True, slots=True)
class Learned:
    """The course is over or stopped. The process waits for KEEP or DISCARD."""

    games: int
    seconds: float


@dataclass(frozen=True, slots=True)
class Kept:
    """What was learned is saved."""


@dataclass(frozen=True, slots=True)
class Discarded:
    """What was learned is not saved."""


@dataclass(frozen=True, slots=True)
class Evaluated:
    """A report of `agents.evaluation.evaluation.evaluate`."""

    report: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Ranked:
    pairings: tuple[Pairing, ...]
    ladder: tuple[Rated, ...]


@dataclass(frozen=True, slots=True)
class Cancelled:
    """An evaluation or a tournament was stopped."""


Report = (
    Progress
    | Measured
    | Learned
    | Kept
    | Discarded
    | Evaluated
    | Ranked
    | Cancelled
    | Notice
    | Failed
)

FINAL = (Kept, Discarded, Evaluated, Ranked, Cancelled, Failed)
"""After one of these reports the process ends."""
