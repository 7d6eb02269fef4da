"""Rewards of the Notty learners."""

from collections.abc import Mapping
from dataclasses import dataclass

from agents.agent import Sides
from agents.learners.rewards import Reward, Rewards, side_of
from engine.game import Event
from engine.games.notty import PASS


@dataclass(frozen=True, slots=True)
class NottyRewards(Rewards):
    """An exchange pays nothing, because it does not change the size of the hand."""

    won: float = 100.0
    lost: float = 0.0
    group: float = 10.0
    card_fewer: float = 2.0
    steal: float = 0.5
    draw: float = -0.5
    passed: float = -1.0

    def of_actions(self) -> Mapping[int, Reward]:
        return {PASS: Reward(self.passed, "turn passed")}

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
