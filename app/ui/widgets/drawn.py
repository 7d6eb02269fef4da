"""A widget that is drawn row by row and repaints only the rows that have changed."""

from collections.abc import Sequence
from itertools import pairwise

from textual.content import Content
from textual.geometry import Region
from textual.strip import Strip
from textual.visual import Visual
from textual.widget import Widget

from app.ui.layout.card_art import Row

_MOST_STRIPS = 512


class Drawn(Widget):
    """Draws rows of pieces with styles. A moving card changes few rows of a large table; the
    others are neither rendered nor sent to the terminal again."""

    def __init__(self, id: str | None = None) -> None:
        super().__init__(id=id)
        self._lines: Sequence[Row] = ()
        self._drawn_size: tuple[int, int] | None = None
        self._strips: dict[Row, Strip] = {}

    def draw(self) -> Sequence[Row]:
        """The rows of the whole widget."""
        raise NotImplementedError

    def repaint(self) -> None:
        """Draw again and refresh what has changed."""
        if self._drawn_size != self.size:
            self._drawn_size = None
            self.refresh()
            return
        before, self._lines = self._lines, self.draw()
        width = self.size.width
        changed = [
            Region(0, y, width, 1)
            for y, (old, new) in enumerate(zip(before, self._lines, strict=True))
            if old != new
        ]
        if changed:
            self.refresh(*changed)

    def render(self) -> Content:
        return Content("\n").join([Content.assemble(*row) for row in self.draw()])

    def render_line(self, y: int) -> Strip:
        if self._drawn_size != self.size:
            self._lines, self._drawn_size = self.draw(), self.size
        if y >= len(self._lines):
            return Strip.blank(self.size.width, self.rich_style)
        row = self._lines[y]
        strip = self._strips.get(row)
        if strip is None:
            if len(self._strips) >= _MOST_STRIPS:
                self._strips.clear()
            content = Content.assemble(*row)
            (strip,) = Visual.to_strips(self, content, self.size.width, 1, self.visual_style)
            self._strips[row] = strip
        return strip

    def notify_style_update(self) -> None:
        """Forget what was drawn in other colours."""
        self._strips.clear()
        self._drawn_size = None
        super().notify_style_update()


def pieces_of(line: Content) -> Row:
    """A line of text as pieces with their styles, as in a row of a canvas."""
    plain = line.plain
    cuts = sorted({0, len(plain), *[at for span in line.spans for at in (span.start, span.end)]})
    pieces = []
    for start, end in pairwise(cuts):
        styles = [str(span.style) for span in line.spans if span.start <= start < span.end]
        pieces.append((plain[start:end], " ".join(styles)))
    return tuple(pieces)
