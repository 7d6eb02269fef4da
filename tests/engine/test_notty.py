"""The rules of Notty, sentence by sentence."""

from collections import Counter
from collections.abc import Sequence
from itertools import combinations
from random import Random

import pytest

from engine.game import OVER, Event, IllegalAction
from engine.games.notty import (
    DISCARD,
    DRAW,
    EXCHANGE,
    GROUP,
    GROUPS,
    LABELS,
    NUM_ACTIONS,
    PACK,
    PASS,
    SIDES,
    STEAL,
    NottyState,
    groups_in,
)
from engine.games.notty import (
    GAME as NOTTY,
)

JUNK = ["G1", "Y3", "B5", "K7"]
"""Four cards of which no two fit in one group."""


def table(*hands: Sequence[str], draws: Sequence[str] = (), **options: int) -> NottyState:
    """A match with these hands of four from seat 0 on, and these cards to draw."""
    deck = [code for hand in hands for code in hand] + list(draws)
    return NOTTY.new(deck=deck, players=len(hands), **options)


def say(state: NottyState, *labels: str) -> NottyState:
    for label in labels:
        state.apply(state.parse(label))
    return state


def hand(state: NottyState, seat: int) -> list[str]:
    return [PACK.codes[card] for card in state.view(seat).hands[seat]]


def offers(state: NottyState) -> list[str]:
    return [state.label(action) for action in state.legal()]


def holding(codes: str, other: str = "K9", **options: int) -> NottyState:
    """Seat 0 to act with exactly these cards, seat 1 with others; the rest is the deck."""
    state = NottyState(1, SIDES[2], options=NOTTY.make_options(options))
    left = Counter(dict.fromkeys(range(len(PACK.codes)), PACK.copies))
    for seat, held in enumerate((codes, other)):
        for code in held.split():
            state.receive(seat, PACK.card(code))
            left[PACK.card(code)] -= 1
    state.deck = list(left.elements())
    state.stacked = False
    return state


def cards_everywhere(state: NottyState) -> Counter[int]:
    held = [card for cards in state.view(0).hands for card in cards]
    return Counter(held) + Counter(state.deck)


def random_match(seed: int, **options: int) -> NottyState:
    state = NOTTY.new(seed, None, None, **options)
    rng = Random(seed)
    while state.turn != OVER:
        state.apply(rng.choice(state.legal()))
    return state


# The cards


def test_ninety_cards_of_five_colours_nine_numbers_and_two_copies() -> None:
    state = NOTTY.new(seed=3)
    everywhere = cards_everywhere(state)
    assert len(everywhere) == 45
    assert set(everywhere.values()) == {2}
    assert {code[0] for code in PACK.codes} == set("RGYBK")
    assert {code[1:] for code in PACK.codes} == set("123456789")


@pytest.mark.parametrize("players", [2, 3])
def test_two_or_three_players_get_four_cards_each(players: int) -> None:
    state = NOTTY.new(seed=5, players=players)
    assert [len(cards) for cards in state.view(0).hands] == [4] * players
    assert len(state.deck) == 90 - 4 * players
    assert state.sides == tuple((seat,) for seat in range(players))


def test_all_hands_are_face_up() -> None:
    state = say(NOTTY.new(seed=8, players=3), "draw 2", "pass")
    views = [state.view(seat) for seat in range(3)]
    assert views[0].hands == views[1].hands == views[2].hands
    assert [len(cards) for cards in views[0].hands] == [6, 4, 4]
    assert Counter(card for cards in views[0].hands for card in cards) == Counter(
        {card: 2 - left for card, left in enumerate(views[0].deck) if left < 2}
    )


def test_the_order_of_the_deck_is_hidden() -> None:
    one = table(JUNK, JUNK, draws=["R1", "R2"])
    other = table(JUNK, JUNK, draws=["K9", "K8"])
    assert one.view(0) == other.view(0)


def test_a_fixed_deck_is_dealt_four_at_a_time_clockwise_from_the_starting_seat() -> None:
    deck = ["R1", "R2", "R3", "R4", "G1", "G2", "G3", "G4", "B1", "B2", "B3", "B4"]
    state = NOTTY.new(deck=deck, first=2, players=3)
    assert state.turn == 2
    assert [hand(state, seat) for seat in (2, 0, 1)] == [deck[:4], deck[4:8], deck[8:]]


