"""The facts of a status line, read from the kinds of a view's fields."""

from collections.abc import Sequence
from typing import Any, Final

from app.ui.layout.faces import Face
from engine.fields import NONE, Card, Kind, Number, OneOf, PerSeat, PerSide, Seat
from engine.game import View

_SHOWN_ELSEWHERE: Final = {"turn", "phase", "scores", "hand_sizes"}


def facts_of(view: View, names: Sequence[str], faces: Sequence[Face]) -> list[str]:
    """`dealer West`, `trump hearts`, `tricks 2 – 1`: every settled fact of the current hand.

    names   of the seats
    faces   of the cards
    """
    facts = []
    for name, kind in view.kinds().items():
        if name not in _SHOWN_ELSEWHERE and not name.startswith("last_"):
            words = _words(kind, getattr(view, name), names, faces)
            if words:
                facts.append(f"{name.replace('_', ' ')} {words}")
    return facts


def _words(kind: Kind, value: Any, names: Sequence[str], faces: Sequence[Face]) -> str:
    """The value in words; empty if it is not settled or too much for a status line."""
    if isinstance(kind, PerSeat | PerSide):
        return " – ".join([str(each) for each in value]) if isinstance(kind.each, Number) else ""
    if value == NONE or not isinstance(kind, Seat | OneOf | Card | Number):
        return ""
    number = int(value)
    if isinstance(kind, Seat):
        return names[number]
    if isinstance(kind, OneOf):
        return kind.names[number]
    return faces[number].words if isinstance(kind, Card) else str(number)
