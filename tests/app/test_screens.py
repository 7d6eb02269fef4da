"""Home, new table, rules, small windows, plain characters, and the keys."""

from pathlib import Path
from typing import Any

import pytest
from textual.command import CommandList, CommandPalette
from textual.widgets import Input

from app.match.seating import PERSON, plan_table
from app.ui.app import KibitzApp
from app.ui.layout.faces import french_face
from app.ui.screens.cover import Cover
from app.ui.screens.explorer import ExplorerScreen
from app.ui.screens.frame import TooSmall
from app.ui.screens.history import HistoryScreen
from app.ui.screens.home import HomeScreen
from app.ui.screens.new_table import NewTableScreen
from app.ui.screens.play import PlayScreen
from app.ui.screens.replay import ReplayScreen
from app.ui.screens.rules import RulesScreen
from app.ui.screens.stats import StatsScreen
from app.ui.screens.waiting import WaitingScreen
from app.ui.screens.watch import WatchScreen
from app.ui.widgets.cycle import Cycle
from app.ui.widgets.entry import Entry
from app.ui.widgets.hand import Hand
from app.ui.widgets.rows import Rows
from tests.app.driving import (
    at_table,
    make_app,
    moment_of,
    strips_of,
    table_of,
    text_of,
    to_question,
    wait_until,
)
from tests.quick import quick_with


async def test_enter_on_the_first_screen_deals_a_hand(tmp_path: Path) -> None:
    app = make_app(tmp_path)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("enter")
        asked = await to_question(pilot, app)
        assert table_of(app).plan.seats == (PERSON, "easy", "easy")
        assert asked.view.seat == 0
        assert table_of(app).query_one(Hand).cards


async def test_a_number_deals_that_game(tmp_path: Path) -> None:
    app = make_app(tmp_path)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("1")
        await wait_until(pilot, lambda: at_table(app))
        assert table_of(app).plan.game == "euchre"


async def test_arrows_reach_the_lines_below_the_games(tmp_path: Path) -> None:
    app = make_app(tmp_path)
    async with app.run_test(size=(80, 24)) as pilot:
        for _ in range(2):
            await pilot.press("down")
        await pilot.press("right")
        assert app.focused is app.screen.query_one("#menu-watch")
        await pilot.press("enter")
        await wait_until(pilot, lambda: isinstance(app.screen, WatchScreen))


async def test_every_entry_of_home_can_be_clicked(tmp_path: Path) -> None:
    opened: dict[str, type[Any]] = {
        "game-euchre": PlayScreen,
        "menu-new": NewTableScreen,
        "menu-watch": WatchScreen,
    }
    for entry, screen in opened.items():
        app = make_app(tmp_path)
        async with app.run_test(size=(80, 24)) as pilot:
            await pilot.click(f"#{entry}")
            await wait_until(pilot, lambda app=app, s=screen: isinstance(app.screen, s))
    app = make_app(tmp_path)
    async with app.run_test(size=(80, 24)) as pilot:
        assert {entry.id for entry in app.screen.query(Entry)} >= set(opened)
        await pilot.click("#menu-quit")
    assert app.return_code == 0


async def test_a_new_table_with_other_seats_options_and_seed(tmp_path: Path) -> None:
    app = make_app(tmp_path)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("n")
        await wait_until(pilot, lambda: isinstance(app.screen, NewTableScreen))
        app.screen.query_one("#option-players", Cycle).focus()
        await pilot.press("right")
        await wait_until(pilot, lambda: len(app.screen.query("#seats Cycle")) == 4)
        app.screen.query_one("#seed", Input).focus()
        await pilot.press(*"4711", "enter")
        await wait_until(pilot, lambda: at_table(app))
        plan = table_of(app).plan
        assert plan.options == {"players": 4}
        assert plan.seed == 4711
        assert plan.seats == (PERSON, "easy", "easy", "easy")
        assert moment_of(app).view.sides == ((0, 2), (1, 3))


async def test_arrows_go_through_the_rows_of_the_form(tmp_path: Path) -> None:
    app = make_app(tmp_path)
    async with app.run_test(size=(60, 20)) as pilot:
        await pilot.press("n")
        await wait_until(pilot, lambda: isinstance(app.screen, NewTableScreen))
        visited = []
        for _ in range(7):
            assert app.focused is not None
            visited.append(app.focused.id)
            await pilot.press("down")
        form = ["option-players", "delay", "teaching", "seed"]
        assert visited == ["seat-0", "seat-1", "seat-2", *form]
        await pilot.press("up")
        assert app.focused is app.screen.query_one("#seed")


async def test_a_new_table_without_a_person_is_refused_inline(tmp_path: Path) -> None:
    app = make_app(tmp_path)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("n")
        await wait_until(pilot, lambda: isinstance(app.screen, NewTableScreen))
        await pilot.press("right", "enter")
        await pilot.pause()
        assert "No seat is for a person" in text_of(app)
        await pilot.click("#watch")
        await wait_until(pilot, lambda: isinstance(app.screen, WatchScreen))


async def test_new_table_and_rules_can_be_left_again(tmp_path: Path) -> None:
    app = make_app(tmp_path)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("n")
        await wait_until(pilot, lambda: isinstance(app.screen, NewTableScreen))
        await pilot.press("escape")
        await wait_until(pilot, lambda: isinstance(app.screen, HomeScreen))
        await app.push_screen(RulesScreen("# Rules\n\nFollow suit."))
        await pilot.press("down", "escape")
        await wait_until(pilot, lambda: isinstance(app.screen, HomeScreen))


