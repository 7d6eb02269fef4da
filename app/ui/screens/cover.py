"""Hides the cards while two people pass one keyboard."""

from textual.app import ComposeResult
from textual.binding import Binding
from textual.content import Content
from textual.widgets import Static

from app.ui.layout.card_art import NORMAL, back_rows
from app.ui.screens.asking import Asking

_CARDS = 3


class Cover(Asking[None]):
    """An opaque screen that asks to pass the keyboard."""

    CSS = """
    Cover { background: $felt; align: center middle; }
    Cover Static { width: 100%; text-align: center; color: $felt-ink; }
    Cover #cards { height: 6; }
    """
    BINDINGS = [Binding("enter", "uncover", "Show my cards", id="cover.uncover")]

    def __init__(self, name: str) -> None:
        super().__init__()
        self._person = name

    def compose(self) -> ComposeResult:
        rows = [Content("  ").join([Content.assemble(*row)] * _CARDS) for row in back_rows(NORMAL)]
        yield Static(Content("\n").join(rows), id="cards")
        yield Static(f"Pass the keyboard to {self._person}, then press Enter.")

    def on_click(self) -> None:
        self.dismiss()

    def action_uncover(self) -> None:
        self.dismiss()
