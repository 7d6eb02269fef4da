"""The app: which screen is open, and what outlives a screen."""

import asyncio
import signal
from collections.abc import Iterable, Sequence
from dataclasses import replace

from textual import events, on
from textual.app import App, SystemCommand
from textual.binding import Binding
from textual.constants import TEXTUAL_ANIMATIONS
from textual.dom import DOMNode
from textual.filter import LineFilter
from textual.geometry import Size
from textual.notifications import SeverityLevel
from textual.screen import Screen

from agents.store import Store
from app.inks import ink_variables
from app.locations import Locations, rules_page
from app.logfile import LOG
from app.loop import Clock
from app.requests import GoHome, OpenForm, OpenRules, OpenSettings, OpenTable
from app.screens.frame import TooSmall, too_small
from app.screens.home import HomeScreen
from app.screens.new_table import NewTableScreen
from app.screens.play import PlayScreen
from app.screens.rules import RulesScreen
from app.screens.settings import SettingsScreen
from app.screens.table import TableScreen
from app.screens.watch import WatchScreen
from app.seating import TablePlan
from app.settings import Settings, SettingsError, read_settings, write_settings
from app.tables import TABLES
from app.widgets.plain import PlainFilter
from engine import GAMES

_ON_THE_TABLE = ("place(", "move(")
"""Actions of keys that mean nothing without looking at the table."""


