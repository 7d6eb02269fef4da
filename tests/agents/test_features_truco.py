"""The features of Truco in words, and learning with them."""

from functools import partial

import pytest

from agents.learners.q import QLearner
from agents.match import Match
from agents.random_player import RandomPlayer
from agents.registry import make
from agents.truco.features import TrucoAbstraction
from agents.truco.rewards import TrucoRewards
from engine.game import Event
from engine.games.truco import GAME as TRUCO
from engine.games.truco import SIDES
from tests.agents.positions import (
    move_words,
    share_of_wins,
    situation_words,
    truco_round,
)

FEATURES = TrucoAbstraction()
words = partial(situation_words, FEATURES)
moves = partial(move_words, FEATURES)

# Seat 0 is mano. There is no flor, and none of these cards is a pieza.
MATA, TWO, MUESTRA = "1E 3C 7C", "2O 3E 4O", "7B"
# The mano has a flor of two piezas.
PIEZAS = ("2B 4B 6O", TWO, "12B")


# Situations


def test_situation_when_leading() -> None:
    assert words(truco_round(MATA, TWO, MUESTRA)) == (
        "leading: first trick as mano, the cards win two times in three, "
        "the round is worth 1, best card a mata, next card a two or a three"
    )


def test_situation_when_following() -> None:
    assert words(truco_round(MATA, TWO, MUESTRA, "play 3C")) == (
        "following: first trick behind the mano, the cards win not quite every other time, "
        "the round is worth 1, can tie the trick"
    )


def test_situation_when_answering_a_bid() -> None:
    assert words(truco_round(MATA, TWO, MUESTRA, "play 3C", "raise", scores=(36, 39))) == (
        "answering: first trick as mano, the cards win a bit more than every other time, "
        "a raise would win me the match, the round wins them the match, "
        "they bid truco, my card on the table"
    )


def test_situation_after_an_accepted_raise() -> None:
    raised = truco_round(MATA, TWO, MUESTRA, "raise", "accept", "play 7C", "play 4O")
    assert words(raised).startswith("leading: first trick won")
    assert "truco by me" in words(raised)
    answered = truco_round(MATA, TWO, MUESTRA, "raise", "accept", "play 7C")
    assert "truco by them" in words(answered)


@pytest.mark.parametrize(
    ("texts", "standing"),
    [
        (("play 3C", "play 3E"), "first trick tied as mano"),
        (("play 3C", "play 2O"), "first trick won"),
        (("play 7C", "play 2O"), "first trick lost"),
        (("play 3C", "play 2O", "play 7C", "play 3E"), "one trick each and the first is mine"),
        (("play 7C", "play 3E", "play 2O", "play 3C"), "one trick each and the first is theirs"),
    ],
)
def test_tricks_are_described_from_the_own_seat(texts, standing) -> None:
    state = truco_round(MATA, TWO, MUESTRA, *texts)
    mine = FEATURES.words(FEATURES.situation(state.view(0)))
    assert standing in mine


def test_last_answer_wins_or_loses_for_certain() -> None:
    split = ("play 3C", "play 2O", "play 7C", "play 3E")
    sure = truco_round(MATA, TWO, MUESTRA, *split, "play 4O")
    assert "the cards surely win" in words(sure)
    hopeless = truco_round("4E 3C 7C", TWO.replace("4O", "12O"), MUESTRA, *split, "play 12O")
    assert "the cards cannot win" in words(hopeless)


def test_strength_is_relative_to_the_muestra_and_suits_do_not_matter() -> None:
    oros = truco_round("2O 6C 7B", "3E 5B 4C", "7O")
    espadas = truco_round("2E 6O 7C", "3B 5C 4O", "6E")
    assert words(oros) == words(espadas)
    assert "best card a pieza" in words(oros)


def test_situation_shows_flors() -> None:
    assert "I hold a flor" in words(truco_round(*PIEZAS))
    assert "I called my flor" in words(truco_round(*PIEZAS, "flor"))
    assert "they called a flor" in words(truco_round(*PIEZAS, "flor", "play 6O"))
    assert "I called a false flor" in words(truco_round(MATA, TWO, MUESTRA, "flor"))


# Moves


def test_moves_when_leading() -> None:
    assert moves(truco_round("3O 3C 4E", TWO, MUESTRA)) == {
        "play 3C": "lead the highest card",
        "play 3O": "lead the highest card",
        "play 4E": "lead the lowest card",
        "raise": "raise",
        "flor": "call a false flor",
    }


def test_moves_when_following() -> None:
    assert moves(truco_round("2E 3C 7C", "2O 3E 1E", MUESTRA, "play 2E")) == {
        "play 2O": "tie the trick",
        "play 3E": "win cheaply",
        "play 1E": "win high",
        "raise": "raise",
        "flor": "call a false flor",
    }
    assert moves(truco_round(MATA, TWO, MUESTRA, "play 1E")) == {
        "play 4O": "throw the weakest card",
        "play 2O": "throw another losing card",
        "play 3E": "throw another losing card",
        "raise": "raise",
        "flor": "call a false flor",
    }


def test_moves_when_answering_a_bid() -> None:
    assert moves(truco_round(MATA, TWO, MUESTRA, "play 3C", "raise")) == {
        "accept": "accept",
        "reject": "reject",
        "raise": "raise back",
    }
    vale_4 = truco_round(MATA, TWO, MUESTRA, "play 3C", "raise", "raise", "raise")
    assert moves(vale_4) == {"accept": "accept", "reject": "reject"}


# Before and after learning


def test_rewards_are_the_points_of_the_round_and_the_match() -> None:
    rewards = TrucoRewards()
    hand = Event("hand", 1, points=(3, 2), note="tricks")
    assert rewards.of_event(hand, 0, SIDES) == (10, "round lost, 3 to 2")
    assert rewards.of_event(hand, 1, SIDES) == (-10, "round won, 2 to 3")
    match = Event("match", points=(0.0, 1.0))
    assert rewards.of_event(match, 1, SIDES) == (20, "match won")
    assert rewards.of_event(match, 0, SIDES) == (-20, "match lost")
    assert rewards.of_event(Event("trick", 0), 0, SIDES) is None


def test_self_play_beats_random() -> None:
    learner = make("truco", "q", learning=True)
    assert isinstance(learner, QLearner)
    for seed in range(100):
        Match(TRUCO.new(seed=1000 + seed), [learner, learner], seed=seed).play_out()
    learner.learning = False
    assert share_of_wins(TRUCO, learner, RandomPlayer(), 20) >= 0.95
