"""Drives the app in tests: a scripted person, clocks without delays, waiting without sleeping."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from random import Random
from time import monotonic
from typing import Any

from textual._context import visible_screen_stack
from textual.app import App
from textual.pilot import Pilot
from textual.strip import Strip
from textual.widgets import Tabs
from textual.widgets._tabs import Underline

from agents.agent import Agent, Decision
from app.home.locations import Locations
from app.match.moment import NOBODY, Moment
from app.match.pace import Clock
from app.match.seating import TablePlan
from app.ui.app import KibitzApp
from app.ui.screens.table import TableScreen
from app.ui.widgets.choices import Choices
from app.ui.widgets.hand import Hand
from app.ui.widgets.prompt import Prompt
from engine.game import View
from tests.quick import quick_with as quick_with

Arrange = Callable[..., None]
"""The type of the fixture `arrange`."""

PATIENCE = 60.0
"""Seconds until a test gives up, long enough for a busy machine."""


class QuickClock(Clock):
    """Every delay passes immediately."""

    def __init__(self) -> None:
        self.time = 0.0

    def now(self) -> float:
        return self.time

    async def wait(self, wake: asyncio.Event, seconds: float) -> None:
        self.time += seconds
        await asyncio.sleep(0)


class StoppedClock(Clock):
    """No delay ever passes; only a key advances the match."""

    def now(self) -> float:
        return 0.0

    async def wait(self, wake: asyncio.Event, seconds: float) -> None:
        await wake.wait()


class ScriptedAgent(Agent):
    """Takes the actions with these labels, one after the other."""

    name = "scripted"

    def __init__(self, labels: Sequence[str]) -> None:
        self._labels = list(labels)

    def act(self, view: View, legal: list[int], rng: Random) -> Decision:
        label = self._labels.pop(0)
        return Decision(next(action for action in legal if view.label(action) == label))


class FirstLegalAgent(Agent):
    """Always takes the first legal action."""

    name = "first-legal"

    def act(self, view: View, legal: list[int], rng: Random) -> Decision:
        return Decision(legal[0])


def make_app(
    home: Path,
    plan: TablePlan | None = None,
    ascii_only: bool = False,
    clock: Clock | None = None,
    tips: bool = False,
    teaching: str = "never",
) -> KibitzApp:
    """
    tips       whether to show the tips for newcomers
    teaching   when costly moves are pointed out, as in the settings

    No process computes par of a daily deal.
    """
    app = KibitzApp(Locations(home), plan, ascii_only, clock=clock or QuickClock())
    app.settings = replace(app.settings, tips=tips, animations=False, teaching=teaching)
    app.want_par = lambda game, day: False  # type: ignore[method-assign]
    app.NOTIFICATION_TIMEOUT = PATIENCE
    return app


async def wait_until(pilot: Pilot[Any], condition: Callable[[], bool]) -> None:
    until = monotonic() + PATIENCE
    while not condition():
        assert monotonic() < until, f"not reached in {PATIENCE:g} seconds"
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
    """Whether the person has to answer a question of the game or to read the end of a hand."""
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
    """Press the key of the first card or choice that can be chosen."""
    table = table_of(app)
    for number, card in enumerate(table.cards(), 1):
        if card.action is not None:
            await pilot.press(str(number % 10))
            return
    count = table.table.takes_together(moment_of(app).view)
    if count > 1:
        await pilot.press(*[str(number % 10) for number in range(1, count + 1)])
    number, choice = next(
        (number, choice) for number, choice in enumerate(table.choices(), 1) if not choice.barred
    )
    digit = number if choice.digit is None else choice.digit
    await pilot.press(keys_by_id(table).get(choice.key, str(digit)))


def keys_by_id(table: TableScreen) -> dict[str, str]:
    """The first key of each binding of a table."""
    keys: dict[str, str] = {}
    for key, binding in table._bindings:
        if binding.id:
            keys.setdefault(binding.id, key)
    return keys


async def answer_by_mouse(pilot: Pilot[Any], app: KibitzApp) -> None:
    """Click on the first card or choice that can be chosen."""
    table = table_of(app)
    for place, card in enumerate(table.cards()):
        if card.action is not None:
            await click_card(pilot, app, place)
            return
    count = table.table.takes_together(moment_of(app).view)
    for place in range(count if count > 1 else 0):
        await click_card(pilot, app, place)
    index = next(index for index, choice in enumerate(table.choices()) if not choice.barred)
    await click_choice(pilot, app, index)


async def click_card(pilot: Pilot[Any], app: KibitzApp, place: int) -> None:
    assert await pilot.click(Hand, offset=table_of(app).query_one(Hand).middle_of(place))


async def click_choice(pilot: Pilot[Any], app: KibitzApp, index: int) -> None:
    assert await pilot.click(Choices, offset=table_of(app).query_one(Choices).middle_of(index))


async def click_on(pilot: Pilot[Any], app: KibitzApp, text: str) -> None:
    """Click on the choice with that text."""
    choices = table_of(app).query_one(Choices).choices
    await click_choice(pilot, app, [choice.text for choice in choices].index(text))


def place_of(app: KibitzApp, code: str) -> int:
    """The place of a card in the hand, counted from 0."""
    return [card.face.code for card in table_of(app).cards()].index(code)


def answer_first(app: KibitzApp) -> None:
    """Take the first legal action, or go on after a hand, without any key."""
    loop, moment = table_of(app).loop, moment_of(app)
    assert loop is not None
    if moment.legal:
        loop.choose(moment.legal[0])
    else:
        loop.acknowledge()


async def play_until(
    pilot: Pilot[Any],
    app: KibitzApp,
    reached: Callable[[], bool],
    answer: Callable[[Pilot[Any], KibitzApp], Awaitable[None]] = answer_by_keyboard,
) -> None:
    """Answer every question until the condition holds."""
    await to_question(pilot, app)
    while not reached():
        assert not is_over(app), "the match ended first"
        await answer(pilot, app)
        await to_question(pilot, app)


def prompt_of(app: KibitzApp) -> str:
    """The text above the hand, without line breaks."""
    return table_of(app).query_one(Prompt).text


async def in_windows(
    pilot: Pilot[Any], sizes: Iterable[tuple[int, int]]
) -> AsyncIterator[tuple[int, int]]:
    """Resize the window to each size in turn."""
    for size in sizes:
        await pilot.resize_terminal(*size)
        await pilot.pause()
        yield size


async def open_tab(pilot: Pilot[Any], app: KibitzApp, key: str) -> None:
    """Open a tab of the panel by its key."""
    await pilot.press(key)
    await pilot.pause()
    await tab_drawn(pilot, app)


async def tab_drawn(pilot: Pilot[Any], app: KibitzApp) -> None:
    """Wait for the line below the title of the tab, which Textual draws later."""

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
    """The characters on the screen, line by line."""
    return "\n".join(strip.text for strip in strips_of(app))


def strips_of(app: App[Any]) -> list[Strip]:
    """The lines on the screen. Textual keeps what is drawn here for the next picture, so the
    screens below a form have to be known, or the form would hide them from then on."""
    visible_screen_stack.set(app._background_screens)
    return app.screen._compositor.render_strips()
