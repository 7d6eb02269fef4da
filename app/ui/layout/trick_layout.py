"""Where the cards in the middle lie: around it, each towards its player, or in a row."""

from collections.abc import Sequence
from functools import lru_cache
from math import cos, floor, pi, sin
from typing import Final

from app.ui.layout.boxes import Box, collide
from app.ui.layout.card_art import CHIP, COMPACT, LARGE, CardSize

AIRY: Final = 18
"""From this height on there is a free row between the seats and the trick."""

_FEW: Final = 4
"""Cards of a trick that lie apart from each other."""

_LONGEST_CAPTION: Final = 16
"""Columns of `★ North takes it`."""


def lay_out(
    width: int,
    height: int,
    top: int,
    size: CardSize,
    laid: Sequence[tuple[str, int]],
    taken: Sequence[Box],
) -> tuple[list[Box], list[Box], Box] | None:
    """The laid cards, the same with their captions, and the part of the felt around them; None if
    they do not fit."""
    if not laid:
        return [], [], Box(width // 2 - 1, (top + height) // 2, 2, 1)
    places = [place for place, _ in laid]
    allowed = caption_room(size, places)
    wide = [size.width + allowed] * len(laid)
    if places[0] in ("row", "centre"):
        wide = [size.width + min(allowed, max(0, length - size.width)) for _, length in laid]
    if "row" in places:
        shapes = _row_offsets(size, wide, width)
    else:
        ring = _ring_offsets(size, tuple(places), tuple(wide), width, height - top)
        shapes = [(offsets, wide) for offsets in ring]
    rows = int(height >= AIRY)
    for offsets, across in shapes:
        boxes = [
            Box(x - (each - size.width) // 2, y, each, size.height + 1)
            for (x, y), each in zip(offsets, across, strict=True)
        ]
        left, upper = min([box.x for box in boxes]), min([box.y for box in boxes])
        right, lower = max([box.right for box in boxes]), max([box.bottom for box in boxes])
        ends = [at for at, _ in offsets]
        x = width // 2 - size.width // 2 - (min(ends) + max(ends)) // 2
        if left + x < 0 or right + x > width:
            continue
        high = lower - upper
        for y in _near((top + height - high + 1) // 2, top, height - high):
            full = [box.moved(x, y - upper) for box in boxes]
            if not any(box.touches(other, 1, rows) for box in full for other in taken):
                cards = [Box(x + dx, y + dy - upper, *size) for dx, dy in offsets]
                return cards, full, Box(left + x, y, right - left, high)
    return None


def caption_room(size: CardSize, places: Sequence[str]) -> int:
    """Columns by which captions may be wider than the cards. Around the middle they take this
    room even if they are short, so that no card moves when a caption changes."""
    if any(place.startswith("around") for place in places):
        return 1 if size == CHIP else 0
    if size.height >= LARGE.height and not set(places) <= {"top", "bottom", "row", "centre"}:
        return 0
    if {"left", "right"} & set(places):
        return 2 if size == COMPACT else 4
    return 4 if size in (COMPACT, CHIP) else _LONGEST_CAPTION - size.width


def _near(wanted: int, least: int, most: int) -> list[int]:
    """All rows in these bounds, those near the wanted one first."""
    return sorted(range(least, most + 1), key=lambda row: abs(row - wanted))


def _row_offsets(
    size: CardSize, wide: Sequence[int], width: int
) -> list[tuple[list[tuple[int, int]], Sequence[int]]]:
    """Cards side by side with the columns of their captions: whole captions if there is room,
    otherwise as wide as the cards."""
    tries = ((max(wide) + 1, wide), (size.width + 1, [size.width] * len(wide)))
    return [
        ([(place * step, 0) for place in range(len(wide))], captions)
        for step, captions in tries
        if step * len(wide) <= width - 2
    ]


@lru_cache(512)
def _ring_offsets(
    size: CardSize, places: tuple[str, ...], wide: tuple[int, ...], width: int, height: int
) -> list[list[tuple[int, int]]]:
    """Cards around the middle, each towards its player; the closest together first, few cards at
    first with a free row between them. Two opposite
    cards lie side by side, shifted, since a column of them would take too many rows."""
    vectors = [direction(place) for place in places]
    least = size.height // 2 if len(set(vectors)) > 1 else 0
    narrowest = size.width * 2 // 3 if any(x for x, _ in vectors) else 0
    if sorted(places) == ["bottom", "top"]:
        vectors, least = [(-y / 2, y / 2) for _, y in vectors], 2
        narrowest = max(wide) + 1
    found: list[tuple[int, float, list[tuple[int, int]]]] = []
    few = len(places) <= _FEW and height >= 3 * size.height
    for apart in (1, 0) if few else (0,):
        for half_rows in range(2 * least, max(2 * least + 1, 2 * (height - size.height))):
            down = half_rows / 2
            for across in range(narrowest, max(1, (width - size.width) // 2 + 1)):
                offsets = [(round(x * across), floor(y * down + 0.5)) for x, y in vectors]
                boxes = [
                    Box(x - (each - size.width) // 2, y, each, size.height + 1)
                    for (x, y), each in zip(offsets, wide, strict=True)
                ]
                if not collide(boxes, _ring_gap(width), apart):
                    found.append((-apart, across / 2.2 + down, offsets))
                    break
    return [offsets for _, _, offsets in sorted(found)]


def _ring_gap(width: int) -> int:
    """Columns between the cards of a trick."""
    return 5 if width >= 110 else 2 if width >= 90 else 1


def direction(place: str) -> tuple[float, float]:
    """From the middle of the table towards a seat, in units of the half axes."""
    fixed = {"bottom": (0, 1), "left": (-1, 0), "top": (0, -1), "right": (1, 0), "centre": (0, 0)}
    if place in fixed:
        return fixed[place]
    step, count = [int(part) for part in place.removeprefix("around-").split("-")]
    angle = 2 * pi * step / count
    return -sin(angle), cos(angle)
