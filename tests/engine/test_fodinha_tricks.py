"""Fodinha: tricks, lives, views, labels and samples."""

from random import Random

import pytest

from engine.game import OVER, Event, IllegalAction
from engine.games.fodinha import (
    CARDS,
    DECKS,
    NO_CALL,
    NOBODY,
    PACK,
    PLAY_HIDDEN,
    RANK_NAMES,
)
from tests.engine.fodinha_states import (
    codes,
    dealt,
    played,
    say,
)

# Tricks


def test_left_of_the_dealer_leads_and_the_winner_leads_the_next_trick():
    state = say(dealt("3S 4S", "9S 6S", "7S 8S"), "call 0", "call 0", "call 0")
    assert state.turn == 0
    say(state, "play 3S", "play 9S", "play 7S")
    assert (state.last_winner, state.turn) == (1, 1)
    assert state.view(0).wins == (0, 1, 0)


def test_equal_ranks_cancel_and_the_highest_card_that_stands_wins():
    state = played(dealt("10S 4S", "10H 6S", "7S 8S"), "0 0 0", "10S 10H")
    assert codes(state.view(2).cancelled()) == ["10S", "10H"]
    say(state, "play 7S")
    assert (state.last_winner, state.wins) == (2, [0, 0, 1])
    assert codes(state.view(0).last_cancelled()) == ["10S", "10H"]


def test_with_all_a_third_equal_card_is_void_too():
    hands = ("9S 3S", "9H 3H", "9C 3C", "5S 4S")
    state = played(dealt(*hands), "0 0 0 0", "9S 9H 9C 5S")
    assert state.last_winner == 3
    assert codes(state.view(0).last_cancelled()) == ["9S", "9H", "9C"]


def test_with_pairs_a_third_equal_card_stands():
    hands = ("9S 3S", "9H 3H", "9C 3C", "5S 4S")
    state = played(dealt(*hands, cancel="pairs"), "0 0 0 0", "9S 9H 9C 5S")
    assert state.last_winner == 2
    assert codes(state.view(0).last_cancelled()) == ["9S", "9H"]


def test_with_pairs_four_equal_cards_are_void():
    hands = ("9S 3S", "9H 3H", "9C 3C", "9D 4S")
    state = played(dealt(*hands, cancel="pairs"), "0 0 0 0", "9S 9H 9C 9D")
    assert state.last_winner == NOBODY


def test_after_a_cancelled_trick_the_same_player_leads_and_the_next_counts_one_more():
    state = played(dealt("9S 3S 4S", "9H 8H 5S"), "0 0", "9S 9H")
    assert (state.last_winner, state.turn, state.view(0).carry) == (NOBODY, 0, 1)
    say(state, "play 3S", "play 8H")
    assert (state.wins, state.carry) == ([0, 2], 0)


def test_carries_add_up():
    state = played(dealt("9S 8S 4S", "9H 8H 5S"), "0 0", "9S 9H 8S 8H 4S 5S")
    assert state.view(0).last_wins == (0, 3)


def test_a_carry_left_at_the_end_of_the_round_is_lost():
    state = played(dealt("9S 3S", "8H 3H"), "1 0", "9S 8H 3S 3H")
    assert state.view(0).last_wins == (1, 0)
    assert state.view(0).carry == 0
    assert state.hand_returns() == [0, 0]


def test_a_round_of_cancelled_tricks_gives_no_wins():
    state = played(dealt("9S 3S", "9H 3H"), "1 0", "9S 9H 3S 3H")
    assert state.view(0).last_wins == (0, 0)
    assert state.hand_returns() == [-1, 0]


# Lives


def test_every_win_above_or_below_the_call_costs_a_life():
    state = played(dealt("10S 9S", "3S 4S", "5S 6S"), "0 1 0", "10S 3S 5S 9S 4S 6S")
    assert state.view(0).last_calls == (0, 1, 0)
    assert state.view(0).last_wins == (2, 0, 0)
    assert state.hand_returns() == [-2, -1, 0]
    assert state.scores() == [3, 4, 5]


def test_a_player_without_lives_is_out():
    state = dealt("10S 9S", "3S 4S", "5S 6S", lives=(2, 1, 2))
    state.record_events()
    played(state, "1 1 1", "10S 3S 5S 9S 4S 6S")
    assert state.scores() == [1, 0, 1]
    assert state.view(0).alive == (True, False, True)
    assert Event("out", 1) in state.take_events()
    assert state.places() == [1.5, 3, 1.5]