def test_draws_follow_a_fixed_deck_until_a_card_goes_back_into_it() -> None:
    draws = ["R9", "Y9", "R1", "R2", "R3", "G2", "G4"]
    followed = set()
    for seed in range(20):
        state = NOTTY.new(seed=seed, deck=[*JUNK, *JUNK, *draws])
        say(state, "draw 2")
        assert Counter(hand(state, 0)) == Counter([*JUNK, "R9", "Y9"])
        say(state, "pass", "exchange")
        assert "R1" in hand(state, 1)
        say(state, "discard R1", "draw 1")
        followed.add(tuple(hand(state, 1)))
    assert len(followed) > 5


def test_a_deck_with_a_card_too_often_or_unknown_is_refused() -> None:
    with pytest.raises(ValueError, match="more often"):
        NOTTY.new(deck=["R1", "R1", "R1"])
    with pytest.raises(ValueError, match="not a card"):
        NOTTY.new(deck=["P1"])


# A turn


def test_a_turn_offers_draws_steals_the_exchange_and_passing() -> None:
    state = table(JUNK, JUNK, ["R1", "R5", "R9", "K2"])
    assert offers(state) == [
        "draw 1", "draw 2", "draw 3", "steal 1", "steal 2", "exchange", "pass",
    ]  # fmt: skip


@pytest.mark.parametrize("count", [1, 2, 3])
def test_a_player_draws_one_two_or_three_cards_once_a_turn(count: int) -> None:
    state = table(JUNK, JUNK, draws=["R1", "R5", "R9"])
    say(state, f"draw {count}")
    assert Counter(hand(state, 0)) == Counter(JUNK + ["R1", "R5", "R9"][:count])
    assert not [label for label in offers(state) if label.startswith("draw")]
    with pytest.raises(IllegalAction, match="already drawn"):
        say(state, "draw 1")


def test_a_draw_never_goes_beyond_twenty_cards() -> None:
    eighteen = " ".join([*PACK.codes[:9], *PACK.codes[:9]])
    state = holding(eighteen)
    assert "draw 2" in offers(state)
    assert "draw 3" not in offers(state)
    with pytest.raises(IllegalAction, match="at most 20"):
        say(state, "draw 3")
    say(state, "draw 2")
    assert state.scores()[0] == -20


def test_stealing_brings_a_random_card_of_the_chosen_player() -> None:
    taken = set()
    for seed in range(40):
        state = NOTTY.new(seed=seed, deck=[*JUNK, "R1", "R1", "R5", "R9", *JUNK], players=3)
        say(state, "steal 1")
        (card,) = Counter(hand(state, 0)) - Counter(JUNK)
        taken.add(card)
        assert Counter(hand(state, 1)) == Counter(["R1", "R1", "R5", "R9"]) - Counter([card])
        assert hand(state, 2) == JUNK
    assert taken == {"R1", "R5", "R9"}


def test_every_card_of_the_victim_is_equally_likely_copies_included() -> None:
    taken: Counter[str] = Counter()
    for seed in range(400):
        state = NOTTY.new(seed=seed, deck=[*JUNK, "R1", "R1", "R5", "R9"])
        say(state, "steal 1")
        taken += Counter(hand(state, 0)) - Counter(JUNK)
    assert 160 <= taken["R1"] <= 240
    assert 70 <= taken["R5"] <= 130


def test_stealing_is_for_other_seats_and_once_a_turn() -> None:
    state = table(JUNK, JUNK)
    with pytest.raises(IllegalAction, match="yourself"):
        say(state, "steal 0")
    with pytest.raises(IllegalAction, match="seat 2"):
        say(state, "steal 2")
    say(state, "steal 1")
    with pytest.raises(IllegalAction, match="already stolen"):
        say(state, "steal 1")


def test_a_player_with_twenty_cards_cannot_steal() -> None:
    twenty = " ".join([*PACK.codes[:10], *PACK.codes[:10]])
    state = holding(twenty)
    assert not [label for label in offers(state) if label.startswith(("steal", "draw"))]
    with pytest.raises(IllegalAction, match="20 cards"):
        say(state, "steal 1")


def test_an_exchange_draws_one_card_and_discards_one() -> None:
    state = say(table(JUNK, JUNK, draws=["R9"]), "exchange")
    assert Counter(hand(state, 0)) == Counter([*JUNK, "R9"])
    say(state, "discard G1")
    assert Counter(hand(state, 0)) == Counter([*JUNK[1:], "R9"])


