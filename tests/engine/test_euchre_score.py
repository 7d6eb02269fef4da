"""Euchre: the score of a hand, views, samples and the table for four."""

from random import Random

import pytest

from engine.game import HIDDEN, OVER
from engine.games.euchre import DISCARD, PACK, PASS, EuchreState, EuchreView
from engine.games.euchre import GAME as EUCHRE
from tests.engine.euchre_states import (
    DUMMY,
    KITTY,
    LEFT_OF_SOLOIST,
    RIGHT_OF_SOLOIST,
    SOLOIST,
    UP_CARD,
    called_by,
    cards,
    codes,
    dealt,
    do,
    finish_hand,
    four,
    options,
    play,
    three,
)

# The score of a hand

FIVE_TRUMPS = "JS JC AS KS QS"
FOUR_TRUMPS = "JS JC AS KS 9H"
THREE_TRUMPS = "JS JC AS 9H 9D"
TWO_TRUMPS = "JS JC 9H 9D 10D"


def soloist_makes(hand: str, choice: str) -> EuchreState:
    """The soloist has the highest trumps; the pair cashes its aces and kings first."""
    state = dealt(hand, "AH AD KH KD QD", "QH 10H JH JD 10S", up="9S", dummy=DUMMY, dealer=0)
    do(state, "pass", "pass", "order up", "discard 9S", choice)
    if choice == "with partner":
        do(state, *[f"discard {card}" for card in DUMMY.split()])
    losers = {FIVE_TRUMPS: "AH", FOUR_TRUMPS: "AH", THREE_TRUMPS: "AH AD", TWO_TRUMPS: "AH AD KD"}
    return finish_hand(state, *losers[hand].split())


@pytest.mark.parametrize(
    ("hand", "choice", "points"),
    [
        (THREE_TRUMPS, "with partner", [1, 0]),
        (FOUR_TRUMPS, "with partner", [1, 0]),
        (FIVE_TRUMPS, "with partner", [2, 0]),
        (THREE_TRUMPS, "alone", [1, 0]),
        (FOUR_TRUMPS, "alone", [1, 0]),
        (FIVE_TRUMPS, "alone", [4, 0]),
        (TWO_TRUMPS, "with partner", [0, 2]),
        (TWO_TRUMPS, "alone", [0, 2]),
    ],
)
def test_points_when_the_soloist_makes_trump(hand: str, choice: str, points: list[int]) -> None:
    state = soloist_makes(hand, choice)
    assert state.hand_returns() == points
    assert state.scores() == points
    assert state.hand_no == 2


@pytest.mark.parametrize(
    ("hand", "choice", "leads", "points"),
    [
        (FIVE_TRUMPS, "with partner", "", [0, 2]),
        (FIVE_TRUMPS, "alone", "", [0, 4]),
        (FOUR_TRUMPS, "alone", "AH", [0, 1]),
        (TWO_TRUMPS, "alone", "AH AD KD", [2, 0]),
    ],
)
def test_points_when_a_seat_of_the_pair_makes_trump(
    hand: str, choice: str, leads: str, points: list[int]
) -> None:
    state = dealt("AH AD KH KD QD", hand, "QH 10H JH JD 10S", up="9S", dummy=DUMMY, dealer=2)
    do(state, "pass", "order up", "discard 9S", choice)
    assert finish_hand(state, *leads.split()).hand_returns() == points


def test_the_pair_counts_the_tricks_of_both_partners() -> None:
    state = dealt(
        "AH KH KS QS 9H", "JS JC 9D 10D QD", "AD KD AS 10S JD", up="9S", dummy=DUMMY, dealer=2
    )
    do(state, "pass", "order up", "discard JD", "with partner")
    play(state, "AH", "9D", "9S")
    play(state, "AD", "KH", "10D")
    play(state, "KD", "9H", "QD")
    play(state, "AS", "QS", "JC")
    play(state, "JS", "10S", "KS")
    assert state.hand_returns() == [0, 2]


def test_a_euchre_counts_once_not_for_every_partner() -> None:
    state = soloist_makes(TWO_TRUMPS, "alone")
    assert state.scores() == [0, 2]


# What a seat sees


@pytest.mark.parametrize("seat", [0, 1, 2])
def test_everybody_sees_the_dummy_and_the_up_card_from_the_deal_on(seat: int) -> None:
    view = three().view(seat)
    assert codes(view.dummy) == cards(DUMMY)
    assert PACK.codes[view.up_card] == UP_CARD
    assert codes(view.hand) == cards([SOLOIST, LEFT_OF_SOLOIST, RIGHT_OF_SOLOIST][seat])


