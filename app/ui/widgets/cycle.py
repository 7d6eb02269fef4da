"""A row of a form: one of a few values, changed with ← and →."""

from collections.abc import Sequence

from textual import events
from textual.binding import Binding
from textual.content import Content
from textual.message import Message
from textual.widget import Widget

Values = Sequence[tuple[str, str]]
"""Pairs of a value and its text."""


class Cycle(Widget, can_focus=True):
    """Shows one value at a time, so that a whole form fits on a small screen."""

    BINDINGS = [
        Binding("left,h", "turn(-1)", show=False, id="cycle.previous"),
        Binding("right,l,space", "turn(1)", "Change", key_display="←→", id="cycle.next"),
    ]

    class Changed(Message):
        def __init__(self, cycle: "Cycle") -> None:
            super().__init__()
            self.cycle = cycle

        @property
        def control(self) -> "Cycle":
            return self.cycle

    def __init__(self, values: Values, value: str, id: str | None = None) -> None:
        super().__init__(id=id)
        self._values = values
        self._at = next((at for at, (each, _) in enumerate(values) if each == value), 0)

    @property
    def value(self) -> str:
        return self._values[self._at][0]

    def render(self) -> Content:
        return Content(f"‹ {self._values[self._at][1]} ›")

    def action_turn(self, step: int) -> None:
        self._at = (self._at + step) % len(self._values)
        self.refresh(layout=True)
        self.post_message(self.Changed(self))

    def on_click(self, event: events.Click) -> None:
        self.action_turn(-1 if event.x < 2 else 1)
