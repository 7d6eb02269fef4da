"""The rules of Smear, sentence by sentence."""

from random import Random

import pytest

from engine.cards import cards_in
from engine.game import OVER, Event, IllegalAction, State
from engine.games.smear import (
    ALL_CARDS,
    CARDS,
    MOST_HANDS,
    NOBODY,
    NOT_YET,
    PACK,
    SEATS,
    SUITS,
    TRUMP_TABLES,
    HandResult,
    SmearState,
    game_points,
)
from engine.games.smear import (
    GAME as SMEAR,
)

RANKS = ("A", "K", "Q", "J", "10", "9", "5", "4", "3", "2")

FOUR_POINTS = (
    "AS KS JS 2S 10H 9H",
    "3S QS 10S AH KH 5H",
    "4S 9S AD KD 10D 2D",
    "5S QH JH 4H 3H 2H",
)
FOUR_POINTS_PLAY = (
    "AS 3S 4S 5S",
    "KS QS 9S 2H",
    "JS 10S AD 3H",
    "2S 5H 10D 4H",
    "9H AH KD JH",
    "KH 2D QH 10H",
)
EQUAL_GAME = (
    "JS JH 2S 2H 2D 2C",
    "JD JC 3S 3H 3D 3C",
    "4S 4H 4D 4C 9S 9H",
    "5S 5H 5D 5C 9D 9C",
)
EQUAL_GAME_PLAY = (
    "JS 3S 4S 5S",
    "JH 3H 4H 5H",
    "2D JD 4D 5D",
    "JC 4C 5C 2C",
    "3D 9H 9D 2H",
    "9C 2S 3C 9S",
)
TWO_EACH = (
    "AS 2S JH 5H 9H 2H",
    "JS KS 4D 5D 9D 2D",
    "9S 3C 4C 5C 9C 2C",
    "10C 10S AC KC QC JC",
)
"""With spades trump: low and high to seat 0, jack and game to the others."""


def table(hands: tuple[str, ...], seed: int = 1, **options: str) -> SmearState:
    """A match whose first hand gives seats 0 to 3 these cards; seat 3 deals."""
    return SMEAR.new(seed=seed, deck=" ".join(hands).split(), first=3, **options)


def do(state: State, *labels: str) -> None:
    for label in labels:
        state.apply(state.parse(label))


def play(state: State, *tricks: str) -> None:
    for trick in tricks:
        do(state, *[f"play {code}" for code in trick.split()])


def bet_and_name(state: State, bet: int, suit: str) -> None:
    """Seat 0 bets, the others pass, seat 0 names trump."""
    do(state, f"bet {bet}", "pass", "pass", "pass", f"trump {suit}")


def finish_hand(state: State) -> None:
    hand_no = state.hand_no
    while state.turn != OVER and state.hand_no == hand_no:
        state.apply(state.legal()[0])


def labels(state: State) -> list[str]:
    return [state.label(action) for action in state.legal()]


def result(state: SmearState) -> HandResult:
    assert state.last_hand is not None
    return state.last_hand


# Cards and teams


def test_the_pack_has_forty_cards_without_six_seven_and_eight() -> None:
    assert len(PACK) == 40
    assert {code[:-1] for code in PACK.codes} == set(RANKS)


def test_spades_trump_hearts_led_ranks_all_spades_above_all_hearts() -> None:
    hearts_led = TRUMP_TABLES[0].strength[1]
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
    assert state.bets == (0, 3, 0, 2)
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

FOLLOWING = (
    "AH KH 9C 2C 5C 3C",
    "2H 3H KS 10D AD 4C",
    "QS JS 2D 3D 9D 5D",
    "4H 5H 9H 10H 9S 10S",
)


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


# Points of a hand


def test_all_four_points_to_one_team() -> None:
    state = table(FOUR_POINTS)
    bet_and_name(state, 4, "spades")
    play(state, *FOUR_POINTS_PLAY)
    assert state.scores() == [4, 0]
    scored = result(state)
    assert (scored.low, scored.high, scored.jack, scored.game) == (0, 0, 0, 0)
    assert scored.game_points == (34, 23)
    assert (scored.bettor, scored.bet, scored.note) == (0, 4, "made")


