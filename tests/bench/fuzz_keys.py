"""Sends random keys and clicks to the app, in every game, on every screen, in several sizes.

    python -m tests.bench.fuzz_keys --keys 100000

No key may raise an error, stop a table, leave a coroutine that is not awaited, or lead to a
screen that cannot be left. Every session has a seed; `--game GAME --session NUMBER` repeats one.
TEXTUAL_FPS=5 reduces the load of drawing.
"""

import argparse
import asyncio
import gc
import os
import sys
import tempfile
import traceback
import warnings
from collections import Counter
from contextlib import suppress
from pathlib import Path
from random import Random
from time import perf_counter

from textual import events
from textual.keys import _character_to_key

from app.home.locations import Locations
from app.match.moment import NOBODY
from app.match.seating import plan_table
from app.ui.app import KibitzApp
from app.ui.screens.home import HomeScreen
from app.ui.screens.table import TableScreen
from engine import GAMES
from tests.app.driving import QuickClock, is_over

SEATS = {game: list(plan_table(game).seats) for game in GAMES} | {
    "euchre": ["you", "easy", "q"],
    "smear": ["you", "easy", "q", "random"],
    "fodinha": ["you", "you", "easy", "q"],
}
SIZES = [(80, 24), (120, 40), (60, 20), (100, 30)]
KEYS_PER_SESSION = 2_000
"""Keys and clicks before a new app starts in a new home folder."""

BURSTS = [1, 2, 4, 8, 16, 32, 64, 128]
"""How many keys and clicks are sent together."""

_COMMON = ["left", "right", "up", "down", "enter", "enter", "enter", "space", "tab"]
_RARE = [
    "shift+tab",
    "home",
    "end",
    "pageup",
    "pagedown",
    "delete",
    "backspace",
    "ctrl+p",
    "ctrl+r",
]
_LETTERS = [*"abcdefghijklmnopqrstuvwxyzU?,.+-[]/=:\\ñ"]
KEYS = [*_COMMON * 5, *"123456789" * 3, *_LETTERS, *_RARE, "escape", "escape", "escape"]
_CLICKS = 0.2
"""The share of clicks."""

PATIENCE = 180.0
"""Seconds in which the app must handle its input, enough for a busy machine."""

_DROPPED = "CommandPalette._watch__show_busy"
"""A coroutine that Textual creates for a closing palette and never awaits."""

_FAILURES = ("stopped with an error", "could not decide", "could not learn", "an illegal action")
_ADVANCING = ["enter", *"1234567890", "right", "enter", *"abdefgiklmnopqrstuvxyz"]
"""Keys that continue any match when repeated; none of them leaves the table."""


