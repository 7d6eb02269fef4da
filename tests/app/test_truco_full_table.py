"""The table of full Truco: sentences about bets, keys, and whole matches by keyboard."""

import json
from pathlib import Path

import pytest

from app.match.narration import Narration
from app.match.seating import Seating, TablePlan, plan_table
from app.ui.tables import table_class
from app.ui.tables.truco_bets import bet_line, what_was_told
from engine import GAMES
from engine.games.truco_full import GAME, NO_QUIERO, FullState
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


FLORES = "1O 3O 6O 1C 4C 6C 7B"
"""Flores of 10 and 11."""
TEAM_FLORES = "1O 3O 6O 1C 4C 6C 2E 3E 5E 1E 4O 6B 7B"
"""The first two players and the third, a partner of the first, hold flores."""


@pytest.mark.parametrize(
    ("said", "deck", "options", "line"),
    [
        (
            ["flor"],
            FLORES,
            {},
            "You announce a flor: flor plays for 6, contraflor raises, no quiero gives 3.",
        ),
        (
            ["flor"],
            FLORES,
            {"flores": "own"},
            "You announce a flor: flor gives each side 3 for its own, contraflor raises, "
            "no quiero gives 3.",
        ),
        (
            ["flor"],
            TEAM_FLORES,
            {"players": 4},
            "You announce a flor: flor plays for 9 or more, contraflor raises, no quiero gives 6.",
        ),
        (
            ["flor", "contraflor al resto"],
            FLORES,
            {},
            "North says contraflor al resto: quiero plays for 20, no quiero gives 4.",
        ),
        (
            ["flor", "contraflor al resto"],
            FLORES,
            {"resto": "flores"},
            "North says contraflor al resto: quiero plays for 26, no quiero gives 4.",
        ),
    ],
)
def test_flores_in_words(
    said: list[str], deck: str, options: dict[str, int | str], line: str
) -> None:
    state = GAME.new(1, deck=deck.split(), first=0, **options)
    for text in said:
        state.apply(state.parse(text))
    seats = ["you", *["random"] * (state.seats - 1)]
    assert bet_line(Seating.of(full(*seats, **options)), state.view(state.turn)) == line


def test_nobody_is_offered_a_refusal_while_a_partner_holds_a_flor() -> None:
    for last, refusal in (("2E 3E 5E", False), ("1E 4O 6B", True)):
        deck = f"1O 3O 6O 1C 4C 6C 12E 7O 2C {last} 7B"
        state = GAME.new(1, deck=deck.split(), first=0, players=4)
        state.apply(state.parse("flor"))
        line = bet_line(Seating.of(full("you", *["random"] * 3)), state.view(state.turn))
        assert (NO_QUIERO in state.legal()) == ("no quiero" in line) == refusal


@pytest.mark.parametrize(
    ("said", "deck", "end"),
    [
        (["envido"], PLAIN, "You have 6."),
        (["truco"], PLAIN, "The envido comes first: you have 6."),
        (["truco", "quiero", "play 3C", "retruco"], PLAIN, "no quiero gives 2."),
        (["flor"], FLORES, "Yours is worth 11."),
        (["flor", "contraflor"], FLORES, "Yours is worth 10."),
        (["envido"], "1O 3C 6O 1C 4C 6C 7B", "Your flor of 11 comes first."),
    ],
)
def test_the_question_names_the_value_that_the_answer_is_about(
    said: list[str], deck: str, end: str
) -> None:
    state = GAME.new(1, deck=deck.split(), first=0, flor="optional")
    for text in said:
        state.apply(state.parse(text))
    table = table_class("truco_full")(GAMES["truco_full"], Seating.of(full()))
    view = state.view(state.turn)
    assert table.question(view, state.legal()).endswith(end)


@pytest.mark.parametrize(
    ("said", "sentence"),
    [
        (
            ["envido", "quiero", "mazo"],
            "You get 2 for the envido; North gets 1 for the round, which you left. You show 6O "
            "and 1O. You 2 : 1 North.",
        ),
        (
            ["envido", "no quiero", "truco", "no quiero"],
            "You get 1 for the refused envido and 1 for the refused truco. You 2 : 0 North.",
        ),
        (
            ["envido", "falta envido", "no quiero", "truco", "no quiero"],
            "North gets 3 for the refused envido; you get 1 for the refused truco. "
            "You 1 : 3 North.",
        ),
        (
            ["truco", "quiero", "play 3C", "play 1C", "play 1O", "play 3O", "play 6B", "play 6O"],
            "You get 2 for the truco. You 2 : 0 North.",
        ),
    ],
)
def test_the_end_of_a_round_names_all_its_points(said: list[str], sentence: str) -> None:
    state = state_after(*said)
    table = table_class("truco_full")(GAMES["truco_full"], Seating.of(full()))
    events = {event.kind: event for event in state.take_events()}
    assert table.tell_event(state.view(0), events["hand"]) == sentence


def test_a_call_that_a_flor_answers_at_once_is_told_too() -> None:
    plan = full("you", "random")
    table = table_class("truco_full")(GAMES["truco_full"], Seating.of(plan))
    state = GAME.new(1, deck=f"{PLAIN[:9]}1C 4C 6C 7B".split(), first=0)
    state.record_events()
    narration = Narration(state, table)
    before, seat, action = narration.views(), state.turn, state.parse("falta envido")
    state.apply(action)
    narration.add(seat, action, state.take_events(), before)
    assert list(narration.log)[1:] == [
        "You say “falta envido”.",
        "North announces a flor.",
        "Flor: 3 for North.",
    ]


def test_a_plate_without_room_for_all_notes_shows_the_newest() -> None:
    state = state_after("envido", "quiero")
    table = table_class("truco_full")(GAMES["truco_full"], Seating.of(full()))
    moment = Narration(state, table).moment()
    plate = table.plate(moment, 0)
    assert (plate.note, plate.brief) == ("mano, 27, “envido”", "“envido”")


def test_an_envido_is_told_when_it_is_won() -> None:
    state = state_after("envido", "quiero")
    table = table_class("truco_full")(GAMES["truco_full"], Seating.of(full()))
    events = {event.kind: event for event in state.take_events()}
    told = table.tell_event(state.view(0), events["envite"])
    assert told == "You 27 · North son buenas. Envido: 2 for you."


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
