"""How often `hard` does what, counted from rounds that it plays against itself."""

from random import Random
from typing import Final

import numpy as np
from numpy.typing import NDArray

from agents.truco.rules import HardTruco
from agents.truco.situations import Policy, Situation, follow
from engine.games.truco import FLOR, GAME, TrucoState, TrucoView

ROUNDS: Final = 60_000
"""Rounds counted for the shipped strategy."""
ASTRAY: Final = 0.15
"""How often a move is drawn at random, so that unusual situations are met too."""


def counted(seed: int, rounds: int = ROUNDS) -> Policy:
    """The frequencies of `hard`."""
    hard = HardTruco()
    counts: dict[Situation, NDArray[np.float64]] = {}
    for number in range(rounds):
        rng = Random(f"{seed}/{number}")
        state = GAME.new(rng.getrandbits(62), first=rng.randrange(2))
        assert isinstance(state, TrucoState)
        state.deals_on = False
        target = state.options.target
        state.points = [rng.randrange(target), rng.randrange(target)]
        hand_no = state.hand_no
        while state.turn >= 0 and state.hand_no == hand_no:
            legal = state.legal()
            view = state.view(state.turn)
            assert isinstance(view, TrucoView)
            action = hard.act(view, legal, rng).action
            node, column = follow(view)
            actions = node.actions()
            if len(actions) > 1 and action in actions:
                situation = Situation.at(node)
                if situation not in counts:
                    counts[situation] = np.zeros((len(actions), situation.size()))
                number_of = situation.numbers(column, node.opening())[0]
                counts[situation][actions.index(action), number_of] += 1
            if FLOR not in legal and rng.random() < ASTRAY:
                action = rng.choice(legal)
            state.apply(action)
    return Policy.rounded(counts)
