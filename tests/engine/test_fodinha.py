"""The rules of Fodinha, sentence by sentence."""

from random import Random

import pytest

from engine.game import OVER, Event, IllegalAction
from engine.games.fodinha import (
    CALL,
    CARDS,
    DECKS,
    NO_CALL,
    NOBODY,
    NUM_ACTIONS,
    PACK,
    PLAY_HIDDEN,
    PLAYING,
    RANK_NAMES,
    SIDES,
    TURNING,
    FodinhaOptions,
    FodinhaState,
)
from engine.games.fodinha import (
    GAME as FODINHA,
)


def say(state: FodinhaState, *labels: str) -> FodinhaState:
    for label in labels:
        state.apply(state.parse(label))
    return state


def offers(state: FodinhaState) -> list[str]:
    return [state.label(action) for action in state.legal()]


def codes(cards) -> list[str]:
    return [PACK.codes[card] for card in cards]


def dealt(*hands: str, turned: str = "AS", lives=None, out=(), **options) -> FodinhaState:
    """A round with these hands from seat 0 on. The last seat alive deals and turns these cards
    for the power card."""
    options = {"players": len(hands), "tries": len(turned.split()), **options}
    chosen = FODINHA.make_options(options)
    state = FodinhaState(7, SIDES[chosen.players], options=chosen)
    state.tick = 2
    for seat in out:
        state.out_in[seat] = 1
        state.lives[seat] = 0
    if lives:
        state.lives = list(lives)
    state.seat_the_living()
    state.dealer = max(seat for seat, hand in enumerate(hands) if hand)
    state.size = len(hands[state.dealer].split())
    top = [code for hand in hands for code in hand.split()] + turned.split()
    state.deal(PACK.stack(top, DECKS[state.options.range]))
    return state


def played(state: FodinhaState, calls: str, cards: str) -> FodinhaState:
    """The calls in order, then cards in order."""
    say(state, *[f"call {call}" for call in calls.split()])
    return say(state, *[f"play {card}" for card in cards.split()])


def sizes(state: FodinhaState, rounds: int) -> list[int]:
    rng = Random(1)
    seen = []
    while len(seen) < rounds:
        if len(seen) < state.hand_no:
            seen.append(state.size)
        state.apply(rng.choice(state.legal()))
    return seen


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
