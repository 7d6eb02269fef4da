"""Euchre's rules, sentence by sentence: for three with a dummy hand, then for four."""

from itertools import pairwise
from random import Random

import pytest

from engine.game import OVER, Event, IllegalAction
from engine.games.euchre import GAME as EUCHRE
from engine.games.euchre import NOBODY, PACK, PASS
from tests.engine.euchre_states import (
    DUMMY,
    RIGHT_OF_SOLOIST,
    SOLOIST,
    UP_CARD,
    called_by,
    cards,
    codes,
    dealt,
    do,
    options,
    play,
    three,
)

# Sides and seats


def test_three_sit_down_the_soloist_against_a_pair() -> None:
    state = EUCHRE.new()
    assert state.seats == 3
    assert state.sides == ((0,), (1, 2))
    assert state.scores() == [0, 0]


def test_turns_go_clockwise() -> None:
    state = three(dealer=0)
    turns = []
    for _ in range(3):
        turns.append(state.turn)
        do(state, "pass")
    assert turns == [1, 2, 0]


@pytest.mark.parametrize("players", [3, 4])
def test_the_first_side_to_ten_wins_the_match(players: int) -> None:
    for seed in range(40):
        state, rng = EUCHRE.new(seed=seed, players=players), Random(seed)
        total, hands = [0, 0], 1
        while state.turn != OVER:
            assert max(state.scores()) < 10
            state.apply(rng.choice(state.legal()))
            if state.hand_no > hands or state.turn == OVER:
                hands = state.hand_no
                total = [a + int(b) for a, b in zip(total, state.hand_returns(), strict=True)]
        assert state.scores() == total
        assert max(total) >= 10 > min(total)
        winners = state.sides[0 if total[0] >= 10 else 1]
        assert state.returns() == [float(seat in winners) for seat in range(players)]
        assert state.legal() == []
        with pytest.raises(IllegalAction, match="over"):
            state.apply(PASS)


# Cards


def test_the_pack_has_twenty_four_cards_from_nine_to_ace() -> None:
    assert len(PACK) == 24
    assert {code[:-1] for code in PACK.codes} == cards("9 10 J Q K A")
    assert {code[-1] for code in PACK.codes} == cards("S H D C")


def trick_winner(trump: str, led: str, answer: str) -> int:
    """Who takes a trick of two cards: seat 0 led, seat 1 answered, seat 2 sits out."""
    fill = [code for code in PACK.codes if code not in (led, answer)]
    trumps = [code for code in fill if code[-1] == trump[0].upper()]
    fill.sort(key=lambda code: code[-1] == led[-1] or code in trumps or code[0] == "J")
    hands = [f"{led} {' '.join(fill[:4])}", f"{answer} {' '.join(fill[4:8])}"]
    up = next(code for code in fill[8:] if code[-1] != trump[0].upper())
    rest = [code for code in fill[8:] if code != up]
    state = dealt(*hands, " ".join(rest[:5]), up=up, dummy=" ".join(rest[5:10]), dealer=2)
    do(state, "pass", "pass", "pass", "pass", f"call {trump}", "alone")
    play(state, led, answer)
    return state.last_winner


@pytest.mark.parametrize(
    ("trump", "order"),
    [
        ("spades", "JS JC AS KS QS 10S 9S"),
        ("hearts", "JH JD AH KH QH 10H 9H"),
        ("diamonds", "JD JH AD KD QD 10D 9D"),
        ("clubs", "JC JS AC KC QC 10C 9C"),
    ],
)
def test_trumps_rank_right_bower_left_bower_ace_king_queen_ten_nine(trump: str, order: str) -> None:
    ranked = order.split()
    for higher, lower in pairwise(ranked):
        assert trick_winner(trump, led=higher, answer=lower) == 0
        assert trick_winner(trump, led=lower, answer=higher) == 1


