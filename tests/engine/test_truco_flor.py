"""Truco: flor, the match, its views, labels and samples."""

from random import Random

import pytest

from engine.game import OVER, Event, IllegalAction
from engine.games.truco import (
    ACCEPT,
    FALSE,
    FINISHED,
    FLOR,
    MOST_POINTS,
    NOBODY,
    NOT_CALLED,
    PACK,
    PLAYED,
    RAISE,
    REAL,
    REJECT,
    UNSETTLED,
    Score,
    has_flor,
)
from engine.games.truco import (
    GAME as TRUCO,
)
from tests.engine.truco_states import (
    MUESTRA,
    STRONG,
    WEAK,
    at_scores,
    deal,
    play,
    words,
)

# Flor


@pytest.mark.parametrize(
    ("cards", "muestra", "flor"),
    [
        ("4O 6O 12O", "3C", True),
        ("4O 6O 12C", "3C", False),
        ("2C 6O 12O", "3C", True),
        ("2C 6O 12E", "3C", False),
        ("2C 6C 12O", "3C", False),
        ("2C 6C 12C", "3C", True),
        ("2C 10C 12O", "3C", True),
        ("2C 10C 5C", "3C", True),
        ("12C 6O 7O", "4C", True),
        ("12C 6O 7O", "3C", False),
        ("12C 2C 7O", "4C", True),
        ("1E 1B 7E", "3C", False),
    ],
)
def test_flor_needs_one_suit_or_piezas(cards: str, muestra: str, flor: bool) -> None:
    numbers = [PACK.card(code) for code in cards.split()]
    assert has_flor(numbers, PACK.card(muestra)) == flor


def test_flor_may_be_called_on_the_first_turn_and_does_not_end_it() -> None:
    state = play(deal("3O 6O 5O", WEAK, MUESTRA), "flor")
    assert state.turn == 0
    assert words(state) == ["play 5O", "play 6O", "play 3O", "raise"]
    with pytest.raises(IllegalAction, match="called your flor already"):
        state.apply(FLOR)


def test_no_flor_after_the_first_card() -> None:
    state = play(deal("3O 6O 5O", WEAK, MUESTRA), "play 3O", "play 6B")
    assert FLOR not in state.legal()
    with pytest.raises(IllegalAction, match="before your first card"):
        state.apply(FLOR)


def test_flor_may_be_called_in_reply_to_a_bid() -> None:
    state = play(deal(STRONG, "3E 4C 6C", "2E"), "raise", "flor")
    assert state.turn == 1
    assert words(state) == ["raise", "accept", "reject"]


def test_flor_stays_open_after_raising_or_replying() -> None:
    state = play(deal(STRONG, WEAK, MUESTRA), "raise", "accept")
    assert FLOR in state.legal()
    play(state, "play 3O")
    assert (state.turn, FLOR in state.legal()) == (1, True)


def test_a_real_flor_scores_three_at_the_end_of_the_round() -> None:
    state = play(deal("3O 4O 5O", "3C 6C 4B", "7E"), "flor", "play 3O", "play 4B")
    assert state.scores() == [0, 0]
    play(state, "play 5O", "play 6C", "play 3C", "play 4O")
    assert state.scores() == [3, 1]


def test_a_real_flor_scores_also_after_a_rejection() -> None:
    state = play(deal(STRONG, "4C 5C 6C", MUESTRA), "raise", "flor", "reject")
    assert state.scores() == [1, 3]


def test_a_false_flor_gives_the_points_to_the_opponent() -> None:
    state = play(deal(STRONG, WEAK, MUESTRA), "flor", "raise", "reject")
    assert state.scores() == [1, 3]


def test_two_real_flors_both_score() -> None:
    state = play(deal("3O 4O 5O", "4C 5C 6C", "7E"), "flor", "raise", "flor", "reject")
    assert state.scores() == [4, 3]
    assert state.last_round is not None
    assert state.last_round.flors == (REAL, REAL)


# The match


