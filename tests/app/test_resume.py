"""An unfinished match resumes at the same card."""

from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot
from textual.widgets import Static

from agents.agent import Learner
from agents.random_player import RandomPlayer
from agents.registry import make
from agents.storage.store import Store
from app.cli import run
from app.match.moment import NOBODY, Moment
from app.match.seating import TablePlan, plan_table
from app.records.history import History
from app.records.journal import read_journal
from app.ui.app import KibitzApp
from app.ui.screens.home import HomeScreen
from app.ui.screens.waiting import WaitingScreen
from app.ui.widgets.rows import Rows
from engine import GAMES
from tests.app.driving import (
    QuickClock,
    StoppedClock,
    answer_by_keyboard,
    answer_first,
    at_table,
    is_over,
    make_app,
    moment_of,
    table_of,
    text_of,
    to_question,
    wait_until,
)
from tests.app.journals import journals_in, keeper_of, only_journal, recorded_match
from tests.quick import quick_with

PLANS = {game: plan_table(game, delay=0.0, seed=7) for game in GAMES} | {
    "euchre": plan_table("euchre", ["you", "random", "q"], delay=0.0, seed=7),
    "truco": plan_table("truco", ["you", "random"], delay=0.0, seed=7),
}

SHORT = plan_table("truco", ["you", "random"], {"target": 6}, delay=0.0, seed=7)


async def play_some(home: Path, plan: TablePlan, answers: int) -> Moment:
    """Answer some questions and quit. Returns the last moment."""
    app = make_app(home, plan)
    async with app.run_test(size=(80, 24)) as pilot:
        asked = await to_question(pilot, app)
        for _ in range(answers):
            answer_first(app)
            asked = await to_question(pilot, app)
        while asked.asked == NOBODY:
            answer_first(app)
            asked = await to_question(pilot, app)
        await pilot.press("ctrl+q")
    return asked


async def resume(app: KibitzApp, pilot: Pilot[Any], game: str) -> Moment:
    tile = app.screen.query_one(f"#game-{game}", Static)
    await wait_until(pilot, lambda: "u resumes" in str(tile.render()))
    tile.focus()
    await pilot.press("u")
    return await to_question(pilot, app)


@pytest.mark.parametrize("game", quick_with(PLANS, "euchre", "truco"))
async def test_match_resumes_at_the_same_card(game: str, tmp_path: Path) -> None:
    left = await play_some(tmp_path, PLANS[game], 4)
    app = make_app(tmp_path)
    async with app.run_test(size=(80, 24)) as pilot:
        again = await resume(app, pilot, game)
        assert again.view == left.view
        assert again.legal == left.legal
        assert again.log == left.log
        assert again.events == left.events
        assert [result.points for result in again.results] == [
            result.points for result in left.results
        ]
        assert table_of(app).plan.seats == PLANS[game].seats
    assert len(journals_in(tmp_path)) == 1, "the match continues in the same file"


async def test_resuming_does_not_repeat_updates(tmp_path: Path) -> None:
    await play_some(tmp_path, plan_table("euchre", ["you", "q", "q"], delay=0.0, seed=7), 5)
    learner = make("euchre", "q", Store(tmp_path / "qtables"), learning=True)
    assert isinstance(learner, Learner)
    assert learner.unsaved == 0
    app = make_app(tmp_path)
    async with app.run_test(size=(80, 24)) as pilot:
        asked = await resume(app, pilot, "euchre")
        assert [each.stats for each in asked.learners] == [learner.stats()]


