"""Rewards of the Smear learners."""

from dataclasses import dataclass

from agents.learners.rewards import GenericRewards
from engine.game import Event


@dataclass(frozen=True, slots=True)
class SmearRewards(GenericRewards):
    """A hand pays our points minus theirs. A set costs the bet."""

    def reason(self, event: Event, side: tuple[int, ...], mine: float, others: float) -> str:
        ours = event.seat in side
        reasons = {
            "made": "our bet made" if ours else "their bet made",
            "set": "we were set" if ours else "they were set",
            "revoke": "we revoked" if mine < 0 else "they revoked",
        }
        return f"{reasons[event.note]}, {mine:g} to {others:g}"
