"""Networks: gradients, learning, saving and merging."""

from collections.abc import Sequence
from pathlib import Path
from random import Random

import numpy as np
import pytest

from agents.learners.encoding import Encoding, Reading
from agents.learners.network import Network
from agents.learners.neural import NeuralLearner, Samples, targets_of
from agents.learners.rewards import HandRewards
from agents.learners.settings import NeuralSettings
from agents.match import Match
from agents.registry import make
from agents.storage.store import Store
from agents.training.course import Course, new_learner
from agents.training.rounds import train
from engine import GAMES
from engine.game import Event, View
from tests.agents.crossing import (
    BUSY,
    CROSSINGS,
    EVERYTHING,
    GREEN,
    QUIET,
    RED,
    RUN,
    SIDES,
    STROLL,
    WAIT,
    WALK,
    Crossing,
)
from tests.quick import quick_with

# The network itself


# Deciding and learning


class Sees(Encoding):
    """The light and the road. Strolling is the same move as walking."""

    game = "crossing"
    columns = 2
    size = 4
    moves = (3,)

    def read(self, view: View, legal: Sequence[int]) -> Reading:
        assert isinstance(view, Crossing)
        known = {WAIT: 0, WALK: 1, STROLL: 1, RUN: 2}
        moves = [(known[action],) for action in legal]
        return Reading([[view.light, view.road]], [0] * len(legal), moves)

    def expand(self, codes: np.ndarray) -> np.ndarray:
        return np.eye(2, dtype=np.float32)[codes].reshape(len(codes), 4)


EACH_HAND = HandRewards(point=1, match_won=0, match_lost=0)


def learner(**settings: float) -> NeuralLearner:
    plain = {"alpha": 0.01, "epsilon": 0.0, "least": 0.0, "batch": 32, "first_batch": 32}
    return NeuralLearner(
        Sees(), EACH_HAND, NeuralSettings(**{**plain, **settings}), hidden=(32, 16)
    )


def values(agent: NeuralLearner, view: Crossing, legal: Sequence[int] = EVERYTHING):
    learning, agent.learning = agent.learning, False
    scores = agent.act(view, list(legal), Random(0)).scores
    agent.learning = learning
    return scores


def hand_over(points: float) -> Event:
    """A hand that gave side 0 so many points."""
    return Event("hand", 0, points=(points, 0))


def taught(agent: NeuralLearner, times: int, seed: int = 4) -> NeuralLearner:
    """Walking pays when it is green or quiet, but not when it is both."""
    rng = Random(seed)
    for _ in range(times):
        view = rng.choice(CROSSINGS)
        walked = agent.act(view, [WAIT, WALK, RUN], rng).action == WALK
        pays = (view.light == GREEN) != (view.road == QUIET)
        agent.observe(0, SIDES, [hand_over(2 if walked == pays else -2)])
    return agent


def test_it_learns_a_combination_of_two_features():
    agent = taught(learner(epsilon=0.3, least=0.3, batch=8, first_batch=8), 5000)
    for view in CROSSINGS:
        known = values(agent, view)
        pays = (view.light == GREEN) != (view.road == QUIET)
        assert known[WALK] == pytest.approx(2 if pays else -2, abs=0.5)
        assert known[WAIT] == pytest.approx(-2 if pays else 2, abs=0.5)


def test_actions_of_one_move_have_equal_values():
    known = values(taught(learner(), 100), CROSSINGS[0])
    assert known[WALK] == known[STROLL]


def test_the_best_action_is_taken_and_equal_ones_by_chance():
    agent = taught(learner(), 500)
    agent.learning = False
    for view in CROSSINGS:
        decisions = [agent.act(view, list(EVERYTHING), Random(seed)) for seed in range(40)]
        best = max(decisions[0].scores.values())
        expected = {action for action, value in decisions[0].scores.items() if value == best}
        assert {decision.action for decision in decisions} == expected


def test_while_learning_it_mixes_moves_of_similar_value():
    agent = taught(learner(mixing=0.5), 500)
    view = CROSSINGS[0]
    scores = values(agent, view, [WAIT, RUN])
    share = 1 / (1 + np.exp((scores[RUN] - scores[WAIT]) / 0.5))
    rng = Random(3)
    waited = [agent.act(view, [WAIT, RUN], rng).action == WAIT for _ in range(2000)]
    assert np.mean(waited) == pytest.approx(share, abs=0.04)
    noise = np.random.default_rng(1)
    both = np.array([scores[WAIT], scores[RUN]], dtype=np.float32)
    drawn = [agent.mixed(both, noise).argmax() == 0 for _ in range(2000)]
    assert np.mean(drawn) == pytest.approx(share, abs=0.04)


