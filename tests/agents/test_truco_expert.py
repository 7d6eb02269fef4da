"""The Truco expert: its situations, its training and its play."""

from random import Random

import numpy as np
import pytest

from agents.match import Match
from agents.storage.store import StoreError, read_shipped
from agents.storage.values_file import encode
from agents.truco.cfr import Training, deal, train
from agents.truco.expert import ExpertTruco, shipped_policy
from agents.truco.model import counted
from agents.truco.response import (
    ClassResponse,
    Response,
    exploitability,
    exploitability_in_classes,
    rounds_against,
    rounds_alike,
)
from agents.truco.rules import EasyTruco, HardTruco
from agents.truco.situations import (
    FINGERPRINT,
    FLOR_ROW,
    Node,
    Policy,
    Rounds,
    Situation,
    all_situations,
    follow,
    hand_class,
)
from engine.game import OVER
from engine.games.truco import (
    ACCEPT,
    FLOR,
    NOBODY,
    PACK,
    REJECT,
    VALUES,
    TrucoState,
    has_flor,
)
from engine.games.truco import (
    GAME as TRUCO,
)
from tests.agents.positions import choices, random_positions, share_of_wins, truco_round


@pytest.fixture(scope="module")
def beginner() -> Policy:
    return train(seed=1, iterations=2, deals=30, modelled=50)


@pytest.fixture(scope="module")
def expert() -> ExpertTruco:
    return ExpertTruco()


# Situations


def test_a_node_follows_the_rules_of_the_round():
    for state in random_positions(TRUCO, 30, hands=12):
        node, rounds = follow(state.view(state.turn))
        seat = state.turn ^ state.mano
        assert node.turn() == seat
        assert sorted(node.actions()) == [each for each in state.legal() if each != FLOR]
        assert (node.stake, node.bid) == (state.stake, state.bid)
        assert node.results == tuple(
            [who if who == NOBODY else who ^ state.mano for who in state.results]
        )
        called = sum([1 << (who ^ state.mano) for who in (0, 1) if state.flors[who]])
        assert rounds[FLOR_ROW, 0] == called


def test_every_situation_has_its_own_index():
    known = all_situations()
    for state in random_positions(TRUCO, 60, hands=12):
        node, rounds = follow(state.view(state.turn))
        if len(node.actions()) > 1:
            situation = Situation.at(node)
            assert situation in known
            assert 0 <= situation.numbers(rounds, node.opening())[0] < situation.size()


def test_names_are_unique():
    situations = all_situations()
    assert len({situation.name() for situation in situations}) == len(situations) > 100


def number_of(state: TrucoState) -> int:
    node, rounds = follow(state.view(state.turn))
    return int(Situation.at(node).numbers(rounds, node.opening())[0])


def test_cards_of_one_class_share_a_situation():
    other, muestra = "2C 6B 7C", "7B"
    assert number_of(truco_round("4O 5C 3E", other, muestra)) == number_of(
        truco_round("5O 4C 3E", other, muestra)
    )
    assert number_of(truco_round("4O 5C 3E", other, muestra)) != number_of(
        truco_round("4O 5C 2E", other, muestra)
    )


def test_situation_shows_which_cards_beat_the_card_in_the_trick():
    deal_to = "6E 5C 3O", "7B", "play 10C"
    lower = number_of(truco_round("10C 4C 1E", *deal_to))
    deal_to = "10E 5C 3O", "7B", "play 10C"
    assert number_of(truco_round("10C 4C 1E", *deal_to)) != lower


# Training


def test_rounds_are_dealt_as_in_a_match():
    rounds = deal(2000, Random(3))
    assert (np.diff(rounds[0:3], axis=0) >= 0).all()
    flors = np.mean(rounds[FLOR_ROW] & 1)
    real = np.mean([has_flor(state.hands[0], state.muestra) for state in fresh_deals(2000)])
    assert flors == pytest.approx(real, abs=0.03)


def fresh_deals(count: int):
    return [TRUCO.new(seed=seed) for seed in range(count)]


@pytest.mark.slow
def test_learning_is_reproducible(beginner: Policy):
    assert train(seed=1, iterations=2, deals=30, modelled=50).dump() == beginner.dump()
    assert train(seed=2, iterations=2, deals=30, modelled=50).dump() != beginner.dump()


def test_the_model_does_what_hard_does():
    """Where `hard` was counted often, the model has its choice among the likely ones."""
    model = counted(1, 40)
    hard, agreed, met = HardTruco(), 0, 0
    for state in random_positions(TRUCO, 30, hands=12):
        view, legal = state.view(state.turn), state.legal()
        node, rounds = follow(view)
        chances = model.chances(node, rounds)[:, 0]
        action = hard.act(view, legal, Random(1)).action
        if chances.any() and action in node.actions() and len(node.actions()) > 1:
            met += 1
            agreed += bool(chances[node.actions().index(action)] > 0)
    assert met > 20
    assert agreed > 0.6 * met


