"""A scripted person, a clock that runs at once, and waiting without sleeping."""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterable
from dataclasses import replace
from pathlib import Path
from time import monotonic
from typing import Any

from textual.pilot import Pilot
from textual.widgets import Tabs
from textual.widgets._tabs import Underline

from app.home.locations import Locations
from app.match.moment import NOBODY, Moment
from app.match.pace import Clock
from app.match.seating import TablePlan
from app.ui.app import KibitzApp
from app.ui.screens.table import TableScreen
from app.ui.widgets.choices import Choices
from app.ui.widgets.hand import Hand
from app.ui.widgets.prompt import Prompt

PATIENCE = 60.0
"""Seconds after which a test gives up: a busy machine is no failure."""


class QuickClock(Clock):
    """Every delay has passed as soon as somebody waits for it."""

    def __init__(self) -> None:
        self.time = 0.0

    def now(self) -> float:
        return self.time

    async def wait(self, wake: asyncio.Event, seconds: float) -> None:
        self.time += seconds
        await asyncio.sleep(0)


class StoppedClock(Clock):
    """No delay ever passes: only a key can make the loop go on."""

    def now(self) -> float:
        return 0.0

    async def wait(self, wake: asyncio.Event, seconds: float) -> None:
        await wake.wait()


def make_app(
    home: Path,
    plan: TablePlan | None = None,
    ascii_only: bool = False,
    clock: Clock | None = None,
    tips: bool = False,
) -> KibitzApp:
    """tips: whether they are shown, as they are to whoever plays a game for the first time."""
    app = KibitzApp(Locations(home), plan, ascii_only, clock=clock or QuickClock())
    app.settings = replace(app.settings, tips=tips)
    app.animation_level = "none"
    return app


async def wait_until(pilot: Pilot[Any], condition: Callable[[], bool]) -> None:
    until = monotonic() + PATIENCE
    while not condition():
        assert monotonic() < until, "waited in vain"
        await pilot.pause()


def table_of(app: KibitzApp) -> TableScreen:
    assert isinstance(app.screen, TableScreen), app.screen
    return app.screen


def moment_of(app: KibitzApp) -> Moment:
    moment = table_of(app).moment
    assert moment is not None
    return moment


def at_table(app: KibitzApp) -> bool:
    return isinstance(app.screen, TableScreen) and app.screen.moment is not None


def is_asked(app: KibitzApp) -> bool:
    """The person has something to answer: a question of the game or the end of a hand."""
    if not at_table(app):
        return False
    moment = moment_of(app)
    return moment.asked != NOBODY or moment.ending is not None


def is_over(app: KibitzApp) -> bool:
    ending = moment_of(app).ending if at_table(app) else None
    return ending is not None and ending.match_over


async def to_question(pilot: Pilot[Any], app: KibitzApp) -> Moment:
    await wait_until(pilot, lambda: is_asked(app))
    await pilot.pause()
    return moment_of(app)


async def answer_by_keyboard(pilot: Pilot[Any], app: KibitzApp) -> None:
    """Press the number of the first thing that can be chosen."""
    table = table_of(app)
    for number, card in enumerate(table.cards(), 1):
        if card.action is not None:
            await pilot.press(str(number % 10))
            return
    await pilot.press("1")


async def answer_by_mouse(pilot: Pilot[Any], app: KibitzApp) -> None:
    """Click on the first thing that can be chosen."""
    table = table_of(app)
    for place, card in enumerate(table.cards()):
        if card.action is not None:
            await pilot.click(Hand, offset=table.query_one(Hand).middle_of(place))
            return
    await pilot.click(Choices, offset=table.query_one(Choices).middle_of(0))


def answer_first(app: KibitzApp) -> None:
    """Take the first legal action, or read on, whatever the keys of that game are."""
    loop, moment = table_of(app).loop, moment_of(app)
    assert loop is not None
    if moment.legal:
        loop.choose(moment.legal[0])
    else:
        loop.acknowledge()


def prompt_of(app: KibitzApp) -> str:
    """What is asked or said above the hand, on however many lines it stands."""
    return table_of(app).query_one(Prompt).text


async def in_windows(
    pilot: Pilot[Any], sizes: Iterable[tuple[int, int]]
) -> AsyncIterator[tuple[int, int]]:
    """The same moment in windows of several sizes, one after the other."""
    for size in sizes:
        await pilot.resize_terminal(*size)
        await pilot.pause()
        yield size


async def open_tab(pilot: Pilot[Any], app: KibitzApp, key: str) -> None:
    """Turn to a tab of the panel."""
    await pilot.press(key)
    await pilot.pause()
    await tab_drawn(pilot, app)


async def tab_drawn(pilot: Pilot[Any], app: KibitzApp) -> None:
    """The line below the title of a tab comes a little later."""

    def underlined() -> bool:
        tabs = app.screen.query_one(Tabs)
        line, active = tabs.query_one(Underline), tabs.active_tab
        if active is None:
            return False
        span = active.virtual_region.shrink(active.styles.gutter).column_span
        return (line.highlight_start, line.highlight_end) == span

    await wait_until(pilot, underlined)
    await pilot.pause()


def text_of(app: KibitzApp) -> str:
    """What stands on the screen, line by line."""
    strips = app.screen._compositor.render_strips()
    return "\n".join(strip.text for strip in strips)


async def click_on(pilot: Pilot[Any], app: KibitzApp, choice: str) -> None:
    """One of the choices at a table, by what it says."""
    bar = table_of(app).query_one(Choices)
    at = [each.text for each in bar.choices].index(choice)
    assert await pilot.click(Choices, offset=bar.middle_of(at))
