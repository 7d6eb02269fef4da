"""The question to the person, centred above the hand."""

from textual.content import Content
from textual.geometry import Size
from textual.widget import Widget

from app.ui.widgets.wrapping import by_sentence

_WIDEST = 90
"""Longer lines are hard to read."""


class Prompt(Widget):
    """Takes as many lines as it needs."""

    def __init__(self, text: str, id: str | None = None) -> None:
        super().__init__(id=id)
        self.text = text

    def show(self, text: str) -> None:
        """The screen is laid out again only if the number of lines changes."""
        if text != self.text:
            before = len(self._lines(self.size.width))
            self.text = text
            self.refresh(layout=len(self._lines(self.size.width)) != before)

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        return len(self._lines(width))

    def render(self) -> Content:
        return Content("\n".join(self._lines(self.size.width)))

    def _lines(self, width: int) -> list[str]:
        return by_sentence(self.text, min(width, _WIDEST))
