"""The rules of Fodinha, sentence by sentence."""

from random import Random

import pytest

from engine.game import IllegalAction
from engine.games.fodinha import (
    CALL,
    DECKS,
    NO_CALL,
    NUM_ACTIONS,
    PACK,
    PLAYING,
    RANK_NAMES,
    TURNING,
    FodinhaOptions,
    FodinhaState,
)
from engine.games.fodinha import (
    GAME as FODINHA,
)
from tests.engine.fodinha_states import (
    codes,
    dealt,
    offers,
    played,
    say,
    sizes,
)

# Options


def test_a_table_has_four_players_ten_ranks_five_lives_and_three_tries():
    assert FodinhaOptions().as_dict() == {
        "players": 4, "range": 10, "lives": 5, "tries": 3, "cancel": "all", "blind_one": True,
    }  # fmt: skip
    assert FODINHA.players == (2, 3, 4, 5, 6, 7, 8, 9, 10)
    assert FODINHA.new().scores() == [5, 5, 5, 5]


def test_two_to_ten_players():
    for players in (2, 10):
        state = FODINHA.new(seed=1, players=players)
        assert state.seats == len(state.sides) == len(state.scores()) == players
        assert [len(hand) for hand in state.hands] == [1] * players
    with pytest.raises(ValueError, match="largest possible is 10"):
        FODINHA.new(players=11)
    with pytest.raises(ValueError, match="smallest possible is 2"):
        FODINHA.new(players=1)


def test_the_pack_must_have_a_card_for_every_player_and_try():
    FODINHA.new(players=2, range=1, tries=2)
    with pytest.raises(ValueError, match=r"3 players and 2 tries need more cards than the 4 of 1"):
        FODINHA.new(players=3, range=1, tries=2)


@pytest.mark.parametrize(
    ("name", "value"),
    [("players", 1), ("players", 11), ("range", 0), ("range", 14), ("lives", 0), ("tries", 0)],
)
def test_options_out_of_their_limits_are_refused(name, value):
    with pytest.raises(ValueError, match=f"Option {name} is {value}"):
        FODINHA.new(**{name: value})


@pytest.mark.parametrize(
    "options",
    [{"lives": 1}, {"tries": 1}, {"players": 2, "tries": 2, "range": 1}, {"range": 13}],
)
def test_options_at_their_limits_are_accepted(options):
    state = FODINHA.new(**options)
    assert state.options.as_dict() == FodinhaOptions().as_dict() | options


def test_the_largest_round_has_twenty_five_cards_each():
    state = FODINHA.new(players=2, range=13, tries=1, first=0)
    assert state.options.cap(2) == 25
    state.size = 25
    state.deal(DECKS[13][:])
    assert offers(state) == [f"call {wins}" for wins in range(26)]
    assert offers(say(state, "call 25")) == [f"call {wins}" for wins in range(1, 26)]


def test_the_command_line_switches_the_blind_round_with_words():
    assert FODINHA.parse_options({"blind_one": "off"}) == {"blind_one": False}


# Cards


def test_the_ranks_in_use_go_from_the_ace_up():
    assert RANK_NAMES[:4] == ("A", "2", "3", "4")
    assert codes(DECKS[2]) == ["AS", "2S", "AH", "2H", "AD", "2D", "AC", "2C"]


def test_a_card_above_the_range_is_not_in_play():
    with pytest.raises(ValueError, match="KS is not in play: ranks go up to 10"):
        FODINHA.new(deck=["KS"])


def test_all_cards_are_reshuffled_every_round():
    state = FODINHA.new(seed=3, lives=100)
    rng = Random(3)
    orders = set()
    while state.hand_no < 6:
        if state.phase == TURNING:
            cards = [card for hand in state.hands for card in hand] + state.stock
            assert sorted(cards) == DECKS[10]
            orders.add(tuple(cards))
        state.apply(rng.choice(state.legal()))
    assert len(orders) >= 5


def test_the_dealer_turns_a_card_and_the_rank_above_it_is_the_candidate():
    state = FODINHA.new(deck=["2S", "3S", "4S", "5S", "7D"], first=1)
    view = state.view(0)
    assert (state.turn, view.phase, codes(view.turned)) == (1, TURNING, ["7D"])
    assert RANK_NAMES[view.power] == "8"
    assert offers(state) == ["approve", "reject"]


def test_above_the_highest_rank_comes_the_ace():
    assert dealt("2S", "3S", turned="10S").power == 0
    assert dealt("2S", "3S", turned="10S", range=11).power == RANK_NAMES.index("J")


def test_an_approved_candidate_is_the_power_rank():
    state = say(dealt("2S", "3S", turned="7D 4C 5C"), "approve")
    assert RANK_NAMES[state.power] == "8"
    assert offers(state) == ["call 0", "call 1"]


def test_after_a_rejection_another_card_is_turned():
    state = say(dealt("2S", "3S", turned="7D 4C 5C"), "reject")
    assert RANK_NAMES[state.power] == "5"
    assert offers(state) == ["approve", "reject"]


