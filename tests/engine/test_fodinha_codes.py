"""Fodinha: strengths of cards, labels, and numbers that others rely on."""

import pytest

from engine.games.fodinha import (
    DECKS,
    LABELS,
    NUM_ACTIONS,
    PACK,
    RANK_NAMES,
    STRENGTH,
    FodinhaOptions,
    stand_or_void,
)
from engine.games.fodinha import (
    GAME as FODINHA,
)
from tests.engine.fodinha_states import dealt, played


def test_strengths_are_the_ranks_and_above_them_the_power_cards():
    for power, name in enumerate(RANK_NAMES):
        strength = {code: STRENGTH[power][card] for card, code in enumerate(PACK.codes)}
        above = [strength[name + suit] for suit in "DCHS"]
        assert above == [13, 14, 15, 16]
        for rank, other in enumerate(RANK_NAMES):
            if rank != power:
                assert {strength[other + suit] for suit in "SHDC"} == {rank}


def test_the_lowest_power_card_beats_a_king():
    state = dealt("KS KH", "2D 3S", turned="AS", range=13)
    assert played(state, "0 0", "KS 2D").last_winner == 1


def test_an_ace_stands_when_higher_cards_cancel():
    state = dealt("9S 3S", "9H 4S", "AD 5S", turned="6H")
    assert played(state, "0 0 0", "9S 9H AD").last_winner == 2


def test_equal_strengths_are_void_and_with_pairs_only_two_by_two():
    ace, nine = 1 << 0, 1 << 8
    assert stand_or_void([8, 0], pairs=False) == (ace | nine, 0)
    assert stand_or_void([8, 8, 0], pairs=False) == (ace, nine)
    assert stand_or_void([8, 8, 8], pairs=False) == (0, nine)
    assert stand_or_void([8, 8, 8], pairs=True) == (nine, 0)
    assert stand_or_void([0, 0], pairs=True) == (0, 0)


def test_every_card_played_is_listed_even_the_ace_of_spades():
    state = played(dealt("AS 3S", "4H 4S", turned="9H"), "0 0", "AS 4H")
    assert state.view(0).played == ((0, PACK.card("AS")), (1, PACK.card("4H")))


def test_there_is_one_label_for_every_action():
    assert len(LABELS) == len(set(LABELS)) == NUM_ACTIONS == FODINHA.num_actions
    with pytest.raises(ValueError, match="'call 26' is not an action"):
        FODINHA.new().parse("call 26")


def test_options_are_checked_however_they_are_made():
    with pytest.raises(ValueError, match="Option lives is 0"):
        FodinhaOptions(lives=0)


def test_the_deck_has_four_cards_of_every_rank_in_use():
    for ranks in range(1, 14):
        codes = [PACK.codes[card] for card in DECKS[ranks]]
        assert sorted(codes) == sorted(r + suit for r in RANK_NAMES[:ranks] for suit in "SHDC")


def test_the_next_seat_is_the_next_player_alive():
    state = dealt("3S 4S", "", "5S 6S", "", "7S 8S", out=[1, 3])
    assert state.alive == [0, 2, 4]
    assert [state.next_seat[seat] for seat in state.alive] == [2, 4, 0]