def with_hands(hands: list[str]) -> EuchreState:
    return dealt(*hands, up=UP_CARD, dummy=DUMMY, dealer=2)


def test_nobody_sees_the_hands_of_others_nor_the_kitty() -> None:
    here = with_hands([SOLOIST, LEFT_OF_SOLOIST, RIGHT_OF_SOLOIST])
    swapped = with_hands([SOLOIST, RIGHT_OF_SOLOIST, LEFT_OF_SOLOIST])
    from_the_kitty = with_hands([SOLOIST, "JH JD QD AD KH", RIGHT_OF_SOLOIST])
    assert here.view(0) == swapped.view(0) == from_the_kitty.view(0)
    assert here.view(1) != swapped.view(1)
    assert here.view(2) == from_the_kitty.view(2)


def test_a_discard_lies_face_down() -> None:
    states = [do(three(dealer=2), "order up", f"discard {card}") for card in ("9S", UP_CARD)]
    for seat in (0, 1):
        assert states[0].view(seat) == states[1].view(seat)
        assert states[0].view(seat).history[-1] == (2, HIDDEN)
        assert states[0].view(seat).discard_sizes == (0, 0, 1)
    assert states[0].view(2) != states[1].view(2)
    assert codes(states[0].view(2).own_discards) == {"9S"}


def test_nobody_sees_which_five_of_ten_the_soloist_kept() -> None:
    views = []
    for thrown in (SOLOIST, DUMMY):
        state = called_by(0, "with partner")
        do(state, *[f"discard {card}" for card in thrown.split()])
        views.append([state.view(seat) for seat in range(3)])
    assert views[0][1:] == views[1][1:]
    assert views[0][0] != views[1][0]


def test_a_seat_that_does_not_follow_is_seen_to_be_void() -> None:
    state = called_by(1, "with partner")
    play(state, "9H", "AH", "QH", "AD", "10D", "9D", "KH", "10H", "AS")
    for seat in range(3):
        assert codes(state.view(seat).voids[0]) == cards("AH KH QH JH 10H 9H")
        assert state.view(seat).voids[1:] == (0, 0)


def test_a_void_in_trumps_covers_the_left_bower() -> None:
    state = dealt(
        "JS AS KS 9H 9D", "AH KH AD KD QD", "QS 10S 9S QH 10H", up="JH", dummy=DUMMY, dealer=2
    )
    do(state, *["pass"] * 4, "call spades", "with partner")
    play(state, "JS", "AH")
    assert codes(state.view(0).voids[1]) == cards("JS JC AS KS QS 10S 9S")


# Dealing the hidden cards again


def samples(view: EuchreView, count: int = 60) -> list[EuchreState]:
    rng = Random(7)
    return [view.sample(rng) for _ in range(count)]


@pytest.mark.parametrize("players", [3, 4])
def test_a_sample_looks_the_same_to_its_seat_and_uses_every_card_once(players: int) -> None:
    for seed in range(12):
        state, rng = EUCHRE.new(seed=seed, players=players), Random(seed)
        for _ in range(60):
            seat = rng.randrange(players)
            sample = state.view(seat).sample(rng)
            assert sample.view(seat) == state.view(seat)
            piles = [*sample.hands, *sample.discards, sample.kitty, state.view(seat).played]
            if not sample.dummy_taken:
                piles.append(sample.dummy)
            if not sample.ordered_up:
                piles.append(1 << sample.up_card)
            assert sum(piles) == (1 << 24) - 1
            assert sum(pile.bit_count() for pile in piles) == 24
            if seat == state.turn:
                assert sample.legal() == state.legal()
            state.apply(rng.choice(state.legal()))


def test_a_sampled_dealer_holds_or_has_discarded_the_up_card() -> None:
    state = do(three(dealer=2), "order up", "discard 9S", "alone")
    sampled = samples(state.view(1))
    held = [UP_CARD in codes(sample.hands[2]) for sample in sampled]
    thrown = [UP_CARD in codes(sample.discards[2]) for sample in sampled]
    assert all(a != b for a, b in zip(held, thrown, strict=True))
    assert any(held)
    assert any(thrown)


def test_a_turned_down_card_is_in_nobodys_hand() -> None:
    state = called_by(1, "with partner")
    for sample in samples(state.view(0)):
        assert all(UP_CARD not in codes(hand) for hand in [*sample.hands, sample.kitty])


