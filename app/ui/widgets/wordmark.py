"""The name of the program: six cards that spell it."""

from textual.content import Content
from textual.reactive import reactive
from textual.widgets import Static

from app.ui.widgets.canvas import Canvas

_NAME = "KIBITZ"
_SIGNS = "♠♥♣♦♠♥"
_INKS = ("$paper-ink", "$paper-hearts", "$paper-clubs", "$paper-diamonds")
_GLYPHS = {
    "K": ("█ ▄▀", "█▀▄ ", "▀  ▀"),
    "I": ("▀█▀ ", " █  ", "▀▀▀ "),
    "B": ("█▀▀▄", "█▀▀▄", "▀▀▀ "),
    "T": ("▀▀█▀▀", "  █  ", "  ▀  "),
    "Z": ("▀▀▀█", " ▄▀ ", "▀▀▀▀"),
}
"""Letters of three rows, for large cards."""

LARGE = 5
"""The height from which cards are large: 9 × 5 characters; 5 × 3 below, one row below three."""


class Wordmark(Static):
    """As many rows as its styles allow."""

    ascii_only = reactive(False)

    def __init__(self, ascii_only: bool, id: str | None = None) -> None:
        super().__init__(id=id)
        self.set_reactive(Wordmark.ascii_only, ascii_only)

    def render(self) -> Content:
        width, height = self.size
        if self.ascii_only:
            return Content.styled("".join(f"[{letter}]" for letter in _NAME), "bold")
        canvas = Canvas(width, height)
        card = 9 if height >= LARGE else 5 if height >= 3 else 3
        for at, (letter, sign) in enumerate(zip(_NAME, _SIGNS, strict=True)):
            ink = f"bold {_INKS[at % len(_INKS)]} on $paper"
            left = at * (card + 1)
            for row in range(min(height, LARGE if card == 9 else 3 if card == 5 else 1)):
                canvas.put(left, row, " " * card, ink)
            if card == 3:
                canvas.put(left + 1, 0, letter, ink)
            elif card == 5:
                canvas.put(left + 2, 1, letter, ink)
                canvas.put(left + 4, 2, sign, ink)
                canvas.put(left, 0, sign, ink)
            else:
                for row, line in enumerate(_GLYPHS[letter], 1):
                    canvas.put(left + 2, row, line, ink)
                canvas.put(left + 8, 4, sign, ink)
        return canvas.content()
