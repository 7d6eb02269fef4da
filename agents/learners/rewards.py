"""What a learner is rewarded for: amounts, each with its reason in words.

A game's own rewards are in `agents/<game>/rewards.py`.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any, NamedTuple

from agents.agent import Sides
from engine.compiling import mypyc_attr
from engine.game import Event
from engine.records import kept, rebuilt_by_init


class Reward(NamedTuple):
    amount: float
    reason: str


@mypyc_attr(allow_interpreted_subclasses=True)
@dataclass(frozen=True, slots=True)
class Rewards:
    """The amounts of a game. A `hand` event ends an episode, and a `match` event comes
    together with that of the last hand."""

    def __reduce__(self) -> tuple[Any, ...]:
        return rebuilt_by_init, (type(self), kept(self))

    def of_actions(self) -> Mapping[int, Reward]:
        """The actions that pay a seat as soon as it takes them."""
        return {}

    def of_event(self, event: Event, seat: int, sides: Sides) -> Reward | None:
        """The reward of a seat for an event."""
        raise NotImplementedError

    def fingerprint(self) -> str:
        """Changes with every amount, because values learned from other amounts do not compare."""
        return ", ".join([f"{each.name} {getattr(self, each.name):g}" for each in fields(self)])


def side_of(seat: int, sides: Sides) -> int:
    """The number of the side a seat plays for."""
    for number, side in enumerate(sides):
        if seat in side:
            return number
    raise ValueError(f"There is no seat {seat}.")


def match_reward(share: float, won: float, lost: float) -> Reward:
    """The reward for a side's share of a match: 1 for a win, 0 for a loss, else a draw."""
    reason = {0.0: "match lost", 1.0: "match won"}.get(share, "match drawn")
    return Reward(share * won + (1 - share) * lost, reason)


@mypyc_attr(allow_interpreted_subclasses=True)
@dataclass(frozen=True, slots=True)
class GenericRewards(Rewards):
    """Rewards for points and matches, for any game that reports the points of a hand. A hand
    pays the points of the seat's side minus the mean points of the other sides."""

    point: float = 10.0
    match_won: float = 20.0
    match_lost: float = -20.0

    def of_event(self, event: Event, seat: int, sides: Sides) -> Reward | None:
        if not event.points:
            return None
        side = side_of(seat, sides)
        mine = event.points[side]
        if event.kind == "hand":
            others = (sum(event.points) - mine) / (len(sides) - 1)
            reason = self.reason(event, sides[side], mine, others)
            return Reward(self.point * (mine - others), reason)
        if event.kind == "match":
            return match_reward(mine, self.match_won, self.match_lost)
        return None

    def reason(self, event: Event, side: tuple[int, ...], mine: float, others: float) -> str:
        """Words for the points of a `hand` event."""
        return f"hand over, {mine:g} points"


@dataclass(frozen=True, slots=True)
class HandRewards(Rewards):
    """What a network learns to expect from a hand.

    point        for each point of the own side
    others       the weight of the other sides' points, on average, against it
    match_won, match_lost
                 in addition, for the last hand of a match
    """

    point: float = 0.5
    others: float = 1.0
    match_won: float = 0.5
    match_lost: float = -0.5

    def of_hand(self, points: Sequence[float], side: int) -> float:
        mine = points[side]
        rest = (sum(points) - mine) / (len(points) - 1)
        return self.point * (mine - self.others * rest)

    def of_match(self, share: float | None) -> float:
        """The reward for a share of a match; None while it goes on."""
        if share is None:
            return 0.0
        return match_reward(share, self.match_won, self.match_lost).amount

    def of_event(self, event: Event, seat: int, sides: Sides) -> Reward | None:
        side = side_of(seat, sides)
        if event.kind == "hand":
            return Reward(self.of_hand(event.points, side), f"{event.points[side]:g} points")
        if event.kind == "match":
            return match_reward(event.points[side], self.match_won, self.match_lost)
        return None
