"""Rewards of the Fodinha learners."""

from dataclasses import dataclass

from agents.agent import Sides
from agents.learners.rewards import Reward, Rewards, side_of
from engine.game import Event


@dataclass(frozen=True, slots=True)
class FodinhaRewards(Rewards):
    """The episode is a round, and its rewards are for the lives it costs."""

    life_lost: float = -10.0
    call_kept: float = 5.0
    out: float = -10.0
    match_won: float = 20.0

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
