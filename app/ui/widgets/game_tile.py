"""The tiles of the lobby: a game with its cards and your record, and a quiet match."""

from collections.abc import Sequence
from dataclasses import dataclass

from textual.content import Content
from textual.reactive import reactive

from app.ui.layout.card_art import (
    CHIP,
    COMPACT,
    LARGE,
    NORMAL,
    SIZES,
    CardSize,
    back_rows,
    card_rows,
)
from app.ui.layout.faces import Face, faces_with
from app.ui.widgets.canvas import Canvas
from app.ui.widgets.entry import Entry
from app.ui.widgets.fan import fan_width, put_fan, put_rows
from app.ui.widgets.wrapping import cut
from engine.manifest import GameRow

Note = tuple[str, str]
"""A line on the felt and its style."""

_LIST = 3
"""Up to this height a tile is an item of a list, without a picture."""

_TEXT = 3
"""Rows of text below the felt."""

_INDENT = 2
"""Of the summary in a list."""

_NOTES = 11
"""Columns kept for notes beside the cards."""

_HELD, _LAID = 3, 3
"""Cards in a hand and in the middle of the quiet match for which room is kept."""

_DENSE = 9
"""Up to this height no row is left empty."""


class Tile(Entry):
    """A bar with a title, a picture on the felt, and a text below."""

    ascii_only = reactive(False)
    chosen = reactive(False)
    """Whether the menu refers to it."""

    def __init__(self, title: str, key: str, accent: str, ascii_only: bool, id: str) -> None:
        """accent: the variable of the game's colour, without `$`"""
        super().__init__(id=id)
        self.set_reactive(Tile.ascii_only, ascii_only)
        self._title = title
        self._key = key
        self._accent = accent

    @property
    def summary(self) -> str:
        """The text below the felt."""
        return ""

    def render(self) -> Content:
        canvas = Canvas(*self.size)
        if canvas.height <= _LIST:
            self._draw_item(canvas)
            return canvas.content()
        self._draw_bar(canvas)
        lines = _wrapped(self.summary, canvas.width - 2, _TEXT)
        air = int(canvas.height > _DENSE)
        felt = canvas.height - 1 - _TEXT - air
        for row in range(1, 1 + felt):
            canvas.put(0, row, " " * canvas.width, "on $felt")
        self.draw_felt(canvas, felt)
        for row, line in enumerate(lines, 1 + felt + air):
            canvas.put(1, row, line, "$text-muted")
        return canvas.content()

    def draw_felt(self, canvas: Canvas, height: int) -> None:
        """Draw the picture on the felt, which begins on row 1."""

    def _bar_style(self, canvas: Canvas) -> str:
        """The game's colour is the ground of the bar while the tile has the focus."""
        if self.has_focus:
            return f"$background on ${self._accent}"
        return "on $panel" if canvas.height > _LIST else ""

    def _draw_bar(self, canvas: Canvas) -> None:
        style = self._bar_style(canvas)
        key = style if self.has_focus else f"bold ${self._accent} {style}"
        title = style if self.has_focus else f"bold {style}"
        canvas.put(0, 0, " " * canvas.width, style)
        canvas.put(0, 0, "▸" if self.has_focus or self.chosen else " ", key)
        canvas.put(1, 0, self._key, key)
        canvas.put(len(self._key) + 2, 0, cut(self._title, canvas.width - 4), title)

    def _draw_item(self, canvas: Canvas) -> None:
        """The tile in a list."""
        self._draw_bar(canvas)


