"""Linear value approximation: how updates generalise, and how weights are saved and merged."""

from collections.abc import Sequence
from pathlib import Path
from random import Random

import numpy as np
import pytest

from agents.agent import Learner
from agents.learners.linear import LinearLearner
from agents.learners.settings import LearningSettings
from agents.match import Match
from agents.random_player import RandomPlayer
from agents.registry import make
from agents.storage.store import Store
from agents.training.course import Course, new_learner
from agents.training.rounds import train
from engine import GAMES
from engine.game import Event
from tests.agents.crossing import (
    BUSY,
    CROSSINGS,
    EVERYTHING,
    GREEN,
    MATCH_WON,
    QUIET,
    RED,
    RUN,
    SIDES,
    WAIT,
    WALK,
    Crossing,
    Looks,
    Points,
)

HAND = Event("hand", 0)


def learner(**settings: float) -> LinearLearner:
    steady = {"alpha": 0.5, "gamma": 1.0, "epsilon": 0.0, "least": 0.0}
    return LinearLearner(Looks(), Points(), LearningSettings(**{**steady, **settings}))


def act(agent: LinearLearner, light: int, road: int, legal: Sequence[int], seat: int = 0) -> int:
    return agent.act(Crossing(seat, light, road), list(legal), Random(0)).action


def values(agent: LinearLearner, light: int, road: int) -> dict[int, float]:
    learning, agent.learning = agent.learning, False
    scores = agent.act(Crossing(0, light, road), list(EVERYTHING), Random(0)).scores
    agent.learning = learning
    return scores


def taught(agent: LinearLearner, light: int, road: int, times: int = 1) -> LinearLearner:
    for _ in range(times):
        act(agent, light, road, [WALK])
        agent.observe(0, SIDES, [HAND, MATCH_WON])
    return agent


def test_an_update_generalises_to_situations_with_the_same_features():
    """Half of 20, a quarter of it for each term: the crossing, the light, the road, both."""
    agent = taught(learner(), GREEN, QUIET)
    assert values(agent, GREEN, QUIET)[WALK] == 10
    assert values(agent, GREEN, BUSY)[WALK] == 5
    assert values(agent, RED, QUIET)[WALK] == 5
    assert values(agent, RED, BUSY)[WALK] == 2.5
    assert values(agent, GREEN, QUIET)[WAIT] == 0
    stats = agent.stats()
    assert (stats.last_reward, stats.last_reason, stats.last_update) == (20, "the hand", 10)
    assert stats.table_size == 4


def test_each_weight_has_its_own_learning_rate():
    """Two of the four terms were updated before and change half as much."""
    agent = taught(taught(learner(settle=1), GREEN, QUIET), RED, QUIET)
    error = 20 - 5
    assert values(agent, RED, QUIET)[WALK] == 5 + 0.125 * error * (1 + 1 + 0.5 + 0.5)


@pytest.mark.parametrize("trace", [0.1, 0.25, 1.0])
def test_a_trace_mixes_predicted_and_actual_outcomes(trace: float):
    agent = taught(learner(gamma=0.8, trace=trace), GREEN, QUIET)
    crossing = 2.5
    predicted = 10
    act(agent, RED, BUSY, [WALK])
    agent.observe(0, SIDES, [Event("trick", 0, points=(8,))])
    act(agent, GREEN, QUIET, [WALK])
    act(agent, RED, BUSY, [WAIT])
    agent.observe(0, SIDES, [Event("trick", 0, points=(-6,)), HAND])
    actual = 0.8 * ((1 - trace) * 0 + trace * (20 - 6))
    learned_before = 0.125 * (actual - predicted)
    value = crossing + learned_before
    worth = 8 + 0.8 * ((1 - trace) * predicted + trace * actual)
    assert values(agent, RED, BUSY)[WAIT] == 0.5 * (20 - 6)
    assert values(agent, RED, BUSY)[WALK] == pytest.approx(value + 0.5 * (worth - value))


def test_the_last_step_of_a_hand_does_not_bootstrap():
    agent = taught(learner(), GREEN, QUIET)
    act(agent, RED, BUSY, [WAIT])
    assert agent.stats().updates == 1
    agent.observe(0, SIDES, [HAND])
    assert values(agent, RED, BUSY)[WAIT] == 0.5 * 20


def test_leaving_a_match_drops_its_steps():
    agent = learner(trace=0.5)
    act(agent, RED, BUSY, [WAIT])
    act(agent, RED, BUSY, [WAIT])
    agent.forget_match()
    act(agent, GREEN, QUIET, [WALK])
    agent.observe(0, SIDES, [HAND])
    assert agent.stats().updates == 1
    assert values(agent, RED, BUSY)[WAIT] == 0


def test_it_learns_a_combination_of_two_features():
    """Walking pays when it is green or quiet, but not when it is both."""
    agent = learner(epsilon=0.3, least=0.3, settle=50)
    rng = Random(4)
    for _ in range(600):
        view = rng.choice(CROSSINGS)
        walked = agent.act(view, [WAIT, WALK, RUN], rng).action == WALK
        pays = (view.light == GREEN) != (view.road == QUIET)
        agent.observe(0, SIDES, [Event("trick", 0, points=(5 if walked == pays else -5,)), HAND])
    for view in CROSSINGS:
        known = values(agent, view.light, view.road)
        pays = (view.light == GREEN) != (view.road == QUIET)
        assert (known[WALK] > known[WAIT]) == pays