def test_the_last_player_alive_wins():
    state = dealt("10S 9S", "3S 4S", lives=(2, 1))
    played(state, "1 0", "10S 3S 9S 4S")
    assert (state.winners, state.hand_no) == ((), 2)
    state = dealt("10S 9S", "3S 4S", lives=(2, 1))
    played(state, "1 2", "10S 3S 9S 4S")
    assert (state.turn, state.legal(), state.winners) == (OVER, [], (0,))
    assert state.returns() == [1, 0]
    assert state.places() == [1, 2]


def test_if_all_would_be_out_a_single_one_with_the_most_lives_wins():
    state = dealt("10S 9S", "3S 4S", "5S 6S", lives=(1, 1, 1))
    played(state, "0 1 2", "10S 3S 5S 9S 4S 6S")
    assert state.turn == OVER
    assert state.scores() == [-1, 0, -1]
    assert state.returns() == [0, 1, 0]
    assert state.places() == [2.5, 1, 2.5]


def test_if_all_would_be_out_the_best_who_tie_play_on_with_one_life_each():
    state = dealt("10S 9S", "3S 4S", "5S 6S", lives=(2, 1, 1))
    played(state, "0 2 1", "10S 3S 5S 9S 4S 6S")
    assert state.scores() == [1, -1, 1]
    assert state.view(1).alive == (True, False, True)
    assert (state.hand_no, state.returns()) == (2, [0, 0, 0])
    assert state.hand_returns() == [-2, -2, -1]


def test_if_all_tie_all_play_on():
    state = dealt("10S 9S", "3S 4S", lives=(2, 1))
    played(state, "0 1", "10S 3S 9S 4S")
    assert state.scores() == [1, 1]
    assert state.view(0).alive == (True, True)


def test_later_out_is_the_better_place_then_more_lives():
    state = dealt("", "10S 9S", "3S 4S", "5S 6S", lives=(-9, 5, 1, 2), out=[0])
    state.hand_no = 2
    played(state, "2 1 2", "10S 3S 5S 9S 4S 6S")
    assert state.scores() == [-9, 5, 0, 0]
    assert state.places() == [4, 1, 2.5, 2.5]
    assert state.winners == (1,)


def test_of_two_players_out_in_the_same_round_the_one_with_more_lives_is_placed_higher():
    state = dealt("10S 9S", "3S 4S", "5S 6S", lives=(5, 1, 1))
    played(state, "2 1 2", "10S 3S 5S 9S 4S 6S")
    assert state.scores() == [5, 0, -1]
    assert state.places() == [1, 2, 3]


def test_a_player_out_later_is_placed_higher_even_with_fewer_lives():
    state = dealt("", "10S 9S", "3S 4S", "5S 6S", lives=(0, 5, 1, 5), out=[0])
    state.hand_no = 2
    played(state, "2 2 1", "10S 3S 5S 9S 4S 6S")
    assert state.scores() == [0, 5, -1, 4]
    assert state.places() == [4, 1, 3, 2]


def test_during_the_match_places_follow_the_lives_of_the_players_alive():
    state = dealt("3S", "4S", "5S", lives=(2, 5, 2))
    assert state.places() == [2.5, 1, 2.5]


def test_the_next_deal_shows_the_last_round_and_nothing_of_its_cards():
    state = dealt("10S 9S", "3S 4S", "5S 6S")
    view = state.view(0)
    assert (view.last_calls, view.last_wins) == ((NO_CALL,) * 3, (0, 0, 0))
    assert (view.last_points, view.last_trick, view.last_winner) == ((0, 0, 0), (), NOBODY)
    played(state, "1 1 1", "10S 3S 5S 9S 4S 6S")
    view = state.view(0)
    assert (view.last_calls, view.last_wins) == ((1, 1, 1), (2, 0, 0))
    assert (view.last_points, view.last_winner) == ((-1, -1, -1), 0)
    assert [(seat, PACK.codes[card]) for seat, card in view.last_trick] == [
        (0, "9S"), (1, "4S"), (2, "6S"),
    ]  # fmt: skip
    assert (view.calls, view.wins, view.trick) == ((NO_CALL,) * 3, (0, 0, 0), ())
    assert (view.history, view.carry, view.played) == ((), 0, ())


def test_the_last_trick_keeps_the_power_rank_it_was_played_with():
    state = dealt("10S 9S", "3S 4S", turned="8H")
    played(state, "0 0", "10S 3S 9S 4S")
    assert state.view(0).last_power == RANK_NAMES.index("9")


