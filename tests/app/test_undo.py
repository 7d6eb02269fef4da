"""Undo and redo."""

from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot

from agents.agent import Learner
from app.match.moment import NOBODY, Moment
from app.match.seating import plan_table
from app.records.history import History
from app.ui.app import KibitzApp
from app.ui.screens.cover import Cover
from app.ui.screens.question import Question
from app.ui.screens.table import TableScreen
from engine import GAMES
from tests.app.driving import (
    answer_first,
    is_asked,
    is_over,
    make_app,
    moment_of,
    table_of,
    text_of,
    to_question,
    wait_until,
)
from tests.app.journals import only_journal
from tests.quick import quick_with

SEATS = {game: list(plan_table(game).seats) for game in GAMES} | {
    "euchre": ["you", "random", "q"],
    "smear": ["random", "you", "random", "random"],
    "truco": ["you", "random"],
    "fodinha": ["random", "random", "you", "q"],
    "notty": ["you", "random"],
}


def actions_of(app: KibitzApp) -> tuple[int, ...]:
    loop = table_of(app).loop
    return tuple(loop.actions) if loop is not None else ()


async def to_move(pilot: Pilot[Any], app: KibitzApp) -> Moment:
    """Continue to the person's next move, past the ends of hands."""
    asked = await to_question(pilot, app)
    while asked.asked == NOBODY and not is_over(app):
        answer_first(app)
        asked = await to_question(pilot, app)
    return asked


async def press_and_settle(pilot: Pilot[Any], app: KibitzApp, key: str, actions: int) -> Moment:
    await pilot.press(key)
    await wait_until(pilot, lambda: len(actions_of(app)) == actions)
    return await to_question(pilot, app)


@pytest.mark.parametrize("game", quick_with(SEATS, "smear", "truco"))
async def test_undo_and_redo(game: str, tmp_path: Path) -> None:
    app = make_app(tmp_path, plan_table(game, SEATS[game], delay=0.0, seed=7))
    async with app.run_test(size=(80, 24)) as pilot:
        stations = []
        for _ in range(3):
            asked = await to_move(pilot, app)
            stations.append((asked, actions_of(app)))
            answer_first(app)
            await wait_until(pilot, lambda: len(actions_of(app)) > len(stations[-1][1]))
        last = await to_move(pilot, app)
        assert not last.unrated
        stations.append((last, actions_of(app)))
        for asked, actions in reversed(stations[:-1]):
            again = await press_and_settle(pilot, app, "u", len(actions))
            assert again.view == asked.view
            assert again.legal == asked.legal
            assert again.log == asked.log
            assert again.unrated
            assert only_journal(tmp_path).past.actions == actions
        await pilot.pause()
        assert "unrated" in text_of(app)
        for asked, actions in stations[1:]:
            again = await press_and_settle(pilot, app, "U", len(actions))
            assert again.view == asked.view
            assert again.unrated
            assert only_journal(tmp_path).past.actions == actions
        await pilot.press("U")
        await pilot.pause()
        assert "no move to repeat" in text_of(app)
    assert only_journal(tmp_path).past.unrated


async def test_other_move_after_undo_discards_the_redo(tmp_path: Path) -> None:
    app = make_app(tmp_path, plan_table("notty", SEATS["notty"], delay=0.0, seed=7))
    async with app.run_test(size=(80, 24)) as pilot:
        asked = await to_move(pilot, app)
        here = len(actions_of(app))
        while len(asked.legal) < 2:
            answer_first(app)
            asked = await to_move(pilot, app)
            here = len(actions_of(app))
        answer_first(app)
        await wait_until(pilot, lambda: len(actions_of(app)) > here)
        await to_move(pilot, app)
        asked = await press_and_settle(pilot, app, "u", here)
        loop = table_of(app).loop
        assert loop is not None
        loop.choose(asked.legal[-1])
        await wait_until(pilot, lambda: len(actions_of(app)) > here)
        await to_move(pilot, app)
        before = actions_of(app)
        await pilot.press("U")
        await pilot.pause()
        assert actions_of(app) == before
        assert before[here] == asked.legal[-1]


async def test_nothing_to_undo_is_reported(tmp_path: Path) -> None:
    app = make_app(tmp_path, plan_table("euchre", SEATS["euchre"], delay=0.0, seed=7))
    async with app.run_test(size=(80, 24)) as pilot:
        await to_question(pilot, app)
        await pilot.press("u")
        await pilot.pause()
        assert "no move to take back" in text_of(app)
        assert not moment_of(app).unrated


