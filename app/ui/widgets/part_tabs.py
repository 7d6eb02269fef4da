"""A line with the parts of a screen that shows one of them at a time."""

from collections.abc import Sequence

from textual import events
from textual.content import Content
from textual.message import Message
from textual.widget import Widget


class PartTabs(Widget):
    """Shows the name of each part after its number."""

    class Picked(Message):
        def __init__(self, at: int) -> None:
            super().__init__()
            self.at = at

    def __init__(self, names: Sequence[str], id: str | None = None) -> None:
        super().__init__(id=id)
        self._texts = [f" {number} {name} " for number, name in enumerate(names, 1)]
        self._active = 0

    def show(self, active: int) -> None:
        self._active = active
        self.refresh()

    def render(self) -> Content:
        return Content.assemble(
            *[
                (text, "bold $text on $primary" if at == self._active else "$text-muted")
                for at, text in enumerate(self._texts)
            ]
        )

    def on_click(self, event: events.Click) -> None:
        left = 0
        for at, text in enumerate(self._texts):
            if left <= event.x < left + len(text):
                self.post_message(self.Picked(at))
            left += len(text)
