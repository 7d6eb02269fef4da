"""Home: the games and the menu.

It is painted before anything that reads the disk or creates players is loaded.
"""

import asyncio
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from importlib import import_module
from typing import TYPE_CHECKING

from textual import events, on, work
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Grid, Horizontal
from textual.content import Content
from textual.screen import Screen
from textual.widgets import Static

from app.ui.screens.requests import (
    OpenForm,
    OpenHistory,
    OpenLab,
    OpenRules,
    OpenSettings,
    OpenStage,
    OpenStats,
    OpenTable,
    OpenWaiting,
    ResumeMatch,
)
from app.ui.widgets.entry import Entry
from app.ui.widgets.keys import Keys
from app.ui.widgets.scroll import Scroll
from engine.manifest import GAME_ROWS, GameRow

if TYPE_CHECKING:
    from app.records.history import History
    from app.records.scorekeeper import Scorekeeper, Waiting

_MENU = {
    "new": "New table",
    "watch": "Watch",
    "daily": "Daily",
    "learn": "Learn",
    "lab": "Lab",
    "history": "History",
    "stats": "Stats",
    "rules": "Rules",
    "settings": "Settings",
    "quit": "Quit",
}


_GAME_KEYS = "1234567890"
"""The keys that deal the games of the manifest, in its order."""