class KibitzApp(App[None]):
    TITLE = "Kibitz"
    CSS_PATH = "kibitz.tcss"
    DEFAULT_MODE = "home"
    BINDINGS = [Binding("ctrl+q", "quit", "Quit", show=False, priority=True, id="app.quit")]

    def __init__(
        self,
        locations: Locations,
        plan: TablePlan | None = None,
        ascii_only: bool = False,
        delay: float | None = None,
        clock: Clock | None = None,
    ) -> None:
        """plan: a table to open at once; ascii_only, delay: for this time, whatever the
        settings say; clock: time for the match loops, for tests."""
        self.settings, self._broken_settings = read_settings(locations.settings)
        super().__init__()
        self._settings_file = locations.settings
        self._log_file = locations.log
        self._store = Store(locations.qtables)
        self._plan = plan
        self._needs_ascii = ascii_only
        self._delay_asked_for = delay
        self._clock = clock
        self._plain = PlainFilter()
        self.add_mode(self.DEFAULT_MODE, self._home)

    @property
    def ascii_only(self) -> bool:
        return self._needs_ascii or self.settings.ascii_cards

    @property
    def delay(self) -> float:
        """Seconds between the moves of agents at a new table."""
        asked_for = self._delay_asked_for
        return self.settings.delay if asked_for is None else asked_for

    def _home(self) -> HomeScreen:
        return HomeScreen(
            [game for name, game in GAMES.items() if name in TABLES], lambda: self.delay
        )

    def get_line_filters(self) -> Sequence[LineFilter]:
        filters = super().get_line_filters()
        return [*filters, self._plain] if self.ascii_only else filters

    def get_css_variables(self) -> dict[str, str]:
        variables = super().get_css_variables()
        deck, dark = self.settings.deck, self.current_theme.dark
        self.theme_variables = variables | ink_variables(deck, dark, variables["foreground"])
        return self.theme_variables

    def on_mount(self) -> None:
        if not self.is_headless:
            self._leave_on_signals()
        self._follow_settings()
        for sentence in self._broken_settings:
            self.notify(sentence, timeout=12, markup=False)
        self.theme_changed_signal.subscribe(self, lambda theme: self._theme_chosen(theme.name))
        if self._plan is not None:
            self.post_message(OpenTable(self._plan))

    def on_resize(self, event: events.Resize) -> None:
        self._cover_if_too_small(event.size)

    def _cover_if_too_small(self, size: Size) -> None:
        if too_small(size) and not isinstance(self.screen, TooSmall):
            self.push_screen(TooSmall())

    def get_system_commands(self, screen: Screen[object]) -> Iterable[SystemCommand]:
        """What the keys of the screen do, then what Textual offers."""
        offered: set[str] = set()
        for active in screen.active_bindings.values():
            binding = active.binding
            on_the_table = binding.action.startswith(_ON_THE_TABLE)
            if binding.id and binding.description and not on_the_table and active.node is screen:
                if binding.id in offered:
                    continue
                offered.add(binding.id)
                key = self.get_key_display(binding)
                yield SystemCommand(
                    binding.description,
                    f"The same as the key {key}",
                    lambda action=binding.action: screen.run_action(action),
                )
        yield from super().get_system_commands(screen)

    @on(OpenTable)
    async def _open_table(self, event: OpenTable) -> None:
        await self._back_to_home()
        kind = WatchScreen if event.plan.watched else PlayScreen
        await self.push_screen(kind(event.plan, self._store, self.ascii_only, self._clock))
        self._cover_if_too_small(self.size)

    @on(OpenForm)
    async def _open_form(self, event: OpenForm) -> None:
        await self.push_screen(NewTableScreen(GAMES[event.game], self.delay))

    @on(OpenRules)
    async def _open_rules(self, event: OpenRules) -> None:
        try:
            page = rules_page(event.game)
        except OSError:
            self.notify(f"The rules of {GAMES[event.game].title} are missing; reinstall Kibitz.")
        else:
            await self.push_screen(RulesScreen(page))

    @on(OpenSettings)
    async def _open_settings(self) -> None:
        await self.push_screen(
            SettingsScreen(self.settings, sorted(self.available_themes), self._keys())
        )

    def _keys(self) -> list[tuple[str, str, str]]:
        """What can be given other keys: its id, what it does, and its keys."""
        listed: dict[str, tuple[str, str]] = {}
        for screen in (HomeScreen, PlayScreen, WatchScreen):
            for binding in Binding.make_bindings(screen.BINDINGS):
                if binding.id and binding.description and not binding.action.startswith("place("):
                    key = self.settings.keys.get(binding.id, binding.key)
                    listed[binding.id] = binding.description, key
        return [(name, what, key) for name, (what, key) in listed.items()]

    @on(SettingsScreen.Changed)
    def _settings_changed(self, event: SettingsScreen.Changed) -> None:
        self._keep(event.settings)
        self._follow_settings()

    def _theme_chosen(self, theme: str) -> None:
        """The palette offers themes too."""
        if theme != self.settings.theme:
            self._keep(replace(self.settings, theme=theme))

    def _keep(self, settings: Settings) -> None:
        self.settings = settings
        try:
            said = write_settings(self._settings_file, settings)
        except SettingsError as error:
            said = str(error)
        if said:
            self.notify(said, markup=False)

    def _follow_settings(self) -> None:
        settings = self.settings
        if settings.theme in self.available_themes:
            self.theme = settings.theme
        else:
            self.notify(f"There is no theme {settings.theme!r}; choose one in Settings.")
        if not settings.animations:
            self.animation_level = "none"
        elif self.animation_level == "none" and TEXTUAL_ANIMATIONS != "none":
            self.animation_level = TEXTUAL_ANIMATIONS
        self.set_keymap(dict(settings.keys))
        self.refresh_css(animate=False)

    def handle_bindings_clash(self, clashed_bindings: set[Binding], node: DOMNode) -> None:
        names = sorted([binding.id or binding.action for binding in clashed_bindings])
        self.notify(f"Another key took the place of {', '.join(names)}.", markup=False)

    @on(GoHome)
    async def _back_to_home(self) -> None:
        """Leave whatever is open; tables are saved."""
        await self._leave_tables()
        while len(self.screen_stack) > 1:
            await self.pop_screen()

    async def _leave_tables(self) -> None:
        for screen in self.screen_stack:
            if isinstance(screen, TableScreen):
                await screen.leave()

    def notify(
        self,
        message: str,
        *,
        title: str = "",
        severity: SeverityLevel = "information",
        timeout: float | None = None,
        markup: bool = True,
    ) -> None:
        LOG.info("Said: %s", message)
        super().notify(message, title=title, severity=severity, timeout=timeout, markup=markup)

    def _fatal_error(self) -> None:
        """Textual shows a traceback; a person gets a sentence, and the log the rest."""
        LOG.exception("The app had to stop")
        self._exit_renderables.append(
            f"Kibitz had to stop; what happened is in {self._log_file}, and no match is lost."
        )
        self._close_messages_no_wait()

    def _leave_on_signals(self) -> None:
        """Being told to end, or losing the terminal, is a way to quit."""
        loop = asyncio.get_running_loop()
        for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
            loop.add_signal_handler(number, self._told_to_leave, number)

    def _told_to_leave(self, number: signal.Signals) -> None:
        LOG.info("Told to leave by %s", number.name)
        self.call_later(self.action_quit)

    async def _on_exit_app(self) -> None:
        """However the app comes to its end, also because a browser's tab was closed."""
        await self._leave_tables()

    async def action_quit(self) -> None:
        await self._leave_tables()
        self.exit()
