"""Q-learning: how values are updated, saved and merged."""

import pickle
from collections.abc import Sequence
from copy import deepcopy
from pathlib import Path
from random import Random

import pytest

from agents.agent import Agent
from agents.euchre.features import EuchreAbstraction
from agents.euchre.rewards import EuchreRewards
from agents.learners.features import Abstraction, Feature, Layout, Situation
from agents.learners.q import QLearner
from agents.learners.rewards import Reward, Rewards
from agents.learners.settings import LearningSettings
from agents.learners.steps import Step
from agents.match import Match
from agents.random_player import RandomPlayer
from agents.registry import agents_for, create
from agents.storage.store import Store
from engine import GAMES
from engine.game import Event, Options, View

SIDES = ((0,), (1, 2))
TRICK = Event("trick", 0)
LOST_TRICK = Event("trick", 1)
HAND = Event("hand", 0, points=(1, 0))
MATCH_WON = Event("match", points=(1.0, 0.0))


class Street(View):
    """A seat at one of ten places."""

    def __init__(self, seat: int, place: int) -> None:
        super().__init__(Options(), SIDES, seats=2, hand_no=1, turn=seat)
        self.seat, self.scores, self.history = seat, (0, 0), ()
        self.place = place


class Steps(Abstraction[Street]):
    """Actions 10 and 11 are both the move `right`."""

    game = "street"
    version = 1
    layouts = (Layout("street", (Feature("place", tuple("abcdefghij")),)),)
    move_names = ("left", "right", "stay")

    def situation(self, view: Street) -> Situation:
        return (0, view.place)

    def moves(self, view: Street, legal: Sequence[int]) -> dict[int, int]:
        known = {0: 0, 10: 1, 11: 1, 20: 2}
        return {action: known[action] for action in legal}


class Points(Rewards):
    def of_actions(self) -> dict[int, Reward]:
        return {20: Reward(-1, "stood still")}

    def of_event(self, event: Event, seat: int, sides: object) -> Reward | None:
        if event.kind == "trick":
            return Reward(5, "trick won") if event.seat == seat else Reward(-5, "trick lost")
        return Reward(20, "hand won") if event.kind == "hand" else None


def learner(**settings: float) -> QLearner:
    steady = {"alpha": 0.5, "gamma": 0.9, "epsilon": 0.0, "least": 0.0}
    return QLearner(Steps(), Points(), LearningSettings(**{**steady, **settings}))


def act(agent: QLearner, seat: int, place: int, legal: Sequence[int]) -> int:
    return agent.act(Street(seat, place), list(legal), Random(0)).action


def value(agent: QLearner, place: int, action: int) -> float:
    learning, agent.learning = agent.learning, False
    scores = agent.act(Street(0, place), [0, 10, 11, 20], Random(0)).scores
    agent.learning = learning
    return pytest.approx(scores[action], abs=0.01)


def test_the_last_step_of_a_hand_does_not_bootstrap():
    agent = learner()
    act(agent, 0, 3, [10])
    agent.observe(0, SIDES, [TRICK, HAND])
    assert value(agent, 3, 10) == 12.5
    assert agent.stats().last_reward == 25
    assert agent.stats().last_reason == "trick won, hand won"


def test_a_step_is_not_updated_from_the_next_hand():
    agent = learner()
    act(agent, 0, 3, [10])
    agent.observe(0, SIDES, [HAND])
    learned = agent.stats().updates
    act(agent, 0, 3, [10])
    assert agent.stats().updates == learned


def test_a_step_bootstraps_from_the_best_legal_move_of_the_same_seat():
    agent = learner()
    for _ in range(2):
        act(agent, 0, 9, [10])
        agent.observe(0, SIDES, [HAND])
    act(agent, 0, 9, [0])
    agent.observe(0, SIDES, [LOST_TRICK, HAND])
    assert value(agent, 9, 10) == 15
    assert value(agent, 9, 0) == 15
    act(agent, 0, 1, [0])
    agent.observe(0, SIDES, [TRICK])
    act(agent, 0, 9, [0])
    assert value(agent, 1, 0) == 0.5 * (5 + 0.9 * 15)


