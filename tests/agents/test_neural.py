"""Networks: gradients, learning, saving and merging."""

from collections.abc import Sequence
from pathlib import Path
from random import Random

import numpy as np
import pytest

from agents.agent import Agent, Decision
from agents.learners.encoding import Encoding, Part, Seen
from agents.learners.network import Network
from agents.learners.network_learner import BATCH, EVERY, MEMORY, ReplayBuffer
from agents.learners.neural import NeuralLearner
from agents.learners.settings import NeuralSettings
from agents.learners.situation_encoding import SituationEncoding
from agents.match import Match
from agents.registry import make
from agents.smear.original_network import OriginalNetwork
from agents.smear.rules import HardSmear
from agents.storage.store import Store
from agents.training.course import Course, new_learner
from agents.training.rounds import train
from engine import GAMES
from engine.game import OVER, Event, View
from engine.games.smear import PLAYING
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
    STROLL,
    WAIT,
    WALK,
    Crossing,
    Looks,
    Points,
)

HAND = Event("hand", 0)


# The network itself


def test_the_gradient_matches_finite_differences():
    network = Network((5, 7, 4, 2), seed=3)
    rng = np.random.default_rng(1)
    network.weights[:] = rng.normal(0, 0.5, len(network.weights))
    rows = rng.normal(size=(6, 5)).astype(np.float32)
    targets = rng.normal(size=(6, 2)).astype(np.float32)

    def loss() -> float:
        return float(((network.outputs(rows) - targets) ** 2).sum()) / (2 * len(rows))

    activations = network.activations(rows)
    gradient = network.gradient(activations, activations[-1] - targets)
    step = 1e-2
    for at in range(len(network.weights)):
        before = network.weights[at]
        network.weights[at] = before + step
        above = loss()
        network.weights[at] = before - step
        below = loss()
        network.weights[at] = before
        assert gradient[at] == pytest.approx((above - below) / (2 * step), abs=2e-2)


def test_a_network_learns_exclusive_or():
    network = Network((2, 16, 1), seed=1)
    rows = np.array([[0, 0], [0, 1], [1, 0], [1, 1]], dtype=np.float32)
    either = np.array([[0], [1], [1], [0]], dtype=np.float32)
    for _ in range(600):
        network.learn(rows, lambda outputs: outputs - either, 0.01)
    assert network.outputs(rows) == pytest.approx(either, abs=0.05)


@pytest.mark.parametrize(("fade", "left"), [(0.0, 1.0), (0.5, (1 - 0.5 * 0.01) ** 100)])
def test_unused_weights_decay(fade: float, left: float):
    network = Network((2, 4, 1), seed=1)
    before = network.weights.copy()
    rows = np.array([[1, 0]], dtype=np.float32)
    for _ in range(100):
        network.learn(rows, lambda outputs: outputs - 1, 0.01, fade)
    of_second_input = slice(4, 8)
    assert network.weights[of_second_input] == pytest.approx(left * before[of_second_input])
    assert network.outputs(rows)[0, 0] == pytest.approx(1, abs=0.1)


def test_a_network_is_read_as_it_was_dumped():
    network = Network((3, 4, 1), seed=5)
    assert network.read(network.dump()) == pytest.approx(network.weights, abs=0)
    network.shorten()
    short = network.dump()
    assert short["type"] == "<f2"
    assert network.read(short) == pytest.approx(network.weights, abs=0)


def test_the_replay_buffer_keeps_the_latest_samples():
    replay = ReplayBuffer(1, 1)
    for number in range(MEMORY + 10):
        replay.add(np.ones(1, dtype=np.float32), float(number))
    rng = np.random.default_rng(0)
    drawn = np.concatenate([replay.draw(rng)[1] for _ in range(100)])
    assert len(drawn) == 100 * BATCH
    assert drawn.min() >= 10
    assert drawn.max() > MEMORY * 0.99


# Deciding and learning


def learner(**settings: float) -> NeuralLearner:
    plain = {"alpha": 0.01, "epsilon": 0.0, "least": 0.0}
    return NeuralLearner(
        SituationEncoding(Looks()), Points(), NeuralSettings(**{**plain, **settings})
    )


def values(agent: NeuralLearner, view: Crossing, legal: Sequence[int] = EVERYTHING):
    learning, agent.learning = agent.learning, False
    scores = agent.act(view, list(legal), Random(0)).scores
    agent.learning = learning
    return scores


def taught(agent: NeuralLearner, times: int, seed: int = 4) -> NeuralLearner:
    """Walking pays when it is green or quiet, but not when it is both."""
    rng = Random(seed)
    for _ in range(times):
        view = rng.choice(CROSSINGS)
        walked = agent.act(view, [WAIT, WALK, RUN], rng).action == WALK
        pays = (view.light == GREEN) != (view.road == QUIET)
        agent.observe(0, SIDES, [Event("trick", 0, points=(5 if walked == pays else -5,)), HAND])
    return agent


