"""The network behind `neural`, and the original network of Smear."""

from random import Random

import numpy as np
import pytest

from agents.learners.network import Network
from agents.learners.network_learner import BATCH, MEMORY, ReplayBuffer
from agents.smear.original_network import OriginalNetwork
from agents.smear.rules import HardSmear
from agents.training.course import Course, new_learner
from agents.training.rounds import train
from engine import GAMES
from engine.game import OVER
from engine.games.smear import PLAYING
from tests.agents.crossing import (
    MATCH_WON,
    SIDES,
)


def test_the_gradient_matches_finite_differences():
    network = Network((5, 7, 4, 2), seed=3)
    rng = np.random.default_rng(1)
    network.weights[:] = rng.normal(0, 0.5, len(network.weights))
    rows = rng.normal(size=(6, 5)).astype(np.float32)
    targets = rng.normal(size=(6, 2)).astype(np.float32)

    def loss() -> float:
        return float(((network.outputs(rows) - targets) ** 2).sum()) / (2 * len(rows))

    activations = network.activations(rows)
    gradient = network.gradient(activations, activations[-1] - targets)
    step = 1e-2
    for at in range(len(network.weights)):
        before = network.weights[at]
        network.weights[at] = before + step
        above = loss()
        network.weights[at] = before - step
        below = loss()
        network.weights[at] = before
        assert gradient[at] == pytest.approx((above - below) / (2 * step), abs=2e-2)


def test_a_network_learns_exclusive_or():
    network = Network((2, 16, 1), seed=1)
    rows = np.array([[0, 0], [0, 1], [1, 0], [1, 1]], dtype=np.float32)
    either = np.array([[0], [1], [1], [0]], dtype=np.float32)
    for _ in range(600):
        network.learn(rows, lambda outputs: outputs - either, 0.01)
    assert network.outputs(rows) == pytest.approx(either, abs=0.05)


@pytest.mark.parametrize(("fade", "left"), [(0.0, 1.0), (0.5, (1 - 0.5 * 0.01) ** 100)])
def test_unused_weights_decay(fade: float, left: float):
    network = Network((2, 4, 1), seed=1)
    before = network.weights.copy()
    rows = np.array([[1, 0]], dtype=np.float32)
    for _ in range(100):
        network.learn(rows, lambda outputs: outputs - 1, 0.01, fade)
    of_second_input = slice(4, 8)
    assert network.weights[of_second_input] == pytest.approx(left * before[of_second_input])
    assert network.outputs(rows)[0, 0] == pytest.approx(1, abs=0.1)


def test_a_network_is_read_as_it_was_dumped():
    network = Network((30, 40, 1), seed=5)
    assert network.read(network.dump()) == pytest.approx(network.weights, abs=0)
    network.shorten()
    short = network.dump()
    assert short["type"] == "<i1"
    assert network.read(short) == pytest.approx(network.weights, abs=0)


def test_a_rough_network_has_few_levels_and_is_read_as_it_was_dumped():
    network = Network((30, 40, 1), seed=5)
    exact = network.weights.copy()
    network.shorten(levels=15)
    rough = network.dump()
    assert rough["type"] == "<i1"
    assert network.read(rough) == pytest.approx(network.weights, abs=0)
    assert len(set(rough["weights"])) <= 2 * 15 + 1
    assert np.corrcoef(exact, network.weights)[0, 1] > 0.99


def test_the_replay_buffer_keeps_the_latest_samples():
    replay = ReplayBuffer(1, 1)
    for number in range(MEMORY + 10):
        replay.add(np.ones(1, dtype=np.float32), float(number))
    rng = np.random.default_rng(0)
    drawn = np.concatenate([replay.draw(rng)[1] for _ in range(100)])
    assert len(drawn) == 100 * BATCH
    assert drawn.min() >= 10
    assert drawn.max() > MEMORY * 0.99


def test_the_original_network_sees_cards_only():
    agent = OriginalNetwork(HardSmear())
    assert "120-80-6" in agent.fingerprint()
    state = GAMES["smear"].new(seed=1)
    while len(state.view(state.turn).trick) != 2:
        state.apply(state.legal()[0])
    view = state.view(state.turn)
    row = agent._cards.row(view)
    hand, trick, played = row.reshape(3, 40)
    assert (hand.sum(), trick.sum(), played.sum()) == (view.hand.bit_count(), 2, 0)
    assert set(np.flatnonzero(trick)) == {card for _, card in view.trick}


def test_the_original_network_learns_its_teachers_cards():
    course = Course("smear", "neural-original", 48, seed=1)
    agent = new_learner(course)
    list(train(course, agent))
    assert isinstance(agent, OriginalNetwork)
    agent.learning = False
    same = decisions = 0
    by_chance = 0.0
    for seed in range(10**6, 10**6 + 6):
        state = GAMES["smear"].new(seed=seed)
        while state.turn != OVER:
            view, legal = state.view(state.turn), state.legal()
            advice = agent.teacher.act(view, legal, Random(0)).action
            if view.phase == PLAYING and len(legal) > 1:
                decisions += 1
                by_chance += 1 / len(legal)
                same += agent.act(view, legal, Random(0)).action == advice
            state.apply(advice)
    assert same > 1.1 * by_chance
    assert decisions > 500


def test_the_original_network_counts_results_and_accepts_no_rewards():
    agent = OriginalNetwork(HardSmear())
    agent.observe(0, SIDES, [MATCH_WON])
    assert (agent.stats().games, agent.stats().wins) == (1, 1)
    with pytest.raises(ValueError, match="learns from hard, not from rewards"):
        agent.adjust({}, {"point": 1})
