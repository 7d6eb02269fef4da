"""A grid of characters with styles, on which widgets draw text and cards."""

from textual.content import Content

from app.ui.layout.faces import Face

CARD_WIDTH = 6
CARD_HEIGHT = 4


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

    def put_card(
        self, x: int, y: int, face: Face, ascii_only: bool, frame: str = "", foot: str = ""
    ) -> None:
        """Put a card of 6 × 4 characters with its upper left corner at (x, y).

        An ASCII card is one line, on the second row of that space.

        frame   the style of the border; a dim border dims the whole card
        foot    text in the lower border
        """
        inside = f"dim {face.colour}".rstrip() if frame == "dim" else face.style
        if ascii_only:
            self.put(x + CARD_WIDTH - len(face.code) - 2, y + 1, face.chip(True), frame)
            self.put(x + CARD_WIDTH - len(face.code) - 1, y + 1, face.code, inside)
            return
        self.put(x, y, "╭────╮", frame)
        self.put(x, y + 1, "│    │", frame)
        self.put(x, y + 2, "│    │", frame)
        self.put(x, y + 3, f"╰─{foot:─<2}─╯", frame)
        rank_row, sign_row = (y + 2, y + 1) if face.sign_first else (y + 1, y + 2)
        self.put(x + 1, rank_row, f"{face.rank:<3}{face.sign}", inside)
        self.put(x + 1, sign_row, f"{face.sign}{face.rank:>3}", inside)

    def put_empty_card(self, x: int, y: int, ascii_only: bool, frame: str = "dim") -> None:
        """Put an empty frame where a card will be played."""
        if ascii_only:
            self.put_centred(x + CARD_WIDTH // 2, y + 1, "[  ]", frame)
            return
        for row, line in enumerate(("╭────╮", "│    │", "│    │", "╰────╯")):
            self.put(x, y + row, line, frame)

    def content(self) -> Content:
        parts: list[str | tuple[str, str]] = []
        for number, row in enumerate(self._rows):
            if number:
                parts.append("\n")
            run, style = "", ""
            for character, its_style in row:
                if its_style != style:
                    parts.append((run, style) if style else run)
                    run, style = "", its_style
                run += character
            parts.append((run, style) if style else run)
        return Content.assemble(*parts)
