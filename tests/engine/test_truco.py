"""The rules of Truco Uruguayo, sentence by sentence."""

from itertools import product
from random import Random

import pytest

from engine.game import OVER, Event, IllegalAction
from engine.games.truco import (
    ACCEPT,
    FALSE,
    FINISHED,
    FLOR,
    HAND,
    MOST_POINTS,
    NOBODY,
    NOT_CALLED,
    PACK,
    PLAYED,
    RAISE,
    REAL,
    REJECT,
    UNSETTLED,
    VALUES,
    Score,
    TrucoState,
    has_flor,
    round_winner,
)
from engine.games.truco import (
    GAME as TRUCO,
)

# Weakest first; what stands on one line ties.
PLAIN_ORDER = (
    "4O 4C 4E 4B",
    "5O 5C 5E 5B",
    "6O 6C 6E 6B",
    "7C 7B",
    "10O 10C 10E 10B",
    "11O 11C 11E 11B",
    "12O 12C 12E 12B",
    "1O 1C",
    "2O 2C 2E 2B",
    "3O 3C 3E 3B",
    "7O",
    "7E",
    "1B",
    "1E",
)
PIEZAS = {"10": 14, "11": 15, "5": 16, "4": 17, "2": 18}


def deal(mano: str, other: str, muestra: str, first: int = 0, **options: int) -> TrucoState:
    """A match whose first round deals these cards; seat `first` is mano."""
    deck = [*mano.split(), *other.split(), muestra]
    return TRUCO.new(seed=1, deck=deck, first=first, **options)


def play(state: TrucoState, *texts: str) -> TrucoState:
    for text in texts:
        state.apply(state.parse(text))
    return state


def words(state: TrucoState) -> list[str]:
    return [state.label(action) for action in state.legal()]


def at_scores(state: TrucoState, *points: int) -> TrucoState:
    state.points = list(points)
    return state


# Mano wins with two threes against fours and fives; nobody has a flor.
STRONG, WEAK, MUESTRA = "3O 3C 4E", "4O 5C 6B", "7B"


# Cards


def test_the_pack_has_forty_spanish_cards() -> None:
    assert len(PACK) == 40
    numbers = {code[:-1] for code in PACK.codes}
    assert numbers == {"1", "2", "3", "4", "5", "6", "7", "10", "11", "12"}


@pytest.mark.parametrize("muestra", PACK.codes)
def test_the_value_of_every_card_under_every_muestra(muestra: str) -> None:
    suit = muestra[-1]
    expected = {code: value for value, line in enumerate(PLAIN_ORDER) for code in line.split()}
    expected |= {number + suit: value for number, value in PIEZAS.items()}
    if muestra[:-1] in PIEZAS:
        expected["12" + suit] = PIEZAS[muestra[:-1]]
    row = VALUES[PACK.card(muestra)]
    assert {code: row[PACK.card(code)] for code in PACK.codes} == expected


@pytest.mark.parametrize(
    ("muestra", "ladder"),
    [
        (
            "3C",
            "4O=4E=4B 5O=5E=5B 6O=6C=6E=6B 7C=7B 10O=10E=10B 11O=11E=11B 12O=12C=12E=12B "
            "1O=1C 2O=2E=2B 3O=3C=3E=3B 7O 7E 1B 1E 10C 11C 5C 4C 2C",
        ),
        (
            "4E",
            "4O=4C=4B 5O=5C=5B 6O=6C=6E=6B 7C=7B 10O=10C=10B 11O=11C=11B 12O=12C=12B "
            "1O=1C 2O=2C=2B 3O=3C=3E=3B 7O 7E 1B 1E 10E 11E 5E 4E=12E 2E",
        ),
    ],
)
def test_two_ladders_written_out(muestra: str, ladder: str) -> None:
    row = VALUES[PACK.card(muestra)]
    for value, step in enumerate(ladder.split()):
        for code in step.split("="):
            assert row[PACK.card(code)] == value
    assert len(ladder.replace("=", " ").split()) == 40


def test_a_fixed_deck_goes_to_mano_then_the_other_then_the_muestra() -> None:
    state = deal("1E 1B 7E", "4C 5C 6C", "7O", first=1)
    assert state.mano == state.turn == 1
    assert [PACK.codes[card] for card in state.hands[1]] == ["7E", "1B", "1E"]
    assert [PACK.codes[card] for card in state.hands[0]] == ["4C", "5C", "6C"]
    assert PACK.codes[state.muestra] == "7O"


