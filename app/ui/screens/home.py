"""Home: the games and the menu.

It is painted before anything that reads the disk or creates players is loaded.
"""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from datetime import UTC, datetime
from importlib import import_module
from typing import TYPE_CHECKING

from textual import events, on, work
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Grid, Horizontal, Vertical
from textual.content import Content
from textual.screen import Screen
from textual.timer import Timer
from textual.widgets import Static

from app.ui.screens.requests import (
    OpenDaily,
    OpenForm,
    OpenGuide,
    OpenHistory,
    OpenLab,
    OpenPractice,
    OpenRules,
    OpenSettings,
    OpenStage,
    OpenStats,
    OpenTable,
    OpenWaiting,
    ResumeMatch,
)
from app.ui.widgets.entry import Entry
from app.ui.widgets.game_tile import GameTile, Note, QuietTile, Tile
from app.ui.widgets.scroll import Scroll
from app.ui.widgets.wordmark import Wordmark
from engine.manifest import GAME_ROWS

if TYPE_CHECKING:
    from app.records.history import History
    from app.records.scorekeeper import Scorekeeper, Waiting
    from app.ui.screens.quiet_match import QuietMatch

_MENU = {
    "new": "New",
    "watch": "Watch",
    "daily": "Daily",
    "practice": "Practice",
    "learn": "Learn",
    "lab": "Lab",
    "history": "History",
    "stats": "Stats",
    "rules": "Rules",
    "settings": "Settings",
    "quit": "Quit",
}
"""What can be done on Home. Each name is an action of the screen."""

_GAME_KEYS = "1234567890"
"""The keys that deal the games of the manifest, in its order."""

_MANY = 6
"""From this many games on, the tiles scroll."""

_QUIET_GAME = "truco"
"""The game of the quiet match."""

_QUIET_SEED = 7
_QUIET_MOVE = 1.8
"""Seconds between the actions of the quiet match."""


async def _nothing_due() -> int:
    return 0


