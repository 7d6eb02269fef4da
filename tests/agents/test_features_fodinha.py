"""The features of Fodinha in words, and learning with them."""

from functools import partial
from random import Random

import pytest

from agents.fodinha.features import FodinhaAbstraction
from agents.fodinha.rewards import FodinhaRewards
from agents.learners.q import QLearner
from agents.learners.rewards import Reward
from agents.learners.settings import FROM_NOTHING
from agents.match import Match
from agents.random_player import RandomPlayer
from agents.registry import make
from engine.game import Event
from engine.games.fodinha import GAME as FODINHA
from tests.agents.positions import fodinha_round, move_words, share_of_wins, situation_words

FEATURES = FodinhaAbstraction()
words = partial(situation_words, FEATURES)
moves = partial(move_words, FEATURES)
THREE_SIDES = ((0,), (1,), (2,))


# Before the play


def test_dealer_sees_the_power_cards_face_up():
    state = fodinha_round("3S", "4S", turned="7D 8C 9C")
    assert words(state) == "choosing the power card: no power card face up"
    assert moves(state) == {
        "approve": "approve the power card",
        "reject": "reject the power card",
    }
    state = fodinha_round("3S", "4S", turned="8D 7C 5C", actions="reject")
    assert words(state) == "choosing the power card: one power card face up"


def test_call_depends_on_the_expected_wins():
    state = fodinha_round("2S AH", "3S 4S", "5S 6S")
    assert words(state) == ("calling: two cards, the hand promises one win, nobody has called")
    assert moves(state) == {
        "call 1": "call what the hand promises",
        "call 0": "call one less",
        "call 2": "call one more",
    }


def test_dealer_knows_the_calls_and_may_not_make_one_of_them():
    state = fodinha_round("3S 4S 5S", "6S 6H 7D", "2S 2H 2C", actions="call 0,call 0")
    assert words(state) == (
        "calling: three cards, the hand promises three wins, "
        "others call their share, I deal and call last"
    )
    assert moves(state) == {
        "call 2": "call one less",
        "call 1": "call far less",
        "call 0": "call far less",
    }


def test_situation_shows_high_calls_of_the_others():
    state = fodinha_round("3S 4S", "AH AD", "5S 6S", actions="call 2")
    assert words(state).endswith("the hand promises no win, others call a lot")


def test_blind_round_shows_the_visible_cards_and_the_calls():
    state = fodinha_round("3S", "AH", "2H", actions="call 0")
    assert words(state) == "calling blind: my card can hardly win, one calls no win"
    state = fodinha_round("3S", "3H", "AH", actions="call 1,call 1")
    assert words(state) == "calling blind: my card wins almost surely, several call a win"


def test_hidden_card_has_one_move_and_the_call_is_shown():
    state = fodinha_round("3S", "AH", "3H", actions="call 1,call 1,call 0")
    assert words(state) == (
        "playing blind: I called a win, my card wins five times in six, "
        "one calls no win, one calls a win"
    )
    assert moves(state) == {"play hidden": "play hidden"}


# Play


def test_moves_when_leading():
    state = fodinha_round("2S AH 8D", "3S 4S 6D", "5S 6S 7D", actions="call 2,call 0,call 2")
    assert words(state) == (
        "leading: two wins needed, the hand is a little weak, three cards, "
        "a likely winner, a likely loser, others want a lot"
    )
    assert moves(state) == {
        "play 2S": "take the trick with the lowest likely winner",
        "play AH": "throw off the highest likely loser",
        "play 8D": "try the highest doubtful card",
    }


def test_no_card_is_doubtful_in_the_last_seat():
    state = fodinha_round(
        "6S 3H 5D 5H", "7S 4H 5C AC", "8C 9S 4D 3D",
        actions="call 1,call 0,call 1,play 6S,play 7S",
    )  # fmt: skip
    assert words(state) == (
        "following: one win needed, the hand is just right, four or more cards, last to play, "
        "several likely winners, several likely losers"
    )
    assert moves(state) == {
        "play 8C": "take the trick with the lowest likely winner",
        "play 9S": "take the trick with the highest likely winner",
        "play 4D": "throw off the highest likely loser",
        "play 3D": "throw off the lowest likely loser",
    }


def test_card_that_would_be_cancelled_is_a_loser():
    state = fodinha_round("9S 3H", "9H 4S", actions="call 1,call 0,play 9S")
    assert moves(state) == {
        "play 9H": "throw off the highest likely loser",
        "play 4S": "throw off the lowest likely loser",
    }


def test_situation_shows_surplus_wins_and_carried_tricks():
    state = fodinha_round("9S 10S 5H", "9H 8S 4H", actions="call 0,call 0,play 9S,play 9H")
    assert "the trick counts double" in words(state)
    state.apply(state.parse("play 10S"))
    state.apply(state.parse("play 8S"))
    assert words(state).startswith("leading: two wins too many, the hand is far too strong")


def test_suits_matter_only_among_power_cards():
    first = fodinha_round("6S 3H", "7D 4H", "8C 9S", actions="call 1,call 0,call 2,play 6S")
    second = fodinha_round("6D 3C", "7H 4D", "8C 9S", actions="call 1,call 0,call 2,play 6D")
    assert words(first) == words(second)


def test_untrained_learner_that_needs_no_win_loses_the_trick():
    state = fodinha_round("6S 3H", "7S 4H", "8C AH", actions="call 1,call 0,call 0,play 6S,play 7S")
    decision = make("fodinha", "q").act(state.view(2), state.legal(), Random(1))
    assert state.label(decision.action) == "play AH"


# Rewards


@pytest.mark.parametrize(
    ("event", "reward"),
    [
        (Event("hand", points=(0, -1, -2)), Reward(5, "call kept")),
        (Event("hand", points=(-1, 0, 0)), Reward(-10, "1 life lost")),
        (Event("hand", points=(-3, 0, 0)), Reward(-30, "3 lives lost")),
        (Event("out", 0), Reward(-10, "out of the match")),
        (Event("out", 1), None),
        (Event("match", points=(1, 0, 0)), Reward(20, "match won")),
        (Event("match", points=(0, 1, 0)), None),
        (Event("trick", 0), None),
    ],
    ids=str,
)
def test_rewards_follow_the_lives(event, reward):
    assert FodinhaRewards().of_event(event, 0, THREE_SIDES) == reward


# Learning


@pytest.mark.slow
def test_self_play_teaches_it_to_beat_random_players():
    learner = QLearner(FodinhaAbstraction(), FodinhaRewards(), FROM_NOTHING, learning=False)
    assert share_of_wins(FODINHA, learner, RandomPlayer(), 20) < 0.55
    learner.learning = True
    for seed in range(10_000, 10_150):
        Match(FODINHA.new(seed=seed), [learner] * 4, seed=seed).play_out()
    learner.learning = False
    assert share_of_wins(FODINHA, learner, RandomPlayer(), 20) > 0.6


def test_shipped_learner_beats_random_players():
    assert share_of_wins(FODINHA, make("fodinha", "q"), RandomPlayer(), 8) > 0.8