def test_a_partial_deck_is_filled_up() -> None:
    state = TRUCO.new(seed=5, deck=["1E"], first=0)
    assert PACK.card("1E") in state.hands[0]
    assert [len(hand) for hand in state.hands] == [HAND, HAND]


def test_hands_are_sorted_by_strength_then_suit() -> None:
    state = deal("3B 3O 4E", "4B 4C 4O", "5E")
    assert words(state)[:3] == ["play 3O", "play 3B", "play 4E"]
    play(state, "play 4E")
    assert words(state)[:3] == ["play 4O", "play 4C", "play 4B"]


def test_places_move_up_after_a_card() -> None:
    state = deal("4C 3C 1E", WEAK, MUESTRA)
    play(state, "play 3C", "play 5C")
    assert words(state)[:2] == ["play 4C", "play 1E"]


# A round


def test_mano_plays_first_and_alternates() -> None:
    state = deal(STRONG, WEAK, MUESTRA, first=1)
    assert state.turn == 1
    play(state, "raise", "reject")
    assert (state.mano, state.turn) == (0, 0)
    play(state, "raise", "reject")
    assert state.mano == 1


def test_the_first_mano_is_drawn_from_the_seed() -> None:
    manos = [TRUCO.new(seed=seed).mano for seed in range(40)]
    assert set(manos) == {0, 1}
    assert manos == [TRUCO.new(seed=seed).mano for seed in range(40)]


def test_the_winner_of_a_trick_leads_the_next() -> None:
    state = deal("4E 3O 3C", "4O 5C 6B", MUESTRA)
    play(state, "play 4E", "play 5C")
    assert (state.results, state.turn) == ((1,), 1)


@pytest.mark.parametrize("first", [0, 1])
def test_after_a_tied_trick_the_same_player_leads_again(first: int) -> None:
    state = deal("4E 3O 3C", "4O 5C 6B", MUESTRA, first=first)
    play(state, "play 4E", "play 4O")
    assert (state.results, state.turn) == ((NOBODY,), first)


def winner_by_the_book(results: tuple[int, ...], mano: int) -> int:
    tied = [seat == NOBODY for seat in results]
    match tied:
        case [False, False] | [False, False, False] | [False, False, True]:
            for seat in (0, 1):
                if results.count(seat) == 2:
                    return seat
            return results[0] if len(results) == 3 else NOBODY
        case [True, False]:
            return results[1]
        case [False, True]:
            return results[0]
        case [True, True, False]:
            return results[2]
        case [True, True, True]:
            return mano
    return NOBODY


def test_the_winner_for_every_sequence_of_tricks() -> None:
    courses = 0
    open_rounds: list[tuple[int, ...]] = [()]
    while open_rounds:
        so_far = open_rounds.pop()
        for seat, mano in product((0, 1, NOBODY), (0, 1)):
            results = (*so_far, seat)
            winner = round_winner(results, mano)
            assert winner == winner_by_the_book(results, mano), (results, mano)
            courses += 1
            if winner == NOBODY and mano == 0:
                assert len(results) < 3
                open_rounds.append(results)
    assert courses == 2 * (3 + 9 + 9)


@pytest.mark.parametrize(
    ("mano", "other", "plays", "winner"),
    [
        ("3O 3C 4E", "4O 5C 6B", "3O 4O 3C 5C", 0),
        ("3O 4C 1E", "3C 5C 6B", "3O 3C 1E 5C", 0),
        ("3O 4C 1O", "3C 5C 6B", "3O 3C 4C 5C", 1),
        ("3O 4C 1O", "4E 2C 6B", "3O 4E 4C 6B 2C 1O", 1),
        ("3O 4C 1O", "2E 4E 6B", "3O 2E 4C 4E", 0),
        ("3O 4C 1O", "2E 5E 1C", "3O 2E 4C 5E 1C 1O", 0),
        ("3O 2C 4E", "3C 2O 1O", "3O 3C 2C 2O 4E 1O", 1),
        ("3O 2C 1O", "3C 2O 1C", "3O 3C 2C 2O 1O 1C", 0),
    ],
    ids=[
        "two tricks win",
        "first tied, second decides for the leader",
        "first tied, second decides for the other",
        "split, third decides",
        "first won, second tied",
        "split, third tied: who took the first",
        "two tied, third decides",
        "all tied: mano",
    ],
)
def test_best_of_three_tricks(mano: str, other: str, plays: str, winner: int) -> None:
    for first in (0, 1):
        state = deal(mano, other, MUESTRA, first=first)
        cards = plays.split()
        for card in cards[:-1]:
            play(state, f"play {card}")
            assert state.hand_no == 1
        play(state, f"play {cards[-1]}")
        assert state.hand_no == 2
        assert state.scores()[winner ^ first] == 1
        assert sum(state.scores()) == 1


