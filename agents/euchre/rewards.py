"""Rewards of the Euchre learners."""

from dataclasses import dataclass
from functools import lru_cache

from agents.agent import Sides
from agents.learners.rewards import Reward, Rewards, match_reward, side_of
from engine.game import Event

_trick_reward = lru_cache(maxsize=64)(Reward)
"""Tricks pay the same few amounts again and again."""


@dataclass(frozen=True, slots=True)
class EuchreRewards(Rewards):
    trick_won: float = 5.0
    trick_lost: float = -5.0
    made: float = 20.0
    march: float = 40.0
    alone_march: float = 60.0
    euchred: float = -50.0
    makers_euchred: float = 50.0
    hand_lost: float = -20.0
    match_won: float = 100.0
    match_lost: float = -100.0

    def of_event(self, event: Event, seat: int, sides: Sides) -> Reward | None:
        kind, one_side = event.kind, sides[0]
        if kind == "trick":
            if (event.seat in one_side) == (seat in one_side):
                return _trick_reward(self.trick_won, "trick won")
            return _trick_reward(self.trick_lost, "trick lost")
        if kind == "hand":
            return self._of_hand(event.note, (event.seat in one_side) == (seat in one_side))
        if kind == "match":
            share = event.points[side_of(seat, sides)]
            return match_reward(share, self.match_won, self.match_lost)
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