def test_the_card_drawn_in_an_exchange_may_be_the_one_discarded() -> None:
    state = say(table(JUNK, JUNK, draws=["R9"]), "exchange", "discard R9")
    assert Counter(hand(state, 0)) == Counter(JUNK)


def test_before_the_discard_of_an_exchange_nothing_else_may_be_done() -> None:
    state = say(table(["R1", "R2", "R3", "K9"], JUNK, draws=["G5"]), "exchange")
    assert offers(state) == [f"discard {code}" for code in ("R1", "R2", "R3", "G5", "K9")]
    for label in ("pass", "draw 1", "steal 1", "exchange", "group R1 R2 R3"):
        with pytest.raises(IllegalAction, match="discard"):
            say(state, label)


def test_only_a_card_in_hand_is_discarded_and_only_in_an_exchange() -> None:
    state = table(JUNK, JUNK, draws=["R9"])
    with pytest.raises(IllegalAction, match="only in an exchange"):
        say(state, "discard G1")
    say(state, "exchange")
    with pytest.raises(IllegalAction, match="do not hold R8"):
        say(state, "discard R8")


def test_a_full_hand_of_twenty_may_still_exchange() -> None:
    twenty = " ".join([*PACK.codes[:10], *PACK.codes[:10]])
    state = say(holding(twenty), "exchange")
    assert state.scores()[0] == -21
    say(state, "discard G1")
    assert state.scores()[0] == -20


def test_one_exchange_a_turn() -> None:
    state = say(table(JUNK, JUNK), "exchange", "discard G1")
    with pytest.raises(IllegalAction, match="already exchanged"):
        say(state, "exchange")


@pytest.mark.parametrize(
    "order",
    [
        ("draw 3", "steal 1", "exchange", "discard G1"),
        ("exchange", "discard G1", "draw 3", "steal 1"),
        ("steal 1", "exchange", "discard G1", "draw 3"),
    ],
)
def test_draw_steal_and_exchange_are_separate_allowances_in_any_order(
    order: tuple[str, ...],
) -> None:
    state = say(table(JUNK, JUNK, draws=["R1", "R5", "R9", "Y9"]), *order)
    assert state.scores() == [-8, -3]
    assert not [label for label in offers(state) if label.split()[0] not in ("pass", "group")]


def test_the_allowances_come_back_with_the_next_turn() -> None:
    state = say(table(JUNK, JUNK), "draw 1", "steal 1", "exchange", "discard G1", "pass", "pass")
    assert {"draw 3", "steal 1", "exchange"} <= set(offers(state))


def test_groups_may_be_discarded_any_number_of_times() -> None:
    state = holding("R1 R2 R3 G7 G8 G9 B2")
    say(state, "group R1 R2 R3", "group G7 G8 G9")
    assert hand(state, 0) == ["B2"]
    assert state.turn == 0


def test_discarded_cards_go_back_into_the_deck() -> None:
    state = holding("R1 R2 R3 B2")
    before = len(state.deck)
    say(state, "group R1 R2 R3")
    assert len(state.deck) == before + 3
    say(state, "exchange", "discard B2")
    assert set(cards_everywhere(state).values()) == {2}


def test_passing_ends_the_turn_and_nothing_else_does() -> None:
    state = table(JUNK, JUNK, ["R1", "R5", "R9", "K2"])
    say(state, "draw 1", "steal 1", "exchange", "discard G1")
    assert state.turn == 0
    turns = []
    for _ in range(3):
        say(state, "pass")
        turns.append(state.turn)
    assert turns == [1, 2, 0]


# Groups


def test_there_are_140_runs_and_54_sets() -> None:
    runs = [
        {f"{colour}{number}" for number in range(low, high + 1)}
        for colour in "RGYBK"
        for low in range(1, 10)
        for high in range(low + 2, 10)
    ]
    sets = [
        {f"{colour}{number}" for colour in colours}
        for number in range(1, 10)
        for size in (4, 5)
        for colours in combinations("RGYBK", size)
    ]
    assert (len(runs), len(sets)) == (140, 54)
    ours = [{PACK.codes[card] for card in cards} for cards in GROUPS]
    assert len(ours) == 194
    assert {frozenset(cards) for cards in ours} == {frozenset(cards) for cards in runs + sets}