def test_first_to_forty_wins() -> None:
    state = play(at_scores(deal(STRONG, WEAK, MUESTRA), 38, 39), "raise", "reject")
    assert state.turn != OVER
    state = play(at_scores(deal(STRONG, WEAK, MUESTRA), 39, 39), "raise", "reject")
    assert (state.turn, state.phase, state.scores()) == (OVER, FINISHED, [40, 39])
    assert state.returns() == [1.0, 0.0]
    assert state.legal() == []
    with pytest.raises(IllegalAction, match="over"):
        state.apply(0)


def test_the_target_is_an_option() -> None:
    state = play(deal(STRONG, WEAK, MUESTRA, target=2), "raise", "reject")
    assert state.turn != OVER
    state = play(deal(STRONG, WEAK, MUESTRA, target=1), "raise", "reject")
    assert state.returns() == [1.0, 0.0]
    with pytest.raises(ValueError, match="smallest possible is 1"):
        TRUCO.new(target=0)


def test_manos_flor_counts_first() -> None:
    state = deal("3O 4O 5O", "4C 5C 6C", "7E", first=1)
    at_scores(state, 39, 37)
    play(state, "flor", "raise", "flor", "reject")
    assert state.scores() == [39, 40]
    assert state.returns() == [0.0, 1.0]
    assert state.last_round is not None
    assert state.last_round.steps == (Score("flor", 1, 3),)
    assert state.last_round.flors == (UNSETTLED, REAL)


def test_the_others_flor_counts_before_the_round() -> None:
    state = at_scores(deal(STRONG, "4C 5C 6C", MUESTRA), 39, 39)
    play(state, "raise", "flor", "reject")
    assert state.scores() == [39, 42]
    assert state.hand_returns() == [0.0, 3.0]
    assert state.last_round is not None
    assert (state.last_round.winner, state.last_round.note) == (0, "rejected")


def test_a_false_flor_is_scored_in_its_callers_step() -> None:
    state = at_scores(deal(STRONG, "4C 5C 6C", MUESTRA), 39, 37)
    play(state, "flor", "raise", "flor", "reject")
    assert state.scores() == [39, 40]
    assert state.last_round is not None
    assert state.last_round.steps == (Score("false flor", 1, 3),)
    assert state.last_round.flors == (FALSE, UNSETTLED)


def test_the_summary_lists_every_step_in_order() -> None:
    state = play(deal(STRONG, "4C 5C 6C", MUESTRA), "raise", "flor", "accept")
    play(state, "flor", "play 3O", "play 4C", "play 3C", "play 5C")
    summary = state.last_round
    assert summary is not None
    assert (summary.winner, summary.note, summary.stake) == (0, "tricks", 2)
    assert summary.steps == (Score("false flor", 1, 3), Score("flor", 1, 3), Score("round", 0, 2))
    assert [[PACK.codes[card] for _, card in trick] for trick in summary.tricks()] == [
        ["3O", "4C"],
        ["3C", "5C"],
    ]
    assert summary.results == (0, 0)
    assert state.view(1).last_round == summary


# The contract


def test_action_codes() -> None:
    assert (RAISE, ACCEPT, REJECT, FLOR, TRUCO.num_actions) == (3, 4, 5, 6, 7)


def test_labels_and_parsing() -> None:
    state = deal("1E 10C 4C", WEAK, MUESTRA)
    assert words(state) == ["play 4C", "play 10C", "play 1E", "raise", "flor"]
    assert state.parse("  PLAY   1e ") == 2
    assert state.parse("Raise") == RAISE
    assert state.label(PLAYED + PACK.card("6B")) == "play 6B"
    assert state.view(1).label(2) == "play 6B"
    with pytest.raises(ValueError, match="not in this hand: 4C, 10C, 1E"):
        state.parse("play 6B")
    with pytest.raises(ValueError, match="not a card of this pack"):
        state.parse("play 9O")
    with pytest.raises(ValueError, match="now possible: play 4C, play 10C, play 1E, raise, flor"):
        state.parse("envido")


def test_an_illegal_place_is_explained() -> None:
    state = play(deal(STRONG, WEAK, MUESTRA), "play 3O", "play 4O")
    with pytest.raises(IllegalAction, match="no card 3 in this hand of 2"):
        state.apply(2)
    with pytest.raises(IllegalAction, match="no action 9"):
        state.apply(9)


