"""The rules of Notty, sentence by sentence."""

from collections import Counter
from itertools import combinations
from random import Random

import pytest

from engine.game import IllegalAction
from engine.games.notty import (
    GAME as NOTTY,
)
from engine.games.notty import (
    GROUP,
    GROUPS,
    LABELS,
    NUM_ACTIONS,
    PACK,
    groups_in,
)
from tests.engine.notty_states import (
    JUNK,
    cards_everywhere,
    hand,
    holding,
    offers,
    say,
    table,
)

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
