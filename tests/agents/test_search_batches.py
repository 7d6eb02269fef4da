"""Beliefs and comparisons that the searches with parallel deals share."""

from random import Random

import numpy as np
import pytest

from agents.search.batches import IMPOSSIBLE, SPARSE, Beliefs, Comparison, likelihood


class Numbers:
    """A batch in which each deal is a number."""

    def __init__(self, numbers: np.ndarray) -> None:
        self.numbers = numbers
        self.size = len(numbers)
        self.rows = np.arange(self.size)

    def pick(self, rows: np.ndarray) -> "Numbers":
        return Numbers(self.numbers[rows])


def test_worlds_are_drawn_by_their_likelihood():
    beliefs = Beliefs(Numbers(np.arange(400)), 200, Random(1))
    beliefs.weigh(np.where(np.arange(400) < 200, 3.0, 1.0))
    worlds = beliefs.worlds()
    assert worlds.size == 200
    assert (worlds.numbers < 200).sum() == pytest.approx(150, abs=1)


def test_hopeless_candidates_are_dropped_on_the_way():
    beliefs = Beliefs(Numbers(np.arange(800)), 100, Random(1))
    beliefs.weigh((np.arange(800) < 800 // SPARSE + 1).astype(float))
    assert beliefs.deals.size == 800
    beliefs.weigh((np.arange(800) < 40).astype(float))
    assert beliefs.deals.size == 400
    assert set(beliefs.deals.numbers) == set(range(40))
    assert beliefs.worlds().size == 100


def test_equal_candidates_are_all_kept():
    numbers = np.arange(50)
    assert (Beliefs(Numbers(numbers), 50, Random(1)).worlds().numbers == numbers).all()


def test_likelihood_prefers_high_scores_and_allows_slips():
    scores = np.array([[1.0, 0.0, IMPOSSIBLE]])
    first, second = [
        likelihood(scores, np.array([[column == 0, column == 1, False]]), 5.0, 0.2)[0]
        for column in (0, 1)
    ]
    assert first > second > 0.1
    assert first + second == pytest.approx(1)


@pytest.mark.parametrize(("caution", "chosen"), [(0.0, 1), (1000.0, 0)])
def test_the_usual_move_is_kept_unless_another_is_clearly_better(caution: float, chosen: int):
    def attempt(worlds: Numbers, moves: list[int]) -> np.ndarray:
        luck = (worlds.numbers % 7 - 3) * 0.01
        return np.stack([(luck + 0.001) * move for move in moves], axis=1)

    compared = Comparison(Numbers(np.arange(60)), [0, 1], attempt)
    assert compared.moves == [0, 1]
    assert compared.scores[1] > compared.scores[0] == 0
    assert compared.choice(0, caution) == chosen