@pytest.mark.parametrize(
    ("held", "groups"),
    [
        ("R3 R4 R5", ["R3 R4 R5"]),
        ("R3 R4", []),
        ("R3 R4 G5", []),
        ("R3 R4 R6", []),
        ("R8 R9 R1", []),
        ("R3 R3 R4", []),
        ("R9 G1 G2", []),
        ("R3 R4 R5 R6", ["R3 R4 R5", "R3 R4 R5 R6", "R4 R5 R6"]),
        ("R7 G7 Y7", []),
        ("R7 R7 G7 Y7", []),
        ("R7 Y7 B7 K7", ["R7 Y7 B7 K7"]),
        ("R7 G7 Y7 B8", []),
        (
            "R7 G7 Y7 B7 K7",
            [
                "G7 Y7 B7 K7", "R7 Y7 B7 K7", "R7 G7 B7 K7", "R7 G7 Y7 K7", "R7 G7 Y7 B7",
                "R7 G7 Y7 B7 K7",
            ],
        ),
    ],
)  # fmt: skip
def test_runs_and_sets_in_a_hand(held: str, groups: list[str]) -> None:
    state = holding(held)
    assert [label[6:] for label in offers(state) if label.startswith("group")] == groups


def test_a_group_needs_all_its_cards_in_hand() -> None:
    with pytest.raises(IllegalAction, match="R3 R4 R5"):
        say(holding("R3 R4 R6"), "group R3 R4 R5")


def test_equal_cards_share_one_label() -> None:
    state = holding("R3 R4 R5 R5")
    assert [label for label in offers(state) if label.startswith("group")] == ["group R3 R4 R5"]
    say(state, "group R3 R4 R5")
    assert hand(state, 0) == ["R5"]


def is_group(codes: tuple[str, ...]) -> bool:
    """A group by the words of the rules."""
    colours = {code[0] for code in codes}
    numbers = sorted(int(code[1:]) for code in codes)
    consecutive = numbers == list(range(numbers[0], numbers[0] + len(codes)))
    run = len(codes) >= 3 and len(colours) == 1 and consecutive
    same_number = len(set(numbers)) == 1
    return run or (len(codes) in (4, 5) and same_number and len(colours) == len(codes))