# Saving and merging


def visits(agent: LinearLearner) -> list[int]:
    """The visits of each weight that was updated."""
    data = agent.dump()["visits"]
    assert isinstance(data, bytes)
    return np.frombuffer(data, dtype="<u4").astype(int).tolist()


def test_restore_reverses_dump():
    agent = taught(taught(learner(), GREEN, BUSY, 3), RED, BUSY, 2)
    copy = learner()
    copy.restore(agent.dump())
    assert copy.dump() == agent.dump()
    assert values(copy, GREEN, BUSY) == pytest.approx(values(agent, GREEN, BUSY))
    assert copy.stats().games == 5


def cells(*numbers: int) -> bytes:
    return np.array(numbers, dtype="<u4").tobytes()


DAMAGED: dict[str, dict[str, object]] = {
    "missing": {"weights": None},
    "text": {"cells": "0123"},
    "too short": {"visits": cells(1)},
    "torn": {"cells": b"123", "weights": b"123", "visits": b"123"},
    "unknown feature": {"cells": cells(0, 1, 2, 10**6)},
    "twice": {"cells": cells(3, 3, 4, 5)},
    "not a number": {"weights": np.array([0, np.nan, 0, 0], dtype="<f4").tobytes()},
    "infinite": {"weights": np.array([0, np.inf, 0, 0], dtype="<f4").tobytes()},
    "never visited": {"visits": cells(1, 0, 1, 1)},
    "counters": {"counters": {"games": 1}},
    "recent": {"recent": [2.0]},
}


@pytest.mark.parametrize("damaged", DAMAGED.values(), ids=DAMAGED)
def test_damaged_data_is_rejected_and_the_learner_is_unchanged(damaged: dict[str, object]):
    agent = taught(learner(), GREEN, QUIET, 2)
    before = agent.dump()
    with pytest.raises(ValueError, match=r"\w"):
        agent.restore({**before, **damaged})
    with pytest.raises(ValueError, match=r"\w"):
        agent.merge({**before, **damaged})
    assert agent.dump() == before


def test_merged_weights_are_weighted_by_visits():
    common = taught(learner(), GREEN, QUIET)
    ours, theirs = learner(), learner()
    ours.restore(common.dump())
    theirs.restore(common.dump())
    taught(ours, GREEN, QUIET)
    taught(theirs, GREEN, QUIET, 3)
    ours.merge(theirs.dump())
    assert values(ours, GREEN, QUIET)[WALK] == pytest.approx((1 * 15 + 3 * 18.75) / 4)
    assert ours.stats().updates == ours.stats().games == 5


def test_updates_of_two_workers_are_merged():
    known = taught(learner(), GREEN, QUIET).dump()
    head, one, other = learner(), learner(), learner()
    for each in (head, one, other):
        each.restore(known)
    taught(one, GREEN, QUIET)
    taught(other, RED, BUSY, 2)
    head.merge_updates(one.updates())
    head.merge_updates(other.updates())
    assert head.stats().updates == head.stats().games == 4
    assert sorted(visits(head)) == [2, 2, 2, 2, 2, 2, 4]
    crossing_by_one = 2.5 + 0.125 * 10
    crossing_by_other = 2.5 + 0.125 * (17.5 + 8.75)
    crossing = (1 * crossing_by_one + 2 * crossing_by_other) / 3
    assert values(head, GREEN, QUIET)[WALK] == pytest.approx(3 * 3.75 + crossing)
    head.restore(head.dump())
    assert not len(head.updates()["knowledge"].cells)


def test_two_windows_that_save_in_turn_lose_no_visits(tmp_path: Path):
    store = Store(tmp_path)
    one, other = learner(), learner()
    for _ in range(3):
        store.save(taught(one, GREEN, QUIET, 2))
        store.save(taught(other, GREEN, QUIET, 3))
    fresh = learner()
    assert store.load(fresh)
    assert visits(fresh) == [15] * 4
    assert fresh.stats().games == 15


def test_weights_and_q_tables_have_different_fingerprints():
    weights, q_table = make("euchre", "linear"), make("euchre", "mc")
    assert isinstance(weights, Learner)
    assert isinstance(q_table, Learner)
    assert weights.fingerprint() != q_table.fingerprint()


# Whole matches


def trained(matches: int) -> LinearLearner:
    course = Course("euchre", "linear", matches, seed=1)
    agent = new_learner(course)
    assert isinstance(agent, LinearLearner)
    list(train(course, agent))
    return agent


def test_training_is_reproducible():
    assert trained(3).dump() == trained(3).dump()


def test_a_little_self_play_beats_random_play():
    agent = trained(60)
    agent.learning = False
    wins = 0.0
    for number in range(60):
        state = GAMES["euchre"].new(seed=10**6 + number // 2)
        mine = state.sides[number % 2]
        players = [agent if seat in mine else RandomPlayer() for seat in range(state.seats)]
        Match(state, players, number).play_out()
        wins += state.returns()[mine[0]]
    assert wins / 60 > 0.75
