"""A row of Settings: a command and its keys. Enter changes them."""

from textual import events
from textual.binding import Binding
from textual.content import Content
from textual.keys import format_key
from textual.message import Message
from textual.widget import Widget

_WIDE = 22


class KeyRow(Widget, can_focus=True):
    """Asks for another key, or for the usual one.

    command   the name of the command
    """

    DEFAULT_CSS = "KeyRow { height: 1; width: 1fr; } KeyRow:focus { background: $primary 30%; }"
    BINDINGS = [
        Binding("enter", "change", "Change", key_display="Enter", id="key-row.change"),
        Binding("delete,backspace", "reset", "Usual key", key_display="Del", id="key-row.reset"),
    ]

    class Asked(Message):
        """change: False to return to the usual key"""

        def __init__(self, row: "KeyRow", change: bool) -> None:
            super().__init__()
            self.row = row
            self.change = change

    def __init__(self, command: str, what: str, keys: str) -> None:
        """keys: separated by commas"""
        super().__init__(classes="key-row")
        self.command = command
        self.what = what
        self.keys = keys

    def show_keys(self, keys: str) -> None:
        self.keys = keys
        self.refresh()

    def render(self) -> Content:
        keys = " ".join([format_key(key.strip()) for key in self.keys.split(",")])
        return Content(f"{self.what:<{_WIDE}}{keys:<16}{self.command}")

    def action_change(self) -> None:
        self.post_message(self.Asked(self, True))

    def action_reset(self) -> None:
        self.post_message(self.Asked(self, False))

    def on_click(self, event: events.Click) -> None:
        self.action_change()
