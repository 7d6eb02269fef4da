"""Network inputs of Truco: cards by their strength under the muestra."""

from functools import cache
from typing import Any

from agents.learners.field_encoding import FieldEncoding, Relabelling
from engine.fields import Flag, Number, PerSide
from engine.games.truco import CARDS, NUM_ACTIONS, VALUES, has_flor

_CLOSE = 19
"""Points to go up to this number are told apart one by one."""


class TrucoStrengths(Relabelling):
    """Cards of the same strength share a place."""

    def __init__(self) -> None:
        super().__init__(VALUES, [list(range(NUM_ACTIONS))] * CARDS)

    def number(self, view: Any) -> int:
        muestra: int = view.muestra
        return muestra


def _flor(view: Any) -> bool:
    """The own cards are a flor; False once a card was played."""
    return len(view.hand) == 3 and has_flor(view.hand, view.muestra)


def _to_go(view: Any) -> list[int]:
    return [min(view.target() - score, _CLOSE) for score in view.scores]


@cache
def truco_encoding() -> FieldEncoding:
    return FieldEncoding(
        "truco",
        maker=truco_encoding,
        leave_out=("turn", "muestra", "last_points", "history", "hand_sizes"),
        extras={
            "flor": (Flag(), _flor),
            "to go": (PerSide(Number(_CLOSE)), _to_go),
        },
        relabelling=TrucoStrengths(),
    )
