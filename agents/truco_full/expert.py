"""The expert at full Truco: the strategy of `agents.truco_full.cfr` for two players."""

from functools import cache
from random import Random
from typing import Any

import numpy as np

from agents.agent import Agent, Decision, Scale
from agents.storage.store import read_shipped
from agents.truco_full.rules import HardFullTruco
from agents.truco_full.search import full_truco_search
from agents.truco_full.situations import FINGERPRINT, Policy, Situation, row_of
from engine.game import View
from engine.games.truco_full import MAZO, FullView

HOW_OFTEN = "how often an expert does this here"


@cache
def shipped_policy() -> Policy:
    """The shipped strategy. Raises StoreError if its file is missing or damaged."""
    data: dict[str, Any] = read_shipped("truco_full", ExpertFullTruco.name, FINGERPRINT)
    return Policy.restored(data)


class ExpertFullTruco(Agent):
    """Calls, answers, bluffs and plays cards with the frequencies of its strategy. `hard` decides
    in situations that the strategy does not know. At tables with partners it plays as `search`."""

    name = "expert"

    def __init__(self, policy: Policy | None = None) -> None:
        self._policy = policy or shipped_policy()
        self._hard = HardFullTruco()
        self._search = full_truco_search()

    def act(self, view: View, legal: list[int], rng: Random) -> Decision:
        assert isinstance(view, FullView)
        actions = [action for action in legal if action != MAZO] or legal
        if view.seats > 2:
            return self._search.act(view, actions, rng)
        if len(actions) == 1:
            return self._hard.act(view, actions, rng)
        situation = Situation.of(view)
        row = np.array([row_of(view, situation)])
        chances = self._policy.chances(situation, row, len(actions))[:, 0].tolist()
        if not any(chances):
            return self._hard.act(view, actions, rng)
        scores = dict(zip(actions, chances, strict=True))
        action = rng.choices(actions, chances)[0]
        return Decision(action, scores, HOW_OFTEN, scale=Scale.FREQUENCY)
