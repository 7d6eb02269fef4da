"""Network inputs of Euchre: every field of the view, with the suits sorted by their role."""

from functools import cache
from typing import Any

from agents.learners.field_encoding import FieldEncoding, SuitOrder
from engine.cards import SUIT_NAMES
from engine.games.euchre import LABELS, PACK, RANKS, SAME_COLOUR
from engine.tricks import NO_SUIT

_SUIT = (1 << RANKS) - 1


class EuchreSuits(SuitOrder):
    """Trump first, or the suit of the up-card while trump is open; then the other suit of its
    colour, then the rest by own cards."""

    def __init__(self) -> None:
        super().__init__(PACK, SUIT_NAMES, LABELS)
        self._orders = {
            (first, swapped): self._number(first, swapped)
            for first in range(4)
            for swapped in (False, True)
        }

    def _number(self, first: int, swapped: bool) -> int:
        second = SAME_COLOUR[first]
        rest = [suit for suit in range(4) if suit not in (first, second)]
        return self.index[first, second, *(rest[::-1] if swapped else rest)]

    def number(self, view: Any) -> int:
        first = view.up_card // RANKS if view.trump == NO_SUIT else view.trump
        # The two suits of the other colour have the numbers 1 and 2, or 0 and 3.
        low, high = (1, 2) if first in (0, 3) else (0, 3)
        hand = view.hand
        return self._orders[first, (hand >> low * RANKS & _SUIT) < (hand >> high * RANKS & _SUIT)]


@cache
def euchre_encoding() -> FieldEncoding:
    return FieldEncoding(
        "euchre",
        maker=euchre_encoding,
        leave_out=("turn", "last_trick", "last_winner", "last_points", "hand_sizes", "played"),
        relabelling=EuchreSuits(),
        by_players=True,
    )  # fmt: skip