@pytest.mark.parametrize("order", ["AH KH QH JH 10H 9H", "AC KC QC 10C 9C"])
def test_plain_suits_rank_from_the_ace_without_the_left_bower(order: str) -> None:
    ranked = order.split()
    for higher, lower in pairwise(ranked):
        assert trick_winner("spades", led=higher, answer=lower) == 0
        assert trick_winner("spades", led=lower, answer=higher) == 1


def test_any_trump_beats_any_plain_card() -> None:
    assert trick_winner("spades", led="AH", answer="9S") == 1
    assert trick_winner("spades", led="AC", answer="JC") == 1


def test_a_plain_card_of_another_suit_never_takes_the_trick() -> None:
    assert trick_winner("spades", led="9H", answer="AD") == 0


# The deal


@pytest.mark.parametrize("dealer", [0, 1, 2])
def test_a_fixed_deck_goes_left_of_the_dealer_first_then_dummy_up_card_and_kitty(
    dealer: int,
) -> None:
    deck = list(PACK.codes)
    state = EUCHRE.new(deck=deck, first=dealer)
    for place in range(3):
        seat = (dealer + 1 + place) % 3
        assert codes(state.hands[seat]) == set(deck[5 * place : 5 * place + 5])
    assert codes(state.dummy) == set(deck[15:20])
    assert PACK.codes[state.up_card] == deck[20]
    assert codes(state.kitty) == set(deck[21:])


def test_a_deck_that_names_a_card_twice_or_a_card_of_another_pack_is_refused() -> None:
    with pytest.raises(ValueError, match="AS"):
        EUCHRE.new(deck=["AS", "AS"])
    with pytest.raises(ValueError, match="2S"):
        EUCHRE.new(deck=["2S"])


def test_the_first_dealer_is_drawn_from_the_seed() -> None:
    dealers = [EUCHRE.new(seed=seed).dealer for seed in range(60)]
    assert dealers == [EUCHRE.new(seed=seed).dealer for seed in range(60)]
    assert set(dealers) == {0, 1, 2}


@pytest.mark.parametrize("players", [3, 4])
def test_the_deal_rotates_clockwise(players: int) -> None:
    state = EUCHRE.new(seed=1, first=players - 1, players=players)
    dealers = [state.dealer]
    for _ in range(3):
        hand_no = state.hand_no
        while state.hand_no == hand_no:
            state.apply(state.legal()[0])
        dealers.append(state.dealer)
    assert dealers == [players - 1, 0, 1, 2]


def test_there_are_tables_for_three_and_four_only() -> None:
    with pytest.raises(ValueError, match="3, 4"):
        EUCHRE.new(players=5)
    with pytest.raises(ValueError, match="seat 3"):
        EUCHRE.new(first=3)


# Bidding


@pytest.mark.parametrize("dealer", [0, 1, 2])
def test_bidding_starts_left_of_the_dealer_with_order_up_or_pass(dealer: int) -> None:
    state = three(dealer)
    assert state.turn == (dealer + 1) % 3
    assert options(state) == ["pass", "order up"]


@pytest.mark.parametrize("passes", [0, 1, 2])
def test_ordering_up_settles_trump_and_maker_and_gives_the_dealer_the_up_card(
    passes: int,
) -> None:
    state = three(dealer=2)
    do(state, *["pass"] * passes, "order up")
    assert state.trump == PACK.suit(PACK.card(UP_CARD))
    assert state.maker == passes
    assert state.turn == 2
    assert codes(state.hands[2]) == cards(RIGHT_OF_SOLOIST) | {UP_CARD}


def test_the_dealer_discards_any_of_the_six_the_up_card_too() -> None:
    state = do(three(dealer=2), "order up")
    held = cards(RIGHT_OF_SOLOIST) | {UP_CARD}
    assert set(options(state)) == {f"discard {card}" for card in held}
    for card in held:
        after = do(state.clone(), f"discard {card}")
        assert codes(after.hands[2]) == held - {card}
        assert codes(after.discards[2]) == {card}
        assert after.turn == after.maker == 0


