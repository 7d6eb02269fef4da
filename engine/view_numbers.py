"""A view as whole numbers, from which observations are made.

Every declared field of a view becomes one or more columns, in the order of `View.kinds()` and of
the seats as the game numbers them:

    a yes/no, number, name, seat, card   its value, NONE if it is not settled
    a set of cards, counts of cards      for each copy in the pack the mask of the kinds that are
                                         there at least so often
    cards played                         for each seat the mask of its cards
    cards of a trick                     for each seat its card
    one value per seat or side, several  the columns of each; those missing are empty

`State.numbers` writes them straight from the state, so no view is needed for an observation.
"""

from collections.abc import Sequence
from functools import cache
from typing import Any

from engine import fields
from engine.cards import Pack
from engine.fields import NONE, Kind


def shown_in(view_class: Any) -> tuple[tuple[str, Kind], ...]:
    """The fields of a view that have columns: all but the history."""
    return _shown(view_class)


@cache
def _shown(view_class: Any) -> tuple[tuple[str, Kind], ...]:
    kinds: dict[str, Kind] = view_class.kinds()
    return tuple([each for each in kinds.items() if not isinstance(each[1], fields.Actions)])


def width(kind: Kind, seats: int, sides: int) -> int:
    """How many columns a field has."""
    if isinstance(kind, fields.PerSeat):
        return seats * width(kind.each, seats, sides)
    if isinstance(kind, fields.PerSide):
        return sides * width(kind.each, seats, sides)
    if isinstance(kind, fields.Several):
        return kind.most * width(kind.each, seats, sides)
    if isinstance(kind, fields.Plays):
        return seats
    if isinstance(kind, fields.CardSet | fields.CardCounts):
        return kind.pack.copies
    return 1


def numbers_of(view: Any) -> list[int]:
    """The columns of a view, worked out from its fields."""
    row: list[int] = []
    for name, kind in shown_in(type(view)):
        _add(row, kind, getattr(view, name), view.seats, len(view.sides))
    return row


def _add(row: list[int], kind: Kind, value: Any, seats: int, sides: int) -> None:
    if isinstance(kind, fields.PerSeat | fields.PerSide):
        for each in value:
            _add(row, kind.each, each, seats, sides)
    elif isinstance(kind, fields.Several):
        for each in value:
            _add(row, kind.each, each, seats, sides)
        for _ in range(kind.most - len(value)):
            row += _missing(kind.each, seats, sides)
    elif isinstance(kind, fields.Trick):
        row += trick_cards(value, seats, kind.pack)
    elif isinstance(kind, fields.Plays):
        row += played_masks(value, seats, kind.pack)
    elif isinstance(kind, fields.CardSet):
        if isinstance(value, int):
            row.append(value)
        else:
            counts = [0] * len(kind.pack.codes)
            for card in value:
                counts[card] += 1
            row += _count_masks(counts, kind.pack)
    elif isinstance(kind, fields.CardCounts):
        row += _count_masks(value, kind.pack)
    elif isinstance(kind, fields.Actions):
        raise TypeError("A history of actions has no columns.")
    else:
        row.append(int(value))


def _missing(kind: Kind, seats: int, sides: int) -> list[int]:
    unsettled = isinstance(kind, fields.Seat | fields.Card | fields.OneOf | fields.Trick)
    return [NONE if unsettled else 0] * width(kind, seats, sides)


def played_masks(plays: Sequence[tuple[int, int]], seats: int, pack: Pack) -> list[int]:
    """For each seat the mask of its cards. Cards that lie face down are left out."""
    masks = [0] * seats
    for seat, card in plays:
        if card < len(pack.codes):
            masks[seat] |= 1 << card
    return masks


def trick_cards(plays: Sequence[tuple[int, int]], seats: int, pack: Pack) -> list[int]:
    """For each seat its card. Cards that lie face down are left out."""
    cards = [NONE] * seats
    for seat, card in plays:
        if card < len(pack.codes):
            cards[seat] = card
    return cards


def _count_masks(counts: Sequence[int], pack: Pack) -> list[int]:
    """For each copy the kinds of which there are at least so many."""
    masks = [0] * pack.copies
    for kind, count in enumerate(counts):
        for copy in range(count):
            masks[copy] |= 1 << kind
    return masks
