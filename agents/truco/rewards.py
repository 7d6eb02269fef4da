"""Rewards of the Truco learners."""

from dataclasses import dataclass

from agents.agent import Sides
from agents.learners.rewards import Reward, Rewards, match_reward, side_of
from engine.game import Event


@dataclass(frozen=True, slots=True)
class TrucoRewards(Rewards):
    """The episode is a round. It pays its points, flors included, and the match it decides."""

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
            return match_reward(event.points[side], self.match_won, self.match_lost)
        return None