def test_history_names_the_cards_of_this_round_only() -> None:
    state = play(deal(STRONG, WEAK, MUESTRA), "raise", "accept", "play 3C", "play 6B")
    labels = [(seat, state.label(action)) for seat, action in state.view(0).history]
    assert labels == [(0, "raise"), (1, "accept"), (0, "play 3C"), (1, "play 6B")]
    play(state, "play 3O", "play 4O")
    assert state.view(0).history == ()


def test_a_view_shows_the_round_and_the_own_hand() -> None:
    state = play(deal(STRONG, "4C 5C 6C", MUESTRA), "play 3O", "flor", "raise")
    mine, theirs = state.view(0), state.view(1)
    assert mine.hand == tuple([PACK.card(code) for code in ("4E", "3C")])
    assert (mine.stake, mine.bid, mine.raiser, mine.to_play) == (1, 2, 1, 1)
    assert mine.flor_called == theirs.flor_called == (False, True)
    assert not mine.flor_open
    assert mine.hand_sizes == (2, 3)
    assert mine.tricks == (((0, PACK.card("3O")),),)
    assert mine.played_by(0) == [PACK.card("3O")]
    assert len(mine.unseen()) == 40 - 3 - 1
    play(state, "accept", "play 4C")
    after = state.view(0)
    assert (after.stake, after.bid, after.results, after.turn) == (2, 0, (0,), 0)
    assert mine.bid == 2


def test_a_called_flor_may_be_real_or_false_in_a_sample() -> None:
    real = play(deal(STRONG, "4C 5C 6C", MUESTRA), "raise", "flor")
    false = play(deal(STRONG, "4C 5C 6B", MUESTRA), "raise", "flor")
    assert real.view(0) == false.view(0)
    verdicts = {real.view(0).sample(Random(seed)).flors[1] for seed in range(60)}
    assert verdicts == {REAL, FALSE}


def test_a_sample_never_moves_a_known_card() -> None:
    state = play(deal(STRONG, WEAK, MUESTRA), "play 3O", "play 4O", "play 3C")
    for seed in range(50):
        for seat in (0, 1):
            view = state.view(seat)
            sample = view.sample(Random(seed))
            assert sample.view(seat) == view
            assert set(sample.hands[1 - seat]) <= set(view.unseen())
            assert len(sample.hands[1 - seat]) == view.hand_sizes[1 - seat]


def test_after_the_match_a_sample_respects_the_settled_flors() -> None:
    state = at_scores(deal(STRONG, "4C 5C 6C", MUESTRA), 39, 0)
    play(state, "raise", "flor", "reject")
    assert state.turn == OVER
    view = state.view(0)
    for seed in range(30):
        sample = view.sample(Random(seed))
        assert sample.view(0) == view
        assert sample.returns() == [1.0, 0.0]
        assert has_flor(sample.hands[1], sample.muestra)


def test_events_of_a_round() -> None:
    state = at_scores(deal(STRONG, "4C 5C 6C", MUESTRA), 36, 0)
    state.record_events()
    play(state, "flor", "play 3O", "flor", "play 4C", "play 3C", "play 5C")
    cards = [PACK.card(code) for code in ("3O", "4C", "3C", "5C")]
    assert state.take_events() == [
        Event("trick", 0, cards=(cards[0], cards[1])),
        Event("trick", 0, cards=(cards[2], cards[3])),
        Event("flor", 0, note="false"),
        Event("flor", 1, note="real"),
        Event("hand", 0, points=(1, 6), note="tricks"),
        Event("deal", 1, cards=(state.muestra,)),
    ]


def test_events_of_a_tie_and_of_the_end() -> None:
    state = at_scores(deal("4E 3O 3C", "4O 5C 6B", MUESTRA), 0, 39)
    state.record_events()
    play(state, "play 4E", "play 4O")
    assert state.take_events()[0].seat == NOBODY
    play(state, "play 3O", "raise", "reject")
    assert [event.kind for event in state.take_events()] == ["hand", "match"]
    assert state.returns() == [0.0, 1.0]


