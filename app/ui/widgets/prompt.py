"""The line that says what is asked, in the middle above the hand."""

from textual.content import Content
from textual.geometry import Size
from textual.widget import Widget

from app.ui.widgets.wrapping import by_sentence


class Prompt(Widget):
    """Takes as many lines as it needs."""

    def __init__(self, said: str, id: str | None = None) -> None:
        super().__init__(id=id)
        self.said = said

    def say(self, said: str) -> None:
        """The whole screen is laid out again only if the number of lines asks for it."""
        if said != self.said:
            before = len(by_sentence(self.said, self.size.width))
            self.said = said
            self.refresh(layout=len(by_sentence(said, self.size.width)) != before)

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        return len(by_sentence(self.said, width))

    def render(self) -> Content:
        return Content("\n".join(by_sentence(self.said, self.size.width)))