def test_the_group_search_agrees_with_trying_all_subsets() -> None:
    rng = Random(7)
    found = 0
    for _ in range(400):
        colour, first, second = rng.randrange(5), rng.randrange(9), rng.randrange(9)
        pool = [card for card in range(45) if card // 9 == colour or card % 9 in (first, second)]
        cards = rng.sample(pool * 2, k=rng.randint(5, 9))
        codes = sorted(PACK.codes[card] for card in cards)
        expected = {
            frozenset(subset)
            for size in range(3, len(codes) + 1)
            for subset in combinations(codes, size)
            if len(set(subset)) == size and is_group(subset)
        }
        ones = sum(1 << card for card in set(cards))
        ours = [frozenset(LABELS[action].split()[1:]) for action in groups_in(ones)]
        assert len(ours) == len(set(ours))
        assert set(ours) == expected
        found += len(ours)
    assert found > 150


def test_the_group_search_is_ascending() -> None:
    everything = (1 << 45) - 1
    assert groups_in(everything) == list(range(GROUP, NUM_ACTIONS))


# The end


def test_a_player_without_cards_wins_immediately() -> None:
    state = say(table(["R1", "R2", "R3", "R4"], JUNK), "group R1 R2 R3 R4")
    assert state.turn == OVER
    assert state.returns() == [1.0, 0.0]
    assert state.hand_returns() == [1.0, 0.0]
    assert state.legal() == []
    with pytest.raises(IllegalAction, match="over"):
        say(state, "pass")


def test_stealing_a_players_last_card_makes_that_player_the_winner() -> None:
    state = say(holding("R1 R5", other="K9"), "steal 1")
    assert state.turn == OVER
    assert state.returns() == [0.0, 1.0]


def test_at_the_turn_limit_the_fewest_cards_win() -> None:
    state = say(table(JUNK, JUNK, ["R1", "R5", "R9", "K2"], turn_limit=4), "pass")
    say(state, "draw 1", "pass", "steal 1", "pass")
    assert state.turn == 0
    say(state, "draw 3", "pass")
    assert state.turn == OVER
    assert state.scores() == [-7, -4, -5]
    assert state.returns() == [0.0, 1.0, 0.0]


def test_equal_hands_share_the_win() -> None:
    state = say(table(JUNK, JUNK, ["R1", "R5", "R9", "K2"], turn_limit=1), "draw 1", "pass")
    assert state.returns() == [0.0, 0.5, 0.5]
    assert state.hand_returns() == [0.0, 0.5, 0.5]


def test_a_turn_counts_when_it_is_passed() -> None:
    state = table(JUNK, JUNK, turn_limit=1)
    say(state, "draw 3", "exchange", "discard G1")
    assert (state.turn, state.turns) == (0, 0)
    say(state, "pass")
    assert (state.turn, state.turns) == (OVER, 1)


def test_the_turn_limit_is_300_by_default_and_at_least_1() -> None:
    assert NOTTY.make_options({}).turn_limit == 300
    with pytest.raises(ValueError, match="smallest possible is 1"):
        NOTTY.new(turn_limit=0)


@pytest.mark.parametrize("players", [2, 3])
def test_random_play_ends_at_the_turn_limit_at_the_latest(players: int) -> None:
    for seed in range(5):
        state = random_match(seed, players=players)
        assert state.turns <= 300
        assert sum(state.returns()) == pytest.approx(1.0)
        assert set(cards_everywhere(state).values()) == {2}


def test_the_score_is_minus_the_cards_in_hand() -> None:
    assert say(table(JUNK, JUNK), "draw 3").scores() == [-7, -4]


def test_seat_0_begins_by_default() -> None:
    assert [NOTTY.new(seed=seed).turn for seed in range(10)] == [0] * 10
    assert NOTTY.new(first=1).turn == 1
    with pytest.raises(ValueError, match="no seat 2"):
        NOTTY.new(first=2)


def test_two_or_three_players_and_no_others() -> None:
    with pytest.raises(ValueError, match="2, 3"):
        NOTTY.new(players=4)


def test_an_exchange_counts_before_its_discard() -> None:
    state = say(table(JUNK, JUNK, draws=["R9"]), "exchange")
    assert state.scores() == [-5, -4]
    assert say(state, "discard R9").scores() == [-4, -4]


def test_a_discarded_card_can_be_drawn_again() -> None:
    drawn = set()
    for seed in range(200):
        state = NOTTY.new(seed=seed, deck=[*JUNK, *JUNK, "R9", "R9"])
        say(state, "exchange", "discard R9", "draw 3")
        drawn |= set(hand(state, 0)) - set(JUNK)
    assert "R9" in drawn
    assert len(drawn) > 30


def test_after_a_discard_every_card_of_the_deck_is_equally_likely() -> None:
    counts: Counter[str] = Counter()
    for seed in range(2000):
        state = NOTTY.new(seed=seed, deck=[*JUNK, *JUNK])
        say(state, "exchange")
        (first,) = Counter(hand(state, 0)) - Counter(JUNK)
        say(state, f"discard {first}", "draw 1")
        counts += Counter(hand(state, 0)) - Counter(JUNK)
    assert len(counts) == 45 - 4
    assert 2000 / 41 / 2 < min(counts.values()) <= max(counts.values()) < 2000 / 41 * 2


def test_stealing_the_second_copy_leaves_the_first() -> None:
    state = say(holding("G1", other="R3 R3"), "steal 1")
    assert (hand(state, 0), hand(state, 1)) == (["R3", "G1"], ["R3"])
    assert state.turn == 0


def test_stealing_breaks_the_groups_of_the_victim_only() -> None:
    state = holding("R1 R2 R3 G1", other="B4 B5 B6")
    say(state, "steal 1", "pass")
    assert not [label for label in offers(state) if label.startswith("group")]
    say(state, "pass")
    assert "group R1 R2 R3" in offers(state)


def test_a_group_may_leave_the_second_copies_as_another_group() -> None:
    state = say(holding("R1 R2 R3 R1 R2 R3 K9"), "group R1 R2 R3")
    assert "group R1 R2 R3" in offers(state)
    say(state, "group R1 R2 R3")
    assert hand(state, 0) == ["K9"]


def test_the_seat_after_the_last_is_the_first() -> None:
    state = NOTTY.new(players=3, first=2)
    assert say(state, "pass").turn == 0


# At the border


def test_labels_are_the_agreed_words() -> None:
    state = NOTTY.new()
    assert state.label(DRAW + 1) == "draw 2"
    assert state.label(STEAL + 1) == "steal 1"
    assert (state.label(EXCHANGE), state.label(PASS)) == ("exchange", "pass")
    assert state.label(DISCARD + PACK.card("R5")) == "discard R5"
    assert "group R3 R4 R5" in LABELS
    assert "group R7 G7 B7 K7" in LABELS


def test_every_label_is_read_back() -> None:
    state = NOTTY.new()
    assert len(set(LABELS)) == NUM_ACTIONS == NOTTY.num_actions == 247
    assert [state.parse(label) for label in LABELS] == list(range(NUM_ACTIONS))
    assert state.parse("  GROUP  r3 R4   r5 ") == state.parse("group R3 R4 R5")


@pytest.mark.parametrize("text", ["", "draw 4", "steal", "discard R10", "group R3 R4"])
def test_a_text_that_names_no_action_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="no action of Notty"):
        NOTTY.new().parse(text)


