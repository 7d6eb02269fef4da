"""The Truco expert: a strategy learned by regret minimisation, adjusted by `hard`."""

from functools import cache
from math import exp
from random import Random
from typing import Final

from agents.agent import Agent, Decision, Scale
from agents.storage.store import read_shipped
from agents.truco.rules import HardTruco, call_flor, weigh
from agents.truco.situations import FINGERPRINT, Policy, follow
from engine.game import View
from engine.games.truco import FLOR, TrucoView, has_flor

HOW_OFTEN: Final = "how often an expert does this here"
TEMPERATURE: Final = 0.25
"""The points that make a choice e times as likely as the strategy does."""


@cache
def shipped_policy() -> Policy:
    """The shipped strategy. Raises StoreError if its file is damaged."""
    return Policy.restored(read_shipped("truco", ExpertTruco.name, FINGERPRINT))


class ExpertTruco(Agent):
    """Calls every real flor, and chooses everything else with the frequencies of its strategy.

    The strategy maximises points, and knowing it helps little. The expected points of `hard`,
    which depend on the opponent's actions and on the score, make a choice likelier or rarer; a
    choice that the strategy never makes stays excluded. `hard` decides alone if the round
    decides the match or the situation is unknown.
    """

    name = "search"

    def __init__(self, policy: Policy | None = None) -> None:
        self._policy = policy or shipped_policy()
        self._hard = HardTruco()

    def act(self, view: View, legal: list[int], rng: Random) -> Decision:
        assert isinstance(view, TrucoView)
        if FLOR in legal and has_flor(view.hand, view.muestra):
            return call_flor(weigh(view, legal))
        node, rounds = follow(view)
        actions = [action for action in node.actions() if action in legal]
        if len(actions) == 1:
            return Decision(actions[0], {actions[0]: 1.0}, HOW_OFTEN, scale=Scale.FREQUENCY)
        chances = self._policy.chances(node, rounds)[:, 0]
        missing = view.target() - max(view.scores)
        frequencies = {
            action: float(chance)
            for action, chance in zip(node.actions(), chances, strict=True)
            if chance and action in legal
        }
        if missing <= view.stake or not frequencies:
            return self._hard.act(view, legal, rng)
        points = weigh(view, legal).points
        top = max([points[action] for action in frequencies])
        adjusted = {
            action: chance * exp((points[action] - top) / TEMPERATURE)
            for action, chance in frequencies.items()
        }
        total = sum(adjusted.values())
        scores = {action: adjusted.get(action, 0.0) / total for action in actions}
        action = rng.choices(actions, list(scores.values()))[0]
        return Decision(action, scores, HOW_OFTEN, scale=Scale.FREQUENCY)