def stored(agent: NeuralLearner) -> list[float]:
    samples = agent._samples[0]
    return samples._targets[: samples.seen].tolist()


def test_every_decision_of_a_hand_learns_its_result():
    agent = learner()
    for road in (QUIET, BUSY, QUIET):
        agent.act(Crossing(0, RED, road), list(EVERYTHING), Random(0))
    agent.observe(0, SIDES, [Event("trick", 0)])
    assert stored(agent) == []
    agent.observe(0, SIDES, [Event("hand", 0, points=(1, 4))])
    assert stored(agent) == [-3, -3, -3]
    assert agent.stats().updates == 3


def test_targets_mix_the_outcome_with_the_best_value_at_the_next_decision():
    best = [0.5, 2.0, 4.0]
    assert targets_of(best, 8.0, NeuralSettings()) == [8.0, 8.0, 8.0]
    assert targets_of(best, 8.0, NeuralSettings(trace=0.5)) == [4.0, 6.0, 8.0]
    assert targets_of(best, 8.0, NeuralSettings(trace=0)) == [2.0, 4.0, 8.0]
    assert targets_of(best, 8.0, NeuralSettings(gamma=0.5)) == [2.0, 4.0, 8.0]
    assert targets_of([], 8.0, NeuralSettings(trace=0.5)) == []


def test_the_last_hand_also_counts_the_match():
    agent = NeuralLearner(Sees(), HandRewards(0.5, match_won=1.5, match_lost=-1), NeuralSettings())
    for seat, result in ((0, (1.0, 0.0)), (1, (1.0, 0.0))):
        agent.act(Crossing(seat, RED, BUSY), list(EVERYTHING), Random(0))
        agent.observe(seat, SIDES, [Event("hand", 0, points=(2, 0)), Event("match", points=result)])
    assert stored(agent) == [1 + 1.5, -1 - 1]


def test_other_sides_count_on_average_and_with_their_weight():
    rewards = HandRewards(point=0.5, others=0.5)
    assert rewards.of_hand((-1, -2, 0, -1), 0) == pytest.approx(0.5 * (-1 + 0.5 * 1))


def test_without_a_choice_there_is_no_update():
    agent = learner()
    assert agent.act(Crossing(0, RED, BUSY), [WALK], Random(0)).action == WALK
    agent.observe(0, SIDES, [hand_over(1)])
    assert (agent.stats().total_actions, agent.stats().updates) == (1, 0)


def test_leaving_a_match_drops_its_steps():
    agent = learner()
    agent.act(Crossing(0, RED, BUSY), list(EVERYTHING), Random(0))
    agent.forget_match()
    agent.observe(0, SIDES, [hand_over(1)])
    assert agent.stats().updates == 0


class SeesWhatFollows(Sees):
    """A row for each action: the move, and whether it is green."""

    size = 6
    moves = (1,)

    def read(self, view: View, legal: Sequence[int]) -> Reading:
        assert isinstance(view, Crossing)
        known = {WAIT: 0, WALK: 1, STROLL: 1, RUN: 2}
        rows = [[view.light == (view.road == QUIET), known[action]] for action in legal]
        return Reading(rows, list(range(len(legal))), [(0,)] * len(legal))

    def expand(self, codes: np.ndarray) -> np.ndarray:
        return np.eye(6, dtype=np.float32)[codes[:, 0] * 3 + codes[:, 1]]


def test_actions_can_have_rows_of_their_own():
    settings = NeuralSettings(alpha=0.01, epsilon=0.3, decay=1, least=0.3, batch=8, first_batch=8)
    agent = taught(NeuralLearner(SeesWhatFollows(), EACH_HAND, settings, hidden=(16,)), 3000)
    for view in CROSSINGS:
        known = values(agent, view)
        pays = (view.light == GREEN) != (view.road == QUIET)
        assert known[WALK] == known[STROLL] == pytest.approx(2 if pays else -2, abs=0.5)
        assert known[WAIT] == pytest.approx(-2 if pays else 2, abs=0.5)


def test_settings_and_rewards_are_adjusted_by_name():
    agent = make("smear", "neural")
    agent.adjust({"epsilon": 0.5, "batch": 64}, {"point": 4})
    assert (agent.settings.epsilon, agent.settings.batch, agent.rewards.point) == (0.5, 64, 4)
    with pytest.raises(ValueError, match="no setting 'speed'"):
        agent.adjust({"speed": 1}, {})


