"""The last lines of a growing text, such as a log."""

from textual.content import Content
from textual.widget import Widget

from app.ui.widgets.wrapping import wrapped


class Tail(Widget):
    """Shows as many of the last lines as fit. A longer text does not change the layout."""

    def __init__(self, id: str | None = None) -> None:
        super().__init__(id=id)
        self._text = Content("")

    def show(self, text: Content) -> None:
        if not text.is_same(self._text):
            self._text = text
            self.refresh()

    def render(self) -> Content:
        width, height = self.content_size
        if not height:
            return Content("")
        last = self._text.split("\n")[-height:]
        rows = [row for line in last for row in wrapped(line, max(1, width))]
        return Content("\n").join(rows[-height:])
