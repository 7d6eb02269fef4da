"""A grid of characters with styles, on which widgets draw text and cards."""

from collections.abc import Sequence

from textual.content import Content

from app.ui.layout.card_art import Row, runs_of


class Canvas:
    """Characters with styles, placed by column and row. Text outside the canvas is cut off."""

    def __init__(self, width: int, height: int) -> None:
        self.width = width
        self.height = height
        self._rows = [[(" ", "")] * width for _ in range(height)]

    def put(self, x: int, y: int, text: str, style: str = "") -> None:
        if 0 <= y < self.height:
            row = self._rows[y]
            for at, character in enumerate(text, x):
                if 0 <= at < self.width:
                    row[at] = (character, style)

    def put_centred(self, x: int, y: int, text: str, style: str = "") -> None:
        """Put text centred on column x, moved if needed to stay inside the canvas."""
        left = min(max(0, x - len(text) // 2), max(0, self.width - len(text)))
        self.put(left, y, text, style)

    def put_rows(self, x: int, y: int, rows: Sequence[Row]) -> None:
        """Put a drawn card with its upper left corner at (x, y)."""
        for below, row in enumerate(rows, y):
            at = x
            for text, style in row:
                self.put(at, below, text, style)
                at += len(text)

    def fill(self, x: int, y: int, width: int, height: int, style: str) -> None:
        for row in range(y, y + height):
            self.put(x, row, " " * width, style)

    def rows(self) -> list[Row]:
        """Each row as runs of characters of one style."""
        return [runs_of(row) for row in self._rows]

    def content(self) -> Content:
        return Content("\n").join([Content.assemble(*row) for row in self.rows()])