def test_samples_replace_the_oldest_ones():
    samples = Samples(columns=1, facts=1, most=100)
    for start in range(0, 250, 25):
        numbers = np.arange(start, start + 25)
        samples.add(numbers[:, None], numbers[:, None], numbers.astype(np.float32))
    assert (samples.seen, len(samples)) == (250, 100)
    codes, moves, targets = samples.draw(1000, np.random.default_rng(0))
    assert set(codes[:, 0]) == set(moves[:, 0]) == set(targets) == set(range(150, 250))


def test_choices_are_worth_what_the_whole_network_makes_of_them():
    network = Network((7, 8, 4, 1), seed=2)
    network.weights[:] = np.random.default_rng(3).normal(0, 0.5, len(network.weights))
    rows = np.random.default_rng(4).normal(size=(3, 3)).astype(np.float32)
    places = np.array([0, 0, 1, 2, 2])
    choices = np.array([[0, 2], [1, 2], [1, 3], [0, 3], [1, 2]])
    whole = [
        [*rows[row], *np.eye(4)[choice].sum(axis=0)]
        for row, choice in zip(places, choices, strict=True)
    ]
    outputs = network.outputs(np.array(whole, dtype=np.float32))[:, 0]
    assert network.outputs_of_choices(rows, places, choices) == pytest.approx(outputs, abs=1e-5)


def test_choices_and_dumps_have_the_mean_weights_of_the_latest_steps():
    network = Network((2, 4, 1), seed=1)
    rows = np.array([[1, 0]], dtype=np.float32)
    seen = []
    for _ in range(40):
        network.learn(rows, lambda outputs: outputs - 1, 0.05)
        seen.append(network.weights.copy())
    assert network.mean is not None
    counted = np.array(seen[9::10])
    assert (network.mean >= counted.min(axis=0) - 1e-6).all()
    assert (network.mean <= counted.max(axis=0) + 1e-6).all()
    copy = Network((2, 4, 1), seed=2)
    copy.weights[:] = copy.read(network.dump())
    assert (copy.weights == network.mean).all()
    assert (copy.weights != network.weights).any()
    one, place = np.zeros((1, 1), dtype=np.float32), np.zeros((1, 1), dtype=np.int64)
    theirs = copy.outputs_of_choices(one, place[0], place)
    assert network.outputs_of_choices(one, place[0], place) == pytest.approx(theirs)


# Saving and merging


EVERY = 32
"""Samples of a training step of these learners."""


def weights(agent: NeuralLearner) -> np.ndarray:
    return agent._networks[0].weights.copy()


def test_restore_reverses_dump():
    agent = taught(learner(), 200)
    copy = learner()
    copy.restore(agent.dump())
    assert copy.dump() == agent.dump()
    assert [values(copy, view) for view in CROSSINGS] == [values(agent, view) for view in CROSSINGS]


def test_compacting_reduces_the_size_and_hardly_changes_values():
    agent = taught(learner(), 500)
    before, long = [values(agent, view) for view in CROSSINGS], agent.dump()
    agent.compact(3)
    for view, known in zip(CROSSINGS, before, strict=True):
        assert values(agent, view) == pytest.approx(known, abs=0.2)
    sizes = [len(dump["networks"][0]["weights"]) for dump in (agent.dump(), long)]
    assert sizes[0] < 0.25 * sizes[1]
    copy = learner()
    copy.restore(agent.dump())
    assert (weights(copy) == weights(agent)).all()


def damaged(**changes: object) -> dict[str, object]:
    """A dump whose network was changed."""
    dump = learner().dump()
    [network] = dump["networks"]
    return {**dump, "networks": [{**network, **changes}]}


def raw(value: float, count: int, kind: str = "<f4") -> bytes:
    return np.full(count, value, dtype=kind).tobytes()