def test_after_three_passes_the_up_card_is_turned_down_and_its_suit_is_barred() -> None:
    state = do(three(dealer=2), "pass", "pass", "pass")
    assert state.turn == 0
    assert options(state) == ["pass", "call spades", "call hearts", "call clubs"]
    with pytest.raises(IllegalAction, match="turned down"):
        do(state, "call diamonds")
    do(state, "call clubs")
    assert (state.trump, state.maker) == (3, 0)
    assert codes(state.hands[2]) == cards(RIGHT_OF_SOLOIST)


def test_the_stuck_dealer_has_to_name_a_suit_but_not_the_one_turned_down() -> None:
    state = do(three(dealer=2), *["pass"] * 5)
    assert state.turn == state.dealer
    assert options(state) == ["call spades", "call hearts", "call clubs"]
    with pytest.raises(IllegalAction, match="stuck"):
        do(state, "pass")


def test_an_action_that_is_not_allowed_changes_nothing() -> None:
    state = three()
    before = state.view(0)
    with pytest.raises(IllegalAction):
        do(state, "play JS")
    assert state.view(0) == before
    with pytest.raises(ValueError, match="pass, order up"):
        state.parse("go fish")


# Going alone


@pytest.mark.parametrize("maker", [0, 1, 2])
def test_the_maker_chooses_after_the_dealers_discard(maker: int) -> None:
    state = do(three(dealer=2), *["pass"] * maker, "order up", "discard 9S")
    assert state.turn == maker
    assert options(state) == ["alone", "with partner"]


def test_the_soloist_with_partner_takes_the_dummy_and_discards_five_of_ten() -> None:
    state = called_by(0, "with partner")
    held = cards(SOLOIST) | cards(DUMMY)
    for card in ("9H", "AC", "JS", "9C", "10C"):
        assert state.turn == 0
        assert set(options(state)) == {f"discard {code}" for code in held}
        do(state, f"discard {card}")
        held.discard(card)
    assert codes(state.hands[0]) == held
    assert set(options(state)) == {f"play {code}" for code in held}


def test_the_soloist_who_picked_up_as_dealer_chooses_five_of_ten_as_well() -> None:
    state = do(three(dealer=0), "pass", "pass", "order up", "discard 9H", "with partner")
    assert codes(state.hands[0]) == {"JS", "JC", "AS", "9D", UP_CARD} | cards(DUMMY)
    do(state, *[f"discard {card}" for card in DUMMY.split()])
    assert codes(state.discards[0]) == {"9H"} | cards(DUMMY)


def test_the_soloist_alone_leaves_the_dummy_where_it_is() -> None:
    state = called_by(0, "alone")
    assert codes(state.hands[0]) == cards(SOLOIST)
    assert not state.dummy_taken
    assert state.sits_out == NOBODY


@pytest.mark.parametrize("maker", [1, 2])
def test_a_maker_of_the_pair_with_partner_plays_beside_the_partner(maker: int) -> None:
    state = called_by(maker, "with partner")
    assert state.sits_out == NOBODY
    assert not state.dummy_taken
    assert codes(state.hands[0]) == cards(SOLOIST)
    play(state, "9H")
    assert state.turn == 1
    state.apply(state.legal()[0])
    assert state.turn == 2
    state.apply(state.legal()[0])
    assert len(state.view(0).last_trick) == 3


@pytest.mark.parametrize("maker", [1, 2])
def test_a_maker_of_the_pair_alone_makes_the_partner_sit_out(maker: int) -> None:
    state = called_by(maker, "alone")
    assert state.sits_out == 3 - maker
    play(state, "9H")
    assert state.turn == maker
    state.apply(state.legal()[0])
    assert [seat for seat, _ in state.view(0).last_trick] == [0, maker]
    assert state.hands[3 - maker].bit_count() == 5


# Play


@pytest.mark.parametrize("dealer", [0, 1, 2])
@pytest.mark.parametrize("maker", [1, 2])
def test_the_seat_left_of_the_dealer_leads(dealer: int, maker: int) -> None:
    assert called_by(maker, "with partner", dealer).turn == (dealer + 1) % 3


