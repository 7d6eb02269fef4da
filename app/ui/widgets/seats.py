"""The players across the table, side by side."""

from collections.abc import Sequence

from textual.content import Content
from textual.geometry import Size
from textual.widget import Widget

from app.ui.layout.pictures import SeatPicture
from app.ui.widgets.canvas import Canvas
from app.ui.widgets.wrapping import cut

_NARROWEST = 18
_CROWDED = 15
"""The least width of a seat if there are more than `_FEW`."""

_FEW = 4
_SHARE = 3
"""Seats that need more than one part in three of the screen's height are drawn in brief."""

_SHORTEST_TITLE = 6
_BACK = "▒▒"


class Seats(Widget):
    """For each player the name, the cards (face up or backs) and a note.

    If that takes too much room: the name with the open cards on one line, and the note.
    """

    def __init__(self, ascii_only: bool, id: str | None = None) -> None:
        super().__init__(id=id)
        self.ascii_only = ascii_only
        self.pictures: Sequence[SeatPicture] = ()

    def show(self, pictures: Sequence[SeatPicture]) -> None:
        if pictures != self.pictures:
            before = self._row_heights(self.size.width)
            self.pictures = pictures
            self.refresh(layout=self._row_heights(self.size.width) != before)

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        return sum(self._row_heights(width)) or 3

    def render(self) -> Content:
        width = self.size.width
        canvas = Canvas(width, self.size.height)
        columns = self._columns(width)
        wide = width // columns
        heights = self._row_heights(width)
        draw = self._draw_in_brief if self._in_brief(width) else self._draw
        for index, picture in enumerate(self.pictures):
            row, column = divmod(index, columns)
            draw(canvas, picture, column * wide, sum(heights[:row]), wide)
        return canvas.content()

    def _draw(self, canvas: Canvas, picture: SeatPicture, left: int, top: int, wide: int) -> None:
        self._draw_title(canvas, picture, left, top, wide - 1)
        lines = self._card_lines(picture, wide)
        for row, line in enumerate(lines, top + 1):
            self._draw_chips(canvas, line, left + self._indent(), row)
        self._draw_note(canvas, picture, left, top + 1 + len(lines), wide)

    def _draw_in_brief(
        self, canvas: Canvas, picture: SeatPicture, left: int, top: int, wide: int
    ) -> None:
        chips = [(face.chip(self.ascii_only), face.style) for face in picture.cards]
        taken = sum(len(text) + 1 for text, _ in chips)
        room = wide - 1 - taken
        if room < _SHORTEST_TITLE:
            chips, room = [], wide - 1
        self._draw_title(canvas, picture, left, top, room)
        after_title = min(room, len(picture.title) + self._indent())
        self._draw_chips(canvas, chips, left + after_title + 1, top)
        self._draw_note(canvas, picture, left, top + 1, wide)

    def _draw_title(
        self, canvas: Canvas, picture: SeatPicture, left: int, top: int, room: int
    ) -> None:
        style = "bold" if picture.active else "dim" if picture.out else ""
        indent = self._indent()
        if picture.active:
            canvas.put(left, top, "▸", style)
        canvas.put(left + indent, top, cut(picture.title, room - indent), style)

    def _draw_chips(
        self, canvas: Canvas, chips: Sequence[tuple[str, str]], left: int, top: int
    ) -> None:
        for text, style in chips:
            canvas.put(left, top, text, style)
            left += len(text) + 1

    def _draw_note(
        self, canvas: Canvas, picture: SeatPicture, left: int, top: int, wide: int
    ) -> None:
        indent = self._indent()
        room = wide - indent - 1
        fits = len(picture.note) <= room or not picture.brief
        canvas.put(left + indent, top, cut(picture.note if fits else picture.brief, room), "dim")

    def _card_lines(self, picture: SeatPicture, wide: int) -> list[list[tuple[str, str]]]:
        """The cards as chips with styles, line by line. Backs that do not fit become a number."""
        chips = [(face.chip(self.ascii_only), face.style) for face in picture.cards]
        backs = [_BACK] * picture.backs
        if len(" ".join(backs)) > wide - 3:
            backs = [f"{_BACK} ×{picture.backs}"]
        chips += [(back, "dim") for back in backs]
        lines: list[list[tuple[str, str]]] = [[]]
        used = 0
        for chip in chips:
            if used + len(chip[0]) > wide - 3 and lines[-1]:
                lines.append([])
                used = 0
            lines[-1].append(chip)
            used += len(chip[0]) + 1
        return lines

    def _indent(self) -> int:
        """Columns for the mark at the player to move, fewer at a crowded table."""
        return 2 if len(self.pictures) <= _FEW else 1

    def _columns(self, width: int) -> int:
        """Seats per row: as few rows as possible, of equal length."""
        count = len(self.pictures)
        most = max(1, width // (_NARROWEST if count <= _FEW else _CROWDED))
        rows = -(-count // most)
        return max(1, -(-count // max(1, rows)))

    def _row_heights(self, width: int) -> list[int]:
        """The height of each row of seats."""
        if self._in_brief(width):
            return [2] * -(-len(self.pictures) // self._columns(width))
        return self._full_heights(width)

    def _full_heights(self, width: int) -> list[int]:
        columns = self._columns(width)
        wide = width // columns
        heights = [len(self._card_lines(picture, wide)) + 2 for picture in self.pictures]
        return [max(heights[at : at + columns]) for at in range(0, len(heights), columns)]

    def _in_brief(self, width: int) -> bool:
        return sum(self._full_heights(width)) > self.app.size.height // _SHARE
