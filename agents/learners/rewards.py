"""What a learner is rewarded for: amounts, each with its reason in words.

A game's own rewards are in `agents/<game>/rewards.py`.
"""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import NamedTuple

from agents.agent import Sides
from engine.game import Event


class Reward(NamedTuple):
    amount: float
    reason: str


@dataclass(frozen=True, slots=True)
class Rewards:
    """The amounts of a game. A `hand` event ends an episode, and a `match` event comes
    together with that of the last hand."""

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


@dataclass(frozen=True, slots=True)
class GenericRewards(Rewards):
    """Rewards for points and matches, for any game that reports the points of a hand. A hand
    pays the points of the seat's side minus the mean points of the other sides."""

    point: float = 10
    match_won: float = 20
    match_lost: float = -20

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
