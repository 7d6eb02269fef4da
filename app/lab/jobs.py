"""What the laboratory is asked to do, and what the two processes tell each other about it."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from agents.evaluation.arena import Pairing, Rated
from agents.training.course import Course
from agents.training.measurement import CurvePoint


@dataclass(frozen=True, slots=True)
class Training:
    """A course to go through.

    measurements   how often to measure on the way, besides before and after it
    measured       matches of each measurement, against each yardstick
    """

    course: Course
    workers: int = 1
    measurements: int = 8
    measured: int = 100

    @property
    def game(self) -> str:
        return self.course.game


@dataclass(frozen=True, slots=True)
class Evaluation:
    """One agent against a table of another, on shared deals."""

    game: str
    agent: str
    against: str
    games: int
    seed: int = 0
    workers: int = 1


@dataclass(frozen=True, slots=True)
class Tournament:
    """Everybody against everybody, `games` matches of each pair."""

    game: str
    agents: tuple[str, ...]
    games: int
    seed: int = 0
    workers: int = 1


Job = Training | Evaluation | Tournament


class Order(StrEnum):
    """What the app tells the process that works. KEEP before the end of a course stops it
    and keeps what was learned without measuring it."""

    PAUSE = "pause"
    GO_ON = "go on"
    STOP = "stop"
    KEEP = "keep"
    THROW_AWAY = "throw away"


@dataclass(frozen=True, slots=True)
class Progress:
    """How far the work is.

    measuring   a course stands still while it is found out how well the learner plays
    seconds     spent on the matches that are done, pauses and measurements left out
    """

    done: int
    total: int
    seconds: float
    measuring: bool = False


@dataclass(frozen=True, slots=True)
class Measured:
    points: tuple[CurvePoint, ...]


@dataclass(frozen=True, slots=True)
class Learned:
    """The course is over or stopped; the process waits to be told to keep or throw away."""

    games: int
    seconds: float


@dataclass(frozen=True, slots=True)
class Kept:
    """What was learned is saved; apart from what sits at tables if the rewards were other."""

    apart: bool = False


@dataclass(frozen=True, slots=True)
class ThrownAway:
    pass


@dataclass(frozen=True, slots=True)
class Evaluated:
    """A report of `agents.evaluation.evaluation.evaluate`."""

    report: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Ranked:
    pairings: tuple[Pairing, ...]
    ladder: tuple[Rated, ...]


@dataclass(frozen=True, slots=True)
class Stopped:
    """The work was given up before it led to anything."""


@dataclass(frozen=True, slots=True)
class Remark:
    """Something a person should know; the work goes on."""

    sentence: str


@dataclass(frozen=True, slots=True)
class Failed:
    sentence: str


Report = (
    Progress
    | Measured
    | Learned
    | Kept
    | ThrownAway
    | Evaluated
    | Ranked
    | Stopped
    | Remark
    | Failed
)

LAST = (Kept, ThrownAway, Evaluated, Ranked, Stopped, Failed)
"""After one of these the process ends."""
