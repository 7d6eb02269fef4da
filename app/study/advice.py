"""Advice from the strongest agent of a game, for hints and reviews."""

from dataclasses import replace
from random import Random

from agents.agent import Agent, Decision, Scale
from agents.registry import make, strongest
from agents.search.agent import Budget, SearchAgent
from app.match.moment import Thought
from engine.game import View

_PURE = "hard"
"""The strongest agent with values for moves, used if the strongest agent mixes its moves."""

_DEEPER = 3
"""How many times as long as at the table an agent thinks before it advises."""


class Adviser:
    """Scores every legal action of a position, including bad ones. Not thread-safe.

    The result depends only on the position and the match, so a review agrees with the hints
    that were shown before.

    agent   the name of the agent that advises
    """

    def __init__(self, game: str, seed: int) -> None:
        self._game = game
        self.agent = strongest(game)
        self._seed = seed
        self._agents: dict[str, Agent] = {}

    def weigh(self, view: View, legal: list[int], number: int) -> Thought:
        """The decision of the strongest agent; its most frequent action if it mixes actions.

        number   how many actions of the match came before
        """
        decision = self._ask(self.agent, view, legal, number)
        if decision.scale is Scale.FREQUENCY and decision.scores:
            usual = max(decision.scores, key=decision.scores.__getitem__)
            decision = replace(decision, action=usual)
        return Thought(number, self.agent, view, tuple(legal), decision)

    def worth(self, view: View, legal: list[int], number: int) -> Decision:
        """The decision of an agent that does not mix actions but gives each a value."""
        return self._ask(_PURE, view, legal, number)

    def _ask(self, name: str, view: View, legal: list[int], number: int) -> Decision:
        if name not in self._agents:
            agent = self._agents[name] = make(self._game, name)
            if isinstance(agent, SearchAgent):
                agent.thorough = True
                agent.budget = Budget(_DEEPER * agent.budget.worlds)
        return self._agents[name].act(view, legal, Random(f"{self._seed}/advice/{number}"))
