"""An item of the home screen that can be chosen: the tile of a game or a line below them."""

from textual.binding import Binding
from textual.message import Message
from textual.widgets import Static


class Entry(Static, can_focus=True):
    BINDINGS = [Binding("enter", "choose", "Choose", show=False, id="entry.choose")]

    class Chosen(Message):
        def __init__(self, entry: "Entry") -> None:
            super().__init__()
            self.entry = entry

    def action_choose(self) -> None:
        self.post_message(self.Chosen(self))

    def on_click(self) -> None:
        self.action_choose()
