"""Training samples of Smear: possible deals are tried, and differences are learned."""

from random import Random

import numpy as np
import pytest

from agents.learners.neural import NeuralLearner
from agents.registry import create
from agents.smear import training_samples
from agents.smear.batched_hard import IMPOSSIBLE, scored_actions
from agents.smear.search import chance_to_win
from agents.smear.training_samples import (
    DEALS,
    MATCH,
    WORLDS,
    DealGroup,
    learn_samples,
    samples_of_task,
    train,
)
from engine.games.smear import ACE, MIN_BET, RANKS, SEATS, SmearState


def new_learner() -> NeuralLearner:
    learner = create("smear", "neural")
    assert isinstance(learner, NeuralLearner)
    return learner


def group(seed: int, steps: int = 0) -> DealGroup:
    """A group of deals after this many actions of `hard`."""
    playing = DealGroup(np.random.default_rng(seed))
    for _ in range(steps):
        choices, scores = scored_actions(playing.deals)
        playing.apply(choices[playing.deals.rows, scores.argmax(axis=1)])
    return playing


@pytest.mark.parametrize("steps", [0, 3, 4, 5, 11, 18, 22])
def test_worlds_agree_with_what_the_seat_knows(steps: int):
    playing = group(1, steps)
    worlds, found = playing.worlds()
    hands = worlds.hands.reshape(DEALS, WORLDS, SEATS)
    assert found.all()
    for row, state in enumerate(playing.states):
        view = state.view(state.turn)
        assert (worlds.turn.reshape(DEALS, WORLDS)[row] == view.seat).all()
        for world in hands[row].tolist():
            assert world[view.seat] == view.hand
            assert [hand.bit_count() for hand in world] == list(view.hand_sizes)
            others = [hand for seat, hand in enumerate(world) if seat != view.seat]
            assert not sum(others) & (view.hand | view.played)
            assert sum(others).bit_count() == sum([hand.bit_count() for hand in others])
            assert not any(hand & void for hand, void in zip(world, view.voids, strict=True))


def test_worlds_differ_from_the_real_deal():
    playing = group(1, 5)
    worlds, _ = playing.worlds()
    same = (worlds.hands.reshape(DEALS, WORLDS, SEATS) == playing.deals.hands[:, None]).all(axis=2)
    assert same.mean() < 0.01


def test_worlds_give_aces_to_a_seat_that_bets_high():
    aces = sum([1 << suit * RANKS + ACE for suit in range(4)])
    held: dict[bool, list[int]] = {True: [], False: []}
    for seed in range(12):
        playing = group(seed, 1)
        worlds, _ = playing.worlds()
        hands = worlds.hands[worlds.rows, (worlds.turn - 1) % SEATS]
        for bet, hand in zip(worlds.bet.tolist(), hands.tolist(), strict=True):
            held[bet > MIN_BET].append((hand & aces).bit_count())
    assert np.mean(held[True]) > np.mean(held[False]) + 0.1


def test_chances_agree_with_the_engine_at_the_last_card_but_one(monkeypatch):
    """In the real deal, the chance of an action is that of the hand it leads to."""
    playing = group(3, SEATS + 1 + 4 * SEATS)
    deals = playing.deals
    as_dealt = deals.pick(np.repeat(deals.rows, WORLDS))
    monkeypatch.setattr(playing, "worlds", lambda: (as_dealt, np.ones(DEALS, np.bool_)))
    choices, scores = scored_actions(deals)
    chances = playing.chances(choices, scores > IMPOSSIBLE)
    for row, column in np.argwhere(scores > IMPOSSIBLE).tolist():
        after = playing.states[row].clone()
        seat = after.turn
        after.apply(int(choices[row, column]))
        hand = after.hand_no
        while after.turn >= 0 and after.hand_no == hand:
            after.apply(int(_hard(after)))
        assert chances[row, column] == pytest.approx(chance_to_win(seat, after))


def _hard(state: SmearState) -> int:
    teacher = new_learner().teacher
    assert teacher
    return teacher.act(state.view(state.turn), state.legal(), Random(0)).action


def test_every_action_of_a_decision_has_its_outcome(monkeypatch):
    monkeypatch.setattr(training_samples, "CONTINUED", 1.0)
    samples = list(group(1).play())
    assert {sample.seen.part for sample in samples} == {0, 1, 2}
    for seen, outcomes in samples:
        assert len(outcomes) == len(seen.actions) == len(seen.rows) > 1
        assert (np.abs(outcomes) <= MATCH).all()


@pytest.mark.parametrize("share", [0.0, 1.0])
def test_only_some_groups_are_played_on(monkeypatch, share: float):
    monkeypatch.setattr(training_samples, "CONTINUED", share)
    parts = {sample.seen.part for sample in group(2).play()}
    assert (2 in parts) == bool(share)


def test_same_seed_trains_the_same_network(monkeypatch):
    monkeypatch.setattr(training_samples, "GROUPS", 1)
    one, other = new_learner(), new_learner()
    train(one, 2 * DEALS, seed=5)
    learn_samples(other, [*samples_of_task(5, 0), *samples_of_task(5, 1)], seed=5)
    assert one.dump() == other.dump()
    assert one.stats().updates > 1000


def test_difference_between_actions_is_learned():
    """Betting four is always forty worse than passing; the rest is luck."""
    learner = new_learner()
    state = group(2).states[0]
    view, legal = state.view(state.turn), state.legal()
    seen = learner.encoding.encode(view, legal)
    rng = Random(1)
    for _ in range(300):
        luck = rng.gauss(0, 50)
        worse = [luck - 40 * (action == legal[-1]) for action in seen.actions]
        learner.compare([seen], np.array(worse, dtype=np.float32), 0.001)
    learner.learning = False
    learner.adjust({"caution": 0.0}, {})
    scores = learner.act(view, legal, Random(0)).scores
    assert scores[legal[0]] - scores[legal[-1]] == pytest.approx(40, abs=4)
    assert learner.stats().updates == 300 * len(legal)
