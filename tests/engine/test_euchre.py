"""Euchre's rules, sentence by sentence: for three with a dummy hand, then for four."""

from itertools import pairwise
from random import Random

import pytest

from engine.cards import cards_in
from engine.game import HIDDEN, OVER, IllegalAction
from engine.games.euchre import DISCARD, NOBODY, PACK, PASS, EuchreState, EuchreView
from engine.games.euchre import GAME as EUCHRE

SOLOIST = "JS JC AS 9H 9D"
LEFT_OF_SOLOIST = "KS QS AH AD KH"
RIGHT_OF_SOLOIST = "10S 9S 10H 10D QH"
DUMMY = "AC KC QC 10C 9C"
UP_CARD = "KD"
KITTY = {"JH", "JD", "QD"}


def dealt(*hands: str, up: str, dummy: str = "", dealer: int) -> EuchreState:
    """A table where seat 0 has the first hand and so on; cards not named are the kitty."""
    seats = len(hands)
    assert len(dummy.split()) == (5 if seats == 3 else 0)
    fives = [hands[(dealer + place) % seats] for place in range(1, seats + 1)]
    deck = " ".join([*fives, dummy, up]).split()
    return EUCHRE.new(deck=deck, first=dealer, players=seats)


def three(dealer: int = 2, up: str = UP_CARD) -> EuchreState:
    return dealt(SOLOIST, LEFT_OF_SOLOIST, RIGHT_OF_SOLOIST, up=up, dummy=DUMMY, dealer=dealer)


def four(dealer: int = 3) -> EuchreState:
    return dealt(
        "JS JC AS 9H 9D", "KS QS AH AD KH", "10S 9S 10H 10D QH", DUMMY, up=UP_CARD, dealer=dealer
    )


def do(state: EuchreState, *actions: str) -> EuchreState:
    for action in actions:
        state.apply(state.parse(action))
    return state


def play(state: EuchreState, *cards: str) -> EuchreState:
    return do(state, *[f"play {card}" for card in cards])


def options(state: EuchreState) -> list[str]:
    return [state.label(action) for action in state.legal()]


def codes(mask: int) -> set[str]:
    return {PACK.codes[card] for card in cards_in(mask)}


def cards(text: str) -> set[str]:
    return set(text.split())


def finish_hand(state: EuchreState, *leads: str) -> EuchreState:
    """Play the hand to its end: these cards are led, all else is the first legal card."""
    hand_no, to_lead = state.hand_no, list(leads)
    while state.hand_no == hand_no and state.turn != OVER:
        if to_lead and not state.view(state.turn).trick:
            play(state, to_lead.pop(0))
        else:
            state.apply(state.legal()[0])
    return state


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


def called_by(seat: int, choice: str, dealer: int = 2, trump: str = "spades") -> EuchreState:
    """The seat names trump in round two."""
    passes = (seat - dealer - 1) % 3
    return do(three(dealer), *["pass"] * (3 + passes), f"call {trump}", choice)


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
    assert len(state.last_trick) == 3


@pytest.mark.parametrize("maker", [1, 2])
def test_a_maker_of_the_pair_alone_makes_the_partner_sit_out(maker: int) -> None:
    state = called_by(maker, "alone")
    assert state.sits_out == 3 - maker
    play(state, "9H")
    assert state.turn == maker
    state.apply(state.legal()[0])
    assert [seat for seat, _ in state.last_trick] == [0, maker]
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
    assert codes(state.voids[1]) == cards("JS JC AS KS QS 10S 9S")


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
    assert len(alone.last_trick) == 3
    assert partner not in [seat for seat, _ in alone.last_trick]


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
