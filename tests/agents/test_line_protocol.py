"""The line protocol: questions are complete and reveal nothing hidden; answers are checked."""

import json
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents.protocols.lines import (
    BadAnswer,
    describe,
    error_line,
    parse_answer,
    question_line,
    result_line,
)
from engine import GAMES
from engine.game import OVER, State


def positions(game: str, seed: int = 4, steps: int = 80) -> list[State]:
    state = GAMES[game].new(seed=seed)
    rng = Random(seed)
    found = []
    for _ in range(steps):
        if state.turn == OVER:
            break
        found.append(state.clone())
        state.apply(rng.choice(state.legal()))
    return found


@pytest.mark.parametrize("game", GAMES)
def test_every_legal_action_is_a_possible_answer(game: str) -> None:
    for state in positions(game):
        view, legal = state.view(state.turn), state.legal()
        question = json.loads(question_line(game, view, legal))
        assert question["game"] == game
        assert question["seat"] == state.turn
        assert [parse_answer(label, view, legal) for label in question["legal"]] == legal
        wrapped = [json.dumps({"action": label.upper()}) for label in question["legal"]]
        assert [parse_answer(line, view, legal) for line in wrapped] == legal


@pytest.mark.parametrize("game", GAMES)
def test_a_description_reveals_no_hidden_cards(game: str) -> None:
    rng = Random(1)
    for state in positions(game):
        for seat in range(state.seats):
            view = state.view(seat)
            assert describe(view) == describe(view.sample(rng).view(seat))


@pytest.mark.parametrize("game", GAMES)
def test_a_description_has_every_declared_field(game: str) -> None:
    view = GAMES[game].new(seed=1).view(0)
    common = {"hand_no", "scores", "sides", "options"}
    assert set(describe(view)) == common | set(type(view).kinds())


def test_a_view_of_truco() -> None:
    deck = ["7O", "1E", "4B", "12O", "11O", "3E", "2C"]
    state = GAMES["truco"].new(seed=1, deck=deck, first=0)
    mano = state.turn
    state.apply(state.parse("raise"))
    state.apply(state.parse("accept"))
    view = describe(state.view(mano))
    assert view["muestra"] in deck
    assert len(view["hand"]) == 3
    assert set(view["hand"]) < set(deck)
    assert view["phase"] == "play"
    assert view["history"] == [[mano, "raise"], [1 - mano, "accept"]]
    assert view["stake"] == 2
    assert view["raiser"] == mano
    assert view["results"] == []
    assert view["options"]["target"] == 40


def test_values_that_are_not_settled_are_null() -> None:
    view = describe(GAMES["smear"].new(seed=1).view(0))
    assert view["trump"] is None
    assert view["bettor"] is None
    assert view["bets"] == [None] * 4
    assert view["bet"] == 0


def test_an_action_that_was_not_shown_is_hidden() -> None:
    state = GAMES["euchre"].new(seed=1, players=4)
    dealer = state.view(0).dealer
    state.apply(state.parse("order up"))
    discard = state.legal()[0]
    label = state.label(discard)
    state.apply(discard)
    for seat in range(4):
        expected = label if seat == dealer else "hidden"
        assert describe(state.view(seat))["history"][1] == [dealer, expected]


def test_cards_of_a_deck_are_counted() -> None:
    state = GAMES["notty"].new(seed=1)
    view = describe(state.view(0))
    held = [code for hand in view["hands"] for code in hand]
    assert sum(view["deck"].values()) + len(held) == 90
    assert set(view["deck"].values()) <= {1, 2}


@given(line=st.text(max_size=40))
def test_any_other_line_is_rejected_with_a_sentence(line: str) -> None:
    state = GAMES["smear"].new(seed=2)
    view, legal = state.view(state.turn), state.legal()
    message = ""
    try:
        parse_answer(line, view, legal)
    except BadAnswer as error:
        message = str(error)
    assert message.endswith(".") or line.strip().lower() in [view.label(a) for a in legal]


@pytest.mark.parametrize("line", ["[" * 100_000, '{"action": 3}', '{"action"', "{}", "", "[1]"])
def test_malformed_answers_are_rejected(line: str) -> None:
    state = GAMES["notty"].new(seed=2)
    with pytest.raises(BadAnswer):
        parse_answer(line, state.view(state.turn), state.legal())


def test_results_and_errors_are_single_lines() -> None:
    assert json.loads(result_line("truco", [40, 3], [1, 0]))["returns"] == [1, 0]
    assert "\n" not in error_line("two\nlines")
