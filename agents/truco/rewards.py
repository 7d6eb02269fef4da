"""Rewards of the Truco learners."""

from dataclasses import dataclass

from agents.learners.rewards import GenericRewards
from engine.game import Event


@dataclass(frozen=True, slots=True)
class TrucoRewards(GenericRewards):
    """A round pays its points, flors included."""

    def reason(self, event: Event, side: tuple[int, ...], mine: float, others: float) -> str:
        outcome = "won" if event.seat in side else "lost"
        return f"round {outcome}, {mine:g} to {others:g}"