async def test_a_small_window_asks_for_a_larger_one_and_loses_nothing(tmp_path: Path) -> None:
    plan = plan_table("euchre", ["you", "random", "random"], delay=0.0, seed=7)
    app = make_app(tmp_path, plan)
    async with app.run_test(size=(80, 24)) as pilot:
        asked = await to_question(pilot, app)
        for small in ((59, 24), (80, 19), (10, 3)):
            await pilot.resize_terminal(*small)
            await wait_until(pilot, lambda: isinstance(app.screen, TooSmall))
            await pilot.press("1", "escape")
            assert isinstance(app.screen, TooSmall)
            await pilot.resize_terminal(60, 20)
            await wait_until(pilot, lambda: at_table(app))
        assert moment_of(app).legal == asked.legal
        assert moment_of(app).view == asked.view


async def test_the_panel_comes_and_goes_with_the_width(tmp_path: Path) -> None:
    plan = plan_table("euchre", ["you", "random", "random"], delay=0.0, seed=7)
    app = make_app(tmp_path, plan)
    async with app.run_test(size=(120, 40)) as pilot:
        await to_question(pilot, app)
        assert app.screen.query_one("#panel").display
        await pilot.resize_terminal(109, 40)
        await pilot.pause()
        assert not app.screen.query_one("#panel").display
        await pilot.press("e")
        await pilot.pause()
        assert app.screen.query_one("#panel").display
        assert "No learner sits" in text_of(app)


@pytest.mark.parametrize("size", quick_with([(60, 20), (80, 24), (120, 40)], (80, 24)))
async def test_ascii_screens_hold_nothing_else(tmp_path: Path, size: tuple[int, int]) -> None:
    app = make_app(tmp_path, ascii_only=True)
    async with app.run_test(size=size) as pilot:
        await pilot.pause()
        assert text_of(app).isascii()
        await pilot.press("n")
        await wait_until(pilot, lambda: isinstance(app.screen, NewTableScreen))
        await pilot.pause()
        assert text_of(app).isascii()
        await pilot.press("enter")
        asked = await to_question(pilot, app)
        await pilot.press("e")
        await pilot.pause()
        assert text_of(app).isascii()
        code = table_of(app).cards()[0].face.code
        await pilot.press("escape")
        await pilot.pause()
        assert f"|{code}" in text_of(app)
        assert asked.view.seat == 0


async def test_rules_in_ascii(tmp_path: Path) -> None:
    app = make_app(tmp_path, ascii_only=True)
    async with app.run_test(size=(80, 24)) as pilot:
        await app.push_screen(
            RulesScreen("# Rules\n\n- one\n- two\n\n| a | b |\n|--|--|\n| 1 | 2 |")
        )
        await pilot.pause()
        assert text_of(app).isascii()
        assert "one" in text_of(app)


async def test_no_color_is_honoured(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    plan = plan_table("euchre", ["you", "random", "random"], delay=0.0, seed=7)
    app = make_app(tmp_path, plan)
    async with app.run_test(size=(80, 24)) as pilot:
        await to_question(pilot, app)
        for strip in strips_of(app):
            for segment in strip:
                for colour in (segment.style and segment.style.color, segment.style.bgcolor):
                    triplet = colour.triplet if colour else None
                    assert triplet is None or len(set(triplet)) == 1


def test_the_sign_of_the_suit_is_always_there() -> None:
    face = french_face("10H")
    assert face.chip(ascii_only=False) == "10♥"
    assert face.chip(ascii_only=True) == "[10H]"
    assert face.words == "ten of hearts"
    assert len({french_face(f"9{suit}").colour for suit in "SHDC"}) == 4


def test_every_key_has_an_id() -> None:
    screens = (
        HomeScreen,
        NewTableScreen,
        PlayScreen,
        WatchScreen,
        ReplayScreen,
        WaitingScreen,
        RulesScreen,
        Cover,
    )
    looks = (HistoryScreen, StatsScreen, ExplorerScreen)
    for owner in (KibitzApp, *screens, *looks, Cycle, Entry, Rows):
        for binding in owner.BINDINGS:
            assert getattr(binding, "id", None), f"{owner.__name__}: {binding}"


async def test_the_palette_offers_what_the_keys_do(tmp_path: Path) -> None:
    plan = plan_table("euchre", ["you", "random", "random"], delay=0.0, seed=7)
    app = make_app(tmp_path, plan)
    async with app.run_test(size=(80, 24)) as pilot:
        await to_question(pilot, app)
        titles = [command.title for command in app.get_system_commands(app.screen)]
        assert {"Pause", "Faster", "Scores", "Learning", "Rules", "New table", "Quit"} <= set(
            titles
        )
        assert len(titles) == len(set(titles))
        await pilot.press("ctrl+p")
        await wait_until(pilot, lambda: isinstance(app.screen, CommandPalette))
        await pilot.press(*"pause")
        await wait_until(pilot, lambda: bool(app.screen.query_one(CommandList).option_count))
        await pilot.press("down", "enter")
        await wait_until(pilot, lambda: at_table(app) and moment_of(app).paused)


async def test_a_window_that_is_small_from_the_start(tmp_path: Path) -> None:
    plan = plan_table("euchre", ["you", "random", "random"], delay=0.0, seed=7)
    app = make_app(tmp_path, plan)
    async with app.run_test(size=(40, 10)) as pilot:
        await wait_until(pilot, lambda: len(app.screen_stack) == 3)
        assert isinstance(app.screen, TooSmall)
        await pilot.resize_terminal(80, 24)
        await to_question(pilot, app)
