"""A view as a row of numbers, derived from the declared kind of each field.

Most numbers are 0 or 1. A bounded number is divided by its limit. Seats are counted from the
seat of the view and its own side comes first, so one network can play any seat. The row
contains nothing that is not in the view; the history of actions is left out.
"""

from array import array
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine import fields
from engine.cards import Pack, cards_in
from engine.fields import Kind, Number
from engine.game import Options, View

Floats = NDArray[np.float32]
Sides = tuple[tuple[int, ...], ...]

Write = Callable[["array[float]", Any], None]
"""Writes the value of a field to its place in a row."""


class Room(NamedTuple):
    """How many seats and sides a row has room for."""

    seats: int
    sides: int


class Part(NamedTuple):
    """One field of a view: its place in the row, and how to write it there."""

    name: str
    place: range
    write: Write


class ViewEncoder:
    """Encodes the views of one seat in matches with the same options."""

    def __init__(
        self, view_class: type[View], options: Options, sides: Sides, seat: int, room: Room
    ) -> None:
        layout = _Layout(options, sides, seat, room)
        self.parts: list[Part] = []
        for name, kind in view_class.kinds().items():
            start = layout.size
            write = layout.add(kind)
            if write is not None:
                self.parts.append(Part(name, range(start, layout.size), write))
        self.size = layout.size
        self._empty = array("f", bytes(4 * self.size))

    def encode(self, view: View) -> Floats:
        row = self._empty[:]
        for name, _, write in self.parts:
            write(row, getattr(view, name))
        return np.frombuffer(row, dtype=np.float32)


@lru_cache(maxsize=1024)
def _encoder(
    view_class: type[View], options: Options, sides: Sides, seat: int, room: Room | None
) -> ViewEncoder:
    room = room or Room(sum([len(side) for side in sides]), len(sides))
    return ViewEncoder(view_class, options, sides, seat, room)


def encoder(view: View, room: Room | None = None) -> ViewEncoder:
    """The encoder for views like this one.

    room   None for the seats and sides of this match. More room gives rows of equal length
           for any number of players.
    """
    return _encoder(type(view), view.options, view.sides, view.seat, room)  # type: ignore[arg-type]


class _Layout:
    """Gives each field its place in a row, one after the other."""

    def __init__(self, options: Options, sides: Sides, seat: int, room: Room) -> None:
        self.size = 0
        self._options = options
        self._room = room
        seats = sum([len(side) for side in sides])
        own_side = next(number for number, side in enumerate(sides) if seat in side)
        self._seats_in_order = [(seat + step) % seats for step in range(seats)]
        self._sides_in_order = [(own_side + step) % len(sides) for step in range(len(sides))]

    def _take(self, size: int) -> int:
        start = self.size
        self.size += size
        return start

    def add(self, kind: Kind) -> Write | None:
        """Reserve room for a field and return how to write it; None if rows leave it out."""
        match kind:
            case fields.Flag() | fields.Count():
                return _write_flag(self._take(1))
            case Number():
                return _write_number(self._take(1), limit(kind, self._options))
            case fields.OneOf():
                return _write_one_of(self._take(len(kind.names)), len(kind.names))
            case fields.Seat():
                return self._add_seat()
            case fields.Card():
                return _write_one_of(self._take(len(kind.pack.codes)), len(kind.pack.codes))
            case fields.CardSet():
                return _write_cards(self._take(len(kind.pack.codes)), kind.pack)
            case fields.CardCounts():
                return _write_counts(self._take(len(kind.pack.codes)), kind.pack)
            case fields.Plays():
                return self._add_plays(kind.pack)
            case fields.PerSeat():
                return self._add_each(kind.each, self._seats_in_order, self._room.seats)
            case fields.PerSide():
                return self._add_each(kind.each, self._sides_in_order, self._room.sides)
            case fields.Several():
                return self._add_each(kind.each, range(kind.most), kind.most)
            case fields.Actions():
                return None
        raise TypeError(f"A view with {type(kind).__name__} cannot be encoded as numbers.")

    def _add_seat(self) -> Write:
        start = self._take(self._room.seats)
        places = {seat: start + step for step, seat in enumerate(self._seats_in_order)}

        def write(row: "array[float]", seat: int) -> None:
            if seat in places:
                row[places[seat]] = 1.0

        return write

    def _add_plays(self, pack: Pack) -> Write:
        """For each seat the cards it played. Cards that lie face down count nowhere."""
        count = len(pack.codes)
        start = self._take(self._room.seats * count)
        starts = {seat: start + step * count for step, seat in enumerate(self._seats_in_order)}

        def write(row: "array[float]", plays: Sequence[tuple[int, int]]) -> None:
            for seat, card in plays:
                if card < count:
                    row[starts[seat] + card] = 1.0

        return write

    def _add_each(self, kind: Kind, order: Sequence[int], room: int) -> Write | None:
        """Values in this order, with room for so many. Missing values stay 0."""
        writes: list[tuple[int, Write]] = []
        for step in range(room):
            write = self.add(kind)
            if write is not None and step < len(order):
                writes.append((order[step], write))

        def write_all(row: "array[float]", values: Sequence[Any]) -> None:
            count = len(values)
            for at, write in writes:
                if at < count:
                    write(row, values[at])

        return write_all if writes else None


def limit(kind: Number, options: Options) -> float:
    """The number that counts as 1: the upper limit, or the size of the lower one if no value
    is above 0."""
    high = getattr(options, kind.high) if isinstance(kind.high, str) else kind.high
    return float(high) if high > 0 else float(max(1, -kind.low))


def _write_flag(at: int) -> Write:
    def write(row: "array[float]", value: int) -> None:
        if value:
            row[at] = 1.0

    return write


def _write_number(at: int, limit: float) -> Write:
    def write(row: "array[float]", value: float) -> None:
        row[at] = value / limit

    return write


def _write_one_of(start: int, count: int) -> Write:
    def write(row: "array[float]", index: int) -> None:
        if 0 <= index < count:
            row[start + index] = 1.0

    return write


def _write_cards(start: int, pack: Pack) -> Write:
    share = 1.0 / pack.copies

    def write(row: "array[float]", cards: int | Sequence[int]) -> None:
        for card in cards_in(cards) if isinstance(cards, int) else cards:
            row[start + card] += share

    return write


def _write_counts(start: int, pack: Pack) -> Write:
    copies = pack.copies

    def write(row: "array[float]", counts: Sequence[int]) -> None:
        for at, count in enumerate(counts, start):
            if count:
                row[at] = count / copies

    return write
