"""The rules of Smear, sentence by sentence."""

import pytest

from engine.cards import cards_in
from engine.game import IllegalAction
from engine.games.smear import (
    ALL_CARDS,
    CARDS,
    NOBODY,
    PACK,
    SUITS,
    TRUMP_LOOKUPS,
)
from engine.games.smear import (
    GAME as SMEAR,
)
from tests.engine.smear_states import (
    FOLLOWING,
    FOUR_POINTS,
    FOUR_POINTS_PLAY,
    RANKS,
    bet_and_name,
    do,
    finish_hand,
    labels,
    play,
    result,
    table,
)

# Cards and teams


def test_the_pack_has_forty_cards_without_six_seven_and_eight() -> None:
    assert len(PACK) == 40
    assert {code[:-1] for code in PACK.codes} == set(RANKS)


def test_spades_trump_hearts_led_ranks_all_spades_above_all_hearts() -> None:
    hearts_led = TRUMP_LOOKUPS[0].strength[1]
    order = [PACK.card(f"{rank}S") for rank in RANKS] + [PACK.card(f"{rank}H") for rank in RANKS]
    assert sorted(order, key=lambda card: -hearts_led[card]) == order
    assert all(hearts_led[card] == 0 for card in range(CARDS) if card not in order)


def test_opposite_seats_are_a_team() -> None:
    assert SMEAR.new().sides == ((0, 2), (1, 3))


def test_everybody_gets_six_cards_and_sixteen_stay_unseen() -> None:
    state = SMEAR.new(seed=5)
    assert [hand.bit_count() for hand in state.hands] == [6, 6, 6, 6]
    assert state.undealt.bit_count() == 16
    assert state.undealt | sum(state.hands) == ALL_CARDS


def test_a_fixed_deck_is_dealt_six_at_a_time_from_the_dealers_left() -> None:
    state = SMEAR.new(deck=list(PACK.codes), first=1)
    assert [cards_in(state.hands[seat]) for seat in (2, 3, 0, 1)] == [
        list(range(start, start + 6)) for start in (0, 6, 12, 18)
    ]


def test_a_short_deck_is_filled_up_by_shuffling() -> None:
    state = SMEAR.new(seed=2, deck=["AS", "KS"], first=3)
    assert state.hands[0] & SUITS[0] >> 8 << 8
    assert state.undealt | sum(state.hands) == ALL_CARDS


def test_the_first_dealer_is_drawn_from_the_seed() -> None:
    dealers = [SMEAR.new(seed=seed).dealer for seed in range(40)]
    assert set(dealers) == {0, 1, 2, 3}
    assert dealers == [SMEAR.new(seed=seed).dealer for seed in range(40)]


def test_the_deal_rotates_clockwise() -> None:
    state = SMEAR.new(seed=3, first=2)
    finish_hand(state)
    assert state.dealer == 3
    finish_hand(state)
    assert state.dealer == 0


# Betting


def test_betting_starts_left_of_the_dealer_and_everybody_has_one_turn() -> None:
    state = SMEAR.new(first=1)
    order = []
    for label in ("pass", "bet 2", "pass", "bet 3"):
        order.append(state.turn)
        do(state, label)
    assert order == [2, 3, 0, 1]
    assert state.view(0).bets == (0, 3, 0, 2)
    assert state.turn == 1


def test_a_bet_is_two_three_or_four() -> None:
    assert labels(SMEAR.new()) == ["pass", "bet 2", "bet 3", "bet 4"]


def test_a_bet_has_to_be_higher_than_the_bets_so_far() -> None:
    state = SMEAR.new()
    do(state, "bet 3")
    assert labels(state) == ["pass", "bet 4"]
    with pytest.raises(IllegalAction, match="higher than the 3"):
        do(state, "bet 3")


def test_after_a_bet_of_four_the_others_still_take_their_turn_and_pass() -> None:
    state = SMEAR.new()
    do(state, "bet 4")
    for _ in range(3):
        assert labels(state) == ["pass"]
        do(state, "pass")
    assert labels(state)[0] == "trump spades"


def test_a_dealer_whom_no_bet_reaches_is_screwed_and_bets_exactly_two() -> None:
    state = SMEAR.new()
    do(state, "pass", "pass", "pass")
    assert labels(state) == ["bet 2"]
    for refused in ("pass", "bet 3"):
        with pytest.raises(IllegalAction, match="the dealer is screwed"):
            do(state, refused)


def test_a_dealer_who_is_not_screwed_may_bet_more_or_pass() -> None:
    state = SMEAR.new()
    do(state, "pass", "bet 2", "pass")
    assert labels(state) == ["pass", "bet 3", "bet 4"]


