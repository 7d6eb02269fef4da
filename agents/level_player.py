"""Players of the levels between `easy` and `search`: a stronger agent that slips as people do."""

from collections.abc import Mapping
from math import exp
from random import Random
from typing import Final

from agents.agent import Agent, Decision
from engine.game import View

CONSIDERED: Final = 3
"""A slip takes the second or third best action, never one behind them."""

TOO_FAR: Final = 3.0
"""An action that is this many temperatures worse than the base's choice is never taken: its
weight would be below 5 %."""


class LevelPlayer(Agent):
    """Chooses softly among the best actions of another agent, its base.

    The base's own choice has weight 1. Another action weighs exp(-d / temperature), where d is
    how much worse the base scores it. Scores of a base are in one unit for all its decisions,
    such as points of the hand or chances to win, so small differences are often missed and large
    ones seldom, as people do.

    temperature   in the unit of the base's scores; 0 always takes the base's choice
    leanings      what is added to the scores of actions by the first word of their labels, such
                  as `bet`: a style
    """

    def __init__(
        self,
        name: str,
        base: Agent,
        temperature: float,
        leanings: Mapping[str, float] | None = None,
    ) -> None:
        self.name = name
        self.base = base
        self.temperature = temperature
        self.leanings = dict(leanings or {})

    def act(self, view: View, legal: list[int], rng: Random) -> Decision:
        decision = self.base.act(view, legal, rng)
        # Drawn in every decision, so that a slip does not change the random numbers after it.
        luck = rng.random()
        if self.temperature <= 0 or len(decision.scores) < 2:
            return decision
        chosen = decision.action
        weights = self._weights(view, decision)
        action = _drawn(weights, luck)
        if action == chosen:
            return decision
        return Decision(action, decision.scores, decision.meaning, scale=decision.scale)

    def _weights(self, view: View, decision: Decision) -> dict[int, float]:
        """The weight of each action that it considers, the heaviest first."""
        chosen, scores = decision.action, decision.scores
        own = scores.get(chosen, max(scores.values()))
        # A base that mixes may have chosen an action that is not its best. Nothing is better then.
        ahead = {action: min(0.0, score - own) for action, score in scores.items()}
        ahead[chosen] = 0.0
        if self.leanings:
            for action in ahead:
                ahead[action] += self.leanings.get(view.label(action).partition(" ")[0], 0.0)
        best = max(ahead.values())
        near = [action for action in ahead if best - ahead[action] <= TOO_FAR * self.temperature]
        near.sort(key=lambda action: (-ahead[action], action != chosen))
        return {
            action: exp((ahead[action] - best) / self.temperature) for action in near[:CONSIDERED]
        }

    def describe(self, view: View) -> str:
        return self.base.describe(view)


def _drawn(weights: Mapping[int, float], luck: float) -> int:
    """The action at this share of the total weight."""
    reach = luck * sum(weights.values())
    for action, weight in weights.items():
        reach -= weight
        if reach < 0:
            return action
    return next(iter(weights))
