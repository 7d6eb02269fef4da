"""Network inputs of Truco: cards by their strength under the muestra."""

from collections.abc import Sequence
from functools import cache
from typing import Any, ClassVar

from agents.learners.field_encoding import ActionFacts, FieldEncoding
from agents.learners.relabelling import Relabelling
from engine.fields import Flag, Number, PerSide
from engine.games.truco import (
    CARDS,
    HAND,
    NOBODY,
    NUM_ACTIONS,
    NUM_VALUES,
    RAISE,
    VALUES,
    TrucoView,
    has_flor,
)

_CLOSE = 19
"""Points to go up to this number are told apart one by one."""


class TrucoStrengths(Relabelling):
    """Cards of the same strength share a place."""

    def __init__(self, actions: int) -> None:
        """actions: how many the game has; each keeps its number."""
        super().__init__(VALUES, [list(range(actions))] * CARDS)

    def number(self, view: Any) -> int:
        muestra: int = view.muestra
        return muestra


def _flor(view: TrucoView) -> bool:
    """The own cards are a flor; False once a card was played."""
    return len(view.hand) == 3 and has_flor(view.hand, view.muestra)


def _to_go(view: TrucoView) -> list[int]:
    return [min(view.target() - score, _CLOSE) for score in view.scores]


_LEAD, _BEATS, _TIES, _LOSES = range(4)


class TrucoFacts(ActionFacts):
    """Facts about a card: its strength, how it stands in the trick, and which trick it is. Each
    is 0 for a bid or an answer."""

    sizes: ClassVar[tuple[int, ...]] = (1 + 4 * NUM_VALUES, 1 + 4 * HAND * HAND * 4)

    def of(self, view: Any, legal: Sequence[int]) -> list[tuple[int, ...]]:
        values = VALUES[view.muestra]
        results = view.results
        number = len(results)
        first = 0
        if results:
            first = 1 if results[0] == NOBODY else 2 if results[0] == view.seat else 3
        led = -1
        if len(view.tricks) > number:
            ((_, card),) = view.tricks[-1]
            led = values[card]
        facts: list[tuple[int, ...]] = []
        for action in legal:
            if action >= RAISE:
                facts.append((0, 0))
                continue
            value = values[view.hand[action]]
            if led < 0:
                standing = _LEAD
            else:
                standing = _BEATS if value > led else _TIES if value == led else _LOSES
            facts.append(
                (
                    1 + standing * NUM_VALUES + value,
                    1 + ((standing * HAND + action) * HAND + number) * 4 + first,
                )
            )
        return facts


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
        relabelling=TrucoStrengths(NUM_ACTIONS),
        facts=TrucoFacts(),
    )
