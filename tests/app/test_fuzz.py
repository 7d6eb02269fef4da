"""Random keys and clicks, and the errors they have found."""

import asyncio
from pathlib import Path

import pytest
from rich.style import Style
from textual.command import CommandList
from textual.events import Click, MouseDown
from textual.widgets import DataTable, Static, TabbedContent
from textual.widgets.data_table import RowKey

from app.match.seating import plan_table
from app.records.history import History
from app.ui.screens.asking import Palette
from app.ui.screens.history import HistoryScreen
from app.ui.screens.home import HomeScreen
from app.ui.screens.lab import LabScreen
from app.ui.screens.question import Answer, Question
from app.ui.screens.review import ReviewScreen
from app.ui.widgets.agents_list import AgentsList
from app.ui.widgets.keys import Keys
from app.ui.widgets.rows import Rows
from tests.app.driving import make_app, table_of, to_question, wait_until
from tests.bench.fuzz_keys import SEATS, Session

KEYS = 150


@pytest.mark.parametrize(
    "game",
    [game if game == "truco" else pytest.param(game, marks=pytest.mark.slow) for game in SEATS],
)
async def test_random_keys_and_clicks(
    game: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_DOWNLOAD_DIR", str(tmp_path))
    session = Session(game, 4, tmp_path / "home")
    await session.run(KEYS)
    assert session.failures == []
    assert session.done > 0


async def test_closing_a_screen_twice_closes_no_other(tmp_path: Path) -> None:
    app = make_app(tmp_path, plan_table("truco", ["you", "random"], seed=1))
    async with app.run_test() as pilot:
        await to_question(pilot, app)
        table, answers = table_of(app), []
        question = Question("Sure?", [Answer("yes", "y", "Yes")])
        app.push_screen(question, answers.append)
        await pilot.pause()
        question.action_answer("yes")
        question.action_answer("yes")
        await pilot.pause()
        assert answers == ["yes"]
        assert app.screen is table
        assert table.is_running


async def test_enter_does_not_confirm_a_question(tmp_path: Path) -> None:
    app = make_app(tmp_path)
    async with app.run_test() as pilot:
        answers: list[str | None] = []
        app.push_screen(Question("Sure?", [Answer("yes", "y", "Yes")]), answers.append)
        await pilot.pause()
        await pilot.press("enter")
        await wait_until(pilot, lambda: bool(answers))
        assert answers == [None]


async def test_page_key_before_the_palette_shows_its_list(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def not_laid_out(commands: CommandList) -> None:
        raise KeyError(0)

    monkeypatch.setattr(CommandList, "action_page_up", not_laid_out)
    app = make_app(tmp_path)
    async with app.run_test() as pilot:
        await pilot.press("ctrl+p", "pageup", "escape")
        assert isinstance(app.screen, HomeScreen)


async def test_page_key_before_the_panel_has_a_tab(tmp_path: Path) -> None:
    """Truco, session 12002."""
    app = make_app(tmp_path, plan_table("truco", ["you", "random"], seed=1))
    async with app.run_test() as pilot:
        await to_question(pilot, app)
        table = table_of(app)
        await table.query_one(TabbedContent).remove()
        table.action_page(1)
        assert app.screen is table


async def test_palette_opens_while_another_closes(tmp_path: Path) -> None:
    app = make_app(tmp_path)
    async with app.run_test() as pilot:
        app.action_command_palette()
        await pilot.pause()
        app.screen.dismiss()
        app.action_command_palette()
        await pilot.pause()
        assert isinstance(app.screen, Palette)
        await pilot.press("escape")
        assert isinstance(app.screen, HomeScreen)


@pytest.mark.parametrize("turns", range(4))
async def test_exit_while_a_screen_opens(tmp_path: Path, turns: int) -> None:
    app = make_app(tmp_path)
    async with app.run_test() as pilot:
        app.action_command_palette()
        for _ in range(turns):
            await asyncio.sleep(0)
        app.exit()
        await pilot.pause()
    assert app.return_code == 0


async def test_command_after_its_screen_closed(tmp_path: Path) -> None:
    app = make_app(tmp_path)
    async with app.run_test() as pilot:
        await pilot.press("n")
        form = app.screen
        commands = {each.title: each.callback for each in app.get_system_commands(form)}
        await pilot.press("escape")
        assert isinstance(app.screen, HomeScreen)
        await commands["Back"]()
        assert isinstance(app.screen, HomeScreen)


async def test_click_on_a_removed_column(tmp_path: Path) -> None:
    app = make_app(tmp_path)
    async with app.run_test() as pilot:
        await app.push_screen(HistoryScreen(History(tmp_path / "history.db")))
        rows = app.screen.query_one(Rows)
        rows.clear(columns=True)
        gone = Style.from_meta({"row": -1, "column": 3})
        click = Click(rows, 1, 0, 0, 0, 1, False, False, False, style=gone)
        rows.post_message(click)
        await pilot.pause()
        assert rows.is_running


async def test_review_without_moves(tmp_path: Path) -> None:
    plan = plan_table("truco", ["you", "random"], seed=1)
    app = make_app(tmp_path, plan)
    async with app.run_test() as pilot:
        review = ReviewScreen(plan, 1, (), 1)
        await app.push_screen(review)
        moves = review.query_one(DataTable)
        moves.post_message(DataTable.RowHighlighted(moves, -1, RowKey()))
        await pilot.pause()
        assert app.screen is review


async def test_keys_change_after_their_screen_closed(tmp_path: Path) -> None:
    """Euchre, session 50000."""
    app = make_app(tmp_path)
    async with app.run_test() as pilot:
        await pilot.press("n")
        keys = app.screen.query_one(Keys)
        await pilot.press("escape")
        await wait_until(pilot, lambda: not keys.is_attached)
        await keys.recompose()


async def test_key_lookup_while_the_lab_closes(tmp_path: Path) -> None:
    """Smear, session 400021: the list of agents is removed before the line of keys."""
    app = make_app(tmp_path)
    async with app.run_test() as pilot:
        await pilot.press("b")
        await wait_until(pilot, lambda: isinstance(app.screen, LabScreen))
        lab = app.screen
        assert isinstance(lab, LabScreen)
        await lab.query_one(AgentsList).remove()
        assert lab.check_action("train", ()) is False


async def test_moment_after_its_table_closed(tmp_path: Path) -> None:
    """Euchre, session 50010."""
    app = make_app(tmp_path, plan_table("euchre", ["you", "random", "random"], seed=1))
    async with app.run_test() as pilot:
        await to_question(pilot, app)
        table = table_of(app)
        moment = table.moment
        assert moment is not None
        app.exit()
        await table.query("*").remove()
        table.show(moment)


async def test_click_on_a_closing_widget(tmp_path: Path) -> None:
    """Truco, session 200012: a removed widget stays on the screen until the next update."""
    app = make_app(tmp_path)
    async with app.run_test() as pilot:
        going = app.screen.query(Static).first()
        (x, y), parent = going.region.offset, going._parent
        going._parent = None
        app.screen._forward_event(MouseDown(None, x, y, 0, 0, 1, False, False, False, x, y))
        going._parent = parent
        await pilot.pause()
        assert app.is_running