@pytest.mark.parametrize("dealer", [0, 1, 2])
def test_the_seat_left_of_the_dealer_leads_after_the_soloist_discarded(dealer: int) -> None:
    state = called_by(0, "with partner", dealer)
    do(state, *[f"discard {card}" for card in DUMMY.split()])
    assert state.turn == (dealer + 1) % 3


@pytest.mark.parametrize("dealer", [0, 1, 2])
@pytest.mark.parametrize(("maker", "leader"), [(0, 1), (1, 0), (2, 0)])
def test_left_of_a_lone_maker_leads_and_a_seat_that_sits_out_is_skipped(
    dealer: int, maker: int, leader: int
) -> None:
    assert called_by(maker, "alone", dealer).turn == leader


def test_the_led_suit_has_to_be_followed() -> None:
    state = play(called_by(0, "alone"), "AH")
    assert options(state) == ["play 10H", "play QH"]
    with pytest.raises(IllegalAction, match="Hearts were led"):
        play(state, "10D")
    with pytest.raises(IllegalAction, match="KS is not in this hand"):
        play(state, "KS")


def test_a_seat_without_the_led_suit_plays_anything() -> None:
    state = called_by(1, "with partner")
    play(state, "9H", "AH", "QH", "AD", "10D", "9D", "KH", "10H")
    assert set(options(state)) == {"play AS", "play JS", "play JC"}
    play(state, "AS")
    assert state.last_winner == 0


def test_the_left_bower_follows_trump() -> None:
    state = called_by(0, "alone", trump="spades")
    play(state, "KS", "9S")
    assert set(options(state)) == {"play JS", "play JC", "play AS"}


def test_the_left_bower_does_not_follow_the_suit_printed_on_it() -> None:
    state = dealt(
        "JC 9H 10H 9D 10D",
        "AC KS QS AH AD",
        "KC 10S 9S KH KD",
        up="QD",
        dummy="QC 10C 9C JH QH",
        dealer=2,
    )
    do(state, *["pass"] * 3, "call spades", "alone")
    play(state, "AC", "KC")
    assert len(options(state)) == 5


def test_a_led_left_bower_asks_for_trumps() -> None:
    state = called_by(1, "with partner")
    play(state, "JC")
    assert options(state) == ["play QS", "play KS"]


def test_the_winner_of_a_trick_leads_the_next() -> None:
    state = called_by(1, "with partner")
    play(state, "9H", "AH", "10H")
    assert state.turn == 1
    play(state, "KS", "9S", "AS")
    assert state.turn == 0
    assert state.tricks == (1, 1)


def test_a_hand_has_five_tricks() -> None:
    state = called_by(1, "with partner")
    for trick in range(5):
        assert (state.hand_no, sum(state.tricks)) == (1, trick)
        for _ in range(3):
            state.apply(state.legal()[0])
    assert state.hand_no == 2


# Events


def test_events_tell_what_happens_in_a_hand() -> None:
    state = three(dealer=2)
    state.record_events()
    do(state, "pass", "pass")
    assert state.take_events() == []
    do(state, "pass")
    assert state.take_events() == [Event("turned down", 2, cards=(PACK.card(UP_CARD),))]
    do(state, "call spades", "alone")
    assert state.take_events() == []
    tricks = [
        ("AH", "10H", "9H"),
        ("AD", "10D", "9D"),
        ("KH", "QH", "JS"),
        ("JC", "QS", "9S"),
        ("AS", "KS", "10S"),
    ]
    winners = [1, 1, 0, 0, 0]
    for played, winner in zip(tricks[:4], winners, strict=False):
        play(state, *played)
        codes_played = tuple([PACK.card(code) for code in played])
        assert state.take_events() == [Event("trick", winner, cards=codes_played)]
    play(state, *tricks[4])
    trick, hand, deal = state.take_events()
    assert (trick.kind, trick.seat) == ("trick", 0)
    assert hand == Event("hand", 0, points=(1, 0), note="made")
    assert deal == Event("deal", 0, cards=(state.up_card,))
