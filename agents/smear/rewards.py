"""Rewards of the Smear learners."""

from dataclasses import dataclass

from agents.agent import Sides
from agents.learners.rewards import Reward, Rewards, match_reward, side_of
from engine.game import Event


@dataclass(frozen=True, slots=True)
class SmearRewards(Rewards):
    """A hand pays our points minus theirs. A set costs the bet."""

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
            return match_reward(event.points[side], self.match_won, self.match_lost)
        return None
