"""Where everything lies on the felt: seats around the table, the trick, badges and the score.

Pure functions from sizes to boxes; nothing is drawn here. `arrange` tries arrangements from the
largest cards to the smallest and takes the first in which all parts fit without touching.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, NamedTuple

from app.ui.layout.boxes import Box, collide
from app.ui.layout.card_art import (
    CHIP,
    COMPACT,
    HUGE,
    LARGE,
    NARROWEST_STEPS,
    NORMAL,
    SIZES,
    CardSize,
    fan_steps,
)
from app.ui.layout.trick_layout import AIRY, lay_out

_PLATE_ROWS: Final = 2
_SIDE_SHARE: Final = 0.32
"""The widest part of the felt that a seat at the side may take."""

_HIGH_FELT: Final = 30
"""From this height on, cards at seats may be large."""

_LARGE_FELT: Final = 15
"""From this height on the trick may have large cards."""

_HUGE_FELT: Final = 26
"""From this height on the trick may have huge cards."""

_LEAST_AT_SEATS: Final = {HUGE: NORMAL.height, LARGE: COMPACT.height}
"""The least height of the cards at seats beside a trick of this size."""

_FEW_SEATS: Final = 3
"""So many other players show cards beside a normal trick too."""

_MOST_ROWS: Final = {HUGE: 1, LARGE: 1, NORMAL: 1, COMPACT: 3, CHIP: 4}
"""Rows of cards at a seat."""


class SeatNeeds(NamedTuple):
    """What has to fit at a seat.

    plate   columns of the whole name plate in two rows; line: in one row
    least   columns that show at least the name
    """

    plate: int
    line: int
    least: int
    cards: int
    open: bool


LEAST_PICTURE: Final = 5
"""Rows of a badge with the smallest picture."""


class BadgeNeeds(NamedTuple):
    """What has to fit on a badge.

    text       columns of the longest text
    card       whether it shows a card
    pictures   columns and rows of its picture, the best first; empty if it has none
    """

    text: int
    card: bool
    pictures: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True, slots=True)
class SeatSpot:
    """Where a seat is drawn.

    plate   the name plate, of one or two rows
    cards   the upper left corner of each card; empty if there is no room for cards
    size    of the cards
    """

    box: Box
    plate: Box
    cards: tuple[tuple[int, int], ...]
    size: CardSize


@dataclass(frozen=True, slots=True)
class FeltPlan:
    """Where everything lies.

    laid       cards in the middle; captioned: the same with the captions below them
    ring       the part of the felt with the laid cards and their captions
    """

    size: CardSize
    seats: tuple[SeatSpot, ...]
    laid: tuple[Box, ...]
    captioned: tuple[Box, ...]
    badges: tuple[Box, ...]
    tally: Box | None
    ring: Box

    def boxes(self) -> Iterable[Box]:
        """All parts, for checks that none of them overlap."""
        yield from [spot.box for spot in self.seats]
        yield from self.captioned
        yield from self.badges
        if self.tally is not None:
            yield self.tally


_SEAT_FORMS: Final = (
    (LARGE, 2),
    (NORMAL, 2),
    (COMPACT, 2),
    (CHIP, 2),
    (None, 2),
    (CHIP, 1),
    (None, 1),
)
"""The largest size of the cards at seats, and the rows of a name plate. None leaves out hidden
cards; open ones are chips then."""


@lru_cache(512)
def arrange(
    width: int,
    height: int,
    seats: tuple[SeatNeeds, ...],
    laid: tuple[tuple[str, int], ...],
    badges: tuple[BadgeNeeds, ...],
    tally: tuple[tuple[int, int], ...],
    lines: int,
) -> FeltPlan:
    """Place all parts on a felt of this size.

    laid     for each card in the middle its place and the length of its caption
    tally    columns and rows that the score may have, the best first; it is left out if there is
             no room
    lines    rows of text at the bottom
    """
    room = height - lines - (1 if lines and height >= AIRY else 0)
    splits = _splits(len(seats), width)
    tries = [
        (trick, sides, most, rows)
        for tricks, plate_rows in ((SIZES, 2), ((COMPACT,), 1), ((CHIP,), 2), ((CHIP,), 1))
        for sides in splits
        for trick in tricks
        for most, rows in _SEAT_FORMS
        if rows == plate_rows and _suits(trick, most, len(seats))
    ]
    for trick, sides, most, rows in tries:
        if room < {HUGE: _HUGE_FELT, LARGE: _LARGE_FELT}.get(trick, 0) or (
            most == LARGE and room < _HIGH_FELT
        ):
            continue
        for above in (1, 0) if room >= AIRY else (0,):
            plan = _try(width, room, seats, laid, badges, tally, trick, most, rows, sides, above)
            if plan is not None:
                return plan
    return _crowded(width, room, seats, laid, badges)


def _suits(trick: CardSize, most: CardSize | None, seats: int) -> bool:
    """Whether cards of up to this size at the seats go with the trick: not larger than the trick,
    and not left out for it."""
    least = _LEAST_AT_SEATS.get(trick, 0)
    if trick == NORMAL and seats <= _FEW_SEATS:
        least = COMPACT.height
    return least <= _height(most) and (trick == CHIP or _height(most) <= trick.height)


def _margin(width: int) -> int:
    """Columns between the rim and the seats."""
    return 3 if width >= 100 else 1


def _height(size: CardSize | None) -> int:
    return size.height if size is not None else 0


def _splits(count: int, width: int) -> list[int]:
    """How many seats sit on each side, to try one after the other; the others sit at the top."""
    if count < 2:
        return [0]
    best = {2: 1, 3: 1, 4: 1, 5: 1, 6: 2, 7: 2, 8: 2, 9: 3}.get(count, count // 3)
    return list(dict.fromkeys([best, max(1, best - 1), 0]))


def _try(
    width: int,
    height: int,
    seats: Sequence[SeatNeeds],
    laid: Sequence[tuple[str, int]],
    badges: Sequence[BadgeNeeds],
    tally: Sequence[tuple[int, int]],
    trick: CardSize,
    most: CardSize | None,
    rows: int,
    sides: int,
    above: int,
) -> FeltPlan | None:
    """A plan with these sizes, or None if its parts do not fit.

    above   free rows between the rim and the seats at the top
    """
    spots = _seats(width, height, seats, most, rows, sides, above)
    if spots is None:
        return None
    gap = int(height < AIRY)
    taken = [_with_gap(spot, needs, gap) for spot, needs in zip(spots, seats, strict=True)]
    top = max([box.bottom for box in taken[sides : len(spots) - sides]], default=0)
    ring = lay_out(width, height, top, trick, laid, taken)
    if ring is None:
        return None
    boxes, cards, around = ring
    placed: list[Box] = []
    for needs in badges:
        sizes, free = _badge_sizes(needs, trick), _beside(width, height, around)
        gaps = (1,) if needs.card and gap else (1, 0)
        spot = _free(width, height, free, sizes, taken + cards + placed, gaps)
        if spot is None:
            return None
        placed.append(spot)
    if not sides:
        x = _off_centre(width, [around, *placed], taken)
        boxes, cards, placed = [
            [box.moved(x, 0) for box in each] for each in (boxes, cards, placed)
        ]
        around = around.moved(x, 0)
    slate = _free(width, height, _corners(width, height, above), tally, taken + cards + placed)
    return FeltPlan(trick, tuple(spots), tuple(boxes), tuple(cards), tuple(placed), slate, around)


def _with_gap(spot: SeatSpot, needs: SeatNeeds, rows: int) -> Box:
    """The box of a seat with free rows below open cards, where a card of the trick would look
    like a part of them."""
    open_cards = needs.open and bool(spot.cards)
    return spot.box._replace(height=spot.box.height + rows * open_cards)


def _off_centre(width: int, group: Sequence[Box], taken: Sequence[Box]) -> int:
    """Columns by which the trick and its badges have to move to lie in the middle as one group; 0
    if there is no room."""
    x = (width - min([box.x for box in group]) - max([box.right for box in group])) // 2
    moved = [box.moved(x, 0) for box in group]
    return 0 if any(box.touches(each, 1) for box in moved for each in taken) else x


def _badge_sizes(needs: BadgeNeeds, trick: CardSize) -> list[tuple[int, int]]:
    """The sizes a badge may have, the best first."""
    if needs.card:
        sizes = [size for size in SIZES if size.height <= trick.height]
        return [(max(size.width, needs.text), size.height + 1) for size in sizes] + [
            (needs.text + 5, 1)
        ]
    most = {HUGE: 5, LARGE: 4, NORMAL: 3}.get(trick, 0)
    with_picture = [
        (max(needs.text + 2, wide) + 4, high + 2) for wide, high in needs.pictures if high <= most
    ]
    return [*with_picture, (needs.text + 4, 3), (needs.text + 4, 2), (2 * needs.text + 5, 1)]


def _seats(
    width: int,
    height: int,
    seats: Sequence[SeatNeeds],
    most: CardSize | None,
    rows: int,
    sides: int,
    above: int,
) -> list[SeatSpot] | None:
    """The seats clockwise from the lower left, or None if they do not fit."""
    margin = _margin(width)
    at_top = len(seats) - 2 * sides
    side_room = max(14, int(width * _SIDE_SHARE) - margin)
    top_room = (width - 2 * margin) // max(1, at_top) - (at_top > 1)
    blocks = []
    for place, needs in enumerate(seats):
        at_side = place < sides or place >= len(seats) - sides
        room = side_room if at_side else top_room
        wide = not at_side and at_top == 1 and not (sides == 0 and width >= 100)
        block = _block(needs, most, rows, room, beside=wide and height < 26)
        if block is None:
            return None
        blocks.append(block)
    spots = list(blocks)
    x_room = (width - 2 * margin) / max(1, at_top)
    for number, place in enumerate(range(sides, len(seats) - sides)):
        block = blocks[place]
        middle = margin + x_room * (number + 0.5)
        x = min(max(margin, round(middle - block.box.width / 2)), width - margin - block.box.width)
        spots[place] = _moved(block, x, above)
    top_boxes = [spot.box for spot in spots[sides : len(seats) - sides]]
    left, right = range(sides - 1, -1, -1), range(len(seats) - sides, len(seats))
    for column, on_left in ((left, True), (right, False)):
        x_of = [margin if on_left else width - margin - blocks[at].box.width for at in column]
        placed = _column([blocks[at] for at in column], x_of, height, top_boxes)
        if placed is None:
            return None
        for place, spot in zip(column, placed, strict=True):
            spots[place] = spot
    boxes = [spot.box for spot in spots]
    if any(box.x < 0 or box.y < 0 or box.right > width or box.bottom > height for box in boxes):
        return None
    if collide(boxes):
        return None
    return spots


def _seat_sizes(needs: SeatNeeds, most: CardSize | None) -> list[CardSize]:
    """The sizes for the cards of a seat, the largest first."""
    if most in (None, CHIP):
        return [CHIP]
    largest = LARGE if needs.open else NORMAL
    return [size for size in SIZES if size.height <= min(_height(most), largest.height)]


def _column(
    blocks: Sequence[SeatSpot], x_of: Sequence[int], height: int, top: Sequence[Box]
) -> list[SeatSpot] | None:
    """Seats below each other, spread over the height; a single one a little above the middle."""
    tall = sum([block.box.height for block in blocks])
    if tall > height:
        return None
    gap = min(3, (height - tall) // (len(blocks) + 1))
    spread = tall + gap * (len(blocks) - 1)
    for start in range((height - spread) * 2 // 5, height - spread + 1):
        y, placed = start, []
        for block, x in zip(blocks, x_of, strict=True):
            placed.append(_moved(block, x, y))
            y += block.box.height + gap
        if not any(spot.box.touches(other) for spot in placed for other in top):
            return placed
    return None


def _block(
    needs: SeatNeeds, most: CardSize | None, rows: int, room: int, beside: bool
) -> SeatSpot | None:
    """A seat at the origin: the plate above its cards, or beside them."""
    plate = min(needs.plate if rows > 1 else needs.line, room)
    if room < needs.least:
        return None
    if not needs.cards or (most is None and not needs.open):
        return SeatSpot(Box(0, 0, plate, rows), Box(0, 0, plate, rows), (), CHIP)
    for size in _seat_sizes(needs, most):
        fan_room = room - plate - 2 if beside and size != CHIP else room
        fan = _fan(needs, size, fan_room, _MOST_ROWS[size])
        if fan is None:
            continue
        fan_width = max([x for x, _ in fan]) + size.width
        fan_height = max([y for _, y in fan]) + size.height
        if beside and size != CHIP:
            cards = tuple([(x + plate + 2, y) for x, y in fan])
            box = Box(0, 0, plate + 2 + fan_width, max(rows, fan_height))
            return SeatSpot(box, Box(0, max(0, (fan_height - rows) // 2), plate, rows), cards, size)
        wide = max(plate, fan_width)
        cards = tuple([(x + (wide - fan_width) // 2, y + rows) for x, y in fan])
        box = Box(0, 0, wide, rows + fan_height)
        return SeatSpot(box, Box((wide - plate) // 2, 0, plate, rows), cards, size)
    return None


def _fan(
    needs: SeatNeeds, size: CardSize, room: int, most_rows: int
) -> list[tuple[int, int]] | None:
    """The corners of overlapping cards in as many rows as needed, None if they do not fit."""
    least = NARROWEST_STEPS[size] if needs.open else 2
    per_row = 1 + (room - size.width) // least
    if per_row < 1 or -(-needs.cards // per_row) > most_rows:
        return None
    rows = -(-needs.cards // per_row)
    per_row = -(-needs.cards // rows)
    if needs.open:
        step = fan_steps(per_row, size, room, gap=0 if size == CHIP else 1)
    else:
        step = min(max(2, (room - size.width) // max(1, per_row - 1)), 3 if size == NORMAL else 2)
    return [
        (place % per_row * step, place // per_row * size.height) for place in range(needs.cards)
    ]


def _moved(spot: SeatSpot, x: int, y: int) -> SeatSpot:
    cards = tuple([(at + x, row + y) for at, row in spot.cards])
    return SeatSpot(spot.box.moved(x, y), spot.plate.moved(x, y), cards, spot.size)


Spots = Callable[[int, int], list[tuple[int, int]]]
"""From the columns and rows of a part to the places for it, the best first."""


def _beside(width: int, height: int, ring: Box) -> Spots:
    """Places for a badge: next to the trick, otherwise in a corner."""

    def spots(wide: int, high: int) -> list[tuple[int, int]]:
        left, right, bottom = _margin(width), width - _margin(width) - wide, height - high
        rows = [ring.bottom - high - 1, ring.y, bottom, ring.y + 2]
        found = [(ring.x - wide - 3, y) for y in rows] + [(ring.right + 3, y) for y in rows]
        found += [(left, bottom), (right, bottom), (left, 0), (right, 0)]
        return found + [(x, y) for x in (ring.x - wide - 1, ring.right + 1) for y in rows]

    return spots


def _corners(width: int, height: int, top: int) -> Spots:
    """The corners of the felt."""

    def spots(wide: int, high: int) -> list[tuple[int, int]]:
        across = (width - _margin(width) - wide, _margin(width))
        return [(x, y) for y in (top, height - high) for x in across]

    return spots


def _free(
    width: int,
    height: int,
    spots: Spots,
    sizes: Sequence[tuple[int, int]],
    taken: Sequence[Box],
    gaps: Sequence[int] = (1,),
) -> Box | None:
    """The first free place for the best size that fits. gaps: rows above and below, to try one
    after the other."""
    for wide, high in sizes:
        for rows in gaps:
            for x, y in spots(wide, high):
                box = Box(x, y, wide, high)
                inside = x >= 0 and y >= 0 and box.right <= width and box.bottom <= height
                if inside and not any(box.touches(other, 1, rows) for other in taken):
                    return box
    return None


def _crowded(
    width: int,
    height: int,
    seats: Sequence[SeatNeeds],
    laid: Sequence[tuple[str, int]],
    badges: Sequence[BadgeNeeds],
) -> FeltPlan:
    """The last resort: the seats in rows, then the cards as chips in rows."""
    spots: list[SeatSpot] = []
    x, row = 0, 0
    for needs in seats:
        if x and x + needs.line > width:
            x, row = 0, row + 1
        box = Box(x, row, min(width, needs.line), 1)
        spots.append(SeatSpot(box, box, (), CHIP))
        x = box.right + 1
    top = row + 1
    boxes = []
    captions = max([length for _, length in laid], default=0)
    step = min(max(CHIP.width, captions) + 1, max(CHIP.width + 1, width // max(1, len(laid))))
    per_row = max(1, width // step)
    for number in range(len(laid)):
        row, column = divmod(number, per_row)
        boxes.append(Box(column * step, top + row * 2, *CHIP))
    used = top + 2 * -(-len(laid) // per_row)
    placed, x = [], 0
    for badge in badges:
        size = 2 * badge.text + 5 if not badge.card else badge.text + 5
        placed.append(Box(x, used, min(size, width), 1))
        x += size + 1
    ring = Box(0, top, width, max(1, used - top))
    wider = max(0, step - 1 - CHIP.width)
    captioned = [Box(box.x - wider // 2, box.y, box.width + wider, 2) for box in boxes]
    return FeltPlan(CHIP, tuple(spots), tuple(boxes), tuple(captioned), tuple(placed), None, ring)


def hand_size(width: int, height: int, count: int) -> tuple[CardSize, int]:
    """The size of the cards in the hand and the number of rows they take. Large cards do not
    overlap, since most of each would be blank.

    height   of the whole table: felt, question, choices and hand
    """
    least = {HUGE: 45, LARGE: 31, NORMAL: 19, COMPACT: 0}
    for size in SIZES:
        step = NARROWEST_STEPS[size] if size.height < LARGE.height else size.width + 1
        fits = size.width + (count - 1) * step <= width
        if height >= least[size] and fits:
            return size, 1
    per_row = max(1, 1 + (width - COMPACT.width) // NARROWEST_STEPS[COMPACT])
    return COMPACT, max(1, -(-count // per_row))