def test_the_last_candidate_is_forced():
    state = say(dealt("2S", "3S", turned="7D 4C 5C"), "reject", "reject")
    assert RANK_NAMES[state.power] == "6"
    assert offers(state) == ["call 0", "call 1"]


def test_with_one_try_a_round_starts_with_the_calls():
    state = FODINHA.new(tries=1)
    assert offers(state) == ["call 0", "call 1"]
    assert state.turn == (state.dealer + 1) % 4


def test_turned_cards_stay_face_up_and_out_of_play():
    state = say(dealt("2S 3S", "4S 5S", turned="7D 4C 5C"), "reject", "approve")
    view = state.view(0)
    assert codes(view.turned) == ["7D", "4C"]
    rng = Random(2)
    for _ in range(30):
        assert not set(view.sample(rng).hands[1]) & set(view.turned)


def test_cards_are_hidden_until_the_power_rank_is_settled():
    state = dealt("2S", "3S", "4S", turned="7D 4C 5C")
    for seat in range(3):
        assert state.view(seat).hands == ((), (), ())
    rng = Random(4)
    deals = {str(state.view(2).sample(rng).hands) for _ in range(20)}
    assert len(deals) > 10
    say(state, "approve")
    assert state.view(0).hands == ((), tuple(state.hands[1]), tuple(state.hands[2]))


@pytest.mark.parametrize(
    ("cards", "winner"),
    [
        (("10S", "9S", "2D"), 2),
        (("2D", "2C", "10S"), 1),
        (("2H", "2C", "2D"), 0),
        (("2H", "2S", "2C"), 1),
        (("3S", "10H", "9C"), 1),
        (("AH", "3H", "4H"), 2),
    ],
)
def test_power_beats_all_by_suit_and_other_ranks_keep_their_order(cards, winner):
    """Power is the two: spades, hearts, clubs, diamonds."""
    hands = [f"{card} {other}" for card, other in zip(cards, ("5C", "6C", "7C"), strict=True)]
    state = played(dealt(*hands), "0 0 0", " ".join(cards))
    assert state.last_winner == winner
    assert state.view(0).last_cancelled() == ()


def test_there_is_no_following_suit():
    state = dealt("3S 4S", "5S 6H", "8C 9C")
    played(state, "0 0 0", "3S")
    assert offers(state) == ["play 5S", "play 6H"]


# Rounds


def test_four_players_play_rounds_of_one_to_nine_and_back():
    state = FODINHA.new(seed=5, lives=10_000)
    assert sizes(state, 20) == [*range(1, 10), *range(8, 0, -1), 2, 3, 4]


def after_two_cards(third_lives: int, rising: bool, ranks: int) -> FodinhaState:
    """A round of two in which seat 2, of three, loses two lives."""
    state = dealt("2S AH", "2H AD", "2D AC", lives=(9, 9, third_lives), range=ranks)
    state.rising = rising
    return played(state, "1 1 2", "2S 2H 2D AH AD AC")


def test_the_pack_limits_the_round_size():
    options = FodinhaOptions()
    assert [options.cap(alive) for alive in (4, 3, 2)] == [9, 12, 18]
    assert FodinhaOptions(range=13, tries=1).cap(2) == NUM_ACTIONS - CALL - 1


def test_at_the_top_rounds_go_down():
    state = after_two_cards(third_lives=9, rising=True, ranks=2)
    assert (state.hand_no, state.size) == (2, 1)


def test_if_the_cap_grows_at_the_top_rounds_continue_upwards():
    state = after_two_cards(third_lives=1, rising=True, ranks=2)
    assert (state.view(0).alive, state.size) == ((True, True, False), 3)


def test_if_the_cap_grows_on_the_way_down_rounds_continue_downwards():
    state = after_two_cards(third_lives=1, rising=False, ranks=3)
    assert (state.view(0).alive, state.size) == ((True, True, False), 1)


def test_a_cap_of_one_stays_at_one():
    assert sizes(FODINHA.new(range=2, tries=4, lives=10_000), 6) == [1] * 6


def test_the_seed_draws_the_first_dealer_and_the_deal_goes_clockwise():
    assert {FODINHA.new(seed=seed).dealer for seed in range(40)} == {0, 1, 2, 3}
    state = FODINHA.new(first=2, lives=10_000)
    rng = Random(1)
    dealers = []
    while len(dealers) < 5:
        if len(dealers) < state.hand_no:
            dealers.append(state.dealer)
        state.apply(rng.choice(state.legal()))
    assert dealers == [2, 3, 0, 1, 2]


def test_players_out_of_the_match_are_skipped():
    state = dealt("3S", "4S", "", "5S", out=[2])
    say(state, "call 0", "call 0", "call 0", "play hidden", "play hidden", "play hidden")
    assert (state.dealer, state.hands[2], state.calls[2]) == (0, [], NO_CALL)
    order = []
    while state.hand_no == 2:
        order.append(state.turn)
        state.apply(state.legal()[0])
    assert order[:3] == [1, 3, 0]
    assert 2 not in order


