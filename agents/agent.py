"""The contract: who decides, what a decision says, and how a learner learns."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum, auto
from random import Random
from typing import Any

from engine.game import Event, View

Sides = tuple[tuple[int, ...], ...]


class Scale(Enum):
    """How the numbers of a decision are to be read.

    WORTH    the larger, the better; without limits
    CHANCE   a chance from 0 to 1, the larger, the better
    HABIT    how often the move is made, from 0 to 1: a rarer move is not a worse one
    """

    WORTH = auto()
    CHANCE = auto()
    HABIT = auto()


@dataclass(slots=True)
class Decision:
    """An action and what spoke for it.

    scores    a number for each legal action that the agent weighed
    meaning   what these numbers are, in plain words ("expected points of this hand")
    explored  whether the action was a try at random
    seen      how often the agent met this situation before; None if it does not count
    scale     how the numbers are to be read
    """

    action: int
    scores: dict[int, float] = field(default_factory=dict)
    meaning: str = ""
    explored: bool = False
    seen: int | None = None
    scale: Scale = Scale.WORTH


class Agent:
    """Decides for a seat from its view alone."""

    name: str = ""

    def act(self, view: View, legal: list[int], rng: Random) -> Decision:
        """Choose one of the legal actions. All chance comes from rng."""
        raise NotImplementedError

    def describe(self, view: View) -> str:
        """What it notices of the situation, in words; empty for one that looks at all."""
        return ""

    def choose(self, view: View, legal: list[int], rng: Random) -> int:
        """The action of `act`, for those who do not ask what spoke for it."""
        return self.act(view, legal, rng).action


@dataclass(slots=True)
class LearningStats:
    """What the learning panel shows."""

    total_actions: int = 0
    exploration_actions: int = 0
    epsilon: float = 0.0
    table_size: int = 0
    updates: int = 0
    mean_td_error: float = 0.0
    games: int = 0
    wins: float = 0.0
    last_reward: float = 0.0
    last_reason: str = ""
    last_update: float = 0.0
    recent: list[float] = field(default_factory=list)
    """Results of the last hundred matches, oldest first: 1 win, 0 loss."""


class Learner(Agent):
    """An agent that learns from its own play, at one seat or at several of one match.

    It learns in `act`, where the seat's next situation is known, and in `observe`, when
    a hand or the match ends. With `learning` off it neither explores nor changes.
    """

    game: str = ""
    """The name of the game it learned; with the agent's own name it names the file."""
    learning: bool = True
    unsaved: int = 0
    """Actions since the last save."""

    def observe(self, seat: int, sides: Sides, events: Sequence[Event]) -> None:
        """What happened since the last call, for a seat this learner plays."""
        raise NotImplementedError

    def forget_match(self) -> None:
        """Drop unfinished business: the match was left."""
        raise NotImplementedError

    def adjust(self, settings: Mapping[str, float], rewards: Mapping[str, float]) -> None:
        """Change named settings (such as alpha) and rewards before anything is learned.
        Raises ValueError for a name this learner does not know."""
        raise NotImplementedError

    def stats(self) -> LearningStats:
        raise NotImplementedError

    def fingerprint(self) -> str:
        """Names what the stored values mean; other values cannot be loaded."""
        raise NotImplementedError

    def dump(self) -> dict[str, object]:
        """What was learned, as plain containers, numbers and strings."""
        raise NotImplementedError

    def restore(self, data: dict[str, object]) -> None:
        """Take over what `dump` gave. Raises ValueError for anything else."""
        raise NotImplementedError

    def merge(self, data: dict[str, object]) -> None:
        """Fold in what another window saved meanwhile, keeping what both learned."""
        raise NotImplementedError

    def compact(self, least: int) -> None:
        """Make what was learned smaller to pass it on, where that can be done: forget what
        was met fewer times than `least`."""

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