@pytest.mark.parametrize("trace", [0.25, 1.0])
def test_a_trace_mixes_predicted_and_actual_outcomes(trace: float):
    agent = learner(trace=trace)
    for _ in range(2):
        act(agent, 0, 9, [10])
        agent.observe(0, SIDES, [HAND])
    assert value(agent, 9, 10) == 15
    act(agent, 0, 1, [0])
    agent.observe(0, SIDES, [TRICK])
    act(agent, 0, 9, [10])
    assert value(agent, 1, 0) == 0
    agent.observe(0, SIDES, [*[LOST_TRICK] * 4, HAND])
    predicted, actual = 15, 0
    assert value(agent, 1, 0) == 0.5 * (5 + 0.9 * ((1 - trace) * predicted + trace * actual))


def test_leaving_a_match_clears_the_trace():
    agent = learner(trace=1.0)
    act(agent, 0, 1, [0])
    act(agent, 0, 9, [10])
    agent.forget_match()
    act(agent, 0, 5, [0])
    agent.observe(0, SIDES, [HAND])
    assert value(agent, 1, 0) == 0


def test_seats_of_one_learner_keep_separate_steps():
    agent = learner()
    act(agent, 0, 1, [0])
    act(agent, 1, 2, [0])
    assert agent.stats().updates == 0
    agent.observe(0, SIDES, [TRICK])
    agent.observe(1, SIDES, [TRICK])
    agent.observe(0, SIDES, [HAND])
    assert value(agent, 1, 0) == 12.5
    assert value(agent, 2, 0) == 0
    agent.observe(1, SIDES, [HAND])
    assert value(agent, 2, 0) == 7.5


def test_an_action_can_have_a_reward():
    agent = learner()
    act(agent, 0, 1, [20])
    agent.observe(0, SIDES, [HAND])
    assert value(agent, 1, 20) == 9.5
    assert agent.stats().last_reason == "stood still, hand won"


def test_a_seat_that_never_acts_counts_its_match_without_updates():
    agent = learner()
    agent.observe(0, SIDES, [TRICK, HAND, MATCH_WON])
    stats = agent.stats()
    assert (stats.games, stats.wins, stats.recent) == (1, 1, [1])
    assert stats.updates == 0


def test_a_match_counts_once_per_side():
    agent = learner()
    for _ in range(2):
        for seat in (0, 1, 2):
            act(agent, seat, 1, [0])
        for seat in (0, 1, 2):
            agent.observe(seat, SIDES, [HAND, MATCH_WON])
    assert agent.stats().games == 4
    assert agent.stats().recent == [1, 0, 1, 0]


def test_epsilon_decays_with_every_action_to_its_lower_limit():
    agent = learner(epsilon=0.2, decay=0.9995, least=0.05)
    assert agent.stats().epsilon == 0.2
    act(agent, 0, 1, [0])
    assert agent.stats().epsilon == pytest.approx(0.2 * 0.9995)
    assert LearningSettings().epsilon_after(2000, 0) == pytest.approx(0.2 * 0.9995**2000)
    assert LearningSettings().epsilon_after(3000, 0) == 0.05


def test_the_share_of_exploration_is_epsilon():
    agent = learner(epsilon=0.2, decay=1.0)
    rng = Random(5)
    for _ in range(1000):
        agent.act(Street(0, 1), [0, 10, 20], rng)
    stats = agent.stats()
    assert stats.total_actions == 1000
    assert 150 < stats.exploration_actions < 250


