"""Weights of facts and of pairs of facts: outputs, gradients, learning and saving."""

from random import Random

import numpy as np
import pytest

from agents.learners.network import Network
from agents.learners.pairs import PairLearner, PairWeights
from agents.learners.settings import NeuralSettings
from agents.registry import agents_for, create
from agents.training.course import Course, new_learner
from agents.training.rounds import train
from engine import GAMES
from tests.agents.crossing import CROSSINGS, GREEN, WAIT, WALK
from tests.agents.test_neural import EACH_HAND, Sees, hand_over, values


def weights(positions: bool) -> PairWeights:
    """Random weights for three inputs of a situation and two of an action."""
    found = PairWeights(3, 2, positions, 1)
    found.weights[:] = np.random.default_rng(5).normal(size=len(found.weights))
    return found


def expected(network: PairWeights, row: list[float], positions: bool) -> float:
    """The sum over all weights, one by one."""
    ((matrix, biases),) = network._split(network.weights)
    columns = [1.0, *row[3:], *(row[:3] if positions else [])]
    total = 0.0
    for column, factor in enumerate(columns):
        total += float(biases[column]) * factor
        for at, value in enumerate(row):
            total += float(matrix[at, column]) * value * factor
    return total


@pytest.mark.parametrize("positions", [False, True])
def test_an_output_is_the_sum_of_weights_times_both_inputs(positions: bool) -> None:
    network = weights(positions)
    situations = np.array([[1, 0, 0.5], [0, 1, -2]], dtype=np.float32)
    places, choices = np.array([0, 1, 1]), np.array([[0], [0], [1]])
    found = network.outputs_of_choices(situations, places, choices)
    rows = [[1, 0, 0.5, 1, 0], [0, 1, -2, 1, 0], [0, 1, -2, 0, 1]]
    assert found == pytest.approx([expected(network, row, positions) for row in rows], rel=1e-5)
    assert network.outputs(np.array(rows, dtype=np.float32))[:, 0] == pytest.approx(found)


@pytest.mark.parametrize("positions", [False, True])
def test_steps_reduce_the_errors(positions: bool) -> None:
    network = weights(positions)
    rng = np.random.default_rng(2)
    rows = rng.normal(size=(12, 5)).astype(np.float32)
    targets = rng.normal(size=(12, 1)).astype(np.float32)
    for _ in range(2000):
        network.learn(rows, lambda outputs: outputs - targets, 0.02)
    assert float(np.abs(network.outputs(rows) - targets).max()) < 0.1


def learner(**settings: float) -> PairLearner:
    plain = {"alpha": 0.05, "epsilon": 0.3, "least": 0.3, "batch": 8, "first_batch": 8}
    return PairLearner(Sees(), EACH_HAND, NeuralSettings(**{**plain, **settings}))


def test_it_learns_what_two_facts_say_together() -> None:
    agent = learner()
    rng = Random(3)
    for _ in range(2000):
        view = rng.choice(CROSSINGS)
        walked = agent.act(view, [WAIT, WALK], rng).action == WALK
        points = 2 if walked == (view.light == GREEN) else -2
        agent.observe(0, ((0,), (1,)), [hand_over(points)])
    for view in CROSSINGS:
        known = values(agent, view, [WAIT, WALK])
        best = WALK if view.light == GREEN else WAIT
        assert known[best] == pytest.approx(2, abs=0.5)
        assert known[WAIT + WALK - best] == pytest.approx(-2, abs=0.5)


GAMES_WITH_PAIRS = [game for game in GAMES if "pairs" in agents_for(game)]


@pytest.mark.parametrize("game", GAMES_WITH_PAIRS)
def test_it_learns_in_batches_and_what_it_knows_survives_a_file(game: str) -> None:
    course = Course(game, "pairs", 4, 1, settings={"batch": 16, "first_batch": 16})
    agent = new_learner(course)
    for _ in train(course, agent):
        pass
    assert isinstance(agent, PairLearner)
    assert agent.stats().updates > 100
    assert all(type(network) is not Network for network in agent._networks)
    agent.compact(1)
    stored = agent.dump()
    again = create(game, "pairs")
    assert isinstance(again, PairLearner)
    again.restore(stored)
    assert again.dump() == stored
    assert np.array_equal(again._networks[0].weights, agent._networks[0].weights)
    assert np.count_nonzero(again._networks[0].weights)