def test_low_and_high_go_to_the_team_that_played_them_whoever_took_them() -> None:
    state = table(("2S 3H 4H 5H 9H 2H", "AS 3D 4D 5D 9D 2D", "9S 3C 4C 5C 9C 2C", "10C QS"))
    bet_and_name(state, 2, "spades")
    play(state, "2S AS 9S")
    finish_hand(state)
    assert result(state).low == 0
    assert result(state).high == 1


def test_the_jack_goes_to_the_team_that_takes_it_in() -> None:
    state = table(("JS 3H 4H 5H 9H 2H", "AS 3D 4D 5D 9D 2D", "9S 3C 4C 5C 9C 2C", "10C QS"))
    bet_and_name(state, 2, "spades")
    play(state, "JS AS 9S")
    finish_hand(state)
    assert result(state).jack == 1


def test_a_jack_that_was_not_dealt_goes_to_nobody() -> None:
    state = table(
        ("AS 3H 4H 5H 9H 2H", "2S 3D 4D 5D 9D 2D", "9S 3C 4C 5C 9C 2C", "10C QS 4S 5S 10S AC")
    )
    bet_and_name(state, 2, "spades")
    finish_hand(state)
    scored = result(state)
    assert (scored.low, scored.high, scored.jack) == (1, 0, NOBODY)


def test_a_single_trump_in_play_is_both_low_and_high() -> None:
    state = table(
        ("9C 2S 3S 4S 5S 9S", "2H 3H 4H 5H 9H 10H", "2D 3D 4D 5D 9D 10D", "AS KS QS AH KH QH")
    )
    bet_and_name(state, 2, "clubs")
    finish_hand(state)
    scored = result(state)
    assert (scored.low, scored.high, scored.jack) == (0, 0, NOBODY)
    assert scored.points == (3, 0)


def test_without_a_trump_low_high_and_jack_go_to_nobody() -> None:
    state = table(
        ("10S 2S 3S 4S 5S 9S", "2H 3H 4H 5H 9H 10H", "2D 3D 4D 5D 9D 10D", "AS KS QS AH KH QH")
    )
    bet_and_name(state, 2, "clubs")
    finish_hand(state)
    scored = result(state)
    assert (scored.low, scored.high, scored.jack) == (NOBODY, NOBODY, NOBODY)
    assert scored.game != NOBODY
    assert scored.note == "set"


@pytest.mark.parametrize(
    ("code", "points"), [("10S", 10), ("AH", 4), ("KD", 3), ("QC", 2), ("JS", 1), ("9H", 0)]
)
def test_what_a_card_counts_towards_game(code: str, points: int) -> None:
    assert game_points(1 << PACK.card(code)) == points


def test_game_goes_to_the_team_that_took_in_more() -> None:
    state = table(FOUR_POINTS)
    bet_and_name(state, 2, "spades")
    play(state, *FOUR_POINTS_PLAY[:5])
    taken = state.view(3).taken
    assert (game_points(taken[0]), game_points(taken[1])) == (34, 8)
    play(state, FOUR_POINTS_PLAY[5])
    assert result(state).game == 0


def test_equal_game_points_give_the_point_to_nobody() -> None:
    state = table(EQUAL_GAME)
    bet_and_name(state, 2, "spades")
    play(state, *EQUAL_GAME_PLAY)
    assert result(state).game_points == (2, 2)
    assert result(state).game == NOBODY
    assert state.scores() == [3, 0]


def test_if_the_bet_is_made_both_teams_add_what_they_took() -> None:
    state = table(TWO_EACH)
    bet_and_name(state, 2, "spades")
    play(state, "AS KS 9S 10S", "2S JS 2C JC")
    finish_hand(state)
    assert result(state).note == "made"
    assert (result(state).jack, result(state).game) == (1, 1)
    assert state.scores() == [2, 2]


