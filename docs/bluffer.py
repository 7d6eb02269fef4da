"""A complete agent: a Truco player that bids at random."""

from random import Random

from agents.agent import Agent, Decision, Scale
from engine.game import View
from engine.games.truco import ACCEPT, FLOR, RAISE, REJECT, TrucoView, has_flor

BID_WEIGHTS = {RAISE: 2.0, ACCEPT: 3.0, REJECT: 1.0}
"""How likely each bid is, relative to the others. A card's weight is its strength."""

NEVER = 1e-9
"""The weight of an action that it takes only if there is no other."""


class Bluffer(Agent):
    """Raises with any cards, and never calls a flor that it does not hold."""

    name = "bluffer"

    def act(self, view: View, legal: list[int], rng: Random) -> Decision:
        assert isinstance(view, TrucoView)
        weights = [self.weight(view, action) for action in legal]
        action = rng.choices(legal, weights)[0]
        shares = {each: weight / sum(weights) for each, weight in zip(legal, weights, strict=True)}
        return Decision(action, shares, "how often it does this", scale=Scale.FREQUENCY)

    def weight(self, view: TrucoView, action: int) -> float:
        if action == FLOR:
            cards = (*view.hand, *view.played_by(view.seat))
            return 5.0 if has_flor(cards, view.muestra) else NEVER
        if action in BID_WEIGHTS:
            return BID_WEIGHTS[action]
        return 1.0 + action  # cards are sorted, and the last action plays the strongest