@pytest.mark.parametrize("players", [2, 3])
def test_apply_takes_the_legal_actions_and_no_others(players: int) -> None:
    rng = Random(players)
    state = NOTTY.new(seed=4, players=players, turn_limit=60)
    while state.turn != OVER:
        legal = state.legal()
        assert legal == sorted(legal)
        before = state.view(0)
        for action in range(-1, NUM_ACTIONS + 1):
            if action not in legal:
                with pytest.raises(IllegalAction):
                    state.apply(action)
        assert state.view(0) == before
        state.clone().apply(rng.choice(legal))
        assert state.view(0) == before
        state.apply(rng.choice(legal))


def test_the_same_seed_and_actions_make_the_same_match() -> None:
    matches = [random_match(21) for _ in range(2)]
    assert matches[0].view(0) == matches[1].view(0)
    assert random_match(22).view(0) != matches[0].view(0)


def test_a_clone_is_independent_and_draws_the_same_cards() -> None:
    state = say(NOTTY.new(seed=9), "exchange")
    say(state, state.label(state.legal()[0]))
    copy = state.clone()
    for each in (state, copy):
        say(each, "draw 3", "steal 1")
    assert copy.view(1) == state.view(1)
    say(copy, "pass")
    assert copy.view(1) != state.view(1)


@pytest.mark.parametrize("players", [2, 3])
def test_a_sample_looks_the_same_to_every_seat(players: int) -> None:
    state = NOTTY.new(seed=12, players=players, turn_limit=25)
    rng = Random(1)
    while state.turn != OVER:
        sample = state.view(0).sample(rng)
        for seat in range(players):
            assert sample.view(seat) == state.view(seat)
        assert sample.legal() == state.legal()
        state.apply(rng.choice(state.legal()))
    assert state.view(0).sample(rng).returns() == state.returns()


def test_a_sample_does_not_know_the_next_card() -> None:
    state = table(JUNK, JUNK, draws=["R1"])
    drawn = set()
    for seed in range(10):
        sample = state.view(0).sample(Random(seed))
        drawn.add(tuple(hand(say(sample, "draw 1"), 0)))
    assert len(drawn) > 3


def test_later_actions_do_not_change_a_view() -> None:
    state = table(JUNK, JUNK)
    view = state.view(0)
    hands, history = view.hands, view.history
    say(state, "draw 3", "steal 1", "pass")
    assert (view.hands, view.history) == (hands, history)


def test_a_view_shows_the_allowances_used() -> None:
    state = table(JUNK, JUNK)
    used = []
    for label in ("draw 1", "steal 1", "exchange", "discard G1", "pass"):
        say(state, label)
        view = state.view(1)
        used.append((view.drew, view.stole, view.exchanged, view.exchanging, view.turns))
    assert used == [
        (True, False, False, False, 0),
        (True, True, False, False, 0),
        (True, True, True, True, 0),
        (True, True, True, False, 0),
        (False, False, False, False, 1),
    ]


def told(state: NottyState) -> list[tuple[int, str]]:
    return [(seat, state.label(action)) for seat, action in state.view(0).history]


