"""Learners without hand-written features: derived from what each game declares."""

from random import Random

import pytest

from agents.learners.generic import GenericAbstraction
from engine import GAMES
from engine.game import OVER, State

every_game = pytest.mark.parametrize("game", GAMES)


def positions(game: str, steps: int = 120) -> list[State]:
    """Positions of random matches with every number of players."""
    found = []
    for players in GAMES[game].players:
        several = len(GAMES[game].players) > 1
        options = {"players": players} if several else {}
        state = GAMES[game].new(players, None, None, **options)
        rng = Random(players)
        for _ in range(steps):
            if state.turn == OVER:
                break
            found.append(state.clone())
            state.apply(rng.choice(state.legal()))
    return found


@every_game
def test_situations_are_known_and_have_words(game: str) -> None:
    abstraction = GenericAbstraction(game)
    for state in positions(game):
        situation = abstraction.situation(state.view(state.turn))
        assert abstraction.knows(situation)
        assert abstraction.words(situation).startswith("any decision: ")


@every_game
def test_situations_reveal_no_hidden_cards(game: str) -> None:
    abstraction = GenericAbstraction(game)
    rng = Random(1)
    for state in positions(game, 40):
        view = state.view(state.turn)
        redealt = view.sample(rng).view(state.turn)
        assert abstraction.situation(view) == abstraction.situation(redealt)


@every_game
def test_each_legal_action_is_a_move(game: str) -> None:
    abstraction = GenericAbstraction(game)
    assert len(abstraction.move_names) == GAMES[game].num_actions
    assert len(set(abstraction.move_names)) == GAMES[game].num_actions
    for state in positions(game, 10):
        view, legal = state.view(state.turn), state.legal()
        assert abstraction.moves(view, legal) == {action: action for action in legal}


def test_moves_are_named_by_labels_that_do_not_depend_on_the_deal() -> None:
    names = GenericAbstraction("truco").move_names
    assert names[:4] == ("action 0", "action 1", "action 2", "raise")
    assert "play AS" in GenericAbstraction("euchre").move_names


def test_the_words_of_a_situation() -> None:
    state = GAMES["euchre"].new(seed=1, players=4, first=0)
    state.apply(state.parse("order up"))
    words = GenericAbstraction("euchre").describe(state.view(0)).split(": ")[1].split(", ")
    assert "phase dealer discards" in words
    assert "dealer here" in words
    assert "maker 1 to the left" in words
    assert "ordered up" in words