def test_a_team_that_is_set_loses_its_bet_and_the_other_still_adds_its_points() -> None:
    state = table(EQUAL_GAME)
    state.record_events()
    bet_and_name(state, 4, "spades")
    play(state, *EQUAL_GAME_PLAY)
    assert state.scores() == [-4, 0]
    assert state.hand_returns() == [-4, 0]
    assert Event("hand", 0, points=(-4, 0), note="set") in state.take_events()
    other = table(TWO_EACH)
    bet_and_name(other, 3, "spades")
    play(other, "AS KS 9S 10S", "2S JS 2C JC")
    finish_hand(other)
    assert other.scores() == [-3, 2]


def test_the_partner_of_the_bettor_helps_to_make_the_bet() -> None:
    state = table(FOUR_POINTS)
    do(state, "pass", "pass", "bet 4", "pass", "trump spades")
    play(state, "4S 5S AS 3S", "KS QS 9S 2H", "JS 10S AD 3H", "2S 5H 10D 4H", "9H AH KD JH")
    play(state, "KH 2D QH 10H")
    assert result(state).bettor == 2
    assert state.scores() == [4, 0]


# End


def test_a_team_with_eleven_after_a_hand_wins() -> None:
    state = table(FOUR_POINTS)
    state.points = [7, 10]
    state.record_events()
    bet_and_name(state, 4, "spades")
    play(state, *FOUR_POINTS_PLAY)
    assert state.turn == OVER
    assert state.legal() == []
    assert state.scores() == [11, 10]
    assert state.returns() == [1, 0, 1, 0]
    assert state.take_events()[-1] == Event("match", points=(1.0, 0.0))
    with pytest.raises(IllegalAction, match="The match is over"):
        state.apply(0)


def test_ten_points_are_not_enough() -> None:
    state = table(FOUR_POINTS)
    state.points = [6, 10]
    bet_and_name(state, 4, "spades")
    play(state, *FOUR_POINTS_PLAY)
    assert state.scores() == [10, 10]
    assert state.turn != OVER


@pytest.mark.parametrize(("bettor", "winning"), [(0, [1, 0, 1, 0]), (1, [0, 1, 0, 1])])
def test_if_both_teams_get_there_the_betting_team_wins(bettor: int, winning: list[int]) -> None:
    state = table(TWO_EACH)
    state.points = [10, 10]
    if bettor == 0:
        bet_and_name(state, 2, "spades")
        play(state, "AS KS 9S 10S", "2S JS 2C JC")
    else:
        do(state, "pass", "bet 2", "pass", "pass", "trump spades")
        play(state, "JS 9S 10S 2S", "9D 2C 10C 2H")
    finish_hand(state)
    assert min(state.scores()) >= 11
    assert state.returns() == winning


def test_the_other_team_wins_when_only_it_gets_there() -> None:
    state = table(EQUAL_GAME)
    state.points = [10, 8]
    do(state, "pass", "bet 4", "pass", "pass", "trump diamonds")
    finish_hand(state)
    assert result(state).note == "set"
    assert state.returns() == [1, 0, 1, 0]


@pytest.mark.parametrize(
    ("points", "winning"),
    [([-9, -8], [1, 0, 1, 0]), ([-9, -2], [0, 1, 0, 1]), ([-9, -6], [0.5, 0.5, 0.5, 0.5])],
)
def test_the_two_hundredth_hand_is_the_last_and_the_higher_score_wins(
    points: list[int], winning: list[float]
) -> None:
    state = table(EQUAL_GAME)
    state.hand_no = MOST_HANDS
    state.points = points
    bet_and_name(state, 3, "spades")
    play(state, *EQUAL_GAME_PLAY)
    assert state.turn == OVER
    assert state.returns() == winning
    assert state.view(0).sample(Random(1)).returns() == winning


# The state and its views


def test_labels_and_parse_agree_whatever_the_case_and_the_spaces() -> None:
    state = SMEAR.new()
    for action in range(SMEAR.num_actions):
        assert state.parse("  " + state.label(action).upper().replace(" ", "   ")) == action
    with pytest.raises(ValueError, match="now possible: pass, bet 2, bet 3, bet 4"):
        state.parse("bet 5")


@pytest.mark.parametrize("text", ["play 9C", "pass", "trump spades", "bet 4"])
def test_an_illegal_action_leaves_the_state_as_it_was(text: str) -> None:
    state = table(FOUR_POINTS)
    bet_and_name(state, 2, "spades")
    before = state.view(0), state.hands[:]
    with pytest.raises(IllegalAction):
        do(state, text)
    assert (state.view(0), state.hands) == before


