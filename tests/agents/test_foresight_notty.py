"""Chances of Notty agents do not change by a move without chance."""

from random import Random

import pytest

from agents.agent import Agent, Decision, Scale
from agents.notty.foresight import foreseen
from agents.notty.rules import HardNotty
from agents.notty.search import SearchNotty
from engine.games.notty import DISCARD, GAME, PASS
from tests.agents.positions import notty_position

NOISE = 0.03
"""Draws are sampled, so a chance differs a little each time it is computed."""


@pytest.mark.parametrize("agent", [HardNotty(), SearchNotty()])
def test_discards_keep_the_chance(agent: Agent) -> None:
    changes = []
    for seed in range(4):
        state = GAME.new(seed=seed)
        rng = Random(seed)
        before: float | None = None
        for _ in range(120):
            if len(state.legal()) == 1:
                state.apply(state.legal()[0])
                before = None
                continue
            decision = agent.act(state.view(state.turn), state.legal(), rng)
            if decision.scale is not Scale.CHANCE:
                break
            now = decision.scores[decision.action]
            if before is not None:
                changes.append(abs(now - before))
            before = now if decision.action >= DISCARD else None
            state.apply(decision.action)
            if state.turn < 0:
                break
    assert len(changes) > 10
    assert sum(changes) / len(changes) < NOISE
    assert max(changes) < 2 * NOISE


@pytest.mark.parametrize("agent", [HardNotty(), SearchNotty()])
def test_the_chosen_move_has_the_best_chance(agent: Agent) -> None:
    state = notty_position("R1 R2 R3 G3 Y7 B9", "R4 R5 R6 K1 K2")
    decision = agent.act(state.view(0), state.legal(), Random(1))
    assert decision.scores[decision.action] == max(decision.scores.values())
    assert agent.choose(state.view(0), state.legal(), Random(1)) == decision.action


def test_other_values_stay() -> None:
    view = notty_position("R1 G3", "R4").view(0)
    cards = Decision(PASS, {PASS: -2.0}, "minus the cards left at the end")
    assert foreseen(HardNotty(), view, cards) is cards
