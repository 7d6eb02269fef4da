"""What the fields of a view hold.

Every field of a `View` that a player may see declares its kind with `holds`. The line protocol,
the observations for reinforcement learning and the generic encoding of the learners walk these
declarations; no other file lists the fields of a game. A field without a kind stays internal.
"""

from collections.abc import Sequence
from typing import Final

from engine.cards import Pack

NONE: Final = -1
"""Stands for a seat, card or choice that is not settled."""


class Kind:
    """What a field holds. Subclasses say what its values mean."""


class Flag(Kind):
    """True or False."""


class Number(Kind):
    """A number from `low` to `high`. `high` may name an option or a property of the options,
    such as `lives`. NONE, where it is below `low`, stands for a number not settled yet."""

    def __init__(self, high: int | str, low: int = 0) -> None:
        self.high: int | str = high
        self.low: int = low


class Count(Kind):
    """A number from 0 without an upper limit, such as the number of a round. Encodings show
    only whether it is 0."""


class OneOf(Kind):
    """The index of one of these names, or NONE: a phase, a suit, a rank."""

    def __init__(self, names: Sequence[str]) -> None:
        self.names: tuple[str, ...] = tuple(names)


class Seat(Kind):
    """The number of a seat, or NONE."""


class Card(Kind):
    """The number of a card, or NONE."""

    def __init__(self, pack: Pack) -> None:
        self.pack: Pack = pack


class CardSet(Kind):
    """Cards in no particular order: an integer mask, or a sequence of card numbers in which a
    card stands as often as it is there."""

    def __init__(self, pack: Pack) -> None:
        self.pack: Pack = pack


class CardCounts(Kind):
    """For each card of the pack how many there are."""

    def __init__(self, pack: Pack) -> None:
        self.pack: Pack = pack


class Plays(Kind):
    """(seat, card) pairs in the order played. A number past the pack is a card face down."""

    def __init__(self, pack: Pack) -> None:
        self.pack: Pack = pack


class Trick(Plays):
    """The cards of one trick: a seat plays at most one."""


class Actions(Kind):
    """(seat, action) pairs in order, with `HIDDEN` for an action that was not shown."""


class PerSeat(Kind):
    """One value for each seat, in the order of the seats."""

    def __init__(self, each: Kind) -> None:
        self.each: Kind = each


class PerSide(Kind):
    """One value for each side, in the order of `view.sides`."""

    def __init__(self, each: Kind) -> None:
        self.each: Kind = each


class Several(Kind):
    """Up to `most` values in order, such as the tricks of a round."""

    def __init__(self, each: Kind, most: int) -> None:
        self.each: Kind = each
        self.most: int = most


def holds(kind: Kind) -> dict[str, Kind]:
    """The metadata of a view field: `trump: int = field(metadata=holds(OneOf(SUIT_NAMES)))`."""
    return {"kind": kind}
