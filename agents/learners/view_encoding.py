"""A view as a row of numbers, derived from the declared kind of each field.

Most numbers are 0 or 1. A bounded number is divided by its limit. Seats are counted from the
seat of the view and its own side comes first, so one network can play any seat. The row
contains nothing that is not in the view; the history of actions is left out.

`State.numbers` supplies the columns of whole numbers that the row is made from. `RowEncoder`
joins prepared pieces of a row, which is fastest for one view; `BatchEncoder` lets numpy expand the
columns of many views at once.
"""

from collections.abc import Callable, Sequence
from enum import Enum, auto
from functools import cache, lru_cache
from struct import pack as packed
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine import fields
from engine.fields import Kind, Number
from engine.game import Options, View
from engine.view_numbers import numbers_of, shown_in, width

Floats = NDArray[np.float32]
Integers = NDArray[np.int64]
Sides = tuple[tuple[int, ...], ...]

_CHUNK: Final = 12
"""Bits of a mask that become numbers in one look-up."""

_MOST_KEPT: Final = 20_000
"""Pieces of rows that are kept for each size."""


class Room(NamedTuple):
    """How many seats and sides a row has room for."""

    seats: int
    sides: int


class Form(Enum):
    """How a column becomes numbers of a row."""

    EMPTY = auto()
    FLAG = auto()
    NUMBER = auto()
    ONE_OF = auto()
    SEAT = auto()
    CARDS = auto()


class Cell(NamedTuple):
    """Numbers of a row that are made from one column, or from `copies` columns with masks.

    start   the first of the numbers, and `size` how many there are
    few     whether the mask usually has few cards, so that the same masks come again and again
    """

    form: Form
    start: int
    size: int
    column: int = 0
    limit: float = 1.0
    copies: int = 1
    few: bool = False


