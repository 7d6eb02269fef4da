"""Agents and environments for High Card, which has no agent code of its own."""

import pickle
from random import Random

import numpy as np
import pytest
from pettingzoo.test import api_test

from agents.agent import Learner
from agents.match import Match
from agents.registry import agents_for, create, make
from agents.rl.environment import env
from agents.rl.observations import layout, observe
from agents.training.course import Course, new_learner
from agents.training.rounds import train
from engine import GAMES
from tests.high_card import high_card

__all__ = ["high_card"]

pytestmark = pytest.mark.usefixtures("high_card")


def test_random_and_the_learners_without_features_play_it() -> None:
    assert list(agents_for("high_card")) == ["random", "q", "sarsa", "mc", "linear", "neural"]


@pytest.mark.filterwarnings("ignore:Observation")
def test_pettingzoo_api() -> None:
    api_test(env("high_card", reward="hand"), num_cycles=100)


def test_observations_contain_the_fields_of_the_view() -> None:
    state = GAMES["high_card"].new(seed=1, deck=["AS", "KS", "QS", "JS", "10S"], first=0)
    state.apply(state.parse("play KS"))
    view = state.view(1)
    places, numbers = layout(view), observe(view)
    assert numbers[list(places["hand"])].sum() == 5
    assert np.flatnonzero(numbers[list(places["trick"])]).tolist() == [len(places["hand"]) + 3]
    assert numbers[list(places["hand_sizes"])] == pytest.approx([1.0, 0.8])


def trained(agent: str, matches: int) -> Learner:
    learner = create("high_card", agent)
    assert isinstance(learner, Learner)
    for seed in range(matches):
        Match(GAMES["high_card"].new(seed=seed), [learner] * 2, seed).play_out()
    learner.learning = False
    return learner


def wins_against_random(learner: Learner, matches: int) -> float:
    """The share of matches won. Each deal is played from both sides."""
    wins = 0.0
    for number in range(matches):
        state = GAMES["high_card"].new(seed=10**6 + number // 2)
        seat = number % 2
        players = [make("high_card", "random")] * 2
        players[seat] = learner
        Match(state, players, number).play_out()
        wins += state.returns()[seat]
    return wins / matches


def test_a_table_beats_random() -> None:
    """About 0.62 after this training."""
    assert wins_against_random(trained("mc", 1000), 400) > 0.55


@pytest.mark.slow
def test_a_network_learns_a_game_it_has_never_seen() -> None:
    """About 0.62 after this training, and 0.82 after a long one."""
    course = Course("high_card", "neural", 2000, seed=1)
    learner = new_learner(course)
    quick = {"alpha": 0.005, "tables": 256, "copies": 0, "first_batch": 32, "batch": 32}
    learner.adjust(quick, {})
    list(train(course, learner))
    learner.learning = False
    assert wins_against_random(learner, 600) > 0.57


@pytest.mark.parametrize("agent", ["q", "sarsa", "mc", "linear", "neural"])
def test_learners_can_be_pickled_and_restored(agent: str) -> None:
    learner = trained(agent, 3)
    copy = pickle.loads(pickle.dumps(learner))
    restored = create("high_card", agent)
    assert isinstance(restored, Learner)
    restored.restore(learner.dump())
    restored.learning = False
    state = GAMES["high_card"].new(seed=9)
    view, legal = state.view(state.turn), state.legal()
    chosen = [each.act(view, legal, Random(1)).action for each in (learner, copy, restored)]
    assert len(set(chosen)) == 1


def test_an_untrained_q_learner_has_no_preference() -> None:
    learner = create("high_card", "q")
    assert isinstance(learner, Learner)
    learner.learning = False
    state = GAMES["high_card"].new(seed=2)
    view, legal = state.view(state.turn), state.legal()
    counts = dict.fromkeys(legal, 0)
    for seed in range(500):
        counts[learner.act(view, legal, Random(seed)).action] += 1
    assert min(counts.values()) > 60