def test_untried_moves_have_the_mean_value_of_the_situation():
    """An outcome says as much about the situation as about the move."""
    agent = learner(alpha=1.0, settle=1.0)
    for action, tricks in ((0, 1), (0, 3), (10, 0)):
        act(agent, 0, 4, [action])
        agent.observe(0, SIDES, [*[LOST_TRICK] * tricks, HAND])
    assert [value(agent, 4, action) for action in (0, 10)] == [10, 20]
    assert value(agent, 4, 20) == (2 * 10 + 20) / 3


def test_with_the_right_settings_a_value_is_the_mean_of_its_outcomes():
    agent = learner(alpha=1.0, settle=1.0)
    for tricks in (0, 1, 2, 5):
        act(agent, 0, 4, [0])
        agent.observe(0, SIDES, [*[LOST_TRICK] * tricks, HAND])
    assert value(agent, 4, 0) == 20 - 5 * 2


def test_the_learning_rate_decreases_with_visits():
    assert LearningSettings(alpha=0.1).alpha_after(1000) == 0.1
    settling = LearningSettings(alpha=0.1, settle=20)
    assert settling.alpha_after(0) == 0.1
    assert settling.alpha_after(20) == 0.05


def test_without_learning_it_takes_the_best_move_and_changes_nothing():
    agent = learner(epsilon=1.0, least=1.0)
    act(agent, 0, 1, [20])
    agent.observe(0, SIDES, [LOST_TRICK, HAND])
    act(agent, 0, 1, [10])
    agent.observe(0, SIDES, [HAND])
    agent.learning = False
    before = agent.dump(), agent.stats()
    rng = Random(3)
    for _ in range(50):
        decision = agent.act(Street(0, 1), [0, 10, 11, 20], rng)
        assert decision.action in (10, 11)
        assert not decision.explored
        assert decision.seen == 2
    agent.observe(0, SIDES, [TRICK, HAND, MATCH_WON])
    assert (agent.dump(), agent.stats()) == before


def test_scores_give_every_legal_action_the_value_of_its_move():
    agent = learner()
    act(agent, 0, 1, [10])
    agent.observe(0, SIDES, [HAND])
    decision = agent.act(Street(0, 1), [0, 10, 11, 20], Random(0))
    assert set(decision.scores) == {0, 10, 11, 20}
    assert decision.scores[10] == decision.scores[11] == pytest.approx(10, abs=0.01)
    assert "rewards" in decision.meaning


def test_equally_good_actions_are_taken_equally_often():
    agent = learner(alpha=1.0)
    act(agent, 0, 4, [0])
    agent.observe(0, SIDES, [*[LOST_TRICK] * 5, HAND])
    act(agent, 0, 4, [10])
    agent.observe(0, SIDES, [HAND])
    agent.learning = False
    taken = [agent.choose(Street(0, 4), [0, 10, 11], Random(seed)) for seed in range(200)]
    assert taken.count(0) == 0
    assert 70 < taken.count(10) < 130


def test_exploration_ends_in_familiar_situations():
    agent = learner(epsilon=1.0, familiar=10, alpha=1.0)
    rng = Random(2)

    def explored(place: int, times: int) -> int:
        found = 0
        for _ in range(times):
            found += agent.act(Street(0, place), [0, 10, 20], rng).explored
            agent.observe(0, SIDES, [HAND])
        return found

    assert agent.stats().epsilon == 1.0
    assert explored(1, 1) == 1
    explored(1, 999)
    late = explored(1, 1000)
    assert 0 < late < 30
    assert explored(2, 1) == 1
    stats = agent.stats()
    assert stats.epsilon == stats.exploration_actions / stats.total_actions


def test_leaving_a_match_drops_its_steps():
    agent = learner()
    act(agent, 0, 1, [0])
    agent.forget_match()
    agent.observe(0, SIDES, [HAND])
    assert agent.stats().updates == 0


# Saving and merging


def taught(agent: QLearner, place: int, times: int) -> QLearner:
    for _ in range(times):
        act(agent, 0, place, [10])
        agent.observe(0, SIDES, [HAND, MATCH_WON])
    return agent


