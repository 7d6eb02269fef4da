"""An agent that takes any legal action."""

from random import Random

from agents.agent import Agent, Decision
from engine.game import View


class RandomPlayer(Agent):
    name = "random"
    looks = False

    def act(self, view: View, legal: list[int], rng: Random) -> Decision:
        return Decision(rng.choice(legal))
