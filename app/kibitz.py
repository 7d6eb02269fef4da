"""The app: which screen is open, and what outlives a screen.

Only the first screen is imported at once, the others when they are opened: it shall be there
without delay.
"""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from textual import events, on
from textual.app import App, SystemCommand
from textual.binding import Binding
from textual.filter import LineFilter
from textual.geometry import Size
from textual.screen import Screen

from agents.store import Store
from app.locations import Locations, rules_page
from app.requests import GoHome, OpenForm, OpenRules, OpenTable
from app.screens.frame import TooSmall, too_small
from app.screens.home import HomeScreen
from app.seating import DEFAULT_DELAY, TablePlan
from app.tables import TABLES
from app.widgets.plain import PlainFilter
from engine import GAMES

if TYPE_CHECKING:
    from app.loop import Clock

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
        delay: float = DEFAULT_DELAY,
        clock: "Clock | None" = None,
    ) -> None:
        """plan: a table to open at once; clock: time for the match loops, for tests."""
        super().__init__()
        self.ascii_only = ascii_only
        self._store = Store(locations.qtables)
        self._plan = plan
        self._delay = delay
        self._clock = clock
        self._plain = PlainFilter()
        self.add_mode(self.DEFAULT_MODE, self._home)

    def _home(self) -> HomeScreen:
        return HomeScreen([game for name, game in GAMES.items() if name in TABLES], self._delay)

    def get_line_filters(self) -> Sequence[LineFilter]:
        filters = super().get_line_filters()
        return [*filters, self._plain] if self.ascii_only else filters

    def on_mount(self) -> None:
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
        from app.screens.play import PlayScreen
        from app.screens.watch import WatchScreen

        await self._back_to_home()
        kind = WatchScreen if event.plan.watched else PlayScreen
        await self.push_screen(kind(event.plan, self._store, self.ascii_only, self._clock))
        self._cover_if_too_small(self.size)

    @on(OpenForm)
    async def _open_form(self, event: OpenForm) -> None:
        from app.screens.new_table import NewTableScreen

        await self.push_screen(NewTableScreen(GAMES[event.game], self._delay))

    @on(OpenRules)
    async def _open_rules(self, event: OpenRules) -> None:
        from app.screens.rules import RulesScreen

        try:
            page = rules_page(event.game)
        except OSError:
            self.notify(f"The rules of {GAMES[event.game].title} are missing; reinstall Kibitz.")
        else:
            await self.push_screen(RulesScreen(page))

    @on(GoHome)
    async def _back_to_home(self) -> None:
        """Leave whatever is open; tables are saved."""
        await self._leave_tables()
        while len(self.screen_stack) > 1:
            await self.pop_screen()

    async def _leave_tables(self) -> None:
        from app.screens.table import TableScreen

        for screen in self.screen_stack:
            if isinstance(screen, TableScreen):
                await screen.leave()

    async def action_quit(self) -> None:
        await self._leave_tables()
        self.exit()