class Plan:
    """The cells of a row for the views of one seat.

    cells   in the order of the row
    places  the numbers of each field
    """

    def __init__(
        self, view_class: type[View], options: Options, sides: Sides, seat: int, room: Room
    ) -> None:
        self._options = options
        self._room = room
        self.seats = sum([len(side) for side in sides])
        own_side = next(number for number, side in enumerate(sides) if seat in side)
        self._seat_order = [(seat + step) % self.seats for step in range(self.seats)]
        self._side_order = [(own_side + step) % len(sides) for step in range(len(sides))]
        self.cells: list[Cell] = []
        self.size = 0
        self.places: dict[str, range] = {}
        column = 0
        for name, kind in shown_in(view_class):
            start = self.size
            self._add(kind, column)
            self.places[name] = range(start, self.size)
            column += self._width(kind)
        self.columns = column

    def _width(self, kind: Kind) -> int:
        return width(kind, self.seats, len(self._side_order))

    def _cell(self, form: Form, size: int, column: int = 0, **more: Any) -> None:
        self.cells.append(Cell(form, self.size, size, column, **more))
        self.size += size

    def _add(self, kind: Kind, column: int, few: bool = False) -> None:
        match kind:
            case fields.Flag() | fields.Count():
                self._cell(Form.FLAG, 1, column)
            case Number():
                self._cell(Form.NUMBER, 1, column, limit=limit(kind, self._options))
            case fields.OneOf():
                self._cell(Form.ONE_OF, len(kind.names), column)
            case fields.Card():
                self._cell(Form.ONE_OF, len(kind.pack.codes), column)
            case fields.Seat():
                self._cell(Form.SEAT, self._room.seats, column)
            case fields.CardSet() | fields.CardCounts():
                copies = kind.pack.copies
                few = few and copies == 1
                self._cell(Form.CARDS, len(kind.pack.codes), column, copies=copies, few=few)
            case fields.Plays():
                cards = len(kind.pack.codes)
                for seat in self._seat_order:
                    self._cell(Form.CARDS, cards, column + seat, few=True)
                self._leave((self._room.seats - self.seats) * cards)
            case fields.PerSeat():
                self._add_each(kind.each, column, self._seat_order, self._room.seats)
            case fields.PerSide():
                self._add_each(kind.each, column, self._side_order, self._room.sides)
            case fields.Several():
                self._add_each(kind.each, column, range(kind.most), kind.most)
            case _:
                raise TypeError(f"A view with {type(kind).__name__} cannot be encoded as numbers.")

    def _add_each(self, kind: Kind, column: int, order: Sequence[int], room: int) -> None:
        """Values in this order, with room for so many. Missing values stay 0."""
        start = self.size
        for at in order:
            self._add(kind, column + at * self._width(kind), few=True)
        if order:
            self._leave((room - len(order)) * ((self.size - start) // len(order)))

    def _leave(self, size: int) -> None:
        if size:
            self._cell(Form.EMPTY, size)


class RowEncoder:
    """Encodes the views of one seat in matches with the same options."""

    def __init__(self, plan: Plan, seat: int) -> None:
        self._plan = plan
        self._seat = seat
        self.places = plan.places
        self.size = plan.size
        names: dict[str, Any] = {"join": b"".join}
        pieces = [piece for cell in plan.cells for piece in _pieces(cell, seat, plan.seats, names)]
        # Written out, since a loop over the pieces takes twice as long.
        source = f"lambda n: bytearray(join(({', '.join(pieces)},)))"
        self._row: Callable[[Sequence[int]], bytearray] = eval(source, names)

    def __reduce__(self) -> tuple[Any, ...]:
        return RowEncoder, (self._plan, self._seat)

    def row(self, numbers: Sequence[int]) -> Floats:
        """The row of the columns that `State.numbers` writes."""
        return np.frombuffer(self._row(numbers), np.float32)

    def encode(self, view: View) -> Floats:
        return self.row(numbers_of(view))


@lru_cache(maxsize=1024)
def plan_of(
    view_class: type[View], options: Options, sides: Sides, seat: int, room: Room | None = None
) -> Plan:
    """room: None for the seats and sides of this match. More room gives rows of equal length
    for any number of players."""
    room = room or Room(sum([len(side) for side in sides]), len(sides))
    return Plan(view_class, options, sides, seat, room)


@lru_cache(maxsize=1024)
def _encoder(
    view_class: type[View], options: Options, sides: Sides, seat: int, room: Room | None
) -> RowEncoder:
    kind: Any = view_class
    return RowEncoder(plan_of(kind, options, sides, seat, room), seat)


def encoder(view: View, room: Room | None = None) -> RowEncoder:
    """The encoder for views like this one."""
    kind: Any = type(view)  # mypy doubts that classes of dataclasses can be hashed.
    return _encoder(kind, view.options, view.sides, view.seat, room)


def limit(kind: Number, options: Options) -> float:
    """The number that counts as 1: the upper limit, or the size of the lower one if no value
    is above 0."""
    high = getattr(options, kind.high) if isinstance(kind.high, str) else kind.high
    return float(high) if high > 0 else float(max(1, -kind.low))


# Pieces of a row, as bytes


def _pieces(cell: Cell, seat: int, seats: int, names: dict[str, Any]) -> list[str]:
    """Expressions of the bytes of a cell from the columns `n`. `names` gets what they refer to."""
    value = f"n[{cell.column}]"

    def named(table: object) -> str:
        name = f"t{len(names)}"
        names[name] = table
        return name

    match cell.form:
        case Form.EMPTY:
            return [named(bytes(4 * cell.size))]
        case Form.FLAG:
            return [f"{named(_ones(1))}[{value} == 0]"]
        case Form.NUMBER:
            return [f"{named(_Shares(cell.limit))}[{value}]"]
        case Form.ONE_OF:
            return [f"{named(_ones(cell.size))}[{value}]"]
        case Form.SEAT:
            ones = _ones(cell.size)
            turned = [ones[(each - seat) % seats] for each in range(seats)]
            return [f"{named([*turned, ones[-1]])}[{value}]"]
        case Form.CARDS if cell.few:
            return [f"{named(_few_cards(cell.size))}[{value}]"]
        case Form.CARDS:
            return _card_pieces(cell, named)


def _card_pieces(cell: Cell, named: Callable[[object], str]) -> list[str]:
    step = _CHUNK // cell.copies
    pieces = []
    for first in range(0, cell.size, step):
        cards = min(step, cell.size - first)
        bits = [
            f"(n[{cell.column + copy}] >> {first} & {(1 << cards) - 1}) << {copy * cards}"
            for copy in range(cell.copies)
        ]
        pieces.append(f"{named(_bits(cards, cell.copies))}[{' | '.join(bits)}]")
    return pieces


@cache
def _ones(size: int) -> list[bytes]:
    """For each index a 1 at its place. The last entry, which -1 selects, is all 0."""
    rows = [packed(f"{size}f", *[float(at == one) for at in range(size)]) for one in range(size)]
    return [*rows, bytes(4 * size)]


@cache
def _bits(cards: int, copies: int) -> list[bytes]:
    """For each mask of so many cards, or several masks one above the other, the share of each
    card."""
    return [
        packed(
            f"{cards}f",
            *[
                sum([mask >> copy * cards + card & 1 for copy in range(copies)]) / copies
                for card in range(cards)
            ],
        )
        for mask in range(1 << cards * copies)
    ]


class _FewCards(dict[int, bytes]):
    """The numbers of masks that were met before, and of others by their bits."""

    def __init__(self, cards: int) -> None:
        self._cards = range(0, cards, _CHUNK)
        self._tables = [_bits(min(_CHUNK, cards - first), 1) for first in self._cards]

    def __missing__(self, mask: int) -> bytes:
        chunk = (1 << _CHUNK) - 1
        pairs = zip(self._cards, self._tables, strict=True)
        found = b"".join([table[mask >> first & chunk] for first, table in pairs])
        if len(self) < _MOST_KEPT:
            self[mask] = found
        return found


_few_cards = cache(_FewCards)


class _Shares(dict[int, bytes]):
    """Numbers divided by a limit. Each is worked out once."""

    def __init__(self, limit: float) -> None:
        self._limit = limit

    def __missing__(self, number: int) -> bytes:
        share = packed("f", number / self._limit)
        if len(self) < _MOST_KEPT:
            self[number] = share
        return share


# Many rows at once


class BatchEncoder:
    """Encodes the columns of many views of matches with the same options, of any seats."""

    def __init__(self, view_class: type[View], options: Options, sides: Sides) -> None:
        seats = sum([len(side) for side in sides])
        kind: Any = view_class
        plans = [plan_of(kind, options, sides, seat) for seat in range(seats)]
        self.size = plans[0].size
        self.columns = plans[0].columns
        self._seats = seats
        groups = {(cell.size, cell.copies) for cell in plans[0].cells if cell.form is Form.CARDS}
        self._cards = [_CardCells(plans, *group) for group in sorted(groups)]
        self._flags = _Cells(plans, Form.FLAG)
        self._numbers = _Cells(plans, Form.NUMBER)
        self._choices = _Cells(plans, Form.ONE_OF)
        self._places = _Cells(plans, Form.SEAT)

    def expand(self, columns: Integers, seats: Integers, rows: Floats) -> None:
        """Write the row of each view.

        columns   for each view what `State.numbers` returns
        seats     for each view its seat
        rows      one for each view
        """
        rows.fill(0)
        for cards in self._cards:
            cards.write(columns, seats, rows)
        if len(self._flags):
            rows[:, self._flags.starts] = self._flags.of(columns, seats) != 0
        if len(self._numbers):
            rows[:, self._numbers.starts] = self._numbers.of(columns, seats) / self._numbers.limits
        self._write_ones(rows, self._choices, self._choices.of(columns, seats))
        places = self._places.of(columns, seats)
        turned = (places - seats[:, None]) % self._seats
        self._write_ones(rows, self._places, np.where(places < 0, -1, turned))

    def _write_ones(self, rows: Floats, cells: "_Cells", values: Integers) -> None:
        at = values + cells.starts
        at += np.arange(0, rows.size, self.size)[:, None]
        rows.reshape(-1)[at[values >= 0]] = 1


class _Cells:
    """The cells of one form, and for each seat their columns."""

    def __init__(self, plans: Sequence[Plan], form: Form, size: int = 0, copies: int = 1) -> None:
        cells = [
            [
                cell
                for cell in plan.cells
                if cell.form is form and (not size or (cell.size, cell.copies) == (size, copies))
            ]
            for plan in plans
        ]
        self.starts = np.array([cell.start for cell in cells[0]], np.int64)
        self.limits = np.array([cell.limit for cell in cells[0]], np.float32)
        self._columns = np.array(
            [[cell.column + copy for copy in range(copies) for cell in row] for row in cells],
            np.int64,
        ).reshape(len(plans), -1)

    def __len__(self) -> int:
        return len(self.starts)

    def of(self, columns: Integers, seats: Integers) -> Integers:
        """The columns of these cells in the order of the row."""
        return np.take_along_axis(columns, self._columns[seats], 1)


class _CardCells(_Cells):
    """Cells with sets of cards of one pack."""

    def __init__(self, plans: Sequence[Plan], size: int, copies: int) -> None:
        super().__init__(plans, Form.CARDS, size, copies)
        self._size = size
        self._copies = copies
        self._bytes = (size + 7) // 8
        # Cells that follow each other in the row are written together.
        runs: list[list[int]] = []
        for number, start in enumerate(self.starts.tolist()):
            if runs and self.starts[runs[-1][-1]] + size == start:
                runs[-1].append(number)
            else:
                runs.append([number])
        self._runs = [(run[0], run[-1] + 1, int(self.starts[run[0]])) for run in runs]

    def write(self, columns: Integers, seats: Integers, rows: Floats) -> None:
        masks = self.of(columns, seats)
        count = len(masks)
        octets = masks.astype("<i8", copy=False).view(np.uint8).reshape(count, -1, 8)
        used = np.ascontiguousarray(octets[:, :, : self._bytes])
        bits = np.unpackbits(used, axis=2, count=self._size, bitorder="little")
        if self._copies > 1:
            bits = bits.reshape(count, self._copies, -1, self._size).sum(1) / self._copies
        for first, end, start in self._runs:
            numbers = bits[:, first:end].reshape(count, -1)
            rows[:, start : start + numbers.shape[1]] = numbers