class HomeScreen(Screen[None]):
    """Enter on a game deals immediately. The menu below refers to the game chosen last."""

    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (80, "-normal"), (110, "-wide")]
    VERTICAL_BREAKPOINTS = [(0, "-low"), (36, "-tall")]
    BINDINGS = [
        *[
            Binding(key, f"game({number})", show=False, id=f"home.game-{number}")
            for number, key in enumerate(_GAME_KEYS, 1)
        ],
        Binding("up,k", "move(-1, 0)", show=False, id="home.up"),
        Binding("down,j", "move(1, 0)", show=False, id="home.down"),
        Binding("left,h", "move(0, -1)", show=False, id="home.left"),
        Binding("right,l", "move(0, 1)", show=False, id="home.right"),
        Binding("u", "resume", "Resume", show=False, id="home.resume"),
        Binding("n", "new", "New", tooltip="New table", id="home.new"),
        Binding("v", "watch", "Watch", tooltip="Watch agents play", id="home.watch"),
        Binding("d", "daily", "Daily", tooltip="Daily deal", id="home.daily"),
        Binding("w", "learn", "Learn", tooltip="Watch it learn", id="home.learn"),
        Binding("b", "lab", "Lab", id="home.lab"),
        Binding("y", "history", "History", id="home.history"),
        Binding("s", "stats", "Stats", id="home.stats"),
        Binding("r", "rules", "Rules", id="home.rules"),
        Binding("comma", "settings", "Settings", key_display=",", id="home.settings"),
    ]

    def __init__(
        self,
        delay: Callable[[], float],
        history: "Callable[[], History]",
        keeper: "Callable[[], Scorekeeper]",
    ) -> None:
        """
        delay    seconds between the moves of agents, as currently set
        history, keeper
                 called after the screen has been painted
        """
        super().__init__()
        self._history = history
        self._keeper = keeper
        self._waiting: dict[str, list[Waiting]] = {}
        self._said: set[str] = set()
        self._words: dict[str, str] = {}
        """Your record in each game."""
        self._delay = delay
        self._chosen = next(iter(GAME_ROWS.values()))

    def compose(self) -> ComposeResult:
        self._fit_window()
        yield Static("Kibitz", id="title")
        yield Static("card games against agents that learn", id="subtitle")
        with Scroll(id="middle"):
            with Grid(id="tiles"):
                for number, tile in enumerate(GAME_ROWS.values(), 1):
                    text = _text(number, tile, "", ())
                    yield Entry(text, id=f"game-{tile.name}", classes="tile")
            with Horizontal(id="menu"):
                for name, title in _MENU.items():
                    yield Entry(title, id=f"menu-{name}", classes="line")
        yield Keys(palette=False)

    def _fit_window(self) -> None:
        """Set the size classes before the first paint; Textual does it only afterwards."""
        width, height = self.app.size
        self.add_class(*self._get_breakpoint_classes(width, self.HORIZONTAL_BREAKPOINTS))
        self.add_class(*self._get_breakpoint_classes(height, self.VERTICAL_BREAKPOINTS))

    def on_resize(self, event: events.Resize) -> None:
        """Ignore outdated sizes. With two sizes on their way to a covered screen, Textual would lay
        out one and the other for ever."""
        if event.size != self.app.size:
            event.prevent_default()

    def on_screen_resume(self) -> None:
        self.call_after_refresh(self._look_up)

    @work(exclusive=True, group="look up")
    async def _look_up(self) -> None:
        """Read the disk after the tiles are painted."""
        for module in ("app.records.personal_record", "app.records.scorekeeper"):
            await asyncio.to_thread(import_module, module)
        self._show_records()
        self._show_waiting()

    @work(exclusive=True, group="records")
    async def _show_records(self) -> None:
        """Show your current record on the tiles. Problems are reported once."""
        from app.records.history import HistoryError
        from app.records.personal_record import records

        history = self._history()
        try:
            found = await asyncio.to_thread(lambda: records(history.matches()))
        except HistoryError as error:
            self._notify_once(str(error))
            return
        for notice in history.notices:
            self._notify_once(notice)
        self._words = {record.game: record.words() for record in found}
        self._show_tiles()

    @work(exclusive=True, group="waiting")
    async def _show_waiting(self) -> None:
        """Show which matches can be resumed."""
        keeper = self._keeper()
        found = await asyncio.to_thread(keeper.waiting)
        while keeper.notices:
            self._notify_once(keeper.notices.pop(0))
        self._waiting = {
            tile.name: [match for match in found if match.setup.game == tile.name]
            for tile in GAME_ROWS.values()
        }
        self._show_tiles()

    def _show_tiles(self) -> None:
        """Update the tiles, if they still exist: the app may have been left meanwhile."""
        for number, tile in enumerate(GAME_ROWS.values(), 1):
            words, waiting = self._words.get(tile.name, ""), self._waiting.get(tile.name, ())
            for entry in self.query(f"#game-{tile.name}").results(Entry):
                entry.update(_text(number, tile, words, waiting))
        self.refresh_bindings()

    def _notify_once(self, sentence: str) -> None:
        if sentence not in self._said:
            self._said.add(sentence)
            self.notify(sentence, timeout=8, markup=False)

    def on_descendant_focus(self, event: events.DescendantFocus) -> None:
        for tile in GAME_ROWS.values():
            if event.widget.id == f"game-{tile.name}":
                self._chosen = tile
            entry = self.query_one(f"#game-{tile.name}")
            entry.set_class(tile is self._chosen, "-chosen")

    @on(Entry.Chosen)
    def _entry_chosen(self, event: Entry.Chosen) -> None:
        kind, _, name = (event.entry.id or "").partition("-")
        if kind == "game":
            self._deal(name)
        elif name == "quit":
            self.call_later(self.app.action_quit)
        else:
            self.call_later(self.run_action, name)

    def _deal(self, game: str, watch: bool = False) -> None:
        from app.match.seating import plan_table

        self.post_message(OpenTable(plan_table(game, delay=self._delay(), watch=watch)))

    def action_game(self, number: int) -> None:
        names = list(GAME_ROWS)
        if number <= len(names):
            self._deal(names[number - 1])

    def action_resume(self) -> None:
        """Resume the waiting match, or choose one from a list."""
        waiting = self._waiting.get(self._chosen.name, [])
        if len(waiting) == 1:
            self.post_message(ResumeMatch(waiting[0].path))
        elif any(self._waiting.values()):
            self.post_message(OpenWaiting(self._chosen.name))

    def action_daily(self) -> None:
        """Play today's deal, the same for everyone."""
        from app.match.dealing import daily_plan
        from app.match.seating import plan_table

        plan = plan_table(self._chosen.name, delay=self._delay())
        self.post_message(OpenTable(daily_plan(plan, datetime.now(UTC).date())))

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        return action != "resume" or any(self._waiting.values())

    def action_new(self) -> None:
        self.post_message(OpenForm(self._chosen.name))

    def action_learn(self) -> None:
        self.post_message(OpenStage(self._chosen.name))

    def action_watch(self) -> None:
        self._deal(self._chosen.name, watch=True)

    def action_history(self) -> None:
        self.post_message(OpenHistory())

    def action_stats(self) -> None:
        self.post_message(OpenStats())

    def action_lab(self) -> None:
        self.post_message(OpenLab(self._chosen.name))

    def action_rules(self) -> None:
        self.post_message(OpenRules(self._chosen.name))

    def action_settings(self) -> None:
        self.post_message(OpenSettings())

    def action_move(self, down: int, right: int) -> None:
        """Move to the neighbouring entry in the layout."""
        rows = self._rows()
        at = next(
            ((y, x) for y, row in enumerate(rows) for x, each in enumerate(row) if each.has_focus),
            (0, 0),
        )
        y = min(max(0, at[0] + down), len(rows) - 1)
        x = min(max(0, at[1] + right), len(rows[y]) - 1)
        rows[y][x].focus()

    def _rows(self) -> list[list[Entry]]:
        """The entries by their position on the screen."""
        rows: dict[int, list[Entry]] = {}
        for entry in self.query(Entry):
            rows.setdefault(entry.region.y, []).append(entry)
        return [rows[y] for y in sorted(rows)]


def _text(number: int, tile: GameRow, record: str, waiting: "Sequence[Waiting]") -> Content:
    resume = "   u resumes" if waiting else ""
    if len(waiting) > 1:
        resume += f" one of {len(waiting)}"
    key = _GAME_KEYS[number - 1 : number]
    return Content.assemble(
        (f"{key}  {tile.title}".strip(), "bold"),
        (f"   {record}" if record else "", "$text-accent"),
        (resume, "$text-success"),
        "\n",
        (tile.summary, "dim"),
    )
