"""The base of learners that imitate a teacher."""

from collections.abc import Mapping, Sequence

from agents.agent import Agent, Sides
from agents.learners.feature_learner import FeatureLearner
from agents.learners.rewards import side_of
from engine.game import Event


class Imitator(FeatureLearner):
    """Learns from its teacher's decisions only, not from results or rewards."""

    teacher: Agent

    def observe(self, seat: int, sides: Sides, events: Sequence[Event]) -> None:
        """Count results, without learning from them."""
        if self.learning:
            for event in events:
                if event.kind == "match":
                    self._count_match(event, seat, side_of(seat, sides))

    def adjust(self, settings: Mapping[str, float], rewards: Mapping[str, float]) -> None:
        if rewards:
            raise ValueError(f"{self.name} learns from {self.teacher.name}, not from rewards.")
        super().adjust(settings, rewards)
