"""The bar of choices: bids, and the next steps after a hand or match."""

from collections.abc import Mapping, Sequence

from textual import events
from textual.content import Content
from textual.geometry import Size
from textual.message import Message
from textual.widget import Widget

from app.ui.layout.pictures import Choice
from app.ui.widgets.canvas import Canvas

NO_CHOICE = -1
_TALL = 34
"""From this height of the window on there is always a row for choices."""


class Choices(Widget):
    """Choices side by side, wrapped to as many lines as they need."""

    class Picked(Message):
        def __init__(self, index: int) -> None:
            super().__init__()
            self.index = index

    def __init__(self, id: str | None = None) -> None:
        super().__init__(id=id)
        self.choices: Sequence[Choice] = ()
        self.first_number = 1
        self.cursor = NO_CHOICE
        self.keys: Mapping[str, str] = {}

    def show(
        self,
        choices: Sequence[Choice],
        first_number: int,
        cursor: int = NO_CHOICE,
        keys: Mapping[str, str] | None = None,
    ) -> None:
        """Show these choices.

        first_number   the number of the first choice, after those of the cards
        keys           for choices with a key of their own, the key's name by binding id
        """
        now = (choices, first_number, cursor, keys or {})
        if now != (self.choices, self.first_number, self.cursor, self.keys):
            before = self._height(self.size.width)
            self.choices, self.first_number, self.cursor, self.keys = now
            self.refresh(layout=self._height(self.size.width) != before)

    def choice_at(self, x: int, y: int) -> int:
        for index, (left, top, text) in enumerate(self._layout(self.size.width)):
            if y == top and left <= x < left + len(text):
                return index
        return NO_CHOICE

    def middle_of(self, index: int) -> tuple[int, int]:
        """A point on that choice, where a mouse can click."""
        left, top, text = self._layout(self.size.width)[index]
        return left + len(text) // 2, top

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        return self._height(width)

    def _height(self, width: int) -> int:
        layout = self._layout(width)
        if layout:
            return layout[-1][1] + 1
        return int(self.app.size.height >= _TALL)

    def render(self) -> Content:
        canvas = Canvas(self.size.width, self.size.height)
        for index, (left, top, text) in enumerate(self._layout(self.size.width)):
            style = "bold $plate-ink on $plate"
            if index == self.cursor:
                style = "bold $win-ink on $win"
            elif self.choices[index].barred:
                style = "strike $plate-muted on $plate"
            canvas.put(left, top, text, style)
            if index != self.cursor and not self.choices[index].barred:
                key = text.split()[0]
                if len(key) <= 2 or key in self.keys.values():
                    canvas.put(left + 1, top, key, "bold $plate-lit on $plate")
        return canvas.content()

    def on_click(self, event: events.Click) -> None:
        index = self.choice_at(event.x, event.y)
        if index != NO_CHOICE:
            self.post_message(self.Picked(index))

    def _layout(self, width: int) -> list[tuple[int, int, str]]:
        """Column, line and text of each choice. Every line is centred, and all have about the
        same length."""
        texts = [self._text(index) for index in range(len(self.choices))]
        layout = []
        for top, line in enumerate(_wrapped(texts, width)):
            left = max(0, (width - sum(map(len, line)) - 2 * (len(line) - 1)) // 2)
            for text in line:
                layout.append((left, top, text))
                left += len(text) + 2
        return layout

    def _text(self, index: int) -> str:
        choice, number = self.choices[index], self.first_number + index
        key = self.keys.get(choice.key, "")
        if choice.digit is not None:
            key = str(choice.digit) if choice.text != str(choice.digit) else ""
        elif not key and number < 10:
            key = str(number)
        text = f"{key} {choice.text}" if key else choice.text
        return f"[{text}]" if index == self.cursor else f" {text} "


def _wrapped(texts: Sequence[str], width: int) -> list[list[str]]:
    """The texts on as few lines as possible, the longest of which is as short as possible."""
    fewest = _filled(texts, width)
    tried = (_filled(texts, less) for less in range(max(map(len, texts), default=0), width))
    return next((lines for lines in tried if len(lines) == len(fewest)), fewest)


def _filled(texts: Sequence[str], width: int) -> list[list[str]]:
    lines: list[list[str]] = [[]]
    for text in texts:
        if lines[-1] and sum(map(len, lines[-1])) + 2 * len(lines[-1]) + len(text) > width:
            lines.append([])
        lines[-1].append(text)
    return lines
