"""The players across the table, side by side."""

from collections.abc import Sequence

from textual.content import Content
from textual.geometry import Size
from textual.widget import Widget

from app.tables.base import SeatPicture
from app.widgets.sheet import Sheet

_NARROWEST = 18
_BACK = "▒▒"


class Seats(Widget):
    """For each player a name, the cards (face up, or their backs) and what they said."""

    def __init__(self, ascii_only: bool, id: str | None = None) -> None:
        super().__init__(id=id)
        self.ascii_only = ascii_only
        self.pictures: Sequence[SeatPicture] = ()

    def show(self, pictures: Sequence[SeatPicture]) -> None:
        if pictures != self.pictures:
            relayout = self._card_counts(pictures) != self._card_counts(self.pictures)
            self.pictures = pictures
            self.refresh(layout=relayout)

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        return sum(self._row_heights(width)) or 3

    def render(self) -> Content:
        width = self.size.width
        sheet = Sheet(width, self.size.height)
        columns = self._columns(width)
        wide = width // columns
        heights = self._row_heights(width)
        for index, picture in enumerate(self.pictures):
            row, column = divmod(index, columns)
            self._draw(sheet, picture, column * wide, sum(heights[:row]), wide)
        return sheet.content()

    def _draw(self, sheet: Sheet, picture: SeatPicture, left: int, top: int, wide: int) -> None:
        mark = "▸ " if picture.active else "  "
        sheet.put(left, top, f"{mark}{picture.title}"[:wide], "bold" if picture.active else "")
        lines = self._card_lines(picture, wide)
        for row, line in enumerate(lines, top + 1):
            at = left + 2
            for text, style in line:
                sheet.put(at, row, text, style)
                at += len(text) + 1
        sheet.put(left + 2, top + 1 + len(lines), picture.note[: wide - 2], "dim")

    def _card_lines(self, picture: SeatPicture, wide: int) -> list[list[tuple[str, str]]]:
        """The cards as chips with styles, line by line."""
        chips = [(face.chip(self.ascii_only), face.style) for face in picture.cards]
        chips += [(_BACK, "dim")] * picture.backs
        lines: list[list[tuple[str, str]]] = [[]]
        used = 0
        for chip in chips:
            if used + len(chip[0]) > wide - 3 and lines[-1]:
                lines.append([])
                used = 0
            lines[-1].append(chip)
            used += len(chip[0]) + 1
        return lines

    def _columns(self, width: int) -> int:
        return max(1, min(len(self.pictures), width // _NARROWEST))

    def _row_heights(self, width: int) -> list[int]:
        """The height of each row of players: name, cards, note."""
        columns = self._columns(width)
        wide = width // columns
        heights = [len(self._card_lines(picture, wide)) + 2 for picture in self.pictures]
        return [max(heights[at : at + columns]) for at in range(0, len(heights), columns)]

    def _card_counts(self, pictures: Sequence[SeatPicture]) -> list[int]:
        return [len(picture.cards) + picture.backs for picture in pictures]
