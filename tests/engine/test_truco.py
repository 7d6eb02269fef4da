"""The rules of Truco Uruguayo, sentence by sentence."""

from itertools import product

import pytest

from engine.game import IllegalAction
from engine.games.truco import (
    ACCEPT,
    HAND,
    NOBODY,
    PACK,
    RAISE,
    REJECT,
    VALUES,
    round_winner,
)
from engine.games.truco import (
    GAME as TRUCO,
)
from tests.engine.truco_states import (
    MUESTRA,
    PIEZAS,
    PLAIN_ORDER,
    STRONG,
    WEAK,
    deal,
    play,
    words,
)

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
