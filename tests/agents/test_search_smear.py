"""Search for Smear: parallel deals agree with the engine and with `hard`."""

from random import Random

import numpy as np
import pytest

from agents.match import Match
from agents.registry import make
from agents.search.agent import Budget
from agents.search.batches import IMPOSSIBLE, behind, promising
from agents.search.endgame import solve
from agents.smear.batched_hard import play_out, scored_actions
from agents.smear.deals import Deals
from agents.smear.rules import HardSmear
from agents.smear.search import (
    EXACT,
    SmearSearch,
    chance_to_win,
    chances_to_win,
    deal_hidden,
    likely_deals,
    smear_search,
    solved,
)
from engine.game import OVER
from engine.games.smear import GAME as SMEAR
from engine.games.smear import SEATS, SmearState


def cards(*hands: str) -> list[str]:
    return " ".join(hands).split()


def tables(count: int, scores: tuple[int, int]) -> list[SmearState]:
    states = [SMEAR.new(seed=seed, first=2) for seed in range(count)]
    for state in states:
        state.points = scores
    return states


@pytest.mark.parametrize("scores", [(0, 0), (9, 3), (-4, 10)])
def test_parallel_deals_agree_with_single_ones(scores: tuple[int, int]):
    states = tables(40, scores)
    deals = Deals(np.array([state.hands for state in states]), 2, scores)
    hard, rng = HardSmear(), Random(1)
    while not deals.over:
        choices, weighed = scored_actions(deals)
        actions = []
        for row, state in enumerate(states):
            assert deals.turn[row] == state.turn
            legal = state.legal()
            decision = hard.act(state.view(state.turn), legal, rng)
            possible = weighed[row] > IMPOSSIBLE
            assert choices[row][possible].tolist() == legal
            if len(legal) > 1:
                expected = list(decision.scores.values())
                assert weighed[row][possible] == pytest.approx(expected, abs=1e-3)
            actions.append(rng.choice(legal))
            state.apply(actions[-1])
        deals.apply(np.array(actions))
    assert deals.points().tolist() == [list(state.last_points) for state in states]
    view = SMEAR.new(first=2).view(1)
    view.scores = scores
    chances = [chance_to_win(1, state) for state in states]
    assert chances_to_win(view.seat, deals) == pytest.approx(chances)


def test_picked_deals_are_copies():
    states = tables(5, (0, 0))
    deals = Deals(np.array([state.hands for state in states]), 2, (0, 0))
    before = deals.hands.copy()
    twice = deals.pick(np.array([3, 3, 1]))
    assert twice.hands.tolist() == [states[row].hands for row in (3, 3, 1)]
    play_out(twice)
    assert twice.over
    assert not deals.over
    assert (deals.hands == before).all()
    assert twice.points()[0].tolist() == twice.points()[1].tolist()


def test_sampled_hands_fit_what_is_known():
    rng = Random(3)
    for seed in range(6):
        state = SMEAR.new(seed=seed)
        while state.hand_no == 1 and state.turn != OVER:
            view = state.view(state.turn)
            seen = view.hand | view.played
            for hands in deal_hidden(view, 9, rng).tolist():
                assert hands[view.seat] == view.hand
                assert tuple(hand.bit_count() for hand in hands) == view.hand_sizes
                together = 0
                for seat in range(SEATS):
                    assert not hands[seat] & view.voids[seat]
                    assert not hands[seat] & together
                    together |= hands[seat]
                assert together & seen == view.hand
            state.apply(rng.choice(state.legal()))


def test_likely_deals_are_at_the_same_point_of_the_hand():
    rng = Random(4)
    state = SMEAR.new(seed=8)
    for _ in range(20):
        view = state.view(state.turn)
        for wanted in (1, 7):
            deals = likely_deals(view, wanted, rng)
            assert deals.size == wanted
            assert (deals.turn == view.turn).all()
            assert (deals.bet == view.bet).all()
            assert (deals.played == view.played).all()
            assert deals.taken.tolist() == [list(view.taken)] * wanted
        state.apply(rng.choice(state.legal()))