def test_history_holds_the_last_turn_of_the_others_and_the_current_turn() -> None:
    state = table(JUNK, JUNK, ["R1", "R5", "R9", "K2"])
    say(state, "draw 1", "pass", "draw 2", "pass", "pass", "steal 1")
    assert told(state) == [(1, "draw 2"), (1, "pass"), (2, "pass"), (0, "steal 1")]


def test_history_names_every_kind_of_action() -> None:
    state = table(["R1", "R2", "R3", "K7"], JUNK, draws=["B9"])
    labels = ["exchange", "discard B9", "group R1 R2 R3", "draw 2", "steal 1", "pass"]
    say(state, *labels)
    assert told(state) == [(0, label) for label in labels]


@pytest.mark.parametrize("players", [2, 3])
def test_history_shows_only_the_recent_turns_however_long_the_match(players: int) -> None:
    """After 99 passes as after three: one turn of each other player and the current one."""
    state = NOTTY.new(seed=3, players=players)
    for turns in range(1, 100):
        say(state, "pass")
        others = [turn % players for turn in range(max(0, turns - players + 1), turns)]
        assert told(state) == [(seat, "pass") for seat in others]
        assert state.clone().view(1).history == state.view(0).history
        assert state.view(0).sample(Random(1)).view(0).history == state.view(0).history
    say(state, "draw 1")
    assert told(state)[-1] == (99 % players, "draw 1")
    assert len(told(state)) == players


def test_a_long_match_keeps_only_the_recent_turns_in_memory() -> None:
    state = NOTTY.new(seed=3)
    for _ in range(99):
        say(state, "draw 1", "exchange")
        state.apply(state.legal()[0])
        say(state, "pass")
        if state.sizes[state.turn] > 15:
            break
    assert len(state.history) + sum(map(len, state.last_turns)) <= 8


def test_a_sample_goes_on_with_the_recent_turns() -> None:
    state = table(JUNK, JUNK, ["R1", "R5", "R9", "K2"])
    say(state, "draw 1", "pass", "pass", "draw 2")
    sample = state.view(1).sample(Random(2))
    say(sample, "pass", "pass")
    assert told(sample) == [(2, "draw 2"), (2, "pass"), (0, "pass")]


def test_history_at_the_turn_limit_ends_with_the_turn_that_reached_it() -> None:
    state = NOTTY.new(1, players=3, turn_limit=7)
    say(state, *["pass"] * 7)
    assert state.view(0).history == ((1, PASS), (2, PASS), (0, PASS))


def test_events_are_recorded_only_on_request() -> None:
    state = table(["R1", "R2", "R3", "R5"], ["G9", "G9", "K2", "K5"], draws=["B1", "R4"])
    silent = state.clone()
    state.record_events()
    say(state, "draw 1", "exchange", "discard B1", "steal 1")
    card = state.view(0).hands[0][-1]
    code = PACK.card
    assert state.take_events() == [
        Event("draw", 0, cards=(code("B1"),)),
        Event("draw", 0, cards=(code("R4"),), note="exchange"),
        Event("discard", 0, cards=(code("B1"),)),
        Event("steal", 0, other=1, cards=(card,)),
    ]
    say(state, "group R1 R2 R3 R4 R5", "pass")
    run = tuple(code(f"R{number}") for number in range(1, 6))
    assert state.take_events() == [Event("group", 0, cards=run), Event("turn", 1)]
    say(silent, "draw 1")
    assert silent.take_events() == []


@pytest.mark.parametrize(
    ("labels", "shares", "note"),
    [(["group R1 R2 R3 R4"], (1.0, 0.0), "out"), (["pass"], (0.5, 0.5), "turn limit")],
)
def test_the_end_is_an_event_of_the_hand_and_of_the_match(
    labels: list[str], shares: tuple[float, float], note: str
) -> None:
    state = table(["R1", "R2", "R3", "R4"], JUNK, turn_limit=1)
    state.record_events()
    say(state, *labels)
    assert state.take_events()[-2:] == [
        Event("hand", points=shares, note=note),
        Event("match", points=shares, note=note),
    ]


@pytest.mark.parametrize("players", [2, 3])
def test_the_stored_groups_match_the_hand(players):
    rng = Random(8)
    for seed in range(5):
        state = NOTTY.new(seed=seed, players=players)
        while state.turn != OVER:
            state.apply(rng.choice(state.legal()))
            assert state.groups == [groups_in(ones) for ones in state.ones]
