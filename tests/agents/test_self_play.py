"""Self-play in batches: comparing actions in the same deal."""

from collections import Counter

import numpy as np
import pytest

from agents.learners.neural import NeuralLearner
from agents.training.course import Course, new_learner
from agents.training.rounds import train
from agents.training.self_play import _Comparison


class Compared:
    """Counts what a learner is told about compared actions."""

    def __init__(self, learner: NeuralLearner) -> None:
        self.samples = 0
        self.by_network: Counter[int] = Counter()
        self.shift = 0.0
        self._learn = learner.learn_compared
        learner.learn_compared = self.learn  # type: ignore[method-assign]

    def learn(self, network, codes, moves, targets, values) -> None:
        self.samples += len(codes)
        self.by_network[network] += len(codes)
        self.shift = max(self.shift, abs(float((targets - values).sum())))
        self._learn(network, codes, moves, targets, values)


def played(game: str, matches: int, **settings: float) -> tuple[NeuralLearner, Compared]:
    course = Course(game, "neural", matches, opponents=("self",), settings=settings)
    learner = new_learner(course)
    assert isinstance(learner, NeuralLearner)
    compared = Compared(learner)
    for _ in train(course, learner):
        pass
    return learner, compared


def test_the_luck_of_the_deal_is_removed_from_compared_outcomes() -> None:
    comparison = _Comparison(
        np.zeros((2, 1), dtype=np.int64),
        np.zeros((2, 1), dtype=np.int64),
        np.array([0.5, 0.1], dtype=np.float32),
        np.array([3.0, 1.0], dtype=np.float32),
        0,
    )
    assert comparison.targets() == pytest.approx([1.3, -0.7])


@pytest.mark.parametrize("game", ["euchre", "smear", "truco", "fodinha"])
def test_actions_are_compared_on_copies_that_do_not_count_as_matches(game: str) -> None:
    alone, none = played(game, 8, copies=0)
    learner, compared = played(game, 8, copies=3)
    assert none.samples == 0
    assert compared.samples > 0
    assert compared.shift < 1e-2
    assert learner.stats().games == alone.stats().games == 8
    assert learner.stats().total_actions > alone.stats().total_actions


def test_self_play_with_comparisons_is_repeatable() -> None:
    one, _ = played("truco", 12, copies=2)
    two, _ = played("truco", 12, copies=2)
    assert one.dump() == two.dump()


@pytest.mark.slow
def test_every_network_gets_its_share_of_comparisons() -> None:
    variants = ({"players": 3}, {"players": 4})
    course = Course(
        "euchre",
        "neural",
        24,
        opponents=("self",),
        settings={"copies": 3},
        variants=variants,
    )
    learner = new_learner(course)
    assert isinstance(learner, NeuralLearner)
    compared = Compared(learner)
    for _ in train(course, learner):
        pass
    three, four = compared.by_network[0], compared.by_network[1]
    assert 1 / 3 < three / four < 3