def test_a_fixed_deck_is_dealt_in_blocks_from_the_dealers_left():
    state = FODINHA.new(deck=["2S", "3S", "4S", "5S", "6S", "7S", "8S"], first=1)
    assert [codes(hand) for hand in state.hands] == [["4S"], ["5S"], ["2S"], ["3S"]]
    assert codes(say(state, "reject", "reject").view(0).turned) == ["6S", "7S", "8S"]
    two = dealt("2S 3S", "4S 5S")
    assert [codes(hand) for hand in two.hands] == [["2S", "3S"], ["4S", "5S"]]


def test_calls_go_from_the_dealers_left_with_the_dealer_last():
    state = dealt("3S 4S", "5S 6S", "7S 8S")
    order = []
    while state.phase != PLAYING:
        order.append(state.turn)
        state.apply(state.legal()[0])
    assert order == [0, 1, 2]
    assert state.view(0).calls == (0, 0, 0)


def test_a_seat_that_has_not_called_shows_minus_one():
    state = say(dealt("3S 4S", "5S 6S", "7S 8S"), "call 0")
    assert state.view(0).calls == (0, -1, -1)


def test_a_call_is_any_number_up_to_the_round_size():
    state = dealt("3S 4S 5S", "6S 7S 8S", "9S 10S 9H")
    assert offers(state) == ["call 0", "call 1", "call 2", "call 3"]


def test_the_dealer_may_not_make_the_calls_add_up_to_the_round_size():
    state = say(dealt("3S 4S 5S", "6S 7S 8S", "9S 10S 9H"), "call 1", "call 0")
    assert offers(state) == ["call 0", "call 1", "call 3"]
    with pytest.raises(IllegalAction, match="The dealer may not call 2"):
        say(state, "call 2")


def test_the_dealer_may_not_call_zero_when_the_other_calls_add_up_to_the_round_size():
    state = say(dealt("3S 4S", "5S 6S", "7S 8S"), "call 1", "call 1")
    assert offers(state) == ["call 1", "call 2"]
    with pytest.raises(IllegalAction, match="The dealer may not call 0"):
        say(state, "call 0")


def test_in_a_blind_round_the_dealer_may_not_make_the_calls_add_up_either():
    assert offers(say(dealt("3S", "4S", "5S"), "call 1", "call 0")) == ["call 1"]
    assert offers(say(dealt("3S", "4S", "5S"), "call 0", "call 0")) == ["call 0"]


def test_players_out_of_the_match_do_not_count_in_the_calls():
    state = dealt("3S 4S", "", "5S 6S", "7S 8S", out=[1])
    assert offers(say(state, "call 1", "call 0")) == ["call 0", "call 2"]


def test_only_the_dealer_has_a_forbidden_call():
    state = say(dealt("3S 4S", "5S 6S", "7S 8S"), "call 1")
    assert offers(state) == ["call 0", "call 1", "call 2"]


def test_the_dealer_is_free_when_the_others_called_too_much():
    state = say(dealt("3S 4S", "5S 6S", "7S 8S"), "call 2", "call 1")
    assert offers(state) == ["call 0", "call 1", "call 2"]


# Blind one


def test_in_a_blind_round_players_see_all_cards_but_their_own():
    state = dealt("3S", "4S", "5S")
    assert [codes(hand) for hand in state.view(1).hands] == [["3S"], [], ["5S"]]
    assert state.view(1).hand == ()
    assert state.view(1).hand_sizes == (1, 1, 1)


def test_the_own_card_is_among_the_unseen_ones_of_a_blind_round():
    view = dealt("3S", "4S", "5S").view(1)
    assert PACK.card("4S") in view.unseen()
    rng = Random(6)
    samples = [view.sample(rng) for _ in range(60)]
    assert len({state.hands[1][0] for state in samples}) > 15
    assert {codes(state.hands[0])[0] for state in samples} == {"3S"}


def test_a_hidden_card_is_public_once_it_is_played():
    state = say(dealt("3S", "4S", "5S"), "call 0", "call 0", "call 0")
    assert offers(state) == ["play hidden"]
    say(state, "play hidden")
    assert state.view(0).history[-1] == (0, PACK.card("3S"))
    assert codes([card for _, card in state.view(1).trick]) == ["3S"]
    assert PACK.card("3S") not in state.view(0).unseen()


def test_a_player_out_of_the_match_sees_only_the_table():
    state = dealt("3S", "4S", "", "5S", out=[2])
    assert state.view(2).hands == ((), (), (), ())
    say(state, "call 0", "call 0", "call 0", "play hidden")
    assert codes([card for _, card in state.view(2).trick]) == ["3S"]


def test_without_blind_one_a_single_card_is_a_hand_like_any_other():
    state = dealt("3S", "4S", "5S", blind_one=False)
    assert [codes(hand) for hand in state.view(1).hands] == [[], ["4S"], []]
    say(state, "call 0", "call 0", "call 0")
    assert offers(state) == ["play 3S"]
