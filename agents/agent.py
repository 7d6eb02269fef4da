"""The contract of agents, of their decisions and of learners."""

from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum, auto
from random import Random
from typing import Any, ClassVar

from agents.training_log import TrainingLog
from engine.game import Event, View

Sides = tuple[tuple[int, ...], ...]

Setup = tuple[dict[str, float], dict[str, float]]
"""The settings and the rewards of a learner, by name."""


class Scale(Enum):
    """How to read the scores of a decision.

    VALUE      larger is better; unbounded
    CHANCE     the chance to win the match, between players as strong as `hard`
    SHARE      another probability from 0 to 1; larger is better
    FREQUENCY  how often the agent takes the action, from 0 to 1; a rarer action is not worse
    """

    VALUE = auto()
    CHANCE = auto()
    SHARE = auto()
    FREQUENCY = auto()


@dataclass(slots=True)
class Decision:
    """An action and the reasons for it.

    scores    a number for each legal action that the agent compared
    meaning   what the scores measure, in plain words ("expected points of this hand")
    explored  True if the action was a random try of a learner
    seen      how often the agent has met this situation; None if it does not count
    scale     how to read the scores
    reason    why the action is good, in a sentence for the hint; may be empty
    """

    action: int
    scores: dict[int, float] = field(default_factory=dict)
    meaning: str = ""
    explored: bool = False
    seen: int | None = None
    scale: Scale = Scale.VALUE
    reason: str = ""


class Agent:
    """Decides for a seat. It knows the view of that seat and nothing else."""

    name: str = ""
    looks: bool = True
    """False if it takes any legal action with equal probability. Environments then need no view
    for it."""

    wants_results: bool = False
    """Whether a match calls `hear_result`."""

    def act(self, view: View, legal: list[int], rng: Random) -> Decision:
        """Choose one of the given actions. All randomness comes from rng."""
        raise NotImplementedError

    def describe(self, view: View) -> str:
        """What the agent notices in a view, in words; empty if it has no words for it."""
        return ""

    def hear_result(
        self, points: Sequence[float], scores: Sequence[float], returns: Sequence[float] | None
    ) -> None:
        """Told at the end of a hand, if `wants_results`: the points and the score of each side, and
        after the last hand each seat's share of the match."""

    def choose(self, view: View, legal: list[int], rng: Random) -> int:
        """The action of `act`, for callers that do not need the scores."""
        return self.act(view, legal, rng).action


@dataclass(slots=True)
class LearningStats:
    """Figures for the learning panel and the Lab."""

    total_actions: int = 0
    exploration_actions: int = 0
    epsilon: float = 0.0
    table_size: int = 0
    size_unit: str = "situations"
    """What `table_size` counts: situations of a table, or weights."""
    updates: int = 0
    mean_td_error: float = 0.0
    games: int = 0
    wins: float = 0.0
    last_reward: float = 0.0
    last_reason: str = ""
    last_update: float = 0.0
    recent: list[float] = field(default_factory=list)
    """Results of the last hundred matches, oldest first: 1 win, 0 loss."""


@dataclass(frozen=True, slots=True)
class Lesson:
    """One update of a learner, for people who look on.

    where, move  the situation and the move, in words; `where` may be empty
    expected     the value of the move before the update
    reward       what came of the move, and `reasons` why
    later        the rest of the outcome: what the learner expects from there on, or what it
                 got later if it does not predict
    predicts     whether `later` is a prediction
    now          the value after the update, or for a network the value it learns towards
    step         the share of the error that was corrected; 0 if a network learns in batches
    situation    the situation as `agents.learners.features.Situation`; empty without words
    """

    where: str
    move: str
    expected: float
    reward: float
    reasons: tuple[str, ...]
    later: float
    predicts: bool
    now: float
    step: float
    situation: tuple[int, ...] = ()


class Learner(Agent):
    """An agent that learns from its own play, in one seat or in several seats of a match.

    It learns in `act`, which sees the seat's next situation, and in `observe`, when a hand or
    the match ends. While `learning` is False it neither explores nor changes.
    """

    TRANSIENT: ClassVar[frozenset[str]] = frozenset()
    """Attributes that are not saved and may be large."""
    game: str = ""
    """The game it plays. Its file is named after the game and the agent."""
    learning: bool = True
    unsaved: int = 0
    """Actions since the last save."""
    lessons: deque[Lesson] | None = None
    """Receives the updates while somebody looks on; None during training, which is then faster."""
    log: TrainingLog = TrainingLog()
    """How it was trained. Training and the store keep it; learners need not."""
    saved_log: TrainingLog = TrainingLog()
    """The log at the last load or save."""
    stored_as: str = ""
    """Its name when the store last loaded or saved it."""
    source: str = "nothing learned"
    """Where its values come from, for reports: `home`, `shipped`, `generation 100, shipped`."""

    def observe(self, seat: int, sides: Sides, events: Sequence[Event]) -> None:
        """Learn from the events since the last call, for one of the seats it plays."""
        raise NotImplementedError

    def forget_match(self) -> None:
        """Drop what it remembers of an unfinished match."""
        raise NotImplementedError

    def adjust(self, settings: Mapping[str, float], rewards: Mapping[str, float]) -> None:
        """Change named settings (such as alpha) and rewards. What it has learned stays.
        Raises ValueError for a name this learner does not know."""
        raise NotImplementedError

    def setup(self) -> Setup:
        """All its settings and rewards, for `adjust`. They are saved with what it has learned."""
        return {}, {}

    def stats(self) -> LearningStats:
        raise NotImplementedError

    def fingerprint(self) -> str:
        """Identifies the meaning of the stored values. Only values with the same fingerprint
        can be loaded."""
        raise NotImplementedError

    def dump(self) -> dict[str, object]:
        """Everything learned, as plain containers, numbers and strings."""
        raise NotImplementedError

    def restore(self, data: dict[str, object]) -> None:
        """Replace its knowledge by a `dump`. Raises ValueError for anything else."""
        raise NotImplementedError

    def merge(self, data: dict[str, object]) -> None:
        """Add its own updates to a newer dump, such as one saved by another window."""
        raise NotImplementedError

    def compact(self, least: int, rough: bool = False) -> None:
        """Reduce its size on disk where possible.

        least   situations met fewer times are forgotten
        rough   whether weights may be rounded so much that play changes a little
        """

    def updates(self) -> dict[str, Any]:
        """Return what was learned since the last `restore`, for `merge_updates`."""
        raise NotImplementedError

    def merge_updates(self, updates: dict[str, Any]) -> None:
        """Add another learner's updates. Both must have started from the same knowledge."""
        raise NotImplementedError

    def take_delta(self) -> dict[str, Any]:
        """Return what changed since the last call, for learners in step with this one."""
        known = self.dump()
        self.restore(known)
        return known

    def apply_delta(self, delta: dict[str, Any]) -> None:
        """Apply another learner's delta."""
        self.restore(delta)