# Bids


def test_a_plain_round_is_worth_one() -> None:
    state = play(deal(STRONG, WEAK, MUESTRA), "play 3O", "play 4O", "play 3C", "play 5C")
    assert state.hand_returns() == [1.0, 0.0]


@pytest.mark.parametrize(
    ("bids", "worth"),
    [
        (["raise", "accept"], 2),
        (["raise", "raise", "accept"], 3),
        (["raise", "raise", "raise", "accept"], 4),
    ],
)
def test_truco_retruco_and_vale_4(bids: list[str], worth: int) -> None:
    state = play(deal(STRONG, WEAK, MUESTRA), *bids)
    assert state.stake == worth
    play(state, "play 3O", "play 4O", "play 3C", "play 5C")
    assert state.scores() == [worth, 0]


@pytest.mark.parametrize(
    ("bids", "bidder", "worth"),
    [
        (["raise", "reject"], 0, 1),
        (["raise", "raise", "reject"], 1, 2),
        (["raise", "raise", "raise", "reject"], 0, 3),
    ],
)
def test_rejecting_gives_the_bidder_the_last_accepted_value(
    bids: list[str], bidder: int, worth: int
) -> None:
    state = play(deal(STRONG, WEAK, MUESTRA), *bids)
    assert state.hand_no == 2
    assert state.scores()[bidder] == worth
    assert sum(state.scores()) == worth


def test_a_bid_waits_for_accept_reject_or_a_raise() -> None:
    state = play(deal(STRONG, WEAK, MUESTRA), "raise")
    assert state.turn == 1
    assert words(state) == ["raise", "accept", "reject", "flor"]
    with pytest.raises(IllegalAction, match="First answer the truco"):
        state.apply(0)


def test_a_raise_in_reply_accepts_the_bid_so_far() -> None:
    state = play(deal(STRONG, WEAK, MUESTRA), "raise", "raise")
    assert (state.stake, state.bid, state.turn) == (2, 3, 0)


def test_vale_4_can_only_be_accepted_or_rejected() -> None:
    state = play(deal(STRONG, WEAK, MUESTRA), "raise", "raise", "raise")
    assert words(state) == ["accept", "reject", "flor"]
    with pytest.raises(IllegalAction, match="Nothing stands above vale 4"):
        state.apply(RAISE)
    play(state, "accept")
    assert RAISE not in state.legal()
    with pytest.raises(IllegalAction, match="Nothing stands above vale 4"):
        state.apply(RAISE)


@pytest.mark.parametrize("bids", [["raise"], ["raise", "raise"], ["raise", "raise", "raise"]])
def test_after_acceptance_the_turn_returns_to_the_player_who_must_play(bids: list[str]) -> None:
    state = play(deal(STRONG, WEAK, MUESTRA), "play 3O", *bids, "accept")
    assert state.turn == 1
    assert words(state)[:3] == ["play 4O", "play 5C", "play 6B"]


def test_a_player_cannot_raise_twice_in_a_row() -> None:
    state = play(deal(STRONG, WEAK, MUESTRA), "raise", "accept")
    assert state.turn == 0
    assert RAISE not in state.legal()
    with pytest.raises(IllegalAction, match="You made the last raise"):
        state.apply(RAISE)
    play(state, "play 3O")
    assert RAISE in state.legal()


def test_after_acceptance_the_player_may_raise_again_if_the_other_raised_last() -> None:
    state = play(deal(STRONG, WEAK, MUESTRA), "raise", "raise", "accept")
    assert state.turn == 0
    play(state, "raise")
    assert (state.stake, state.bid, state.turn) == (3, 4, 1)


def test_a_raise_may_come_in_any_trick_on_your_turn() -> None:
    state = deal("3O 4C 1O", "2E 5E 1C", MUESTRA)
    for card in ("3O", "2E", "4C", "5E", "1C"):
        assert RAISE in state.legal()
        play(state, f"play {card}")
    play(state, "raise", "accept", "play 1O")
    assert state.scores() == [2, 0]


def test_accept_and_reject_need_a_bid() -> None:
    state = deal(STRONG, WEAK, MUESTRA)
    for answer in (ACCEPT, REJECT):
        with pytest.raises(IllegalAction, match="no bid to answer"):
            state.apply(answer)


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