def test_it_learns_a_combination_of_two_features():
    agent = taught(learner(epsilon=0.3, least=0.3), 3000)
    for view in CROSSINGS:
        known = values(agent, view)
        pays = (view.light == GREEN) != (view.road == QUIET)
        assert known[WALK] == pytest.approx(25 if pays else 15, abs=3)
        assert known[WAIT] == pytest.approx(15 if pays else 25, abs=3)


def test_actions_with_equal_rows_have_equal_values():
    known = values(taught(learner(), 100), CROSSINGS[0])
    assert known[WALK] == known[STROLL]


def test_without_learning_decisions_do_not_depend_on_chance():
    agent = taught(learner(), 200)
    agent.learning = False
    first = [agent.act(view, list(EVERYTHING), Random(1)) for view in CROSSINGS]
    assert [agent.act(view, list(EVERYTHING), Random(2)) for view in CROSSINGS] == first
    assert all(
        decision.action == max(decision.scores, key=decision.scores.__getitem__)
        for decision in first
    )


def outcomes(agent: NeuralLearner) -> list[float]:
    """The stored targets in rewards, the last decision of a hand first."""
    replay = agent._replays[1]
    return (replay._targets[: replay._seen, 0] * agent.settings.unit).tolist()


def play_a_hand(agent: NeuralLearner) -> list[float]:
    """Three decisions, with 8 points after the first. Returns the best values of the last two."""
    predicted = []
    for step, road in enumerate((QUIET, BUSY, QUIET)):
        decision = agent.act(Crossing(0, RED, road), list(EVERYTHING), Random(0))
        if step:
            predicted.append(max(decision.scores.values()))
        else:
            agent.observe(0, SIDES, [Event("trick", 0, points=(8,))])
    agent.observe(0, SIDES, [HAND])
    return predicted


def test_the_target_is_the_sum_of_later_rewards_in_the_hand():
    agent = learner(gamma=0.5)
    play_a_hand(agent)
    assert outcomes(agent) == pytest.approx([20, 10, 8 + 5], abs=1e-4)
    stats = agent.stats()
    assert (stats.updates, stats.last_reward) == (3, 28)
    assert stats.last_reason == "a trick, the hand"


def test_a_trace_mixes_predicted_and_actual_outcomes():
    agent = taught(learner(trace=0.25), 200)
    agent._replays[1]._seen = 0
    second, third = play_a_hand(agent)
    middle = 0.25 * 20 + 0.75 * third
    first = 8 + 0.25 * middle + 0.75 * second
    assert outcomes(agent) == pytest.approx([20, middle, first], abs=1e-3)


def test_without_a_choice_there_is_no_update():
    agent = learner()
    assert agent.act(Crossing(0, RED, BUSY), [WALK], Random(0)).action == WALK
    agent.observe(0, SIDES, [HAND])
    assert (agent.stats().total_actions, agent.stats().updates) == (1, 0)


def test_leaving_a_match_drops_its_steps():
    agent = learner()
    agent.act(Crossing(0, RED, BUSY), list(EVERYTHING), Random(0))
    agent.forget_match()
    agent.observe(0, SIDES, [HAND])
    assert agent.stats().updates == 0


def test_the_teacher_decides_at_first_and_less_later():
    rules = HardSmear()
    agent = NeuralLearner(
        make("smear", "neural").encoding,
        make("smear", "neural").rewards,
        NeuralSettings(epsilon=0.0, least=0.0, guided=1.0, weaned=10**9),
        rules,
    )
    state = GAMES["smear"].new(seed=3)
    for _ in range(40):
        view, legal = state.view(state.turn), state.legal()
        action = agent.act(view, legal, Random(0)).action
        assert action == rules.act(view, legal, Random(0)).action
        state.apply(action)
    settings = NeuralSettings(guided=0.8, weaned=100)
    assert [settings.guided_after(actions) for actions in (0, 100, 200)] == [0.8, 0.4, 0.2]


class Stubborn(Agent):
    """Always runs."""

    name = "stubborn"

    def act(self, view: View, legal: list[int], rng: Random) -> Decision:
        return Decision(RUN)


def test_a_cautious_network_follows_its_teacher_unless_clearly_better():
    agent = NeuralLearner(
        SituationEncoding(Looks()), Points(), NeuralSettings(), Stubborn(), learning=False
    )
    known = values(agent, CROSSINGS[0])
    behind = max(known.values()) - known[RUN]
    assert behind > 0
    for caution, runs in ((0.0, False), (0.9 * behind, False), (1.1 * behind, True)):
        agent.adjust({"caution": caution}, {})
        action = agent.act(CROSSINGS[0], list(EVERYTHING), Random(0)).action
        assert (action == RUN) == runs


def test_settings_and_rewards_are_adjusted_by_name():
    agent = make("smear", "neural")
    agent.adjust({"epsilon": 0.5, "guided": 0.0}, {"point": 4})
    assert (agent.settings.epsilon, agent.settings.guided, agent.rewards.point) == (0.5, 0, 4)
    with pytest.raises(ValueError, match="no setting 'speed'"):
        agent.adjust({"speed": 1}, {})


