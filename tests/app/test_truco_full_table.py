"""The table of full Truco: sentences about bets, keys, and whole matches by keyboard."""

import json
from pathlib import Path

import pytest

from app.match.seating import Seating, TablePlan, plan_table
from app.ui.tables import table_class
from app.ui.tables.truco_bets import bet_line, what_was_told
from engine import GAMES
from engine.games.truco_full import GAME, FullState
from tests.app.driving import (
    Arrange,
    ScriptedAgent,
    answer_by_keyboard,
    at_table,
    is_over,
    make_app,
    moment_of,
    prompt_of,
    table_of,
    text_of,
    to_question,
)

PLAIN = "1O 3C 6O 1C 3O 6B 7B"
"""You are mano and have 27, North has 6."""


def full(*seats: str, **options: int | str) -> TablePlan:
    players = len(seats) or 2
    return plan_table(
        "truco",
        seats or ("you", "random"),
        {"rules": "full", "players": players, **options},
        0.0,
        seed=3,
    )


def state_after(*said: str, deck: str = PLAIN) -> FullState:
    state = GAME.new(1, deck=deck.split(), first=0)
    state.record_events()
    for text in said:
        state.apply(state.parse(text))
    return state


def test_the_option_chooses_the_full_table() -> None:
    plan = full()
    assert plan.game == "truco_full"
    assert table_class(plan.game).__name__ == "FullTrucoTable"
    assert plan_table("truco").game == "truco"


@pytest.mark.parametrize(
    ("said", "line"),
    [
        ([], "Worth 1; both sides may raise to truco."),
        (["envido"], "You say envido: quiero plays for 2, no quiero gives 1."),
        (
            ["envido", "real envido"],
            "North says real envido: quiero plays for 5, no quiero gives 3.",
        ),
        (["falta envido"], "You say falta envido: quiero plays for 20, no quiero gives 1."),
        (["truco"], "You say truco: quiero plays for 2, no quiero gives 1."),
        (
            ["truco", "envido"],
            "North says envido: quiero plays for 2, no quiero gives 1. The truco waits.",
        ),
        (["truco", "quiero"], "Truco accepted, worth 2; North may raise to retruco."),
    ],
)
def test_open_bets_in_words(said: list[str], line: str) -> None:
    seating = Seating.of(full())
    assert bet_line(seating, state_after(*said).view(0)) == line


def test_told_values_in_words() -> None:
    view = state_after("envido", "quiero").view(0)
    assert what_was_told(Seating.of(full()), view.told) == "You 27 · North son buenas"


def test_end_of_a_round_shows_the_proof() -> None:
    state = state_after("envido", "quiero", "mazo")
    table = table_class("truco_full")(GAMES["truco_full"], Seating.of(full()))
    events = {event.kind: event for event in state.take_events()}
    sentence = table.tell_event(state.view(0), events["hand"])
    assert sentence.startswith("The others left: 1 for North.")
    assert "You show" in sentence
    told = table.tell_event(state.view(0), events["envite"])
    assert told == "Envido: 2 for you."


async def test_keys_of_the_calls_stay_the_same(tmp_path: Path, arrange: Arrange) -> None:
    arrange(lambda plan: state_after(), ScriptedAgent(["quiero", "no quiero"]))
    app = make_app(tmp_path, full())
    async with app.run_test(size=(80, 24)) as pilot:
        await to_question(pilot, app)
        assert "you have 27" in prompt_of(app)
        await pilot.press("e")
        await to_question(pilot, app)
        assert moment_of(app).view.scores == (2, 0)
        assert "27" in text_of(app)
        await pilot.press("e")
        assert "Envido is called in the first trick" in text_of(app)
        await pilot.press("t")
        await to_question(pilot, app)
        assert moment_of(app).view.scores == (3, 0)


@pytest.mark.parametrize("seats", [("you", "random"), ("you", "random", "random", "random")])
async def test_whole_match_by_keyboard(seats: tuple[str, ...], tmp_path: Path) -> None:
    app = make_app(tmp_path, full(*seats, target=6))
    async with app.run_test(size=(80, 24)) as pilot:
        await to_question(pilot, app)
        while not is_over(app):
            await answer_by_keyboard(pilot, app)
            await to_question(pilot, app)
        assert at_table(app)
        assert max(moment_of(app).view.scores) >= 6
        assert table_of(app)
        # The last card of a round is named too, although it belongs to the round before.
        assert not [line for line in moment_of(app).log if "play card" in line]
    journals = list((tmp_path / "games").glob("*.jsonl"))
    first = json.loads(journals[0].read_text().splitlines()[0]) if journals else {}
    assert first.get("game") == "truco_full"
