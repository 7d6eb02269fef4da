"""Search for Fodinha: likely deals, fast rules, and the value of lives."""

from random import Random

import pytest

from agents.fodinha.rules import HardFodinha
from agents.fodinha.search import CALLS_TRIED, Round, fodinha_search, last_one_alive
from agents.match import Match
from agents.registry import make
from agents.search.agent import Budget
from agents.search.endgame import solve
from engine.game import OVER
from engine.games.fodinha import (
    APPROVE,
    CALL,
    CALLING,
    PLAYING,
    STRENGTH,
    FodinhaState,
)
from engine.games.fodinha import (
    GAME as FODINHA,
)


def round_of(hands: list[list[str]], calls: list[int]) -> FodinhaState:
    """A round after the deal to seats 0, 1, …; seat 0 leads, the last seat deals.

    The turned 4D makes the fives the power cards.
    """
    size = len(hands[0])
    players = len(hands)
    state = FODINHA.new(seed=1, first=players - 1, players=players)
    state.size = size
    first = [FODINHA.new().parse(f"play {code}") for hand in hands for code in hand]
    first.append(state.parse("play 4D"))
    rest = [card for card in range(52) if card % 13 < 10 and card not in first]
    state.deal(first + rest)
    state.apply(APPROVE)
    for call in calls:
        state.apply(CALL + call)
    return state


def test_worlds_give_good_cards_to_a_seat_with_a_high_call():
    hands = [["2S", "3H", "4C"], ["AS", "2H", "3C"], ["6S", "7H", "8C"]]

    def strength_of_caller(call: int) -> float:
        state = round_of(hands, [0, call])
        view = state.view(2)
        rng = Random(5)
        strength = STRENGTH[view.power]
        round_ = Round(view)
        worlds = [round_.likely_world(rng) for _ in range(150)]
        return sum(strength[card] for world in worlds for card in world.hands[1])

    assert strength_of_caller(3) > 1.2 * strength_of_caller(0)


def test_worlds_agree_with_what_the_seat_knows():
    state = round_of([["2S", "3H", "4C"], ["AS", "2H", "3C"], ["6S", "7H", "8C"]], [0, 1, 1])
    state.apply(state.parse("play 2S"))
    view = state.view(1)
    round_ = Round(view)
    for seed in range(10):
        assert round_.likely_world(Random(seed)).view(1) == view


def test_fast_rules_take_only_the_wins_they_need():
    hands = [["9S", "AH"], ["10S", "2H"], ["6S", "7H"]]
    for call, expected in ((1, "play 10S"), (0, "play 2H")):
        state = round_of(hands, [1, call, 2])
        state.apply(state.parse("play 9S"))
        assert state.label(Round(state.view(1)).card(state)) == expected


def test_fast_rules_make_legal_calls():
    state = round_of([["5S", "5H"], ["AS", "2H"]], [2])
    assert state.turn == state.dealer
    assert Round(state.view(1)).call(state) in state.legal()
    assert state.label(Round(state.view(1)).call(state)) == "call 1"


def test_only_calls_near_the_expected_wins_are_tried():
    state = round_of([["5S", "5H", "5C", "AH", "2H"], ["AS", "2S", "3C", "3H", "4H"]], [])
    search = fodinha_search(Budget(worlds=4))
    decision = search.act(state.view(0), state.legal(), Random(1))
    assert len(decision.scores) == CALLS_TRIED
    assert CALL + 3 in decision.scores
    assert CALL not in decision.scores


def test_a_thorough_search_tries_every_call():
    state = round_of([["5S", "5H", "5C", "AH", "2H"], ["AS", "2S", "3C", "3H", "4H"]], [])
    search = fodinha_search(Budget(worlds=4))
    search.thorough = True
    decision = search.act(state.view(0), state.legal(), Random(1))
    assert set(decision.scores) == set(state.legal())


def test_cards_of_one_strength_have_the_same_score():
    state = round_of([["8S", "8H", "7H"], ["AS", "2S", "3C"]], [1, 0])
    search = fodinha_search(Budget(worlds=4))
    decision = search.act(state.view(0), state.legal(), Random(1))
    assert set(decision.scores) == set(state.legal())
    eights = [state.parse("play 8S"), state.parse("play 8H")]
    assert decision.scores[eights[0]] == decision.scores[eights[1]]


def test_finds_the_card_that_keeps_the_call():
    """The nine takes this trick and the five of spades any other; the other way round the
    nine might be beaten."""
    state = round_of([["8S", "7H"], ["5S", "9H"]], [1, 2])
    state.apply(state.parse("play 8S"))
    search = fodinha_search(Budget(worlds=20))
    decision = search.act(state.view(1), state.legal(), Random(2))
    assert state.label(decision.action) == "play 9H"
    assert 0 < decision.scores[state.parse("play 5S")] < decision.scores[decision.action] < 1


def test_lives_of_rivals_count():
    state = FODINHA.new(seed=1, players=3)
    level = last_one_alive(0, state)
    assert level == pytest.approx(1 / 3)
    state.lives = [5, 3, 5]
    ahead = last_one_alive(0, state)
    state.lives = [4, 5, 5]
    behind = last_one_alive(0, state)
    assert behind < level < ahead


def test_end_of_a_match_has_its_exact_value():
    state = FODINHA.new(seed=3, players=2, lives=1)
    rng = Random(3)
    while state.turn != OVER:
        state.apply(rng.choice(state.legal()))
    winner = state.winners[0]
    assert last_one_alive(winner, state) == 1
    assert last_one_alive(1 - winner, state) == 0


def test_blind_rounds_and_power_cards_are_left_to_the_rules():
    search, hard = fodinha_search(Budget(worlds=2)), HardFodinha()
    state = FODINHA.new(seed=4)
    while state.hand_no == 1:
        view, legal = state.view(state.turn), state.legal()
        decision = search.act(view, legal, Random(1))
        assert decision == hard.act(view, legal, Random(1))
        state.apply(decision.action)


def test_search_finishes_a_match_against_rule_players():
    state = FODINHA.new(seed=8, lives=2)
    search = make("fodinha", "search", budget=Budget(worlds=3))
    match = Match(state, [search, *[make("fodinha", "hard") for _ in range(3)]], seed=8)
    seen = set()
    while state.turn != OVER:
        seen.add(state.phase)
        match.step(match.decide().action)
    assert {CALLING, PLAYING} <= seen
    assert sum(state.returns()) == 1


@pytest.mark.parametrize(("calls", "better"), [([1, 0, 0], True), ([2, 0, 1], False)])
def test_with_few_cards_left_a_round_is_solved(calls: list[int], better: bool):
    """The five is the highest card and the six the lowest: one win is certain, two are not."""
    state = round_of([["5S", "6H"], ["7S", "8H"], ["9H", "10S"]], calls)
    assert fodinha_search().is_endgame(state)
    assert (solve(state, 0, last_one_alive) > 1 / 3) == better


def test_solver_knows_cancelled_cards():
    """The two sevens cancel each other, and the six takes an unwanted win."""
    state = round_of([["5S", "6H"], ["7S", "8H"], ["7H", "9S"]], [1, 0, 0])
    assert solve(state, 0, last_one_alive) < 1 / 3


def test_calls_and_long_rounds_are_not_solved():
    player = fodinha_search()
    hands = [["5S", "6H", "AS"], ["7S", "8H", "AH"], ["7H", "9S", "AC"]]
    assert not player.is_endgame(round_of(hands, [1, 0, 0]))
    assert not player.is_endgame(round_of([hand[:2] for hand in hands], [1]))