class Session:
    """One app and its input.

    seen       how often each screen received input
    failures   a sentence for each error
    """

    def __init__(self, game: str, number: int, home: Path) -> None:
        self.seen: Counter[str] = Counter()
        self.failures: list[str] = []
        self.done = 0
        self._rng = Random(f"{game} {number}")
        self._size = SIZES[number % len(SIZES)]
        plan = plan_table(game, SEATS[game], delay=0.25, seed=number)
        self._app = KibitzApp(Locations(home), plan, clock=QuickClock())
        self._app.animation_level = "none"

    async def run(self, keys: int) -> None:
        """Send this many keys and clicks, or until one of them quits."""
        app = self._app
        async with app.run_test(size=self._size) as pilot:
            await pilot.pause()
            while self.done < keys and app.is_running:
                self.seen[type(app.screen).__name__] += 1
                for _ in range(min(self._rng.choice(BURSTS), keys - self.done)):
                    self._click() if self._rng.random() < _CLICKS else self._press_any()
                    self.done += 1
                await self._settle()
                self._check_notices()
            if app.is_running:
                await self._continue_match()
            if app.is_running:
                await self._go_home()
            if app.is_running:
                await self._quit()

    # Input

    def _press_any(self) -> None:
        self._press(self._rng.choice(KEYS))

    def _press(self, key: str) -> None:
        character = key if len(key) == 1 else {"enter": "\r", "space": " ", "tab": "\t"}.get(key)
        name = _character_to_key(key) if len(key) == 1 and not key.isalnum() else key
        self._send(events.Key(name, character))

    def _click(self) -> None:
        x, y = self._rng.randrange(self._size[0]), self._rng.randrange(self._size[1])
        for kind in (events.MouseMove, events.MouseDown, events.MouseUp):
            button = 0 if kind is events.MouseMove else 1
            self._send(kind(None, x, y, 0, 0, button, False, False, False, x, y))

    def _send(self, event: events.Event) -> None:
        driver = self._app._driver
        if driver is not None and self._app.is_running:
            driver.process_message(event)

    async def _settle(self) -> None:
        """Wait until the app and then its screen have handled the input."""
        app = self._app
        reached, answered = asyncio.Event(), asyncio.Event()
        app.call_later(reached.set)
        try:
            await asyncio.wait_for(reached.wait(), PATIENCE)
        except TimeoutError:
            if app.is_running:
                self._fail(f"The app did not respond for {PATIENCE} seconds.")
        app.screen.call_later(answered.set)
        with suppress(TimeoutError):
            await asyncio.wait_for(answered.wait(), 0.1)

    def _check_notices(self) -> None:
        for notification in self._app._notifications:
            if any(words in notification.message for words in _FAILURES):
                self._fail(notification.message)

    def _fail(self, sentence: str) -> None:
        if sentence not in self.failures:
            self.failures.append(sentence)

    # Leaving

    async def _continue_match(self) -> None:
        """Check that keys bring the table to its next action from any state."""
        app = self._app
        tables = [screen for screen in app.screen_stack if isinstance(screen, TableScreen)]
        if not tables or is_over(app):
            return
        (table,) = tables
        for _ in range(30):
            if app.screen is table:
                break
            self._press("escape")
            self._press("enter")
            await self._settle()
        before = self._played(table)
        for number in range(600):
            if self._played(table) != before or app.screen is not table:
                return
            moment = table.moment
            if moment is not None and moment.paused and moment.asked == NOBODY:
                self._press("p" if table.plan.watched else "P")
            self._press(_ADVANCING[number % len(_ADVANCING)])
            await self._settle()
        self._fail(f"The table of {table.plan.game} is stuck: {table.moment}")

    @staticmethod
    def _played(table: TableScreen) -> tuple[int, int]:
        loop, moment = table.loop, table.moment
        return len(loop.actions) if loop else -1, len(moment.results) if moment else -1

    async def _go_home(self) -> None:
        for _ in range(60):
            if isinstance(self._app.screen, HomeScreen) or not self._app.is_running:
                return
            self._press("escape")
            self._press("enter" if type(self._app.screen).__name__ == "Cover" else "escape")
            await self._settle()
        self._fail(f"{self._app.screen} cannot be left.")

    async def _quit(self) -> None:
        self._press("ctrl+q")
        for _ in range(200):
            if not self._app.is_running:
                return
            await self._settle()
            if type(self._app.screen).__name__ == "Question":
                self._press("d")
        self._fail("Ctrl+Q does not quit.")


def fuzz(game: str, number: int, keys: int, home: Path) -> Session:
    """Run one session. Errors and coroutines that are not awaited are failures."""
    session = Session(game, number, home)
    with warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always", RuntimeWarning)
        try:
            asyncio.run(session.run(keys))
        except Exception as error:
            traceback.print_exception(error)
            session.failures.append(f"{type(error).__name__}: {error}")
        gc.collect()
    undone = {str(each.message) for each in warned if issubclass(each.category, RuntimeWarning)}
    session.failures += sorted(each for each in undone if _DROPPED not in each)
    session.failures[:] = [f"{game}, session {number}: {each}" for each in session.failures]
    return session


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n\n")[0])
    parser.add_argument("--keys", type=int, default=100_000)
    parser.add_argument("--seconds", type=float, default=float("inf"), help="stop after this time")
    parser.add_argument("--game", choices=SEATS)
    parser.add_argument("--session", type=int)
    arguments = parser.parse_args()
    games = [arguments.game] if arguments.game else list(SEATS)
    done, number, started = Counter[str](), arguments.session or 0, perf_counter()
    seen: Counter[str] = Counter()
    failures: list[str] = []
    while done.total() < arguments.keys and perf_counter() - started < arguments.seconds:
        game = games[number % len(games)]
        with tempfile.TemporaryDirectory() as folder:
            os.environ.update(HOME=folder, XDG_DOWNLOAD_DIR=folder)
            session = fuzz(
                game,
                number,
                min(KEYS_PER_SESSION, arguments.keys - done.total()),
                Path(folder, "home"),
            )
        done[game] += max(1, session.done)
        seen += session.seen
        failures += session.failures
        for failure in session.failures:
            print(failure, file=sys.stderr, flush=True)
        number += 1
        print(f"{done.total():,} keys, {len(failures)} failures", file=sys.stderr, flush=True)
    for name, count in (*done.items(), *seen.most_common()):
        print(f"{name:<40}{count:>9,}")
    print(f"{'keys and clicks':<40}{done.total():>9,}")
    print(f"{'failures':<40}{len(failures):>9,}")
    print(f"{'seconds':<40}{perf_counter() - started:>9,.0f}")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