def test_likely_deals_give_high_cards_to_a_seat_that_bet_high():
    def aces_of_bettor(bet: str) -> float:
        state = SMEAR.new(seed=3, first=3)
        state.apply(state.parse(bet))
        hands = likely_deals(state.view(1), 400, Random(2)).hands[:, 0]
        aces = sum(1 << 10 * suit + 9 for suit in range(4))
        return float(np.bitwise_count(hands & aces).mean())

    assert aces_of_bettor("bet 3") > aces_of_bettor("pass") + 0.2


HANDS = (
    "AS KS JS 2S AH KH",
    "QS 3S 4D 5D 9D JD",
    "10S 4H 9C 10C JC QC",
    "2H 3H 2D 3D 10D QD",
)


def test_bets_on_a_hand_with_every_point():
    state = SMEAR.new(seed=5, first=3, deck=cards(*HANDS))
    player = smear_search(Budget(worlds=40))
    decision = player.act(state.view(0), state.legal(), Random(1))
    assert decision.action != state.parse("pass")
    assert decision.scores[decision.action] > decision.scores[state.parse("pass")]
    for label in (state.label(decision.action), "pass", "pass", "pass"):
        state.apply(state.parse(label))
    named = player.act(state.view(0), state.legal(), Random(1))
    assert state.label(named.action) == "trump spades"


def test_bets_on_a_weak_hand_if_a_pass_loses_the_match():
    """The opponents have ten points and would win the match, so a set is the lesser evil."""
    deck = cards("AS 5S 9H 3D 4C 9C", "KS QS 2S AH 3H KH", "10S 2H JH 2D 5D 10C")
    player = smear_search(Budget(worlds=100))
    passes = []
    for scores in ((0, 0), (7, 10)):
        state = SMEAR.new(seed=5, first=1, deck=deck)
        state.points = scores
        state.apply(state.parse("pass"))
        state.apply(state.parse("bet 2"))
        decision = player.act(state.view(0), state.legal(), Random(1))
        passes.append(decision.action == state.parse("pass"))
    assert passes == [True, False]


def test_last_tricks_are_solved():
    state = SMEAR.new(seed=5, first=3, deck=cards(*HANDS))
    for label in ("bet 4", "pass", "pass", "pass", "trump spades"):
        state.apply(state.parse(label))
    hard, rng = HardSmear(), Random(1)
    while state.hands[state.turn].bit_count() > EXACT:
        state.apply(hard.act(state.view(state.turn), state.legal(), rng).action)
    view = state.view(state.turn)
    worlds = likely_deals(view, 6, rng)
    worths = solved(view, worlds, state.legal())
    for hands, row in zip(worlds.hands.tolist(), worths.tolist(), strict=True):
        for action, worth in zip(state.legal(), row, strict=True):
            after = state.clone()
            after.hands = list(hands)
            after.apply(action)
            assert worth == solve(after, view.seat, chance_to_win)


def test_revokes_are_never_tried():
    state = SMEAR.new(seed=2, first=3, revoke="penalty")
    player = smear_search(Budget(worlds=2))
    match = Match(state, [player] * SEATS, seed=1)
    while state.hand_no == 1:
        view = state.view(state.turn)
        action = match.decide().action
        assert not view.revokes(action)
        match.step(action)
    assert state.last_hand.note != "revoke"


def test_the_budget_can_be_set():
    player = make("smear", "search", budget=Budget(worlds=3))
    assert isinstance(player, SmearSearch)
    assert player.budget.worlds == 3


def test_moves_far_behind_are_dropped_and_close_ones_are_not():
    rng = np.random.default_rng(4)
    luck = rng.random(16)
    worths = np.stack([luck, luck - 0.5, rng.random(16)], axis=1)
    assert promising(worths) == [0, 2]
    assert behind(worths, 1, 0, errors=3.0)
    assert not behind(worths, 0, 0, errors=0.0)
