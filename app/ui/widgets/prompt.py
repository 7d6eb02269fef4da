"""The question to the person, centred above the hand."""

from textual.content import Content
from textual.geometry import Size
from textual.widget import Widget

from app.ui.widgets.wrapping import by_sentence


class Prompt(Widget):
    """Takes as many lines as it needs."""

    def __init__(self, text: str, id: str | None = None) -> None:
        super().__init__(id=id)
        self.text = text

    def show(self, text: str) -> None:
        """The screen is laid out again only if the number of lines changes."""
        if text != self.text:
            before = len(by_sentence(self.text, self.size.width))
            self.text = text
            self.refresh(layout=len(by_sentence(text, self.size.width)) != before)

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        return len(by_sentence(self.text, width))

    def render(self) -> Content:
        return Content("\n".join(by_sentence(self.text, self.size.width)))