def test_cancelled_cards_are_named_on_the_table_and_of_the_last_trick():
    state = played(dealt("9S 3S", "9H 4H", "5S 6S"), "0 0 0", "9S 9H")
    assert codes(state.view(0).cancelled()) == ["9S", "9H"]
    assert state.view(0).last_cancelled() == ()
    say(state, "play 5S")
    assert codes(state.view(0).last_cancelled()) == ["9S", "9H"]
    assert state.view(0).cancelled() == ()


def test_with_pairs_a_third_equal_card_is_not_cancelled():
    state = dealt("9S 3S", "9H 4H", "9D 6S", cancel="pairs")
    played(state, "0 0 0", "9S 9H")
    assert codes(state.view(0).cancelled()) == ["9S", "9H"]
    say(state, "play 9D")
    assert codes(state.view(0).last_cancelled()) == ["9S", "9H"]
    assert state.view(0).last_winner == 2


def test_a_played_card_counts_as_seen():
    state = played(dealt("10S 9S", "3S 4S"), "0 0", "10S 3S")
    view = state.view(0)
    assert [(seat, PACK.codes[card]) for seat, card in view.played] == [(0, "10S"), (1, "3S")]
    assert not {"10S", "9S", "3S", "AS"} & set(codes(view.unseen()))
    assert len(view.unseen()) == 40 - 4
    assert len(state.view(1).unseen()) == 40 - 4


def test_a_sample_of_a_finished_match_has_the_same_result():
    state = dealt("10S 9S", "3S 4S", "5S 6S", lives=(1, 5, 1))
    played(state, "1 0 2", "10S 3S 5S 9S 4S 6S")
    assert state.winners == (1,)
    sample = state.view(0).sample(Random(3))
    assert (sample.winners, sample.returns()) == ((1,), [0, 1, 0])
    assert (sample.places(), sample.legal()) == (state.places(), [])


# The border


def test_events_of_a_round():
    state = dealt("3S", "4S", turned="7D 4C", lives=(5, 1))
    state.record_events()
    state.deal(PACK.stack(["3S", "4S", "7D", "4C"], DECKS[10]))
    say(state, "reject", "call 1", "call 1", "play hidden", "play hidden")
    three, four = PACK.card("3S"), PACK.card("4S")
    assert state.take_events()[:5] == [
        Event("deal", 1),
        Event("power", 1, cards=(PACK.card("7D"),)),
        Event("power", 1, cards=(PACK.card("4C"),)),
        Event("trick", 1, cards=(three, four)),
        Event("hand", points=(-1, 0)),
    ]


def test_events_of_a_cancelled_trick_and_the_end():
    state = dealt("9S 3S", "9H 3H", lives=(1, 5))
    state.record_events()
    played(state, "2 1", "9S 9H 3S 3H")
    kinds = [(event.kind, event.seat, event.note) for event in state.take_events()]
    assert kinds == [
        ("trick", NOBODY, "cancelled"),
        ("trick", NOBODY, "cancelled"),
        ("hand", NOBODY, ""),
        ("out", 0, ""),
        ("match", NOBODY, ""),
    ]


@pytest.mark.parametrize(
    ("said", "tried", "why"),
    [
        ([], "call 0", "approves or rejects the power card first"),
        (["approve"], "reject", "The power card is settled"),
        (["approve"], "play 3S", "before everybody has called"),
        (["approve"], "call 3", "This round has only 2 to win"),
        (["approve", "call 0", "call 0"], "call 1", "The calls have been made"),
        (["approve", "call 0", "call 0"], "play 10H", "10H is not in this hand"),
        (["approve", "call 0", "call 0"], "play hidden", "only in a blind one-card round"),
    ],
)
def test_an_impossible_action_is_explained(said, tried, why):
    state = say(dealt("3S 4S", "5S 6S", turned="7D 4C"), *said)
    with pytest.raises(IllegalAction, match=why):
        say(state, tried)


def test_a_hidden_card_cannot_be_named():
    state = say(dealt("3S", "4S"), "call 0", "call 0")
    with pytest.raises(IllegalAction, match="play it hidden"):
        say(state, "play 3S")


def test_labels_are_read_in_any_case_and_spacing():
    state = dealt("10S 4S", "5S 6S")
    assert state.parse("  PLAY   10s ") == PACK.card("10S")
    assert state.parse("Play Hidden") == PLAY_HIDDEN == CARDS
    with pytest.raises(ValueError, match="now possible: call 0, call 1, call 2"):
        state.parse("play 11S")
