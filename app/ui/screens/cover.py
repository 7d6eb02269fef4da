"""Hides the cards while two people pass one keyboard."""

from textual.app import ComposeResult
from textual.binding import Binding
from textual.widgets import Static

from app.ui.screens.asking import Asking


class Cover(Asking[None]):
    """An opaque screen that asks to pass the keyboard."""

    CSS = """
    Cover { background: $background; align: center middle; }
    Cover Static { width: 100%; text-align: center; }
    """
    BINDINGS = [Binding("enter", "uncover", "Show my cards", id="cover.uncover")]

    def __init__(self, name: str) -> None:
        super().__init__()
        self._person = name

    def compose(self) -> ComposeResult:
        yield Static(f"Pass the keyboard to {self._person}, then press Enter.")

    def on_click(self) -> None:
        self.dismiss()

    def action_uncover(self) -> None:
        self.dismiss()