# Saving and merging


def weights(agent: NeuralLearner) -> np.ndarray:
    return agent._networks[1].weights.copy()


def test_restore_reverses_dump():
    agent = taught(learner(), 200)
    copy = learner()
    copy.restore(agent.dump())
    assert copy.dump() == agent.dump()
    assert [values(copy, view) for view in CROSSINGS] == [values(agent, view) for view in CROSSINGS]


def test_compacting_halves_the_size_and_hardly_changes_values():
    agent = taught(learner(), 500)
    before, long = [values(agent, view) for view in CROSSINGS], agent.dump()
    agent.compact(3)
    for view, known in zip(CROSSINGS, before, strict=True):
        assert values(agent, view) == pytest.approx(known, abs=0.2)
    sizes = [len(dump["networks"][1]["weights"]) for dump in (agent.dump(), long)]
    assert 2 * sizes[0] == sizes[1]
    copy = learner()
    copy.restore(agent.dump())
    assert (weights(copy) == weights(agent)).all()


def damaged(**changes: object) -> dict[str, object]:
    """A dump whose second network was changed."""
    dump = learner().dump()
    first, second = dump["networks"]
    return {**dump, "networks": [first, {**second, **changes}]}


def raw(value: float, count: int, kind: str = "<f4") -> bytes:
    return np.full(count, value, dtype=kind).tobytes()


COUNT = len(learner()._networks[1].weights)
DAMAGED: dict[str, dict[str, object]] = {
    "missing": {"networks": None},
    "one of two": {"networks": learner().dump()["networks"][:1]},
    "no network": {"networks": [1, 2]},
    "another shape": damaged(shape=[7, 1]),
    "another type": damaged(type="<i4"),
    "an object": damaged(type="O"),
    "text": damaged(weights="0" * 4 * COUNT),
    "too short": damaged(weights=raw(0, COUNT - 1)),
    "half as long": damaged(weights=raw(0, COUNT, "<f2")),
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
    class Blind(Encoding[Crossing]):
        game = "crossing"
        version = 1
        parts = (Part("crossing", 3),)

        def encode(self, view: Crossing, legal: Sequence[int]) -> Seen:
            return Seen(0, list(legal), np.eye(3, dtype=np.float32)[: len(legal)])

    blind = NeuralLearner(Blind(), Points(), NeuralSettings())
    assert blind.fingerprint() != learner().fingerprint()
    assert learner(alpha=0.5).fingerprint() == learner().fingerprint()
    with pytest.raises(ValueError, match="missing"):
        blind.restore(learner().dump())


# The original network


def test_the_original_network_sees_cards_only():
    agent = OriginalNetwork(HardSmear())
    assert "120-80-6" in agent.fingerprint()
    state = GAMES["smear"].new(seed=1)
    while len(state.view(state.turn).trick) != 2:
        state.apply(state.legal()[0])
    view = state.view(state.turn)
    row = agent._cards.row(view)
    hand, trick, played = row.reshape(3, 40)
    assert (hand.sum(), trick.sum(), played.sum()) == (view.hand.bit_count(), 2, 0)
    assert set(np.flatnonzero(trick)) == {card for _, card in view.trick}


def test_the_original_network_learns_its_teachers_cards():
    course = Course("smear", "neural-original", 48, seed=1)
    agent = new_learner(course)
    list(train(course, agent))
    assert isinstance(agent, OriginalNetwork)
    agent.learning = False
    same = decisions = 0
    by_chance = 0.0
    for seed in range(10**6, 10**6 + 6):
        state = GAMES["smear"].new(seed=seed)
        while state.turn != OVER:
            view, legal = state.view(state.turn), state.legal()
            advice = agent.teacher.act(view, legal, Random(0)).action
            if view.phase == PLAYING and len(legal) > 1:
                decisions += 1
                by_chance += 1 / len(legal)
                same += agent.act(view, legal, Random(0)).action == advice
            state.apply(advice)
    assert same > 1.1 * by_chance
    assert decisions > 500


def test_the_original_network_counts_results_and_accepts_no_rewards():
    agent = OriginalNetwork(HardSmear())
    agent.observe(0, SIDES, [MATCH_WON])
    assert (agent.stats().games, agent.stats().wins) == (1, 1)
    with pytest.raises(ValueError, match="learns from hard, not from rewards"):
        agent.adjust({}, {"point": 1})


# Whole matches


@pytest.mark.parametrize("game", GAMES)
def test_training_is_reproducible(game: str):
    def trained() -> dict[str, object]:
        course = Course(game, "neural", 1, seed=1)
        agent = new_learner(course)
        list(train(course, agent))
        return agent.dump()

    assert trained() == trained()


def test_a_little_self_play_beats_random_play():
    course = Course("euchre", "neural", 60, seed=1)
    agent = new_learner(course)
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