def test_a_match_is_its_seed_and_its_actions() -> None:
    for seed in range(20):
        chance = Random(seed)
        match, again = TRUCO.new(seed=seed), TRUCO.new(seed=seed)
        while match.turn != OVER:
            action = chance.choice(match.legal())
            match.apply(action)
            again.apply(action)
            assert match.view(0) == again.view(0)
            assert match.view(1) == again.view(1)
            played = [card for _, card in match.plays]
            assert len({match.muestra, *match.hands[0], *match.hands[1], *played}) == 7
        assert max(match.scores()) >= 40 > min(match.scores())
        assert again.returns() == match.returns()


def test_a_clone_is_independent() -> None:
    state = play(deal(STRONG, WEAK, MUESTRA), "flor", "raise")
    before = state.view(0), state.view(1)
    copy = state.clone()
    play(copy, "flor", "accept", "play 3O", "play 4O", "play 3C", "play 5C")
    assert (state.view(0), state.view(1)) == before
    assert copy.scores() == [5, 3]
    assert state.flors == (FALSE, NOT_CALLED)


def test_a_sampled_flor_is_judged_by_the_sampled_cards() -> None:
    state = play(deal(STRONG, WEAK, MUESTRA), "flor", "raise", "flor")
    rng = Random(4)
    verdicts = set()
    for _ in range(200):
        sample = state.view(0).sample(rng)
        for seat in (0, 1):
            real = has_flor(sample.hands[seat], sample.muestra)
            assert sample.flors[seat] == (REAL if real else FALSE)
        verdicts.add(sample.flors[1])
    assert verdicts == {REAL, FALSE}


def test_a_sampled_flor_counts_the_cards_already_played() -> None:
    state = play(deal("3O 5O 6O", WEAK, MUESTRA), "flor", "play 3O")
    for seed in range(20):
        assert state.view(0).sample(Random(seed)).flors == (REAL, NOT_CALLED)


@pytest.mark.parametrize("winner", [0, 1])
def test_a_sample_of_a_finished_match_has_the_same_winner(winner: int) -> None:
    state = deal(STRONG, WEAK, MUESTRA, first=winner, target=1)
    play(state, "play 3O", "play 4O", "play 3C", "play 5C")
    assert state.turn == OVER
    sample = state.view(0).sample(Random(1))
    assert (sample.winners, sample.returns()) == ((winner,), state.returns())
    assert sample.legal() == []


@pytest.mark.parametrize("winner", [0, 1])
def test_the_end_of_the_match_is_an_event_with_its_shares(winner: int) -> None:
    state = deal(STRONG, WEAK, MUESTRA, first=winner, target=1)
    state.record_events()
    play(state, "play 3O", "play 4O", "play 3C", "play 5C")
    points = (0, 1) if winner else (1, 0)
    assert state.take_events()[-2:] == [
        Event("hand", winner, points=points, note="tricks"),
        Event("match", points=tuple(map(float, points))),
    ]


def test_a_sample_knows_the_card_led() -> None:
    state = play(deal(STRONG, WEAK, MUESTRA), "play 3O")
    sample = play(state.view(1).sample(Random(1)), "play 4O")
    assert (sample.results, sample.turn) == ((0,), 0)
    weak_lead = play(deal(STRONG, WEAK, MUESTRA), "play 4E")
    sample = play(weak_lead.view(1).sample(Random(1)), "play 5C")
    assert (sample.results, sample.turn) == ((1,), 1)
    between = play(state, "play 4O").view(0).sample(Random(1))
    assert between.results == (0,)
    play(between, "play 3C")
    assert (between.results, between.turn) == ((0,), 1)


def test_a_sample_keeps_the_right_to_raise() -> None:
    state = play(deal(STRONG, WEAK, MUESTRA), "raise", "accept")
    assert "raise" not in words(state.view(0).sample(Random(1)))
    play(state, "play 3O")
    assert "raise" in words(state.view(1).sample(Random(1)))
    play(state, "raise", "raise")
    assert "raise" not in words(state.view(1).sample(Random(1)))


def test_the_next_round_starts_without_bids_flors_and_tricks() -> None:
    state = play(deal(STRONG, WEAK, MUESTRA), "flor", "raise", "accept", "play 3O", "play 4O")
    play(state, "play 3C", "play 5C")
    view = state.view(state.turn)
    assert (view.stake, view.bid, view.raiser) == (1, 0, NOBODY)
    assert (view.flor_called, view.flor_open) == ((False, False), True)
    assert (view.tricks, view.results, view.history) == ((), (), ())
    assert (view.mano, view.turn, view.to_play, view.hand_no) == (1, 1, 1, 2)
    assert view.hand_sizes == (3, 3)
    assert {"raise", "flor"} <= set(words(state))


