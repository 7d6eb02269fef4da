"""Pictures of screens in less common states: watched, covered, empty."""

from collections.abc import Callable
from pathlib import Path

import pytest
from textual.command import CommandList
from textual.screen import Screen
from textual.widgets import Input

from app.match.seating import PERSON, plan_table
from app.ui.app import KibitzApp
from app.ui.screens.asking import Palette
from app.ui.screens.cover import Cover
from app.ui.screens.new_table import NewTableScreen
from app.ui.screens.requests import OpenForm, OpenHistory, OpenRules, OpenStats
from app.ui.screens.rules import RulesScreen
from tests.app.driving import (
    StoppedClock,
    at_table,
    in_windows,
    make_app,
    moment_of,
    quick_with,
    table_of,
    text_of,
    to_question,
    wait_until,
)

Compare = Callable[[KibitzApp, str], None]
SIZES = [(80, 24), (120, 40)]
WATCHED = {
    "euchre": ["easy", "hard", "easy"],
    "smear": ["easy", "hard", "easy", "hard"],
    "truco": ["easy", "hard"],
    "fodinha": ["easy", "hard", "easy", "hard"],
    "notty": ["easy", "hard"],
}
STEPS = 13
"""Actions before the picture of a watched table."""


def named(name: str, size: tuple[int, int]) -> str:
    return f"{name}-{size[0]}x{size[1]}"


@pytest.mark.parametrize("game", quick_with(WATCHED, "euchre"))
async def test_watched_table(tmp_path: Path, same_picture: Compare, game: str) -> None:
    app = make_app(
        tmp_path, plan_table(game, WATCHED[game], seed=7, watch=True), clock=StoppedClock()
    )
    async with app.run_test(size=SIZES[0]) as pilot:
        await wait_until(pilot, lambda: at_table(app))
        await pilot.press("space")
        loop = table_of(app).loop
        assert loop is not None
        while len(loop.actions) < STEPS:
            before = len(loop.actions), moment_of(app)
            await pilot.press("full_stop")
            await wait_until(
                pilot, lambda before=before: (len(loop.actions), moment_of(app)) != before
            )
        async for size in in_windows(pilot, SIZES):
            same_picture(app, named(f"watch-{game}", size))


async def test_keyboard_is_passed_on(tmp_path: Path, same_picture: Compare) -> None:
    app = make_app(tmp_path, plan_table("smear", [PERSON] * 4, delay=0.0, seed=7))
    async with app.run_test(size=SIZES[0]) as pilot:
        await wait_until(pilot, lambda: isinstance(app.screen, Cover))
        async for size in in_windows(pilot, SIZES):
            same_picture(app, named("cover", size))


@pytest.mark.parametrize("size", SIZES)
async def test_palette_at_a_table(
    tmp_path: Path, same_picture: Compare, size: tuple[int, int]
) -> None:
    plan = plan_table("euchre", [PERSON, "random", "random"], delay=0.0, seed=43)
    app = make_app(tmp_path, plan)
    async with app.run_test(size=size) as pilot:
        await to_question(pilot, app)
        await pilot.press("ctrl+p")
        await wait_until(pilot, lambda: isinstance(app.screen, Palette))
        await wait_until(pilot, lambda: app.screen.query_one(CommandList).option_count > 5)
        app.screen.query_one(Input).cursor_blink = False
        await pilot.press("r", "u", "l", "e", "s")
        await wait_until(pilot, lambda: app.screen.query_one(CommandList).option_count == 1)
        await pilot.pause()
        assert "Key r" in text_of(app)
        same_picture(app, named("palette", size))


@pytest.mark.parametrize(
    ("name", "opens", "screen", "games"),
    [
        ("rules", OpenRules, RulesScreen, ["euchre", "fodinha"]),
        ("new-table", OpenForm, NewTableScreen, ["fodinha", "notty"]),
    ],
)
async def test_rules_and_new_table(
    tmp_path: Path,
    same_picture: Compare,
    name: str,
    opens: type[OpenRules] | type[OpenForm],
    screen: type[Screen[None]],
    games: list[str],
) -> None:
    app = make_app(tmp_path)
    async with app.run_test(size=SIZES[0]) as pilot:
        for game in games:
            app.post_message(opens(game))
            await wait_until(pilot, lambda: isinstance(app.screen, screen))
            await wait_until(pilot, lambda: "Esc Back" in text_of(app))
            async for size in in_windows(pilot, SIZES):
                same_picture(app, named(f"{name}-{game}", size))
            await pilot.press("escape")
            await wait_until(pilot, lambda: not isinstance(app.screen, screen))
            await pilot.resize_terminal(*SIZES[0])


async def test_history_and_stats_without_matches(tmp_path: Path, same_picture: Compare) -> None:
    app = make_app(tmp_path)
    async with app.run_test(size=SIZES[0]) as pilot:
        for name, request in (("history", OpenHistory()), ("stats", OpenStats())):
            app.post_message(request)
            await wait_until(pilot, lambda: "Esc Back" in text_of(app))
            await wait_until(pilot, lambda: "Looking" not in text_of(app))
            async for size in in_windows(pilot, SIZES):
                same_picture(app, named(f"{name}-empty", size))
            await pilot.press("escape")
            await wait_until(pilot, lambda: "Esc Back" not in text_of(app))
