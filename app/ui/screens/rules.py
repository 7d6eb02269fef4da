"""The rules page of a game."""

from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import VerticalScroll
from textual.screen import ModalScreen
from textual.widgets import Markdown

from app.guides.guide import has_guide
from app.ui.screens.requests import OpenGuide
from app.ui.widgets.keys import Keys


class RulesScreen(ModalScreen[None]):
    """A scrollable rules page."""

    CSS = """
    RulesScreen { background: $background; }
    RulesScreen VerticalScroll { padding: 0 1; align-horizontal: center; }
    RulesScreen Markdown { max-width: 100; }
    """
    BINDINGS = [
        Binding("escape,r,q", "dismiss", "Back", key_display="Esc", id="rules.back"),
        Binding("down,j", "scroll(1)", "Scroll", key_display="↑↓", id="rules.down"),
        Binding("up,k", "scroll(-1)", show=False, id="rules.up"),
        Binding("g", "guide", "Play a guided hand", id="rules.guide"),
    ]

    def __init__(self, page: str, game: str = "") -> None:
        """game: whose guided hand can be played from here"""
        super().__init__()
        self._page = page
        self._game = game

    def compose(self) -> ComposeResult:
        with VerticalScroll():
            yield Markdown(self._page)
        yield Keys()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        return action != "guide" or has_guide(self._game)

    def action_guide(self) -> None:
        self.post_message(OpenGuide(self._game))

    def action_scroll(self, lines: int) -> None:
        self.query_one(VerticalScroll).scroll_relative(y=lines, animate=False)
