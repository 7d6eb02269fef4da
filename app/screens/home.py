"""The first screen: the games, and what else there is to do."""

from collections.abc import Callable

from textual import events, on
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Grid, Horizontal
from textual.content import Content
from textual.screen import Screen
from textual.widgets import Footer, Static

from app.requests import OpenForm, OpenRules, OpenSettings, OpenTable
from app.seating import plan_table
from app.widgets.entry import Entry
from app.widgets.scroll import Scroll
from engine.game import Game

_MENU = {
    "new": "New table",
    "watch": "Watch",
    "rules": "Rules",
    "settings": "Settings",
    "quit": "Quit",
}


class HomeScreen(Screen[None]):
    """Enter on a game deals at once; the lines below are about the game chosen last."""

    CSS_PATH = "home.tcss"
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (80, "-normal"), (110, "-wide")]
    BINDINGS = [
        *[
            Binding(str(number), f"game({number})", show=False, id=f"home.game-{number}")
            for number in range(1, 6)
        ],
        Binding("up,k", "move(-1, 0)", "Move", key_display="↑↓←→", id="home.up"),
        Binding("down,j", "move(1, 0)", show=False, id="home.down"),
        Binding("left,h", "move(0, -1)", show=False, id="home.left"),
        Binding("right,l", "move(0, 1)", show=False, id="home.right"),
        Binding("n", "new", "New table", id="home.new"),
        Binding("r", "rules", "Rules", id="home.rules"),
        Binding("comma", "settings", "Settings", key_display=",", id="home.settings"),
    ]

    def __init__(self, games: list[Game], delay: Callable[[], float]) -> None:
        """delay: seconds between the moves of agents, as set at the moment."""
        super().__init__()
        self._games = games
        self._delay = delay
        self._chosen = games[0]

    def compose(self) -> ComposeResult:
        yield Static("Kibitz", id="title")
        yield Static("card games against agents that learn", id="subtitle")
        with Scroll(id="middle"):
            with Grid(id="tiles"):
                for number, game in enumerate(self._games, 1):
                    text = Content.assemble(
                        (f"{number}  {game.title}", "bold"), "\n", (game.summary, "dim")
                    )
                    yield Entry(text, id=f"game-{game.name}", classes="tile")
            with Horizontal(id="menu"):
                for name, title in _MENU.items():
                    yield Entry(title, id=f"menu-{name}", classes="line")
        yield Footer(compact=True)

    def on_descendant_focus(self, event: events.DescendantFocus) -> None:
        for game in self._games:
            if event.widget.id == f"game-{game.name}":
                self._chosen = game
            tile = self.query_one(f"#game-{game.name}")
            tile.set_class(game is self._chosen, "-chosen")

    @on(Entry.Chosen)
    def _entry_chosen(self, event: Entry.Chosen) -> None:
        kind, _, name = (event.entry.id or "").partition("-")
        if kind == "game":
            self._deal(name)
        elif name == "new":
            self.action_new()
        elif name == "watch":
            self._deal(self._chosen.name, watch=True)
        elif name == "rules":
            self.action_rules()
        elif name == "settings":
            self.action_settings()
        else:
            self.call_later(self.app.action_quit)

    def _deal(self, game: str, watch: bool = False) -> None:
        self.post_message(OpenTable(plan_table(game, delay=self._delay(), watch=watch)))

    def action_game(self, number: int) -> None:
        if number <= len(self._games):
            self._deal(self._games[number - 1].name)

    def action_new(self) -> None:
        self.post_message(OpenForm(self._chosen.name))

    def action_rules(self) -> None:
        self.post_message(OpenRules(self._chosen.name))

    def action_settings(self) -> None:
        self.post_message(OpenSettings())

    def action_move(self, down: int, right: int) -> None:
        """To the neighbouring entry, as they are laid out."""
        rows = self._rows()
        at = next(
            ((y, x) for y, row in enumerate(rows) for x, each in enumerate(row) if each.has_focus),
            (0, 0),
        )
        y = min(max(0, at[0] + down), len(rows) - 1)
        x = min(max(0, at[1] + right), len(rows[y]) - 1)
        rows[y][x].focus()

    def _rows(self) -> list[list[Entry]]:
        """The entries by where they are on the screen."""
        rows: dict[int, list[Entry]] = {}
        for entry in self.query(Entry):
            rows.setdefault(entry.region.y, []).append(entry)
        return [rows[y] for y in sorted(rows)]
