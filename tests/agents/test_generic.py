"""Learners without hand-written features: derived from what each game declares."""

from random import Random

import numpy as np
import pytest

from agents.learners.generic import GenericAbstraction, GenericEncoding
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
def test_situations_and_rows_reveal_no_hidden_cards(game: str) -> None:
    abstraction, encoding = GenericAbstraction(game), GenericEncoding(game)
    rng = Random(1)
    for state in positions(game, 40):
        view, legal = state.view(state.turn), state.legal()
        redealt = view.sample(rng).view(state.turn)
        assert abstraction.situation(view) == abstraction.situation(redealt)
        rows = encoding.encode(view, legal).rows
        assert np.array_equal(rows, encoding.encode(redealt, legal).rows)


@every_game
def test_each_legal_action_is_a_move(game: str) -> None:
    abstraction = GenericAbstraction(game)
    assert len(abstraction.move_names) == GAMES[game].num_actions
    assert len(set(abstraction.move_names)) == GAMES[game].num_actions
    for state in positions(game, 10):
        view, legal = state.view(state.turn), state.legal()
        assert abstraction.moves(view, legal) == {action: action for action in legal}


@every_game
def test_each_legal_action_has_a_row_of_its_own(game: str) -> None:
    encoding = GenericEncoding(game)
    for state in positions(game):
        legal = state.legal()
        part, actions, rows = encoding.encode(state.view(state.turn), legal)
        assert list(actions) == legal
        assert rows.shape == (len(legal), encoding.parts[part].size)
        assert len({row.tobytes() for row in rows}) == len(legal)


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


def test_a_card_in_a_label_is_marked_in_the_row_of_its_action() -> None:
    """Truco's actions 0 to 2 are places in the hand: without the card they mean little."""
    deals = [["1E", "2E", "7O", "3B", "4B", "5B"], ["4C", "6C", "7C", "3B", "4B", "5B"]]
    encoding = GenericEncoding("truco")
    rows = []
    for deck in deals:
        state = GAMES["truco"].new(seed=1, deck=deck, first=0)
        rows.append(encoding.encode(state.view(state.turn), [0]).rows[0, -(40 + 10 + 4) :])
    for row in rows:
        card, rank, suit = np.flatnonzero(row).tolist()
        assert (rank - 40, suit - 50) == (card % 10, card // 10)
    assert not np.array_equal(rows[0], rows[1])
