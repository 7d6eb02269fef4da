"""An agent from scratch: a Truco player whom nobody can read, itself included."""

from random import Random

from agents.agent import Agent, Decision, Scale
from engine.game import View
from engine.games.truco import ACCEPT, FLOR, RAISE, REJECT, TrucoView, has_flor

TEMPER = {RAISE: 2.0, ACCEPT: 3.0, REJECT: 1.0}
"""How much it is drawn to each bid; cards draw it by their strength."""

NEVER = 1e-9
"""For an action that it takes only if nothing else is offered."""


class Bluffer(Agent):
    """Raises with anything, and shows no flor that it does not have."""

    name = "bluffer"

    def act(self, view: View, legal: list[int], rng: Random) -> Decision:
        assert isinstance(view, TrucoView)
        pulls = [self.pull(view, action) for action in legal]
        action = rng.choices(legal, pulls)[0]
        habits = {each: pull / sum(pulls) for each, pull in zip(legal, pulls, strict=True)}
        return Decision(action, habits, "how often it does this", scale=Scale.HABIT)

    def pull(self, view: TrucoView, action: int) -> float:
        if action == FLOR:
            cards = (*view.hand, *view.played_by(view.seat))
            return 5.0 if has_flor(cards, view.muestra) else NEVER
        if action in TEMPER:
            return TEMPER[action]
        return 1.0 + action  # cards are sorted: the last action plays the strongest