def seen(agent: QLearner, place: int) -> int | None:
    learning, agent.learning = agent.learning, False
    decision = agent.act(Street(0, place), [10], Random(0))
    agent.learning = learning
    return decision.seen


def test_restore_reverses_dump():
    agent = taught(learner(), 4, 3)
    copy = learner()
    copy.restore(agent.dump())
    assert copy.dump() == agent.dump()
    assert value(copy, 4, 10) == 17.5
    assert copy.stats().games == 3


def test_two_windows_that_save_in_turn_lose_no_visits(tmp_path: Path):
    store = Store(tmp_path)
    one, other = learner(), learner()
    for _ in range(4):
        store.save(taught(one, 1, 2))
        store.save(taught(taught(other, 1, 3), 2, 1))
    fresh = learner()
    assert store.load(fresh)
    assert seen(fresh, 1) == 4 * (2 + 3)
    assert seen(fresh, 2) == 4
    stats = fresh.stats()
    assert stats.games == stats.wins == stats.total_actions == stats.updates == 24
    assert len(stats.recent) == 24


def test_merging_the_same_data_twice_changes_nothing():
    disk = taught(learner(), 1, 2).dump()
    agent = taught(learner(), 1, 3)
    agent.merge(disk)
    once = agent.dump()
    agent.merge(disk)
    assert agent.dump() == once
    assert seen(agent, 1) == 5


def test_merged_values_are_weighted_by_visits():
    common = taught(learner(), 1, 1)
    ours, theirs = learner(), learner()
    ours.restore(common.dump())
    theirs.restore(common.dump())
    taught(ours, 1, 1)
    taught(theirs, 1, 3)
    expected = (1 * 15 + 3 * 18.75) / 4
    ours.merge(theirs.dump())
    assert value(ours, 1, 10) == expected
    assert seen(ours, 1) == 5


DAMAGED: dict[str, object] = {
    "features": "two",
    "situations": b"\x00",
    "cells": b"\xff" * 48,
    "counters": {"games": 1},
    "recent": [2.0],
}


@pytest.mark.parametrize("part", DAMAGED)
def test_damaged_data_is_rejected_and_the_learner_is_unchanged(part: str):
    agent = taught(learner(), 1, 2)
    before = agent.dump()
    with pytest.raises(ValueError, match=r"\w"):
        agent.restore({**before, part: DAMAGED[part]})
    with pytest.raises(ValueError, match=r"\w"):
        agent.merge({**before, part: DAMAGED[part]})
    assert agent.dump() == before


def test_situations_of_another_game_are_rejected():
    data = taught(learner(), 1, 1).dump()
    with pytest.raises(ValueError, match="no situation"):
        learner().restore({**data, "situations": bytes([0, 99])})


def test_rewards_and_discount_change_the_fingerprint():
    plain = QLearner(EuchreAbstraction(), EuchreRewards())
    prints = {
        plain.fingerprint(),
        QLearner(EuchreAbstraction(), EuchreRewards(march=41)).fingerprint(),
        QLearner(EuchreAbstraction(), EuchreRewards(), LearningSettings(gamma=0.8)).fingerprint(),
    }
    assert len(prints) == 3
    slower = QLearner(EuchreAbstraction(), EuchreRewards(), LearningSettings(alpha=0.05))
    assert slower.fingerprint() == plain.fingerprint()


# Whole matches


def self_play(game: str, matches: int) -> QLearner:
    """A learner trained from nothing."""
    agent = create(game, "q")
    assert isinstance(agent, QLearner)
    agent.learning = True
    for seed in range(matches):
        state = GAMES[game].new(seed=seed)
        Match(state, [agent] * state.seats, seed).play_out()
    return agent


