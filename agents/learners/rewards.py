"""What a learner is rewarded for: amounts with their reasons, a table for each game."""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from functools import lru_cache
from typing import NamedTuple

from agents.agent import Sides
from engine.game import Event
from engine.games import notty


class Reward(NamedTuple):
    amount: float
    reason: str


_reward = lru_cache(maxsize=64)(Reward)
"""Those that come again and again need not be made each time."""


@dataclass(frozen=True, slots=True)
class Rewards:
    """The amounts of a game. A `hand` event ends an episode, and a `match` event comes
    together with that of the last hand."""

    def of_actions(self) -> Mapping[int, Reward]:
        """The actions that bring a seat something by themselves, whatever comes of them."""
        return {}

    def of_event(self, event: Event, seat: int, sides: Sides) -> Reward | None:
        """What a seat gets for something that happened."""
        raise NotImplementedError

    def fingerprint(self) -> str:
        """Changes with every amount: values learned for others would mean something else."""
        return ", ".join([f"{each.name} {getattr(self, each.name):g}" for each in fields(self)])


def side_of(seat: int, sides: Sides) -> int:
    """The number of the side a seat plays for."""
    for number, side in enumerate(sides):
        if seat in side:
            return number
    raise ValueError(f"There is no seat {seat}.")


@dataclass(frozen=True, slots=True)
class EuchreRewards(Rewards):
    trick_won: float = 5
    trick_lost: float = -5
    made: float = 20
    march: float = 40
    alone_march: float = 60
    euchred: float = -50
    makers_euchred: float = 50
    hand_lost: float = -20
    match_won: float = 100
    match_lost: float = -100

    def of_event(self, event: Event, seat: int, sides: Sides) -> Reward | None:
        kind, one_side = event.kind, sides[0]
        if kind == "trick":
            if (event.seat in one_side) == (seat in one_side):
                return _reward(self.trick_won, "trick won")
            return _reward(self.trick_lost, "trick lost")
        if kind == "hand":
            return self._of_hand(event.note, (event.seat in one_side) == (seat in one_side))
        if kind == "match":
            if event.points[side_of(seat, sides)]:
                return Reward(self.match_won, "match won")
            return Reward(self.match_lost, "match lost")
        return None

    def _of_hand(self, note: str, ours: bool) -> Reward:
        if note == "euchred":
            if ours:
                return Reward(self.euchred, "euchred")
            return Reward(self.makers_euchred, "makers euchred")
        if not ours:
            return Reward(self.hand_lost, "hand lost")
        amounts = {"made": self.made, "march": self.march, "alone march": self.alone_march}
        return Reward(amounts[note], f"hand won: {note}")


@dataclass(frozen=True, slots=True)
class NottyRewards(Rewards):
    """An exchange leaves the hand as large as it was and brings nothing."""

    won: float = 100
    lost: float = 0
    group: float = 10
    card_fewer: float = 2
    steal: float = 0.5
    draw: float = -0.5
    passed: float = -1

    def of_actions(self) -> Mapping[int, Reward]:
        return {notty.PASS: Reward(self.passed, "turn passed")}

    def of_event(self, event: Event, seat: int, sides: Sides) -> Reward | None:
        if event.kind == "match":
            share = event.points[side_of(seat, sides)]
            if not share:
                return Reward(self.lost, "match lost")
            return Reward(self.won * share, "match won" if share == 1 else "match shared")
        if event.seat != seat:
            return None
        if event.kind == "group":
            return Reward(self.group + self.card_fewer * len(event.cards), "group discarded")
        if event.kind == "steal":
            return Reward(self.steal, "card stolen")
        if event.kind == "draw" and event.note != "exchange":
            return Reward(self.draw, "cards drawn")
        return None


@dataclass(frozen=True, slots=True)
class FodinhaRewards(Rewards):
    """A round is the episode: what counts are the lives it costs."""

    life_lost: float = -10
    call_kept: float = 5
    out: float = -10
    match_won: float = 20

    def of_event(self, event: Event, seat: int, sides: Sides) -> Reward | None:
        if event.kind == "hand":
            lost = -event.points[side_of(seat, sides)]
            if not lost:
                return Reward(self.call_kept, "call kept")
            return Reward(
                self.life_lost * lost, f"{lost:g} {'life' if lost == 1 else 'lives'} lost"
            )
        if event.kind == "out" and event.seat == seat:
            return Reward(self.out, "out of the match")
        if event.kind == "match" and event.points[side_of(seat, sides)]:
            return Reward(self.match_won, "match won")
        return None


@dataclass(frozen=True, slots=True)
class TrucoRewards(Rewards):
    """A round is the episode: what counts are its points, flors included, and on top of
    them the match that they decide."""

    point: float = 10
    match_won: float = 20
    match_lost: float = -20

    def of_event(self, event: Event, seat: int, sides: Sides) -> Reward | None:
        side = side_of(seat, sides)
        if event.kind == "hand":
            mine, theirs = event.points[side], event.points[1 - side]
            outcome = "won" if event.seat == seat else "lost"
            return Reward(self.point * (mine - theirs), f"round {outcome}, {mine:g} to {theirs:g}")
        if event.kind == "match":
            if event.points[side]:
                return Reward(self.match_won, "match won")
            return Reward(self.match_lost, "match lost")
        return None


@dataclass(frozen=True, slots=True)
class SmearRewards(Rewards):
    """Points of a hand count for us as much as against them; a set costs what was bet."""

    point: float = 10
    match_won: float = 20
    match_lost: float = -20

    def of_event(self, event: Event, seat: int, sides: Sides) -> Reward | None:
        side = side_of(seat, sides)
        if event.kind == "hand":
            ours, theirs = event.points[side], event.points[1 - side]
            together = event.seat in sides[side]
            reasons = {
                "made": "our bet made" if together else "their bet made",
                "set": "we were set" if together else "they were set",
                "revoke": "we revoked" if ours < 0 else "they revoked",
            }
            reason = f"{reasons[event.note]}, {ours:g} to {theirs:g}"
            return Reward(self.point * (ours - theirs), reason)
        if event.kind == "match":
            share = event.points[side]
            amount = share * self.match_won + (1 - share) * self.match_lost
            outcomes = {0.0: "match lost", 1.0: "match won"}
            return Reward(amount, outcomes.get(share, "match drawn"))
        return None