def test_a_sampled_soloists_ten_cards_contain_the_dummy() -> None:
    state = called_by(0, "with partner")
    do(state, "discard 9H", "discard 9D", "discard 9C", "discard 10C", "discard QC")
    kept = set()
    for sample in samples(state.view(1)):
        ten = codes(sample.hands[0]) | codes(sample.discards[0])
        assert len(ten) == 10
        assert cards(DUMMY) <= ten
        kept.add(len(codes(sample.hands[0]) & cards(DUMMY)))
    assert len(kept) > 1


def test_a_sampled_soloist_discarded_for_the_up_card_before_the_dummy_came_in() -> None:
    state = do(three(dealer=0), "pass", "pass", "order up", "discard 9H", "with partner")
    for _ in range(4):
        for sample in samples(state.view(1)):
            first = next(act for _, act in sample.history if DISCARD <= act < PASS)
            assert PACK.codes[first - DISCARD] not in cards(DUMMY)
        state.apply(state.legal()[-1])


def test_a_dead_dummy_stays_on_the_table() -> None:
    state = called_by(1, "with partner")
    for seat in range(3):
        for sample in samples(state.view(seat)):
            assert codes(sample.dummy) == cards(DUMMY)
            assert not any(hand & sample.dummy for hand in sample.hands)


def test_a_sampled_hand_keeps_to_its_voids() -> None:
    state = called_by(1, "with partner")
    play(state, "9H", "AH", "QH", "AD", "10D", "9D", "KH", "10H", "AS")
    for seat in (1, 2):
        for sample in samples(state.view(seat)):
            assert not codes(sample.hands[0]) & cards("AH KH QH JH 10H 9H")


# Four players


def test_four_sit_down_in_two_partnerships_without_a_dummy() -> None:
    state = four()
    assert state.sides == ((0, 2), (1, 3))
    assert state.dummy == 0
    assert state.kitty.bit_count() == 3
    assert codes(state.kitty) == KITTY


@pytest.mark.parametrize("dealer", [0, 1, 2, 3])
def test_four_are_dealt_five_at_a_time_from_the_dealers_left(dealer: int) -> None:
    deck = list(PACK.codes)
    state = EUCHRE.new(deck=deck, first=dealer, players=4)
    for place in range(4):
        seat = (dealer + 1 + place) % 4
        assert codes(state.hands[seat]) == set(deck[5 * place : 5 * place + 5])
    assert PACK.codes[state.up_card] == deck[20]
    assert codes(state.kitty) == set(deck[21:])


def test_the_dealer_of_four_is_stuck_after_seven_passes() -> None:
    state = do(four(dealer=3), *["pass"] * 7)
    assert state.turn == 3
    assert options(state) == ["call spades", "call hearts", "call clubs"]


@pytest.mark.parametrize("dealer", [0, 1, 2, 3])
@pytest.mark.parametrize("maker", [0, 1, 2, 3])
def test_left_of_the_dealer_leads_also_against_a_lone_maker_of_four(
    dealer: int, maker: int
) -> None:
    passes = 4 + (maker - dealer - 1) % 4
    state = do(four(dealer), *["pass"] * passes, "call spades")
    assert do(state.clone(), "with partner").turn == (dealer + 1) % 4
    partner = (maker + 2) % 4
    alone = do(state, "alone")
    assert alone.sits_out == partner
    left = (dealer + 1) % 4
    assert alone.turn == ((left + 1) % 4 if left == partner else left)
    finish_hand(alone)
    assert len(alone.view(0).last_trick) == 3
    assert partner not in [seat for seat, _ in alone.view(0).last_trick]


@pytest.mark.parametrize(("choice", "points"), [("with partner", [0, 2]), ("alone", [0, 4])])
def test_four_players_score_a_march_like_three(choice: str, points: list[int]) -> None:
    state = dealt("AH AD KH KD QD", FIVE_TRUMPS, "QH 10H JH JD 10S", DUMMY, up="9D", dealer=0)
    do(state, *["pass"] * 4, "call spades", choice)
    assert finish_hand(state).hand_returns() == points


@pytest.mark.parametrize("players", [3, 4])
def test_the_history_tells_everybody_how_many_cards_hands_and_discards_have(players):
    rng = Random(players)
    for seed in range(20):
        state = EUCHRE.new(seed, players=players)
        while state.turn != OVER:
            for seat in range(players):
                view = state.view(seat)
                assert view.hand_sizes == tuple([hand.bit_count() for hand in state.hands])
                assert view.discard_sizes == tuple([pile.bit_count() for pile in state.discards])
            state.apply(rng.choice(state.legal()))
