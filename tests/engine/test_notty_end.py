"""Notty: the end of a match, its views, labels and samples."""

from collections import Counter
from random import Random

import pytest

from engine.game import OVER, Event, IllegalAction
from engine.games.notty import (
    DISCARD,
    DRAW,
    EXCHANGE,
    LABELS,
    NUM_ACTIONS,
    PACK,
    PASS,
    STEAL,
    NottyState,
    groups_in,
)
from engine.games.notty import (
    GAME as NOTTY,
)
from tests.engine.notty_states import (
    JUNK,
    cards_everywhere,
    hand,
    holding,
    offers,
    random_match,
    say,
    table,
)

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
