"""Smear: the points of a hand, the end of a match, its views."""

from random import Random

import pytest

from engine.game import OVER, Event, IllegalAction
from engine.games.smear import (
    ALL_CARDS,
    CARDS,
    GAME_POINTS,
    MOST_HANDS,
    NOBODY,
    NOT_YET,
    PACK,
    RANKS,
    SEATS,
    SUITS,
    game_points,
)
from engine.games.smear import (
    GAME as SMEAR,
)
from tests.engine.smear_states import (
    EQUAL_GAME,
    EQUAL_GAME_PLAY,
    FOLLOWING,
    FOUR_POINTS,
    FOUR_POINTS_PLAY,
    TWO_EACH,
    bet_and_name,
    do,
    finish_hand,
    play,
    result,
    table,
)

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


def test_the_worth_of_a_rank_is_that_of_its_cards() -> None:
    for card in range(CARDS):
        assert GAME_POINTS[card % RANKS] == game_points(1 << card)


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
    state.points = (7, 10)
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
    state.points = (6, 10)
    bet_and_name(state, 4, "spades")
    play(state, *FOUR_POINTS_PLAY)
    assert state.scores() == [10, 10]
    assert state.turn != OVER


@pytest.mark.parametrize(("bettor", "winning"), [(0, [1, 0, 1, 0]), (1, [0, 1, 0, 1])])
def test_if_both_teams_get_there_the_betting_team_wins(bettor: int, winning: list[int]) -> None:
    state = table(TWO_EACH)
    state.points = (10, 10)
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
    state.points = (10, 8)
    do(state, "pass", "bet 4", "pass", "pass", "trump diamonds")
    finish_hand(state)
    assert result(state).note == "set"
    assert state.returns() == [1, 0, 1, 0]


@pytest.mark.parametrize(
    ("points", "winning"),
    [((-9, -8), [1, 0, 1, 0]), ((-9, -2), [0, 1, 0, 1]), ((-9, -6), [0.5, 0.5, 0.5, 0.5])],
)
def test_the_two_hundredth_hand_is_the_last_and_the_higher_score_wins(
    points: tuple[int, int], winning: list[float]
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