class HomeScreen(Screen[None]):
    """Enter on a game deals immediately. The menu below refers to the game chosen last."""

    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (80, "-normal"), (110, "-wide"), (160, "-huge")]
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
        Binding("U", "waiting", "Matches to resume", show=False, id="home.waiting"),
        Binding("n", "new", "New", tooltip="New table", id="home.new"),
        Binding("v", "watch", "Watch", tooltip="Watch agents play", id="home.watch"),
        Binding("d", "daily", "Daily", tooltip="Daily deal", id="home.daily"),
        Binding("D", "board", "Daily deals", show=False, tooltip="Daily deals", id="home.board"),
        Binding("p", "practice", "Practice", tooltip="Practise", id="home.practice"),
        Binding("w", "learn", "Learn", tooltip="Watch it learn", id="home.learn"),
        Binding("b", "lab", "Lab", id="home.lab"),
        Binding("y", "history", "History", id="home.history"),
        Binding("s", "stats", "Stats", id="home.stats"),
        Binding("r", "rules", "Rules", id="home.rules"),
        Binding("g", "guide", "Guide", tooltip="Guided first hand", id="home.guide"),
        Binding("comma", "settings", "Settings", key_display=",", id="home.settings"),
        Binding("ctrl+q", "quit", "Quit", show=False, key_display="^q", id="home.quit"),
    ]

    def __init__(
        self,
        delay: Callable[[], float],
        history: "Callable[[], History]",
        keeper: "Callable[[], Scorekeeper]",
        ascii_only: Callable[[], bool] = lambda: False,
        count_due: Callable[[], Awaitable[int]] = _nothing_due,
    ) -> None:
        """
        delay    seconds between the moves of agents, as currently set
        ascii_only   whether to draw with plain characters, as currently set
        count_due    exercises that are due
        history, keeper
                 called after the screen has been painted
        """
        super().__init__()
        self._history = history
        self._keeper = keeper
        self._count = count_due
        self._ascii_only = ascii_only
        self._waiting: list[Waiting] = []
        """The matches to resume, the one left last first."""
        self._stands: dict[str, str] = {}
        """Where the waiting match of each game stands that was left last."""
        self._said: set[str] = set()
        self._words: dict[str, str] = {}
        """Your record in each game."""
        self._today: dict[str, str] = {}
        """Your results in today's deals, by game."""
        self._due = 0
        """Exercises that are due."""
        self._delay = delay
        self._chosen = next(iter(GAME_ROWS.values()))
        self._quiet: QuietMatch | None = None
        self._quiet_timer: Timer | None = None

    def compose(self) -> ComposeResult:
        self._fit_window()
        with Horizontal(id="head"):
            yield Wordmark(self._ascii_only(), id="title")
            with Vertical(id="today"):
                yield Static("Card games against agents that learn", id="subtitle")
                yield Static(id="resume")
                yield Static(self._daily_text(), id="daily")
        many = "-many" if len(GAME_ROWS) >= _MANY else ""
        with Scroll(id="middle"), Grid(id="tiles", classes=many):
            for number, row in enumerate(GAME_ROWS.values(), 1):
                key = _GAME_KEYS[number - 1 : number]
                tile = GameTile(row, key, self._accent(row.name), self._ascii_only())
                tile.set_reactive(GameTile.chosen, row is self._chosen)
                yield tile
            yield QuietTile("Easy against Hard", "accent-truco", self._ascii_only())
        with Horizontal(id="menu"):
            for name in _MENU:
                yield Entry(self._menu_text(name), id=f"menu-{name}", classes="line")

    def _accent(self, game: str) -> str:
        """The variable of a game's colour."""
        own = f"accent-{game}"
        return own if own in self.app.theme_variables else "accent"

    def _menu_text(self, name: str) -> Content:
        due = f" {self._due}" if name == "practice" and self._due else ""
        return self._command(name, f"{_MENU[name]}{due}")

    def _command(self, action: str, words: str) -> Content:
        """An action with its key, which the person may have changed."""
        keys = {
            active.binding.action: self.app.get_key_display(active.binding)
            for active in self.active_bindings.values()
        }
        return Content.assemble((keys.get(action, ""), "bold $footer-key-foreground"), f" {words}")

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
        self.query_one(Wordmark).ascii_only = self._ascii_only()
        for tile in self.query(Tile):
            tile.ascii_only = self._ascii_only()
        self.call_after_refresh(self._look_up)

    def on_screen_suspend(self) -> None:
        if self._quiet_timer is not None:
            self._quiet_timer.pause()

    @work(exclusive=True, group="look up")
    async def _look_up(self) -> None:
        """Read the disk after the tiles are painted."""
        for module in (
            "app.records.personal_rating",
            "app.records.personal_record",
            "app.records.scorekeeper",
            "app.ui.screens.quiet_match",
        ):
            await asyncio.to_thread(import_module, module)
        self._show_menu()
        self._show_records()
        self._show_waiting()
        self._count_due()
        self._play_quietly()

    def _show_menu(self) -> None:
        for name in _MENU:
            for entry in self.query(f"#menu-{name}").results(Entry):
                entry.update(self._menu_text(name))

    @work(exclusive=True, group="due")
    async def _count_due(self) -> None:
        """Show how many exercises are due. A problem is reported by Practice itself."""
        from app.records.history import HistoryError

        with suppress(HistoryError):
            self._due = await self._count()
            self._show_menu()

    @work(exclusive=True, group="records")
    async def _show_records(self) -> None:
        """Show your current record on the tiles. Problems are reported once."""
        from app.records.history import HistoryError
        from app.records.personal_rating import personal_ratings
        from app.records.personal_record import records, todays_results

        history = self._history()
        try:
            matches = await asyncio.to_thread(history.matches)
        except HistoryError as error:
            self._notify_once(str(error))
            return
        for notice in history.notices:
            self._notify_once(notice)
        self._words = {record.game: record.words() for record in records(matches)}
        for game, rating in personal_ratings(matches).items():
            if self._words.get(game):
                self._words[game] += f" · {rating.words()}"
        self._today = todays_results(matches, datetime.now(UTC).date())
        self._show_tiles()

    @work(exclusive=True, group="waiting")
    async def _show_waiting(self) -> None:
        """Show which matches can be resumed."""
        from app.ui.tables import table_class

        keeper = self._keeper()
        self._waiting = await asyncio.to_thread(keeper.waiting)
        while keeper.notices:
            self._notify_once(keeper.notices.pop(0))
        self._stands = {
            match.setup.game: match.words(table_class(match.setup.game).hand_word)
            for match in reversed(self._waiting)
        }
        self._show_tiles()

    def _show_tiles(self) -> None:
        """Update the tiles, if they still exist: the app may have been left meanwhile."""
        for game in GAME_ROWS:
            for tile in self.query(f"#game-{game}").results(GameTile):
                tile.show(self._words.get(game, ""), self._notes(game))
        self._show_today()
        self.refresh_bindings()

    def _notes(self, game: str) -> list[Note]:
        """The lines beside the cards of a game."""
        notes: list[Note] = []
        if result := self._today.get(game):
            notes.append((f"today {result}", "$felt-muted"))
        if game in self._stands:
            last = game == self._waiting[0].setup.game
            notes.append(("u resumes" if last else "waiting", "bold $win"))
            notes.append((self._stands[game], "$felt-muted"))
        return notes

    def _show_today(self) -> None:
        """The lines beside the wordmark: the match that waits for you, and today's deal."""
        for line in self.query("#resume").results(Static):
            line.display = bool(self._waiting)
            if self._waiting:
                line.update(self._resume_text())
        for line in self.query("#daily").results(Static):
            line.update(self._daily_text())

    def _resume_text(self) -> Content:
        """The match left last. If there are others, the score gives way to the key of the list."""
        game, count = self._waiting[0].setup.game, len(self._waiting)
        title, stands = GAME_ROWS[game].title.split()[0], self._stands[game]
        if count == 1:
            return self._command("resume", f"Resume {title}: {stands}")
        text = self._command("resume", f"Resume {title}: {stands.partition(',')[0]}")
        return Content("   ").join([text, self._command("waiting", f"all {count}")])

    def _daily_text(self) -> Content:
        result = self._today.get(self._chosen.name)
        told = f"{result} today" if result else "not played yet"
        return self._command("daily", f"Daily {self._chosen.title}: {told}")

    # The quiet match

    @property
    def _moves_quietly(self) -> bool:
        return self.app.animation_level != "none" and not self._ascii_only()

    @work(exclusive=True, group="quiet", exit_on_error=False)
    async def _play_quietly(self) -> None:
        """Show a match of two agents, and let it go on if animations are on."""
        from app.ui.screens.quiet_match import QuietMatch

        if self._quiet is None:
            self._quiet = await asyncio.to_thread(QuietMatch, _QUIET_GAME, _QUIET_SEED)
            self._show_quiet(self._quiet)
        if self._quiet_timer is None:
            self._quiet_timer = self.set_interval(_QUIET_MOVE, self._go_on_quietly)
        self._quiet_timer.resume()

    @work(exclusive=True, group="quiet move", exit_on_error=False)
    async def _go_on_quietly(self) -> None:
        if self._quiet is not None and self._moves_quietly and self.is_current:
            await asyncio.to_thread(self._quiet.step)
            self._show_quiet(self._quiet)

    def _show_quiet(self, match: "QuietMatch") -> None:
        for tile in self.query(QuietTile):
            tile.show(match.picture())

    def _notify_once(self, sentence: str) -> None:
        if sentence not in self._said:
            self._said.add(sentence)
            self.notify(sentence, timeout=8, markup=False)

    def on_descendant_focus(self, event: events.DescendantFocus) -> None:
        """The game with the focus is the one the menu refers to."""
        if isinstance(event.widget, GameTile):
            self._chosen = event.widget.row
            for tile in self.query(GameTile):
                tile.chosen = tile is event.widget
            self._show_today()

    @on(Entry.Chosen)
    def _entry_chosen(self, event: Entry.Chosen) -> None:
        kind, _, name = (event.entry.id or "").partition("-")
        if kind == "game":
            self._deal(name)
        elif kind == "quiet":
            self._deal(_QUIET_GAME, watch=True)
        else:
            self.call_later(self.run_action, name)

    def _deal(self, game: str, watch: bool = False) -> None:
        from app.match.seating import plan_table

        plan = plan_table(game, delay=self._delay(), watch=watch)
        self.post_message(OpenTable(plan, offers_guide=not watch))

    def action_game(self, number: int) -> None:
        names = list(GAME_ROWS)
        if number <= len(names):
            self._deal(names[number - 1])

    def action_resume(self) -> None:
        """Resume the match that was left last."""
        if self._waiting:
            self.post_message(ResumeMatch(self._waiting[0].path))

    def action_waiting(self) -> None:
        """Choose a match to resume."""
        self.post_message(OpenWaiting())

    def action_daily(self) -> None:
        """Play today's deal, the same for everyone; once it is played, show the board."""
        if self._chosen.name in self._today:
            self.action_board()
            return
        from app.match.dealing import daily_plan
        from app.match.seating import plan_table

        plan = plan_table(self._chosen.name, delay=self._delay())
        self.post_message(OpenTable(daily_plan(plan, datetime.now(UTC).date())))

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        return action not in ("resume", "waiting") or bool(self._waiting)

    async def action_quit(self) -> None:
        await self.app.action_quit()

    def action_new(self) -> None:
        self.post_message(OpenForm(self._chosen.name))

    def action_learn(self) -> None:
        self.post_message(OpenStage(self._chosen.name))

    def action_watch(self) -> None:
        self._deal(self._chosen.name, watch=True)

    def action_board(self) -> None:
        """Your week of daily deals, and what agents scored."""
        self.post_message(OpenDaily(self._chosen.name))

    def action_practice(self) -> None:
        """Practise all games; new exercises of the chosen one come first."""
        self.post_message(OpenPractice(first=self._chosen.name))

    def action_history(self) -> None:
        self.post_message(OpenHistory())

    def action_stats(self) -> None:
        self.post_message(OpenStats())

    def action_lab(self) -> None:
        self.post_message(OpenLab(self._chosen.name))

    def action_rules(self) -> None:
        self.post_message(OpenRules(self._chosen.name))

    def action_guide(self) -> None:
        """Play the guided first hand of the chosen game."""
        self.post_message(OpenGuide(self._chosen.name))

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