def test_a_card_before_the_betting_is_over_is_refused() -> None:
    with pytest.raises(IllegalAction, match="trump has not been named"):
        do(table(FOUR_POINTS), "play AS")
    with pytest.raises(IllegalAction, match="There is no action 48"):
        table(FOUR_POINTS).apply(48)


def test_bad_options_say_what_is_possible() -> None:
    with pytest.raises(ValueError, match="choose one of: forbid, penalty"):
        SMEAR.new(revoke="shoot")
    with pytest.raises(ValueError, match="There is no seat 4"):
        SMEAR.new(first=4)


def test_the_view_shows_bets_and_trump_as_they_become_known() -> None:
    state = table(FOUR_POINTS)
    do(state, "pass", "bet 2")
    view = state.view(3)
    assert view.bets == (0, 2, NOT_YET, NOT_YET)
    assert (view.bet, view.bettor, view.trump) == (2, 1, -1)
    do(state, "pass", "pass", "trump hearts")
    assert state.view(3).trump == 1


def test_events_tell_the_score_sheet_what_happened() -> None:
    state = table(FOUR_POINTS)
    state.record_events()
    bet_and_name(state, 4, "spades")
    play(state, *FOUR_POINTS_PLAY)
    events = state.take_events()
    tricks = [event for event in events if event.kind == "trick"]
    assert [event.seat for event in tricks] == [0, 0, 0, 0, 1, 1]
    assert tricks[0].cards == tuple(PACK.card(code) for code in ["AS", "3S", "4S", "5S"])
    assert events[-2:] == [Event("hand", 0, points=(4, 0), note="made"), Event("deal", 0)]


def test_a_revoke_that_ends_the_match_leaves_its_trick_on_the_table() -> None:
    state = table(FOLLOWING, revoke="penalty")
    state.points = (0, 0)
    state.hand_no = MOST_HANDS
    bet_and_name(state, 2, "spades")
    play(state, "AH 10D")
    assert state.turn == OVER
    view = state.view(0)
    assert view.trick == ((0, PACK.card("AH")), (1, PACK.card("10D")))
    assert view.hand_sizes == (5, 5, 6, 6)
    assert view.sample(Random(1)).view(0) == view


@pytest.mark.parametrize("revoke", ["forbid", "penalty"])
def test_cards_are_neither_lost_nor_doubled_and_samples_look_the_same(revoke: str) -> None:
    rng = Random(11)
    for seed in range(4):
        state = SMEAR.new(seed=seed, revoke=revoke)
        while state.turn != OVER and state.hand_no < 8:
            piles = [*state.hands, *state.taken, state.undealt]
            table_cards = [1 << card for _, card in state.view(0).trick]
            assert sum(piles) + sum(table_cards) == ALL_CARDS
            for seat in range(SEATS):
                view = state.view(seat)
                sample = view.sample(rng)
                assert sample.view(seat) == view
                assert sample.legal() == state.legal() or seat != state.turn
            state.apply(rng.choice(state.legal()))


def test_a_sample_respects_voids_and_draws_fresh_chance() -> None:
    state = table(FOLLOWING)
    bet_and_name(state, 2, "spades")
    play(state, "AH KS 2D 10S")
    view = state.view(1)
    rng = Random(3)
    samples = [view.sample(rng) for _ in range(50)]
    assert not any(sample.hands[2] & SUITS[1] for sample in samples)
    assert any(sample.hands[3] & SUITS[1] for sample in samples)
    assert len({sample.seed for sample in samples}) == 50


def test_a_clone_goes_its_own_way() -> None:
    state = table(FOUR_POINTS)
    bet_and_name(state, 4, "spades")
    play(state, *FOUR_POINTS_PLAY[:3])
    copy = state.clone()
    views = [state.view(seat) for seat in range(SEATS)]
    finish_hand(copy)
    assert [state.view(seat) for seat in range(SEATS)] == views
    finish_hand(state)
    assert [state.view(seat) for seat in range(SEATS)] == [copy.view(seat) for seat in range(SEATS)]