class GameTile(Tile):
    """A game on offer."""

    def __init__(self, row: GameRow, key: str, accent: str, ascii_only: bool) -> None:
        super().__init__(row.title, key, accent, ascii_only, f"game-{row.name}")
        self.add_class("tile")
        self.row = row
        self._cards: Sequence[Face | None] = (None, None, None)
        if row.cards:
            self._cards = faces_with(row.cards)
        self._record = ""
        self._notes: Sequence[Note] = ()

    @property
    def summary(self) -> str:
        return self.row.summary

    def show(self, record: str, notes: Sequence[Note]) -> None:
        """Show your record in the bar, and these lines beside the cards."""
        if (record, notes) != (self._record, self._notes):
            self._record, self._notes = record, notes
            self.refresh()

    def _record_in_bar(self, width: int) -> bool:
        return len(self._key) + len(self._title) + len(self._record) + 5 <= width

    def _draw_bar(self, canvas: Canvas) -> None:
        super()._draw_bar(canvas)
        if self._record_in_bar(canvas.width):
            left = canvas.width - len(self._record) - 1
            canvas.put(left, 0, self._record, self._bar_style(canvas))

    def draw_felt(self, canvas: Canvas, height: int) -> None:
        """The cards, and below them the notes that fit."""
        size = next((each for each in SIZES if self._fits(each, canvas.width, height)), COMPACT)
        apart = self._fits(size, canvas.width, height, apart=True)
        fan = fan_width(len(self._cards), size, apart)
        notes = list(self._notes)
        if self._record and not self._record_in_bar(canvas.width):
            notes.insert(0, (self._record, "$felt-ink"))
        below = height >= size.height + 2
        if not below:
            notes = _narrow(notes)[: height - 1]
        beside = 0 if below else max([len(text) + 2 for text, _ in notes], default=0)
        left = (canvas.width - fan - beside) // 2
        top = 1 + max(int(not below), (height - size.height + int(not below)) // 2)
        put_fan(canvas, left, top, self._cards, size, self.ascii_only, apart)
        if below:
            self._draw_notes(canvas, height, notes)
            return
        row = top + max(0, (size.height - len(notes)) // 2)
        for down, (text, style) in enumerate(notes):
            canvas.put(left + fan + 2, row + down, text, f"{style} on $felt")

    def _draw_notes(self, canvas: Canvas, row: int, notes: Sequence[Note]) -> None:
        """As many notes as fit on one line, in the middle."""
        while notes and sum([len(text) + 3 for text, _ in notes]) > canvas.width:
            notes = notes[:-1]
        at = (canvas.width - sum([len(text) + 3 for text, _ in notes]) + 3) // 2
        for text, style in notes:
            canvas.put(at, row, text, f"{style} on $felt")
            at += len(text) + 3

    def _fits(self, size: CardSize, width: int, height: int, apart: bool = False) -> bool:
        """Whether cards of this size fit, overlapping or apart. All tiles keep the same room for
        notes, so that all show cards of one size."""
        fan = fan_width(len(self._cards), size, apart)
        if height >= size.height + 2:
            return fan + 2 <= width
        return size.height < height and fan + _NOTES + 2 <= width

    def _draw_item(self, canvas: Canvas) -> None:
        """The title, the notes that fit and the cards on one line, the summary below."""
        super()._draw_bar(canvas)
        chips = canvas.width - len(self._cards) * CHIP.width
        at = len(self._key) + len(self._title) + 4
        for text, style in ((self._record, "$foreground"), *self._notes):
            if text and at + len(text) < chips:
                canvas.put(at, 0, text, self._bar_style(canvas) if self.has_focus else style)
                at += len(text) + 2
        for place, face in enumerate(self._cards):
            rows = (
                back_rows(CHIP, ascii_only=self.ascii_only)
                if face is None
                else card_rows(face, CHIP, ascii_only=self.ascii_only)
            )
            put_rows(canvas, chips + place * CHIP.width, 0, rows)
        canvas.put(_INDENT, 1, cut(self.summary, canvas.width - _INDENT), "$text-muted")


@dataclass(frozen=True, slots=True)
class QuietPicture:
    """A moment of a match between two agents.

    hands      the cards that each of them holds
    laid       the cards in the middle, with captions
    sentence   what happened last
    score      in words
    """

    names: tuple[str, str]
    hands: tuple[tuple[Face, ...], tuple[Face, ...]]
    laid: tuple[tuple[Face, str], ...]
    sentence: str
    score: str


class QuietTile(Tile):
    """Two agents at a table, while the person looks around."""

    def __init__(self, title: str, accent: str, ascii_only: bool) -> None:
        super().__init__(title, "●", accent, ascii_only, "quiet")
        self._picture: QuietPicture | None = None

    @property
    def summary(self) -> str:
        return self._picture.sentence if self._picture else "Two agents sit down to play."

    def show(self, picture: QuietPicture) -> None:
        if picture != self._picture:
            self._picture = picture
            self.refresh()

    def draw_felt(self, canvas: Canvas, height: int) -> None:
        """The cards in the middle and, if there is room, the hands on both sides."""
        picture = self._picture
        if picture is None:
            return
        fits = ((LARGE, _HELD), (NORMAL, _HELD), (COMPACT, _HELD), (NORMAL, 0), (COMPACT, 0))
        for size, held in fits:
            middle = max(_LAID, len(picture.laid)) * (size.width + 1) - 1
            hand = fan_width(held, size)
            if middle + 2 * (hand + 2) <= canvas.width and size.height < height:
                break
        top = 1 + (height - size.height + 1) // 2
        for side, (name, cards) in enumerate(zip(picture.names, picture.hands, strict=True)):
            left = canvas.width - 1 - hand if side else 1
            if held:
                put_fan(canvas, left, top, cards, size, self.ascii_only)
                canvas.put(left, top - 1, name, "$felt-muted on $felt")
            elif height >= size.height + 4:
                self._draw_chips(canvas, bool(side), name, cards)
        left = (canvas.width - len(picture.laid) * (size.width + 1) + 1) // 2
        for face, caption in picture.laid:
            put_rows(canvas, left, top, card_rows(face, size, ascii_only=self.ascii_only))
            note = caption.split(maxsplit=1)[0] if caption and size != COMPACT else ""
            canvas.put(left, top + size.height, cut(note, size.width), "$felt-muted on $felt")
            left += size.width + 1

    def _draw_chips(self, canvas: Canvas, right: bool, name: str, cards: Sequence[Face]) -> None:
        """A player and the cards in the hand, on one line on the left or right."""
        wide = len(name) + len(cards) * (CHIP.width + 1)
        left = canvas.width - 2 - wide if right else 2
        canvas.put(left, 2, name, "$felt-muted on $felt")
        left += len(name) + 1
        for face in cards:
            put_rows(canvas, left, 2, card_rows(face, CHIP, ascii_only=self.ascii_only))
            left += CHIP.width + 1


def _narrow(notes: Sequence[Note]) -> list[Note]:
    """The notes for a column beside the cards, long ones on a line for each part."""
    return [
        (part, style)
        for text, style in notes
        for part in (text.split(", ", 1) if len(text) > _NOTES else [text])
    ]


def _wrapped(text: str, width: int, rows: int) -> list[str]:
    """The text on at most so many lines, ending in an ellipsis if it is too long."""
    lines = [line.plain.rstrip() for line in Content(text).wrap(max(1, width))]
    if len(lines) > rows:
        lines[rows - 1] = f"{lines[rows - 1][: width - 1]}…"
    return lines[:rows]