def test_the_highest_bettor_names_any_suit_after_the_betting() -> None:
    state = SMEAR.new(first=0)
    with pytest.raises(IllegalAction, match="after the betting"):
        do(state, "trump spades")
    do(state, "bet 2", "bet 3", "pass", "pass")
    assert state.turn == state.bettor == 2
    assert labels(state) == ["trump spades", "trump hearts", "trump diamonds", "trump clubs"]


def test_the_highest_bettor_leads_to_the_first_trick_with_any_card() -> None:
    state = table(FOUR_POINTS)
    do(state, "pass", "pass", "bet 3", "pass", "trump hearts")
    assert state.turn == 2
    assert state.legal() == cards_in(state.hands[2])


# Play


def test_the_led_suit_is_followed_but_a_trump_may_always_be_played() -> None:
    state = table(FOLLOWING)
    bet_and_name(state, 2, "spades")
    play(state, "AH")
    assert labels(state) == ["play KS", "play 2H", "play 3H"]
    with pytest.raises(IllegalAction, match="Hearts were led: play one of your hearts"):
        play(state, "10D")


def test_a_player_without_the_led_suit_may_play_anything() -> None:
    state = table(FOLLOWING)
    bet_and_name(state, 2, "spades")
    play(state, "AH 2H")
    assert state.legal() == cards_in(state.hands[2])


def test_when_trump_is_led_it_has_to_be_followed() -> None:
    state = table(FOLLOWING)
    bet_and_name(state, 2, "hearts")
    play(state, "AH")
    assert labels(state) == ["play 2H", "play 3H"]
    with pytest.raises(IllegalAction, match="Trump was led"):
        play(state, "KS")


def test_the_highest_trump_takes_the_trick_and_leads_next() -> None:
    state = table(FOLLOWING)
    bet_and_name(state, 2, "spades")
    play(state, "AH 2H JS 10S")
    assert state.last_winner == state.turn == 2


def test_without_a_trump_the_highest_card_of_the_led_suit_takes_the_trick() -> None:
    state = table(FOLLOWING)
    bet_and_name(state, 2, "clubs")
    play(state, "KH 2H QS 10H")
    assert state.last_winner == state.turn == 0


def test_a_hand_has_six_tricks() -> None:
    state = table(FOUR_POINTS)
    bet_and_name(state, 2, "spades")
    play(state, *FOUR_POINTS_PLAY[:5])
    assert state.hand_no == 1
    play(state, FOUR_POINTS_PLAY[5])
    assert state.hand_no == 2


def test_only_a_card_that_neither_follows_nor_trumps_shows_a_void() -> None:
    state = table(FOLLOWING)
    bet_and_name(state, 2, "spades")
    play(state, "AH KS 2D 10S")
    assert state.view(0).voids == (0, 0, SUITS[1], 0)


# Revoke


def test_by_default_a_revoke_cannot_be_chosen() -> None:
    state = table(FOLLOWING)
    bet_and_name(state, 2, "spades")
    play(state, "AH")
    assert not any(state.view(1).revokes(action) for action in state.legal())


def test_with_the_penalty_every_card_may_be_played_and_the_view_warns() -> None:
    state = table(FOLLOWING, revoke="penalty")
    bet_and_name(state, 2, "spades")
    play(state, "AH")
    assert state.legal() == cards_in(state.hands[1])
    view = state.view(1)
    warned = [PACK.codes[card] for card in cards_in(view.hand) if view.revokes(card)]
    assert warned == ["10D", "AD", "4C"]


def test_a_revoke_costs_four_points_ends_the_hand_and_nobody_else_scores() -> None:
    state = table(FOLLOWING, revoke="penalty")
    state.record_events()
    bet_and_name(state, 2, "spades")
    play(state, "AH 10D")
    assert state.scores() == [0, -4]
    assert state.hand_returns() == [0, -4]
    assert (state.hand_no, state.dealer) == (2, 0)
    scored = result(state)
    assert (scored.note, scored.revoker) == ("revoke", 1)
    assert {scored.low, scored.high, scored.jack, scored.game} == {NOBODY}
    kinds = [event.kind for event in state.take_events()]
    assert kinds == ["revoke", "hand", "deal"]
    assert state.view(0).last_trick == ((0, PACK.card("AH")), (1, PACK.card("10D")))
    assert state.last_winner == NOBODY


def test_with_the_penalty_an_honest_card_costs_nothing() -> None:
    state = table(FOLLOWING, revoke="penalty")
    bet_and_name(state, 2, "spades")
    play(state, "AH KS 2D 10S")
    assert state.hand_no == 1
    assert state.scores() == [0, 0]
