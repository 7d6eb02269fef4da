"""Advice from the strongest agent of a game, for hints and reviews."""

from collections.abc import Sequence
from dataclasses import replace
from random import Random

from agents.agent import Agent, Decision, Scale
from agents.evaluation.reliability import Hint
from agents.evaluation.strengths import at_table
from agents.registry import agents_for, make, strongest
from agents.search.agent import Budget, SearchAgent
from app.match.moment import Thought
from app.match.seating import rated_players
from engine.game import View

_PURE = "hard"
"""The strongest agent with values for moves, used if the strongest agent mixes its moves."""

_ORDINARY = "easy"
"""The agent that decides as an ordinary player would."""

_DEEPER = 3
"""How many times as long as at the table an agent thinks before it advises."""


class Adviser:
    """Scores every legal action of a position, including bad ones. Not thread-safe.

    The result depends only on the position and the match, so a review agrees with the hints
    that were shown before. Chances to win hold for the players at the table, a person counted as
    `hard`.

    agent   the name of the agent that advises
    """

    def __init__(
        self,
        game: str,
        seed: int,
        players: Sequence[str] | None,
        deeper: int = _DEEPER,
        budget: Budget | None = None,
    ) -> None:
        """
        players   PERSON or the name of an agent, for each seat; None leaves chances as agents state
                  them between equal players
        deeper    how many times as long as at the table an agent that searches thinks
        budget    of an agent that searches, instead of `deeper`
        """
        self._budget = budget
        self._game = game
        self._players = None if players is None else rated_players(players)
        self.agent = strongest(game)
        self._seed = seed
        self._deeper = deeper
        self._agents: dict[str, Agent] = {}

    @property
    def worlds(self) -> int:
        """In how many possible deals the strongest agent tries its moves; 0 if it does not."""
        agent = self._made(self.agent)
        return agent.budget.worlds if isinstance(agent, SearchAgent) else 0

    def weigh(self, view: View, legal: list[int], number: int) -> Thought:
        """The decision of the strongest agent; its most frequent action if it mixes actions.

        number   how many actions of the match came before
        """
        decision = self._ask(self.agent, view, legal, number)
        worth = None
        if decision.scale is Scale.FREQUENCY and decision.scores:
            usual = max(decision.scores, key=decision.scores.__getitem__)
            worth = self.worth(view, legal, number)
            decision = replace(decision, action=usual, reason=worth.reason)
        return Thought(number, self.agent, view, tuple(legal), decision, worth=worth)

    def worth(self, view: View, legal: list[int], number: int) -> Decision:
        """The decision of an agent that does not mix actions but gives each a value."""
        return self._ask(_PURE, view, legal, number)

    def ordinary(self, view: View, legal: list[int], number: int) -> int | None:
        """The move of an ordinary player, if the game has such an agent."""
        if _ORDINARY not in agents_for(self._game):
            return None
        return self._ask(_ORDINARY, view, legal, number).action

    def _made(self, name: str) -> Agent:
        if name not in self._agents:
            agent = self._agents[name] = make(self._game, name)
            if isinstance(agent, SearchAgent):
                agent.thorough = True
                agent.budget = self._budget or Budget(self._deeper * agent.budget.worlds)
        return self._agents[name]

    def _ask(self, name: str, view: View, legal: list[int], number: int) -> Decision:
        rng = Random(f"{self._seed}/advice/{number}")
        decision = self._made(name).act(view, legal, rng)
        if self._players is None:
            return decision
        return at_table(self._game, view, decision, self._players)


def hinting(game: str, budget: Budget | None = None) -> Hint:
    """Asks for hints as `Adviser` gives them at a table, with a value for each move."""

    def hint(
        names: Sequence[str], seed: int, view: View, legal: list[int], number: int
    ) -> Decision:
        thought = Adviser(game, seed, names, budget=budget).weigh(view, legal, number)
        return thought.worth or thought.decision

    return hint
