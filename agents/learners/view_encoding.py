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
                form = Form.ONE_OF if isinstance(kind, fields.Trick) else Form.CARDS
                for seat in self._seat_order:
                    self._cell(form, cards, column + seat, few=True)
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

_WORD: Final = 64
"""Bits of a word."""


class BatchEncoder:
    """Encodes the columns of a number of views of matches with the same options, of any seats.

    All cells but those of numbers become bits of one long row, which numpy unpacks at once.
    """

    def __init__(self, view_class: type[View], options: Options, sides: Sides, rows: int) -> None:
        seats = sum([len(side) for side in sides])
        kind: Any = view_class
        plans = [plan_of(kind, options, sides, seat) for seat in range(seats)]
        self.size = plans[0].size
        self.columns = plans[0].columns
        cells = plans[0].cells
        numbers = [each for each, cell in enumerate(cells) if cell.form is Form.NUMBER]
        # Numbers that follow each other in the row are written together.
        self._runs: list[tuple[int, int]] = []
        for each in numbers:
            start = cells[each].start
            if self._runs and sum(self._runs[-1]) == start:
                start, length = self._runs.pop()
                self._runs.append((start, length + 1))
            else:
                self._runs.append((start, 1))
        self._limits = np.array([[cells[each].limit] for each in numbers], np.float32)
        self._number_columns = _columns(plans, [(each, 0) for each in numbers])
        copies = range(max([cell.copies for cell in cells], default=1))
        self._layers = [_Bits(plans, copy, rows) for copy in copies]
        self._at = np.arange(0, rows * self.columns, self.columns)
        self._shares: Floats = np.ones(self.size, np.float32)
        for cell in cells:
            self._shares[cell.start : cell.start + cell.size] = 1 / cell.copies

    def expand(self, columns: Integers, seats: Integers, rows: Floats) -> None:
        """Write the row of each view.

        columns   for each view what `State.numbers` returns
        seats     for each view its seat
        rows      one for each view
        """
        flat, at = columns.reshape(-1), self._at
        bits = self._layers[0].unpacked(flat, at, seats)
        if len(self._layers) == 1:
            np.copyto(rows, bits)
        else:
            for layer in self._layers[1:]:
                bits += layer.unpacked(flat, at, seats)
            np.multiply(bits, self._shares, out=rows)
        if self._runs:
            shares = flat.take(self._number_columns.take(seats, 1) + at) / self._limits
            done = 0
            for start, length in self._runs:
                rows[:, start : start + length] = shares[done : done + length].T
                done += length


class _Bits:
    """The bits of one column of each cell: its first, or that of another copy in the pack.

    Its steps write into arrays that are kept. New ones of this size would come from the operating
    system each time, which takes longer than to fill them.
    """

    def __init__(self, plans: Sequence[Plan], copy: int, rows: int) -> None:
        cells = plans[0].cells
        self._size = plans[0].size
        # A part is what one cell sets in one word. Parts with sets of cards come first, then flags,
        # then those with a look-up.
        order = (Form.CARDS, Form.FLAG, Form.ONE_OF, Form.SEAT)
        parts = sorted(
            [
                (order.index(cell.form), number, word)
                for number, cell in enumerate(cells)
                if cell.form in order and copy < cell.copies
                for word in range(cell.start // _WORD, (cell.start + cell.size - 1) // _WORD + 1)
            ]
        )
        forms = [form for form, _, _ in parts]
        self._flags = slice(forms.count(0), forms.count(0) + forms.count(1))
        self._looked_up = slice(self._flags.stop, len(parts))
        self._columns = _columns(plans, [(number, copy) for _, number, _ in parts])
        shifts = [cells[number].start - _WORD * word for _, number, word in parts]
        shifts = [0 if form > 1 else shift for form, shift in zip(forms, shifts, strict=True)]
        self._left = np.array([[max(shift, 0)] for shift in shifts], np.uint64)
        self._right = np.array([[max(-shift, 0)] for shift in shifts], np.uint64)
        self._words = -(-self._size // _WORD)
        self._of_word = [
            np.array([at for at, part in enumerate(parts) if part[2] == word], np.int64)
            for word in range(self._words)
        ]
        table: list[int] = []
        bases = []
        for _, number, word in parts[self._looked_up]:
            of_seats = []
            for seat in range(len(plans)):
                # Where the entry of 0 stands; before it the one of NONE.
                of_seats.append(len(table) + 1)
                table += _look_ups(cells[number], word, seat, len(plans))
            bases.append(of_seats)
        self._table = np.array(table, np.uint64)
        self._bases = np.array(bases, np.int64).reshape(-1, len(plans))
        self._indices = np.empty((len(parts), rows), np.int64)
        self._values = np.empty((len(parts), rows), np.int64)
        self._look_ups = np.empty((len(bases), rows), np.int64)
        self._word = np.zeros((self._words, rows), "<u8")
        self._octets = np.zeros((rows, self._words), "<u8")

    def unpacked(self, flat: Integers, at: Integers, seats: Integers) -> NDArray[np.uint8]:
        """A row of bits for each view. at: where the columns of each view begin."""
        indices, values, look_ups = self._indices, self._values, self._look_ups
        # Other modes than "clip" copy, since they check before they write.
        self._columns.take(seats, 1, indices, "clip")
        np.add(indices, at, out=indices)
        flat.take(indices, None, values, "clip")
        masks = values.view(np.uint64)
        flags = values[self._flags]
        np.not_equal(flags, 0, out=flags, casting="unsafe")
        if len(self._bases):
            self._bases.take(seats, 1, look_ups, "clip")
            np.add(look_ups, values[self._looked_up], out=look_ups)
            self._table.take(look_ups, None, masks[self._looked_up], "clip")
        np.left_shift(masks, self._left, out=masks)
        np.right_shift(masks, self._right, out=masks)
        for word, parts in zip(self._word, self._of_word, strict=True):
            np.bitwise_or.reduce(masks[parts], axis=0, out=word)
        np.copyto(self._octets, self._word.T)
        octets = self._octets.view(np.uint8)
        return np.unpackbits(octets, axis=1, count=self._size, bitorder="little")


def _columns(plans: Sequence[Plan], cells: Sequence[tuple[int, int]]) -> Integers:
    """For each of these cells, and copies, its column in the views of each seat."""
    found = [[plan.cells[number].column + copy for plan in plans] for number, copy in cells]
    return np.array(found, np.int64).reshape(-1, len(plans))


def _look_ups(cell: Cell, word: int, seat: int, seats: int) -> list[int]:
    """What each value of a cell sets in a word: nothing for NONE, which comes first."""
    found = [0]
    for value in range(seats if cell.form is Form.SEAT else cell.size):
        place = (value - seat) % seats if cell.form is Form.SEAT else value
        at = cell.start + place - _WORD * word
        found.append(1 << at if 0 <= at < _WORD else 0)
    return found
