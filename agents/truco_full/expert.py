"""The expert at full Truco: calls and answers by the strategy of `agents.truco_full.cfr`."""

from functools import cache
from random import Random
from typing import Any

from agents.agent import Agent, Decision, Scale
from agents.storage.store import read_shipped
from agents.truco_full.cfr import FINGERPRINT, Average, choices_at
from agents.truco_full.rules import HardFullTruco
from engine.game import View
from engine.games.truco_full import FullView

HOW_OFTEN = "how often an expert does this here"


@cache
def shipped_strategy() -> Average:
    """The shipped strategy. Raises StoreError if its file is missing or damaged."""
    data: dict[str, Any] = read_shipped("truco_full", ExpertFullTruco.name, FINGERPRINT)
    return Average(data["strategy"])


class ExpertFullTruco(Agent):
    """Calls, answers and bluffs with the frequencies of its strategy. `hard` decides in
    situations that the strategy does not know, and at tables with partners."""

    name = "expert"

    def __init__(self, strategy: Average | None = None) -> None:
        self._strategy = strategy or shipped_strategy()
        self._hard = HardFullTruco()

    def act(self, view: View, legal: list[int], rng: Random) -> Decision:
        assert isinstance(view, FullView)
        key, actions = choices_at(view, legal)
        if view.seats > 2 or len(actions) == 1 or not self._strategy.knows(key):
            return self._hard.act(view, legal, rng)
        moves = list(actions)
        chances = self._strategy(key, moves)
        scores = {actions[move]: chance for move, chance in zip(moves, chances, strict=True)}
        action = rng.choices(list(scores), chances)[0]
        return Decision(action, scores, HOW_OFTEN, scale=Scale.FREQUENCY)
