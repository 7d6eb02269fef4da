"""The rules page of a game."""

from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import VerticalScroll
from textual.screen import ModalScreen
from textual.widgets import Markdown

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
    ]

    def __init__(self, page: str) -> None:
        super().__init__()
        self._page = page

    def compose(self) -> ComposeResult:
        with VerticalScroll():
            yield Markdown(self._page)
        yield Keys()

    def action_scroll(self, lines: int) -> None:
        self.query_one(VerticalScroll).scroll_relative(y=lines, animate=False)
