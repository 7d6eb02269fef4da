"""How often `hard` does what, counted from rounds that it plays against itself."""

from random import Random
from typing import Final

import numpy as np

from agents.truco_full.rounds import Numbers, random_scores
from agents.truco_full.rules import HardFullTruco
from agents.truco_full.situations import FINE_LEVELS, Policy, Situation, row_of
from engine.games.truco_full import GAME, MAZO

ROUNDS: Final = 60_000
"""Rounds counted for the shipped strategy."""
ASTRAY: Final = 0.15
"""How often a move is drawn at random, so that unusual situations are met too."""


def counted(seed: int, rounds: int = ROUNDS) -> Policy:
    """The frequencies of `hard`."""
    hard = HardFullTruco()
    counts: dict[Situation, Numbers] = {}
    for number in range(rounds):
        rng = Random(f"{seed}/{number}")
        state = GAME.new(rng.getrandbits(62), first=rng.randrange(2))
        state.deals_on = False
        state.points = random_scores(rng)
        state.before = (state.points[0], state.points[1])
        while state.last_round is None:
            view = state.view(state.turn)
            legal = [action for action in state.legal() if action != MAZO]
            action = hard.act(view, legal, rng).action
            if len(legal) > 1:
                situation = Situation.of(view)
                if situation not in counts:
                    shape = len(legal), situation.size()
                    counts[situation] = np.zeros(shape, dtype=np.float32)
                counts[situation][legal.index(action), row_of(view, situation)] += 1
                if rng.random() < ASTRAY:
                    action = rng.choice(legal)
            state.apply(action)
    return Policy.rounded(counts, kept=1.0, levels=FINE_LEVELS)
