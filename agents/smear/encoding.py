"""Network inputs of Smear: every field of the view, with the suits sorted by their role."""

from functools import cache
from typing import Any

from agents.learners.field_encoding import FieldEncoding, SuitOrder
from engine.cards import SUIT_NAMES
from engine.fields import Number, PerSide
from engine.games.smear import LABELS, PACK, RANKS, game_points
from engine.tricks import NO_SUIT

_SUIT = (1 << RANKS) - 1
_MOST_GAME = 30


class SmearSuits(SuitOrder):
    """Trump first, then by own cards: the suit with the highest card before the others."""

    def __init__(self) -> None:
        super().__init__(PACK, SUIT_NAMES, LABELS)

    def number(self, view: Any) -> int:
        hand, trump = view.hand, view.trump
        keys = [-(hand >> suit * RANKS & _SUIT) for suit in range(4)]
        if trump != NO_SUIT:
            keys[trump] = -1 << RANKS
        order = sorted(range(4), key=keys.__getitem__)
        return self.index[order[0], order[1], order[2], order[3]]


def _game(view: Any) -> list[int]:
    """For each side what it took in towards the point for game, up to 30."""
    return [min(game_points(cards), _MOST_GAME) for cards in view.taken]


@cache
def smear_encoding() -> FieldEncoding:
    return FieldEncoding(
        "smear",
        maker=smear_encoding,
        leave_out=("turn", "last_trick", "last_winner", "last_points", "hand_sizes", "follows",
                   "played", "history"),
        extras={"game": (PerSide(Number(_MOST_GAME)), _game)},
        relabelling=SmearSuits(),
    )  # fmt: skip
