"""Lessons from tried deals: outcomes are the engine's, and differences are what is learned."""

from random import Random

import numpy as np
import pytest

from agents.neural import NeuralLearner
from agents.registry import create
from agents.rewards import SmearRewards
from agents.search_smear_hard import weigh
from agents.study_smear import DEALS, Table, study


def student() -> NeuralLearner:
    learner = create("smear", "neural")
    assert isinstance(learner, NeuralLearner)
    return learner


def table(seed: int) -> Table:
    return Table(student(), SmearRewards(match_won=60, match_lost=-60), np.random.default_rng(seed))


@pytest.mark.parametrize("seed", range(4))
def test_a_deal_that_is_played_out_brings_what_the_engine_says(seed):
    """Tables of various scores, in some of which the hand decides the match."""
    playing = table(seed)
    deals, states = playing.deals, playing.states
    for state in states:
        state.record_events()
    while not deals.over:
        choices, scores = weigh(deals)
        actions = choices[deals.rows, scores.argmax(axis=1)]
        deals.apply(actions)
        for state, action in zip(states, actions.tolist(), strict=True):
            state.apply(action)
    for side in (0, 1):
        expected = []
        for state in states:
            rewards = [playing.rewards.of_event(event, side, state.sides) for event in state.events]
            expected.append(sum([reward.amount for reward in rewards if reward]))
        outcomes = playing.outcomes(deals, np.full(DEALS, side))
        assert outcomes.tolist() == expected


def test_every_action_of_a_tried_decision_has_its_outcome(monkeypatch):
    heard = []
    learner = student()
    monkeypatch.setattr(learner, "compare", lambda seen, outcomes: heard.append((seen, outcomes)))
    Table(learner, SmearRewards(), np.random.default_rng(1)).play()
    assert {seen[0].part for seen, _ in heard} == {0, 1, 2}
    for seen, outcomes in heard:
        assert len({each.part for each in seen}) == 1
        assert len(outcomes) == sum([len(each.actions) for each in seen])
        assert min([len(each.actions) for each in seen]) > 1


def test_the_same_seed_teaches_the_same():
    dumps = []
    for _ in range(2):
        learner = student()
        study(learner, DEALS, seed=5)
        dumps.append(learner.dump())
    assert dumps[0] == dumps[1]
    assert dumps[0]["counters"]["updates"] > 1000


def test_what_counts_is_the_difference():
    """In these deals betting four is always forty worse than passing, whatever the luck."""
    learner = student()
    state = table(2).states[0]
    view, legal = state.view(state.turn), state.legal()
    seen = learner.encoding.encode(view, legal)
    rng = Random(1)
    for _ in range(300):
        luck = rng.gauss(0, 50)
        worse = [luck - 40 * (action == legal[-1]) for action in seen.actions]
        learner.compare([seen], np.array(worse, dtype=np.float32))
    learner.learning = False
    learner.adjust({"caution": 0.0}, {})
    scores = learner.act(view, legal, Random(0)).scores
    assert scores[legal[0]] - scores[legal[-1]] == pytest.approx(40, abs=4)
    assert learner.stats().updates == 300 * len(legal)
