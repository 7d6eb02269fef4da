"""Questions and answers as lines: complete, legal, and nothing that a seat may not know."""

import json
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents.protocols.lines import BadAnswer, answer, ask, describe, tell_mistake, tell_result
from engine import GAMES
from engine.game import OVER, State


def positions(game: str, seed: int = 4, steps: int = 80) -> list[State]:
    state = GAMES[game].new(seed=seed)
    chance = Random(seed)
    seen = []
    for _ in range(steps):
        if state.turn == OVER:
            break
        seen.append(state.clone())
        state.apply(chance.choice(state.legal()))
    return seen


@pytest.mark.parametrize("game", GAMES)
def test_every_question_can_be_answered_with_every_legal_action(game: str) -> None:
    for state in positions(game):
        view, legal = state.view(state.turn), state.legal()
        question = json.loads(ask(game, view, legal))
        assert question["game"] == game
        assert question["seat"] == state.turn
        assert [answer(label, view, legal) for label in question["legal"]] == legal
        wrapped = [json.dumps({"action": label.upper()}) for label in question["legal"]]
        assert [answer(line, view, legal) for line in wrapped] == legal


@pytest.mark.parametrize("game", GAMES)
def test_a_description_tells_no_more_than_the_view(game: str) -> None:
    chance = Random(1)
    for state in positions(game):
        for seat in range(state.seats):
            view = state.view(seat)
            assert describe(game, view) == describe(game, view.sample(chance).view(seat))


def test_what_a_seat_reads() -> None:
    state = GAMES["truco"].new(seed=1, deck=["7O", "1E", "4B", "12O", "11O", "3E", "2C"], first=0)
    view = describe("truco", state.view(state.turn))
    assert view["muestra"] in {"7O", "2C", "4B", "12O", "11O", "3E", "1E"}
    assert len(view["hand"]) == 3
    assert view["phase"] == "play"
    assert view["history"] == []


@given(line=st.text(max_size=40))
def test_any_other_line_is_a_bad_answer_in_a_sentence(line: str) -> None:
    state = GAMES["smear"].new(seed=2)
    view, legal = state.view(state.turn), state.legal()
    said = ""
    try:
        answer(line, view, legal)
    except BadAnswer as mistake:
        said = str(mistake)
    assert said.endswith(".") or line.strip().lower() in [view.label(a) for a in legal]


@pytest.mark.parametrize("line", ["[" * 100_000, '{"action": 3}', '{"action"', "{}", "", "[1]"])
def test_odd_lines(line: str) -> None:
    state = GAMES["notty"].new(seed=2)
    with pytest.raises(BadAnswer):
        answer(line, state.view(state.turn), state.legal())


def test_ends_and_mistakes_are_lines_too() -> None:
    assert json.loads(tell_result("truco", [40, 3], [1, 0]))["returns"] == [1, 0]
    assert "\n" not in tell_mistake("two\nlines")