@pytest.mark.slow
async def test_no_learning_after_an_undo(tmp_path: Path) -> None:
    app = make_app(tmp_path, plan_table("truco", ["you", "q"], {"target": 6}, delay=0.0, seed=7))
    async with app.run_test(size=(80, 24)) as pilot:
        for _ in range(2):
            await to_move(pilot, app)
            answer_first(app)
        await to_move(pilot, app)
        loop = table_of(app).loop
        assert loop is not None
        learner = loop.match.players[1]
        assert isinstance(learner, Learner)
        assert learner.stats().total_actions > 0
        played = len(actions_of(app))
        await pilot.press("u")
        await wait_until(pilot, lambda: 0 < len(actions_of(app)) < played)
        learned = learner.stats()
        await to_move(pilot, app)
        while not is_over(app):
            answer_first(app)
            await to_move(pilot, app)
        assert learner.stats() == learned
        await wait_until(pilot, lambda: bool(only_journal(tmp_path).finished))
        await pilot.press("u")
        await pilot.pause()
        assert "no move can be taken back" in text_of(app)
    (match,) = History(tmp_path / "history.db").matches()
    assert match.unrated


async def uncover(pilot: Pilot[Any], app: KibitzApp) -> Moment:
    """Pass the keyboard on as often as the screen asks for it."""
    await wait_until(pilot, lambda: isinstance(app.screen, Cover) or is_asked(app))
    while isinstance(app.screen, Cover):
        assert [type(screen) for screen in app.screen_stack].count(Cover) == 1
        await pilot.press("enter")
        await wait_until(pilot, lambda: isinstance(app.screen, Cover) or is_asked(app))
    return await to_question(pilot, app)


def two_people(home: Path) -> KibitzApp:
    return make_app(home, plan_table("truco", ["you", "you"], delay=0.0, seed=7))


async def test_move_of_the_other_person_is_undone_only_with_consent(tmp_path: Path) -> None:
    app = two_people(tmp_path)
    async with app.run_test(size=(80, 24)) as pilot:
        first = await uncover(pilot, app)
        await pilot.press("1")
        second = await uncover(pilot, app)
        assert second.asked != first.asked
        name = table_of(app).seating.names[first.asked]
        await pilot.press("u", "u")
        await wait_until(pilot, lambda: isinstance(app.screen, Question))
        await pilot.pause()
        assert f"{name}: may your last move be taken back?" in text_of(app)
        assert "Esc No" in text_of(app)
        assert "muestra" not in text_of(app)
        await pilot.press("escape")
        assert await uncover(pilot, app) == second
        await pilot.press("u")
        await wait_until(pilot, lambda: isinstance(app.screen, Question))
        await pilot.press("y")
        await wait_until(pilot, lambda: actions_of(app) == () and is_asked(app))
        assert not isinstance(app.screen, Cover)
        assert moment_of(app).asked == first.asked


async def test_own_move_is_undone_without_asking_or_passing_the_keyboard(tmp_path: Path) -> None:
    app = two_people(tmp_path)
    async with app.run_test(size=(80, 24)) as pilot:
        first = await uncover(pilot, app)
        await pilot.press("f", "f")  # A flor keeps the turn.
        await wait_until(pilot, lambda: len(actions_of(app)) == 1)
        assert (await to_question(pilot, app)).asked == first.asked
        await pilot.press("u")
        await wait_until(pilot, lambda: actions_of(app) == () and is_asked(app))
        assert moment_of(app).asked == first.asked
        await pilot.press("u")
        await pilot.pause()
        assert "no move to take back" in text_of(app)


async def test_prompts_do_not_stack(tmp_path: Path) -> None:
    """Not even if the table is taken away while the keyboard is passed on."""
    app = two_people(tmp_path)
    async with app.run_test(size=(80, 24)) as pilot:
        await uncover(pilot, app)
        await pilot.press("1")
        await wait_until(pilot, lambda: isinstance(app.screen, Cover))
        table = app.screen_stack[-2]
        assert isinstance(table, TableScreen)
        assert table.loop is not None
        await table.go_to(table.loop.past)
        await pilot.pause()
        await uncover(pilot, app)
        assert not any(isinstance(screen, Cover) for screen in app.screen_stack)