def wins_against_random(game: str, agent: QLearner, matches: int) -> float:
    """The share of matches won. Each deal is played from both sides."""
    agent.learning = False
    other: Agent = RandomPlayer()
    wins = 0.0
    for number in range(matches):
        state = GAMES[game].new(seed=10**6 + number // 2)
        mine = state.sides[number % 2]
        players = [agent if seat in mine else other for seat in range(state.seats)]
        Match(state, players, number).play_out()
        wins += state.returns()[mine[0]]
    return wins / matches


def test_training_is_reproducible():
    assert self_play("euchre", 3).dump() == self_play("euchre", 3).dump()


@pytest.mark.parametrize(
    ("game", "matches"), [("euchre", 150), pytest.param("notty", 10, marks=pytest.mark.slow)]
)
def test_self_play_beats_random_play(game: str, matches: int):
    agent = self_play(game, matches)
    assert agent.stats().updates > 1000
    assert wins_against_random(game, agent, 60) > 0.7


@pytest.mark.parametrize("familiar", [0.0, 5.0])
def test_the_shortcut_for_exploring_agrees_with_epsilon(familiar):
    settings = LearningSettings(epsilon=0.5, decay=0.9, least=0.1, familiar=familiar)
    for amount in (0.0, 1.0, 7.0, 50.0):
        for chance in [number / 100 for number in range(100)]:
            explores = chance < settings.epsilon_after(amount, 2 * amount)
            assert settings.explores(chance, amount, 2 * amount) == explores


def test_a_single_best_move_uses_no_randomness():
    agent = learner()
    agent.learning = False
    rng = Random(1)
    agent.choose(Street(0, 3), [10], rng)
    assert rng.getstate() == Random(1).getstate()


def test_a_restored_learner_continues_in_the_same_way():
    """Also where untried moves are compared, whose value is a sum."""
    stays, changes = learner(settle=3), learner(settle=3)
    rng = Random(1)
    for _ in range(200):
        situation, move = (0, rng.randrange(3)), rng.randrange(2)
        outcome = rng.uniform(-20, 10)
        for agent in (stays, changes):
            agent._learn([(Step(situation, move, move, 0.0, False), outcome)])
        changes.restore(changes.dump())
        assert stays.known(situation) == changes.known(situation)
    assert stays.dump() == changes.dump()


def test_a_learner_is_copied_with_the_hands_in_progress():
    """Compiled, its table and its steps have no `__dict__` that pickle could read."""
    agent = learner(settle=3)
    for _ in range(3):
        agent._learn([(Step((0, 1), 0, 0, 0.0, False), 5.0), (Step((0, 2), 1, 1, 0.0, True), -2.0)])
    agent.choose(Street(0, 3), [10], Random(1))
    for copy in (pickle.loads(pickle.dumps(agent)), deepcopy(agent)):
        assert copy.dump() == agent.dump()
        assert copy.updates() == agent.updates()
        assert copy.setup() == agent.setup()
        assert copy.take_delta() == deepcopy(agent).take_delta()
        (step,) = copy._hands[0]
        assert (step.situation, step.action, step.reasons) == ((0, 3), 10, ())
        for each in (copy, deepcopy(agent)):
            each._learn([(Step((0, 1), 0, 0, 0.0, False), 1.0)])
        assert copy.known((0, 1)) == each.known((0, 1))


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("name", ["q", "sarsa", "mc", "linear", "logistic", "neural"])
def test_settings_and_rewards_are_saved_alike_by_compiled_and_plain_code(game: str, name: str):
    """A compiled float is never a whole number, so plain code must not keep one either."""
    if name not in agents_for(game):
        return
    agent = create(game, name)
    settings, rewards = agent.setup()
    agent.adjust({"alpha": 1}, dict.fromkeys(rewards, 2))
    whole = {"batch", "first_batch", "replay", "tables", "copies"}
    for values in (settings, rewards, *agent.setup()):
        assert {each for each, value in values.items() if type(value) is not float} <= whole