async def test_random_keeps_the_seat_of_a_failed_agent(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise RuntimeError("no idea")

    plan = plan_table("truco", ["you", "easy"], delay=0.0, seed=7)
    app = make_app(tmp_path, plan)
    with monkeypatch.context() as patch:
        patch.setattr(type(make("truco", "easy")), "act", fail)
        async with app.run_test(size=(80, 24), notifications=True) as pilot:
            await to_question(pilot, app)
            answer_first(app)
            await wait_until(pilot, lambda: "random takes over that seat" in text_of(app))
            await pilot.press("ctrl+q")
    assert only_journal(tmp_path).past.taken_over == (1,)
    app = make_app(tmp_path)
    async with app.run_test(size=(80, 24)) as pilot:
        await resume(app, pilot, "truco")
        loop = table_of(app).loop
        assert loop is not None
        assert isinstance(loop.match.players[1], RandomPlayer)


async def test_resumed_match_continues_as_if_uninterrupted(tmp_path: Path) -> None:
    """Random agents draw the same random numbers again."""
    logs = []
    for home, breaks in ((tmp_path / "whole", False), (tmp_path / "broken", True)):
        app = make_app(home, SHORT)
        if breaks:
            await play_some(home, SHORT, 3)
            app = make_app(home)
        async with app.run_test(size=(80, 24)) as pilot:
            if breaks:
                await resume(app, pilot, "truco")
            await to_question(pilot, app)
            while not is_over(app):
                answer_first(app)
                await to_question(pilot, app)
            logs.append(moment_of(app).log)
            await wait_until(pilot, lambda home=home: bool(only_journal(home).finished))
    assert logs[0] == logs[1]


async def test_finished_match_is_in_the_history_and_not_offered(tmp_path: Path) -> None:
    app = make_app(tmp_path, SHORT)
    async with app.run_test(size=(80, 24)) as pilot:
        await to_question(pilot, app)
        while not is_over(app):
            answer_first(app)
            await to_question(pilot, app)
        await wait_until(pilot, lambda: bool(only_journal(tmp_path).finished))
        await pilot.press("escape")
        await wait_until(pilot, lambda: isinstance(app.screen, HomeScreen))
        await app.workers.wait_for_complete()
        await pilot.pause()
        assert "resumes" not in text_of(app)
        await pilot.press("u")
        assert isinstance(app.screen, HomeScreen)
    (match,) = History(tmp_path / "history.db").matches()
    assert match.game == SHORT.game
    assert match.seed == SHORT.seed
    assert match.journal == journals_in(tmp_path)[0].name
    assert match.own is not None
    assert match.own.name == "You"
    assert (match.watched, match.assisted, match.unrated) == (False, False, False)


async def test_watched_match_is_in_the_history_as_watched(tmp_path: Path) -> None:
    plan = plan_table("truco", ["random"] * 2, delay=0.0, seed=7, watch=True, matches=1)
    app = make_app(tmp_path, plan)
    async with app.run_test(size=(80, 24)) as pilot:
        await wait_until(pilot, lambda: at_table(app) and is_over(app))
        await wait_until(pilot, lambda: bool(History(tmp_path / "history.db").matches()))
    (match,) = History(tmp_path / "history.db").matches()
    assert match.watched


async def test_watched_match_can_be_left_and_resumed(tmp_path: Path) -> None:
    plan = plan_table("euchre", ["random"] * 3, delay=1.0, seed=7, watch=True)
    app = make_app(tmp_path, plan, clock=StoppedClock())
    async with app.run_test(size=(80, 24)) as pilot:
        await wait_until(pilot, lambda: at_table(app))
        await pilot.press("space", "full_stop", "full_stop")
        await wait_until(pilot, lambda: len(moment_of(app).view.history) == 2)
        left = moment_of(app).view
        await pilot.press("escape")
        await wait_until(pilot, lambda: isinstance(app.screen, HomeScreen))
        tile = app.screen.query_one("#game-euchre", Static)
        await wait_until(pilot, lambda: "u resumes" in str(tile.render()))
        await pilot.press("u")
        await wait_until(pilot, lambda: at_table(app))
        assert moment_of(app).view == left


async def test_incomplete_line_loses_one_action(tmp_path: Path) -> None:
    left = await play_some(tmp_path, PLANS["euchre"], 3)
    (path,) = journals_in(tmp_path)
    path.write_bytes(path.read_bytes() + b'{"seat":0,"do":"pl')
    app = make_app(tmp_path)
    async with app.run_test(size=(80, 24)) as pilot:
        again = await resume(app, pilot, "euchre")
        assert again.view == left.view
        await answer_by_keyboard(pilot, app)
        await to_question(pilot, app)
        assert read_journal(path).past.actions == tuple(table_of(app).loop.actions)  # type: ignore[union-attr]


@pytest.mark.slow
async def test_one_of_several_matches_is_chosen_from_a_list(tmp_path: Path) -> None:
    await play_some(tmp_path, PLANS["truco"], 2)
    await play_some(tmp_path, PLANS["euchre"], 2)
    last = await play_some(tmp_path, plan_table("euchre", delay=0.0, seed=8), 2)
    app = make_app(tmp_path)
    async with app.run_test(size=(80, 24)) as pilot:
        await wait_until(pilot, lambda: "U all 3" in text_of(app))
        await pilot.press("U")
        await wait_until(pilot, lambda: isinstance(app.screen, WaitingScreen))
        rows = app.screen.query_one(Rows)
        await wait_until(pilot, lambda: rows.row_count == 3)
        await pilot.press("down", "down", "d")
        await pilot.pause()
        assert "Discard the match of Truco" in text_of(app)
        assert len(journals_in(tmp_path)) == 3
        await pilot.press("d")
        await wait_until(pilot, lambda: rows.row_count == 2)
        assert [read_journal(path).setup.game for path in journals_in(tmp_path)] == ["euchre"] * 2
        await pilot.press("up", "up", "enter")
        again = await to_question(pilot, app)
        assert again.view == last.view


async def test_match_left_last_is_resumed(tmp_path: Path) -> None:
    """Also if it began before the others, and whichever game is chosen on Home."""
    truco = await play_some(tmp_path, PLANS["truco"], 2)
    await play_some(tmp_path, PLANS["euchre"], 2)
    app = make_app(tmp_path)
    async with app.run_test(size=(80, 24)) as pilot:
        await wait_until(pilot, lambda: "u Resume Euchre: hand 1   U all 2" in text_of(app))
        await pilot.press("U")
        await wait_until(pilot, lambda: isinstance(app.screen, WaitingScreen))
        await wait_until(pilot, lambda: app.screen.query_one(Rows).row_count == 2)
        await pilot.press("down", "enter")
        assert (await to_question(pilot, app)).view == truco.view
        await pilot.press("ctrl+q")
    again = make_app(tmp_path)
    async with again.run_test(size=(80, 24)) as pilot:
        await wait_until(pilot, lambda: "u Resume Truco: round 2   U all 2" in text_of(again))
        await pilot.press("u")
        assert (await to_question(pilot, again)).view == truco.view


async def test_leaving_says_that_the_match_can_be_resumed(tmp_path: Path) -> None:
    app = make_app(tmp_path, PLANS["euchre"])
    async with app.run_test(size=(80, 24)) as pilot:
        await to_question(pilot, app)
        await pilot.press("escape")
        await pilot.pause()
        assert "it can be resumed" in text_of(app)


async def test_match_open_in_another_window_is_not_offered(tmp_path: Path) -> None:
    first = make_app(tmp_path, PLANS["truco"])
    async with first.run_test(size=(80, 24)) as pilot:
        await to_question(pilot, first)
        await answer_by_keyboard(pilot, first)
        await to_question(pilot, first)
        second = make_app(tmp_path)
        assert second._keeper.waiting() == []
        await pilot.press("ctrl+q")
    assert len(make_app(tmp_path)._keeper.waiting()) == 1


async def test_empty_journal_is_not_offered(tmp_path: Path) -> None:
    """The program was killed before the first line was in the file."""
    (tmp_path / "games").mkdir()
    (tmp_path / "games" / "20261116T123000Z-truco-7.jsonl").touch()
    keeper = make_app(tmp_path)._keeper
    assert keeper.waiting() == []
    assert keeper.notices == []


async def test_file_instead_of_the_games_folder_is_harmless(tmp_path: Path) -> None:
    (tmp_path / "games").write_text("in the way")
    app = make_app(tmp_path, PLANS["truco"], clock=QuickClock())
    async with app.run_test(size=(80, 24), notifications=True) as pilot:
        await to_question(pilot, app)
        await answer_by_keyboard(pilot, app)
        await to_question(pilot, app)
        output = [notice.message for notice in app._notifications]
        assert len([sentence for sentence in output if "cannot be saved" in sentence]) == 1


def test_old_journals_are_archived_and_can_be_replayed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.records.scorekeeper.KEPT", 4)
    first = recorded_match(tmp_path, "truco")
    for number in range(8):
        path = first.with_name(f"2027010{number}-truco.jsonl")
        path.write_bytes(first.read_bytes())
    open_match = recorded_match(tmp_path, "euchre", 5)
    keeper = keeper_of(tmp_path)
    assert [match.path for match in keeper.waiting()] == [open_match]
    left = sorted(path.name for path in (tmp_path / "games").glob("*-truco*.jsonl"))
    assert left == ["20270106-truco.jsonl", "20270107-truco.jsonl"]
    assert len(list((tmp_path / "games" / "archive").iterdir())) == 7
    assert keeper.find(first.name).over
    assert run(["replay", first.name, "--json", "--home", str(tmp_path)]) == 0
    assert run(["doctor", "--home", str(tmp_path)]) == 0
