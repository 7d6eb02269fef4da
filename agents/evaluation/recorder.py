"""An agent that notes the decisions of another one."""

from collections.abc import Sequence
from random import Random

from agents.agent import Agent, Decision
from agents.learners.view_encoding import encoder
from engine.game import View

Row = tuple[bytes, tuple[int, ...], int, int, int]
"""A recorded decision: observation, legal actions, action, seat, place of the agent."""


class Recorder(Agent):
    """Decides as another agent does, and notes each decision."""

    def __init__(self, agent: Agent, number: int, rows: list[Row]) -> None:
        self.agent = agent
        self.name = agent.name
        self.wants_results = agent.wants_results
        self._number = number
        self._rows = rows

    def act(self, view: View, legal: list[int], rng: Random) -> Decision:
        decision = self.agent.act(view, legal, rng)
        self._note(view, legal, decision.action)
        return decision

    def choose(self, view: View, legal: list[int], rng: Random) -> int:
        action = self.agent.choose(view, legal, rng)
        self._note(view, legal, action)
        return action

    def hear_result(
        self, points: Sequence[float], scores: Sequence[float], returns: Sequence[float] | None
    ) -> None:
        self.agent.hear_result(points, scores, returns)

    def _note(self, view: View, legal: list[int], action: int) -> None:
        row = encoder(view).encode(view).tobytes()
        self._rows.append((row, tuple(legal), action, view.seat, self._number))