class Duel(Response):
    """A policy in each seat."""

    def __init__(self, policies: tuple[Policy, Policy], responder: int) -> None:
        super().__init__(policies[0], responder)
        self._policies = policies

    def chances(self, node: Node, rounds: Rounds) -> np.ndarray:
        self.policy = self._policies[node.turn()]
        return super().chances(node, rounds)


def test_expert_takes_what_hard_gives_away(predictable: Policy):
    """It raises more against a model that accepts every bid and plays its weakest cards."""
    cautious, greedy = Training(1), Training(1, predictable)
    for training in (cautious, greedy):
        for _ in range(6):
            training.walk(150)

    rounds = deal(1200, Random(5))
    everything = np.concatenate([rounds, np.zeros((1, 1200), dtype=np.int16)]).astype(np.intp)

    def gain(policy: Policy) -> float:
        """In points, over both seats."""
        first, second = [
            float(Duel(duel, NOBODY).visit(Node(), everything.copy(), np.ones(1200)).mean())
            for duel in ((policy, predictable), (predictable, policy))
        ]
        return first - second

    assert gain(greedy.policy()) > gain(cautious.policy()) > 0


def test_walk_without_choices_plays_out_the_round():
    """Both seats play their weakest card and do not bid."""

    class Silent(Training):
        def decide(self, node, rounds, weights):
            everything = np.arange(rounds.shape[1])
            keep = [everything] + [everything[:0]] * (len(node.actions()) - 1)
            return self.choose(node, rounds, [weights] * len(keep), keep)[0]

    for seed in range(40):
        state = TRUCO.new(seed=seed, first=0)
        values = VALUES[state.muestra]
        rounds = follow(state.view(0))[1]
        rounds[3:6, 0] = [values[card] for card in state.hands[1]]
        value = Silent(0).visit(Node(), rounds, np.ones((2, 1)))[0]
        while state.hand_no == 1:
            state.apply(0)
        points = state.hand_returns()
        assert value == points[0] - points[1]


def test_training_learns_to_reject_a_lost_round():
    """In the last trick a bid is rejected if the card in the trick cannot be beaten."""
    policy = train(seed=1, iterations=5, deals=300, modelled=50)
    state = truco_round("4O 5C 6E", "3E 2C 4C", "7B", "play 6E", "play 3E", "play 4C", "play 5C")
    for text in ("play 4O", "raise"):
        state.apply(state.parse(text))
    node, rounds = follow(state.view(0))
    chances = policy.chances(node, rounds)[:, 0]
    assert node.actions()[:2] == [ACCEPT, REJECT]
    assert chances[1] > 0.8


def test_every_hand_of_the_other_is_considered():
    own = [PACK.card(code) for code in ("3O", "12C", "4E")]
    rounds, chances = rounds_against(own, 1, PACK.card("7B"))
    assert chances.sum() == pytest.approx(1)
    assert (rounds[3:6, 0] == rounds[3:6, -1]).all()
    assert len(set(map(tuple, rounds.T))) == rounds.shape[1] > 300


def test_best_response_wins_at_least_as_much_as_the_policy():
    own = [PACK.card(code) for code in ("3O", "12C", "1E")]
    rounds, chances = rounds_against(own, 0, PACK.card("7B"))
    best, usual = (
        float(chances @ Response(shipped_policy(), who).visit(Node(), rounds.copy(), chances))
        for who in (0, NOBODY)
    )
    assert best >= usual


@pytest.fixture(scope="module")
def predictable() -> Policy:
    """Always plays the weakest card and accepts every bid."""
    table = {}
    for each in all_situations():
        levels = np.zeros((each.actions, each.size()), dtype=np.uint8)
        levels[0] = 1
        table[each.name()] = levels
    return Policy(table)


def test_predictable_policy_is_exploited(predictable: Policy):
    gain, _ = exploitability(predictable, 4)
    learned, _ = exploitability(shipped_policy(), 4)
    assert 0 <= learned < gain - 0.3


def test_predictable_policy_is_exploited_by_classes_too(predictable: Policy):
    seen = exploitability_in_classes(predictable, 4, deals=600)
    assert seen.lower > 0.3


@pytest.mark.slow
def test_response_with_classes_gains_less_than_with_all_cards():
    gain, _ = exploitability(shipped_policy(), 8)
    seen = exploitability_in_classes(shipped_policy(), 8, deals=4000)
    assert 0 < seen.lower < seen.upper < gain


def test_rounds_alike_have_the_same_first_situation():
    own, muestra = [PACK.card(code) for code in ("4O", "5C", "3E")], PACK.card("7B")
    rounds = rounds_alike(own, 1, muestra, 60, Random(1))
    kinds = hand_class(rounds[3:6].T)
    assert len(set(map(tuple, rounds[3:6].T))) > 1
    assert set(kinds) == set(hand_class([sorted([VALUES[muestra][card] for card in own])]))
    assert not (rounds[FLOR_ROW] & 2).any()
    assert len(set(map(tuple, rounds[0:3].T))) > 30