def test_a_match_can_end_three_points_above_its_target() -> None:
    state = at_scores(deal(STRONG, WEAK, MUESTRA), 39, 0)
    play(state, "raise", "raise", "raise", "accept")
    play(state, "play 3O", "play 4O", "play 3C", "play 5C")
    assert state.scores() == [43, 0]
    assert state.options.highest_score == 43


def test_a_round_brings_ten_points_at_most() -> None:
    """Two flors, the other's false, and vale 4."""
    state = deal("3O 4O 6O", "4C 5C 6B", MUESTRA)
    play(state, "flor", "raise", "flor", "raise", "raise", "accept")
    play(state, "play 3O", "play 4C", "play 6O", "play 5C")
    assert state.hand_returns() == [10, 0]
    assert MOST_POINTS == 10


def test_the_points_of_the_other_player_are_reported_as_well() -> None:
    state = deal(STRONG, "4O 5O 6O", MUESTRA)
    play(state, "raise", "flor", "accept", "play 3O", "play 4O", "play 3C", "play 5O")
    assert state.hand_returns() == [2, 3]
    assert state.view(0).last_points == (2, 3)


def test_a_finished_round_names_its_tricks() -> None:
    state = play(deal(STRONG, WEAK, MUESTRA), "play 3O", "play 4O", "play 3C", "play 5C")
    summary = state.last_round
    assert summary is not None
    tricks = [[(seat, PACK.codes[card]) for seat, card in trick] for trick in summary.tricks()]
    assert tricks == [[(0, "3O"), (1, "4O")], [(0, "3C"), (1, "5C")]]
    assert (summary.mano, PACK.codes[summary.muestra]) == (0, MUESTRA)
    assert (summary.stake, summary.note, summary.counted) == (1, "tricks", True)


def test_cards_seen_are_the_hand_the_muestra_and_the_cards_played() -> None:
    state = play(deal(STRONG, WEAK, MUESTRA), "play 3O", "play 4O")
    view = state.view(0)
    assert [PACK.codes[card] for card in view.played_by(1)] == ["4O"]
    unseen = {PACK.codes[card] for card in view.unseen()}
    assert unseen == set(PACK.codes) - {"3O", "3C", "4E", "4O", "7B"}


@pytest.mark.parametrize("caller", [0, 1])
def test_a_flor_that_just_reaches_the_target_ends_the_match(caller: int) -> None:
    hands = ["3O 5O 6O", WEAK] if caller == 0 else [STRONG, "4O 5O 6O"]
    state = at_scores(deal(hands[0], hands[1], MUESTRA), *((37, 0) if caller == 0 else (0, 37)))
    if caller == 0:
        play(state, "flor", "raise", "reject")
    else:
        play(state, "raise", "flor", "reject")
    assert sorted(state.scores()) == [0, 40]
    assert state.winners == (caller,)
    assert state.last_round is not None
    assert not state.last_round.counted
    assert state.last_round.steps == (Score("flor", caller, 3),)


def test_a_false_flor_gives_its_points_to_the_other_seat() -> None:
    for caller in (0, 1):
        state = deal(STRONG, WEAK, MUESTRA)
        play(state, *(["flor", "raise", "reject"] if caller == 0 else ["raise", "flor", "reject"]))
        assert state.last_round is not None
        assert state.last_round.steps[0] == Score("false flor", 1 - caller, 3)


@pytest.mark.parametrize("mano", [0, 1])
def test_the_second_flor_is_not_counted_when_the_first_just_wins_the_match(mano: int) -> None:
    state = deal("3O 5O 6O", "4C 5C 6C", MUESTRA, first=mano)
    at_scores(state, *((37, 0) if mano == 0 else (0, 37)))
    play(state, "flor", "raise", "flor", "reject")
    assert sorted(state.scores()) == [0, 40]
    assert state.last_round is not None
    assert state.last_round.flors == ((REAL, UNSETTLED) if mano == 0 else (UNSETTLED, REAL))