COUNT = len(learner()._networks[0].weights)
UNITS = sum(learner()._networks[0].sizes[1:])
DAMAGED: dict[str, dict[str, object]] = {
    "missing": {"networks": None},
    "one too many": {"networks": learner().dump()["networks"] * 2},
    "no network": {"networks": [1]},
    "another shape": damaged(shape=[7, 1]),
    "another type": damaged(type="<i4"),
    "an object": damaged(type="O"),
    "text": damaged(weights="0" * 4 * COUNT),
    "too short": damaged(weights=raw(0, COUNT - 1)),
    "half as long": damaged(weights=raw(0, COUNT, "<f2")),
    "no scales": damaged(type="<i1", weights=raw(0, COUNT - UNITS, "<i1")),
    "short scales": damaged(type="<i1", weights=raw(0, COUNT - UNITS, "<i1"), exact=b"0"),
    "too few bytes": damaged(
        type="<i1", weights=raw(0, COUNT - UNITS - 1, "<i1"), exact=raw(0, 2 * UNITS)
    ),
    "endless scales": damaged(
        type="<i1", weights=raw(1, COUNT - UNITS, "<i1"), exact=raw(np.inf, 2 * UNITS)
    ),
    "torn": damaged(weights=raw(0, COUNT)[:-1]),
    "not a number": damaged(weights=raw(np.nan, COUNT)),
    "infinite": damaged(weights=raw(np.inf, COUNT)),
    "huge": damaged(weights=raw(1e9, COUNT)),
    "counters": {"counters": {"games": 1}},
    "recent": {"recent": [2.0]},
}


@pytest.mark.parametrize("data", DAMAGED.values(), ids=DAMAGED)
def test_damaged_data_is_rejected_and_the_learner_is_unchanged(data: dict[str, object]):
    agent = taught(learner(), 100)
    before = agent.dump()
    with pytest.raises(ValueError, match=r"\w"):
        agent.restore({**before, **data})
    with pytest.raises(ValueError, match=r"\w"):
        agent.merge({**before, **data})
    assert agent.dump() == before


def test_the_changes_of_two_windows_are_added():
    common = taught(learner(), 4 * EVERY)
    ours, theirs = learner(), learner()
    ours.restore(common.dump())
    theirs.restore(common.dump())
    taught(ours, 2 * EVERY, seed=1)
    taught(theirs, 2 * EVERY, seed=2)
    change = weights(ours) - weights(common)
    assert np.abs(change).max() > 0
    ours.merge(theirs.dump())
    assert weights(ours) == pytest.approx(weights(theirs) + change, abs=1e-6)
    assert ours.stats().updates == 8 * EVERY


def test_updates_of_two_workers_are_averaged_by_training_steps():
    known = taught(learner(), EVERY)
    head, one, other = learner(), learner(), learner()
    for each in (head, one, other):
        each.restore(known.dump())
    taught(one, EVERY, seed=1)
    taught(other, 3 * EVERY, seed=2)
    head.merge_updates(one.updates())
    head.merge_updates(other.updates())
    assert weights(head) == pytest.approx((weights(one) + 3 * weights(other)) / 4, abs=1e-6)
    assert head.stats().updates == 5 * EVERY


def test_two_windows_that_save_in_turn_lose_no_updates(tmp_path: Path):
    store = Store(tmp_path)
    one, other = learner(), learner()
    for _ in range(3):
        store.save(taught(one, 10))
        store.save(taught(other, 20))
    fresh = learner()
    assert store.load(fresh)
    assert fresh.stats().updates == 90


def test_the_encoding_changes_the_fingerprint():
    class Blind(Sees):
        size = 3

    blind = NeuralLearner(Blind(), EACH_HAND, NeuralSettings())
    assert blind.fingerprint() != learner().fingerprint()
    assert learner(alpha=0.5).fingerprint() == learner().fingerprint()
    with pytest.raises(ValueError, match="another shape"):
        blind.restore(learner().dump())


# The original network


# Whole matches


@pytest.mark.parametrize("game", quick_with(GAMES, "euchre", "truco", "fodinha"))
def test_training_is_reproducible(game: str):
    def trained() -> dict[str, object]:
        course = Course(game, "neural", 4, seed=1, opponents=("self", "pool"))
        agent = new_learner(course)
        list(train(course, agent))
        assert agent.dump()["networks"] != new_learner(course).dump()["networks"]
        return agent.dump()

    assert trained() == trained()


@pytest.mark.slow
def test_a_little_self_play_beats_random_play():
    """About 0.88 after this training."""
    course = Course("euchre", "neural", 200, seed=1)
    agent = new_learner(course)
    quick = {"alpha": 0.003, "tables": 64, "copies": 0, "first_batch": 32, "batch": 64}
    agent.adjust(quick, {})
    list(train(course, agent))
    agent.learning = False
    wins = 0.0
    for number in range(60):
        state = GAMES["euchre"].new(seed=10**6 + number // 2)
        mine = state.sides[number % 2]
        rival = make("euchre", "random")
        players = [agent if seat in mine else rival for seat in range(state.seats)]
        Match(state, players, number).play_out()
        wins += state.returns()[mine[0]]
    assert wins / 60 > 0.75
