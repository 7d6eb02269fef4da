"""Overlapping cards on a canvas."""

from collections.abc import Sequence

from textual.content import Content

from app.ui.layout.card_art import (
    COMPACT,
    CardSize,
    CardState,
    Row,
    back_rows,
    card_rows,
    fan_steps,
)
from app.ui.layout.faces import Face
from app.ui.widgets.canvas import Canvas


def fan_width(cards: int, size: CardSize, apart: bool = False) -> int:
    """The width of a fan of these cards. apart: they do not overlap."""
    return size.width + (cards - 1) * _step(size, apart) if cards else 0


def _step(size: CardSize, apart: bool) -> int:
    return size.width + 1 if apart else size.width // 2 + 1


def put_fan(
    canvas: Canvas,
    x: int,
    y: int,
    cards: Sequence[Face | None],
    size: CardSize,
    ascii_only: bool,
    apart: bool = False,
) -> None:
    """Put overlapping cards; None is the back of a card. A large number is drawn only on the last
    card, since half of it could be another one."""
    for place, face in enumerate(cards):
        covers = place > 0 and not apart
        if face is None:
            rows = back_rows(size, covers, ascii_only)
        else:
            covered = bool(face.ground) and place + 1 < len(cards) and not apart
            rows = card_rows(face, size, CardState(covers=covers, covered=covered), ascii_only)
        put_rows(canvas, x + place * _step(size, apart), y, rows)


def put_rows(canvas: Canvas, x: int, y: int, rows: Sequence[Row]) -> None:
    for down, row in enumerate(rows):
        left = x
        for text, style in row:
            canvas.put(left, y + down, text, style)
            left += len(text)


def hand_picture(faces: Sequence[Face], width: int, ascii_only: bool) -> Content:
    """A hand as compact cards, overlapping if the width is short."""
    canvas = Canvas(width, COMPACT.height)
    step = fan_steps(len(faces), COMPACT, width)
    for place, face in enumerate(faces):
        state = CardState(covers=place > 0 and step < COMPACT.width)
        put_rows(canvas, place * step, 0, card_rows(face, COMPACT, state, ascii_only))
    return canvas.content()
