"""A strip of felt with the cards of a game, at the top of a screen about it."""

from textual.content import Content
from textual.widgets import Static

from app.ui.layout.card_art import COMPACT, NORMAL
from app.ui.layout.faces import Face, faces_with
from app.ui.widgets.canvas import Canvas
from app.ui.widgets.fan import fan_width, put_fan
from app.ui.widgets.wrapping import cut
from engine.manifest import GameRow


class Banner(Static):
    """Cards on the left, the title and the summary of the game beside them."""

    def __init__(self, row: GameRow, title: str, ascii_only: bool, id: str | None = None) -> None:
        super().__init__(id=id)
        self._row = row
        self._title = title
        self._ascii_only = ascii_only
        cards: tuple[Face | None, ...] = faces_with(row.cards) if row.cards else (None,) * 3
        self._cards = cards

    def render(self) -> Content:
        canvas = Canvas(*self.size)
        for y in range(canvas.height):
            canvas.put(0, y, " " * canvas.width, "on $felt")
        if canvas.height < COMPACT.height:
            canvas.put(2, 0, self._title, "bold $felt-ink on $felt")
            return canvas.content()
        size = NORMAL if canvas.height > NORMAL.height else COMPACT
        top = (canvas.height - size.height + 1) // 2
        put_fan(canvas, 2, top, self._cards, size, self._ascii_only)
        left = fan_width(len(self._cards), size) + 5
        middle = top + (size.height - 2) // 2
        canvas.put(left, middle, self._title, "bold $felt-ink on $felt")
        summary = cut(self._row.summary, canvas.width - left - 1)
        canvas.put(left, middle + 1, summary, "$felt-muted on $felt")
        return canvas.content()