def test_response_is_not_learned_from_the_rounds_that_judge_it(predictable: Policy):
    """The responder may only learn from the odd columns: others with swapped results do not
    change what it does in them."""
    own, muestra = [PACK.card(code) for code in ("2O", "12C", "1E")], PACK.card("7B")
    rounds = rounds_alike(own, 0, muestra, 400, Random(1))
    others = rounds.copy()
    others[3:6, ::2] = 0

    def values(dealt: Rounds) -> list[float]:
        response = ClassResponse(predictable, 0, np.random.default_rng(1))
        return list(response.visit(Node(), dealt.copy(), np.ones(400))[1::2])

    assert values(rounds) == values(others)


# Storage


def test_policy_is_stored_and_restored(beginner: Policy):
    again = Policy.restored(beginner.dump())
    assert again.dump() == beginner.dump()
    assert len(encode(beginner.dump(), FINGERPRINT)) < 1_500_000


@pytest.mark.parametrize("change", ["name", "length", "level", "packing", "type"])
def test_invalid_policy_data_raises_an_error(beginner: Policy, change: str):
    data = beginner.dump()
    name = next(iter(data))
    levels = np.zeros((2, 2), dtype=np.uint8)
    if change == "name":
        data["nonsense"] = data[name]
    elif change == "length":
        data[name] = Policy({"x": levels}).dump()["x"]
    elif change == "level":
        data[name] = Policy({"x": np.full_like(beginner.levels[name], 99)}).dump()["x"]
    elif change == "packing":
        data[name] = b"garbage"
    else:
        data[name] = 7
    with pytest.raises(ValueError, match=r"situation|unpacked"):
        Policy.restored(data)


def test_missing_shipped_file_raises_an_error():
    with pytest.raises(StoreError, match=r"truco\.nobody\.pkl\.gz cannot be read"):
        read_shipped("truco", "nobody", FINGERPRINT)
    with pytest.raises(StoreError, match="other rules or features"):
        read_shipped("truco", "search", "something else")


# Play


def test_calls_every_real_flor_and_never_a_false_one(expert: ExpertTruco):
    met = 0
    for state in random_positions(TRUCO, 8, hands=12):
        legal = state.legal()
        real = has_flor(state.hands[state.turn], state.muestra) if FLOR in legal else False
        met += real
        decision = expert.act(state.view(state.turn), legal, Random(3))
        assert (decision.action == FLOR) == real
    assert met > 15


def test_nearly_every_situation_of_play_is_known():
    known = met = 0
    policy = shipped_policy()
    state = TRUCO.new(seed=5, target=80)
    match = Match(state, [HardTruco(), EasyTruco()], seed=5)
    while state.turn != OVER:
        node, rounds = follow(state.view(state.turn))
        if len(node.actions()) > 1:
            met += 1
            known += bool(policy.chances(node, rounds).any())
        match.step(match.decide().action)
    assert known > 0.97 * met > 60


def test_unknown_situations_are_left_to_hard():
    stranger = ExpertTruco(Policy({"nothing": np.zeros((1, 1), dtype=np.uint8)}))
    state = truco_round("3O 12C 4E", "1O 10O 6C", "7B", "raise")
    view, legal = state.view(1), state.legal()
    assert stranger.act(view, legal, Random(1)) == HardTruco().act(view, legal, Random(1))


def test_raises_with_the_winner_of_the_last_trick(expert: ExpertTruco):
    state = truco_round("4O 5C 3E", "6E 4C 1E", "7B", "play 4O", "play 6E", "play 4C", "play 5C")
    state.apply(state.parse("play 3E"))
    assert choices(expert, state).count("raise") >= 36


def test_bluffs_sometimes(expert: ExpertTruco):
    state = truco_round("4O 5C 2E", "6E 4C 5O", "7B", "play 4O", "play 6E", "play 4C", "play 5C")
    state.apply(state.parse("play 2E"))
    assert 2 <= choices(expert, state, 200).count("raise") <= 160


def test_accepts_anything_when_rejecting_loses_the_match(expert: ExpertTruco):
    deal_to = ("3O 12C 4E", "1O 10O 6C", "7B", "raise")
    assert choices(expert, truco_round(*deal_to, scores=(20, 20))).count("reject") > 10
    assert choices(expert, truco_round(*deal_to, scores=(39, 20))).count("reject") == 0


def test_score_changes_its_choices(expert: ExpertTruco):
    def chance_to_reject(scores) -> float:
        state = truco_round("3O 12C 4E", "3C 11O 6C", "7B", "raise", scores=scores)
        return expert.act(state.view(1), state.legal(), Random(1)).scores[REJECT]

    assert chance_to_reject((37, 20)) < chance_to_reject((0, 0))


def test_scores_are_frequencies(expert: ExpertTruco):
    for state in random_positions(TRUCO, 6, hands=12):
        decision = expert.act(state.view(state.turn), state.legal(), Random(1))
        assert decision.action in decision.scores
        assert decision.meaning
        if decision.meaning.startswith("how often"):
            assert sum(decision.scores.values()) == pytest.approx(1)


def test_beats_easy(expert: ExpertTruco):
    assert share_of_wins(TRUCO, expert, EasyTruco(), 8) > 0.55
