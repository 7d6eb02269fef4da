"""Lessons from tried deals: what could be is tried, and differences are what is learned."""

from random import Random

import numpy as np
import pytest

from agents.learners.neural import NeuralLearner
from agents.registry import create
from agents.smear import training_samples as smear_lessons
from agents.smear.batched_hard import IMPOSSIBLE, weigh
from agents.smear.search import chance_to_win
from agents.smear.training_samples import DEALS, MATCH, WORLDS, Table, attend, go_through, study
from engine.games.smear import ACE, MIN_BET, RANKS, SEATS, SmearState


def student() -> NeuralLearner:
    learner = create("smear", "neural")
    assert isinstance(learner, NeuralLearner)
    return learner


def table(seed: int, steps: int = 0) -> Table:
    """A table after so many actions of `hard`."""
    playing = Table(np.random.default_rng(seed))
    for _ in range(steps):
        choices, opinions = weigh(playing.deals)
        playing.apply(choices[playing.deals.rows, opinions.argmax(axis=1)])
    return playing


@pytest.mark.parametrize("steps", [0, 3, 4, 5, 11, 18, 22])
def test_worlds_have_all_that_the_seat_knows(steps: int):
    playing = table(1, steps)
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


def test_worlds_differ_from_what_was_dealt():
    playing = table(1, 5)
    worlds, _ = playing.worlds()
    same = (worlds.hands.reshape(DEALS, WORLDS, SEATS) == playing.deals.hands[:, None]).all(axis=2)
    assert same.mean() < 0.01


def test_who_bets_high_is_dealt_what_that_takes():
    aces = sum([1 << suit * RANKS + ACE for suit in range(4)])
    held: dict[bool, list[int]] = {True: [], False: []}
    for seed in range(12):
        playing = table(seed, 1)
        worlds, _ = playing.worlds()
        hands = worlds.hands[worlds.rows, (worlds.turn - 1) % SEATS]
        for bet, hand in zip(worlds.bet.tolist(), hands.tolist(), strict=True):
            held[bet > MIN_BET].append((hand & aces).bit_count())
    assert np.mean(held[True]) > np.mean(held[False]) + 0.1


def test_the_last_card_but_one_is_worth_what_the_engine_says(monkeypatch):
    """With the cards as they lie, the chance of each action is that of the hand it leads to."""
    playing = table(3, SEATS + 1 + 4 * SEATS)
    deals = playing.deals
    as_dealt = deals.pick(np.repeat(deals.rows, WORLDS))
    monkeypatch.setattr(playing, "worlds", lambda: (as_dealt, np.ones(DEALS, np.bool_)))
    choices, opinions = weigh(deals)
    chances = playing.chances(choices, opinions > IMPOSSIBLE)
    for row, column in np.argwhere(opinions > IMPOSSIBLE).tolist():
        after = playing.states[row].clone()
        seat = after.turn
        after.apply(int(choices[row, column]))
        hand = after.hand_no
        while after.turn >= 0 and after.hand_no == hand:
            after.apply(int(_hard(after)))
        assert chances[row, column] == pytest.approx(chance_to_win(seat, after))


def _hard(state: SmearState) -> int:
    teacher = student().teacher
    assert teacher
    return teacher.act(state.view(state.turn), state.legal(), Random(0)).action


def test_every_action_of_a_decision_has_its_outcome(monkeypatch):
    monkeypatch.setattr(smear_lessons, "PLAYED", 1.0)
    lessons = list(table(1).play())
    assert {lesson.seen.part for lesson in lessons} == {0, 1, 2}
    for seen, outcomes in lessons:
        assert len(outcomes) == len(seen.actions) == len(seen.rows) > 1
        assert (np.abs(outcomes) <= MATCH).all()


@pytest.mark.parametrize("share", [0.0, 1.0])
def test_only_some_tables_play_on(monkeypatch, share: float):
    monkeypatch.setattr(smear_lessons, "PLAYED", share)
    parts = {lesson.seen.part for lesson in table(2).play()}
    assert (2 in parts) == bool(share)


def test_the_same_seed_teaches_the_same(monkeypatch):
    monkeypatch.setattr(smear_lessons, "TABLES", 1)
    one, other = student(), student()
    study(one, 2 * DEALS, seed=5)
    go_through(other, [*attend(5, 0), *attend(5, 1)], seed=5)
    assert one.dump() == other.dump()
    assert one.stats().updates > 1000


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
        learner.compare([seen], np.array(worse, dtype=np.float32), 0.001)
    learner.learning = False
    learner.adjust({"caution": 0.0}, {})
    scores = learner.act(view, legal, Random(0)).scores
    assert scores[legal[0]] - scores[legal[-1]] == pytest.approx(40, abs=4)
    assert learner.stats().updates == 300 * len(legal)
