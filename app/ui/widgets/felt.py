"""The middle of the table: the trick by seat, or other cards that are face up."""

from collections.abc import Sequence

from textual.content import Content
from textual.widget import Widget

from app.ui.layout.pictures import Laid
from app.ui.widgets.canvas import CARD_HEIGHT, CARD_WIDTH, Canvas
from app.ui.widgets.wrapping import cut, evenly

_COMPASS_HEIGHT = 2 * CARD_HEIGHT + 1
_ROW_HEIGHT = CARD_HEIGHT + 1
_NARROW_ROW = CARD_WIDTH + 2
_ENOUGH_LINES = 3
"""Cards are drawn if this many lines of text still fit."""

_BRIGHT = "bold $text-success"
_STRUCK = "××"


class Felt(Widget):
    """Draws cards by seat if they fit, otherwise side by side, otherwise as words."""

    def __init__(self, ascii_only: bool, id: str | None = None) -> None:
        super().__init__(id=id)
        self.ascii_only = ascii_only
        self.laid: Sequence[Laid] = ()
        self.lines: Sequence[Content | str] = ()

    def show(self, laid: Sequence[Laid], lines: Sequence[Content | str] = ()) -> None:
        """lines: text under the cards; the last lines are kept when room is short."""
        if (laid, lines) != (self.laid, self.lines):
            self.laid, self.lines = laid, lines
            self.refresh()

    def render(self) -> Content:
        width, height = self.size
        lines = self._fitting(width, height)
        if not lines:
            return self._cards(width, height)
        room = height - len(lines)
        if room < _ROW_HEIGHT:
            return Content("\n").join([*[Content("")] * (room // 2), *lines])
        high = _ROW_HEIGHT
        if room > _COMPASS_HEIGHT and not any(laid.place == "row" for laid in self.laid):
            high = _COMPASS_HEIGHT
        spare = room - high
        above, between = [Content("")] * (spare // 2), [Content("")] * (spare > 1)
        cards = self._cards(width, high)
        return Content("\n").join([*above, cards, *between, *lines])

    def _fitting(self, width: int, height: int) -> list[Content]:
        """The lines under the cards. If too few fit beside the cards, they replace the cards."""
        contents = [Content(line) if isinstance(line, str) else line for line in self.lines]
        texts = [evenly(content, width - 2) for content in contents]
        below = _last(texts, height - _ROW_HEIGHT)
        if len(below) < min(_ENOUGH_LINES, sum(map(len, texts))):
            below = _last(texts, height)
        return [row.center(width) for row in below]

    def _cards(self, width: int, height: int) -> Content:
        canvas = Canvas(width, height)
        in_row = any(laid.place == "row" for laid in self.laid)
        if height >= _COMPASS_HEIGHT and not in_row:
            self._draw_compass(canvas)
        elif height >= _ROW_HEIGHT and len(self.laid) * _NARROW_ROW <= width:
            self._draw_row(canvas)
        else:
            self._draw_words(canvas)
        return canvas.content()

    def _draw_compass(self, canvas: Canvas) -> None:
        """Cards lie as the seats do. With a top seat the side cards move down."""
        width, height = canvas.width, canvas.height
        places = {laid.place for laid in self.laid}
        gap = min(2, (height - _COMPASS_HEIGHT) // 3)
        top = (height - _COMPASS_HEIGHT - gap) // 2
        middle = width // 2 - CARD_WIDTH // 2
        aside = CARD_WIDTH + 4 + gap * 2
        side = top + (2 + gap // 2 if "top" in places else 0)
        corners = {
            "top": (middle, top),
            "left": (middle - aside, side),
            "right": (middle + aside, side),
            "bottom": (middle, top + CARD_HEIGHT + gap),
            "centre": (middle, top + 2 + gap // 2),
        }
        for laid in self.laid:
            x, y = corners[laid.place]
            self._card(canvas, x, y, laid)
            style = _BRIGHT if laid.bright else "dim"
            if laid.place == "top":
                canvas.put(x + CARD_WIDTH + 1, y + 1, laid.caption, style)
            else:
                row = y + (2 if self.ascii_only else CARD_HEIGHT)
                canvas.put_centred(x + CARD_WIDTH // 2, row, laid.caption, style)

    def _draw_row(self, canvas: Canvas) -> None:
        step = min(CARD_WIDTH + 10, canvas.width // max(1, len(self.laid)))
        left = (canvas.width - step * len(self.laid)) // 2 + step // 2
        top = (canvas.height - _ROW_HEIGHT) // 2
        for laid in self.laid:
            self._card(canvas, left - CARD_WIDTH // 2, top, laid)
            row = top + (2 if self.ascii_only else CARD_HEIGHT)
            caption = _shortened(laid.caption, step - 1)
            canvas.put_centred(left, row, caption, _BRIGHT if laid.bright else "dim")
            left += step

    def _draw_words(self, canvas: Canvas) -> None:
        row, at = max(0, canvas.height // 2 - 1), 1
        for laid in self.laid:
            text = laid.face.chip(self.ascii_only) if laid.face else "…"
            if at + len(laid.caption) + len(text) + 4 > canvas.width:
                row, at = row + 1, 1
            canvas.put(at, row, laid.caption, _BRIGHT if laid.bright else "dim")
            at += len(laid.caption) + 1
            if laid.struck:
                text += _STRUCK[0]
            style = laid.face.style if laid.face and not laid.struck else "dim"
            canvas.put(at, row, text, style)
            at += len(text) + 3

    def _card(self, canvas: Canvas, x: int, y: int, laid: Laid) -> None:
        if laid.face is None:
            canvas.put_empty_card(x, y, self.ascii_only)
        elif laid.struck:
            canvas.put_card(x, y, laid.face, self.ascii_only, "dim", _STRUCK)
            if self.ascii_only:
                canvas.put_centred(x + CARD_WIDTH // 2, y, _STRUCK, "dim")
        else:
            canvas.put_card(x, y, laid.face, self.ascii_only, _BRIGHT if laid.bright else "")


def _last(texts: Sequence[list[Content]], height: int) -> list[Content]:
    """The rows of the last texts that fit; a text is shown whole or not at all."""
    rows: list[Content] = []
    for line in reversed(texts):
        if len(line) + len(rows) > height:
            break
        rows = [*line, *rows]
    return rows


def _shortened(caption: str, room: int) -> str:
    """A caption without its last words (a name stays), cut if that is not enough."""
    short = caption
    while len(short) > room and " " in short:
        short = short.rsplit(maxsplit=1)[0]
    return cut(short, room)
