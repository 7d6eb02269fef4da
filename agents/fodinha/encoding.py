"""Network inputs of Fodinha: cards by their strength under the power rank."""

from functools import cache
from typing import Any

from agents.learners.field_encoding import FieldEncoding, Relabelling
from engine.fields import NONE, Number, PerSeat, Seat
from engine.games.fodinha import (
    CARDS,
    NO_CALL,
    NUM_ACTIONS,
    PLAY_HIDDEN,
    RANKS,
    STRENGTH,
    winner_of,
)  # fmt: skip

_SEATS = 4
_STRENGTHS = RANKS - 1 + 4
"""Twelve ranks without power, and four power cards."""


def _place(power: int, card: int) -> int:
    strength = STRENGTH[power][card]
    return strength - (strength > power)


class FodinhaStrengths(Relabelling):
    """Cards of the same strength share a place, and playing them is the same move."""

    def __init__(self) -> None:
        places = [[_place(power, card) for card in range(CARDS)] for power in range(RANKS)]
        others = [_STRENGTHS + action - CARDS for action in range(PLAY_HIDDEN, NUM_ACTIONS)]
        super().__init__(places, [each + others for each in places])

    def number(self, view: Any) -> int:
        power: int = view.power
        return power


def _needs(view: Any) -> list[int]:
    """For each seat how many tricks it still needs; -1 before its call, 0 once it has all."""
    return [
        -1 if call == NO_CALL else max(call - won, 0)
        for call, won in zip(view.calls, view.wins, strict=True)
    ]


def _surplus(view: Any) -> list[int]:
    """For each seat how many tricks it has won beyond its call."""
    return [
        -1 if call == NO_CALL else max(won - call, 0)
        for call, won in zip(view.calls, view.wins, strict=True)
    ]


def _to_place(view: Any) -> int:
    """The tricks of the round that nobody has called yet, from -10 to 10."""
    called: int = sum([call for call in view.calls if call != NO_CALL])
    left: int = view.size - called
    return max(-10, min(10, left))


def _winner(view: Any) -> int:
    """The seat that is winning the trick so far."""
    return winner_of(view.trick, view.power, view.rules.pairs) if view.trick else NONE


@cache
def fodinha_encoding() -> FieldEncoding:
    return FieldEncoding(
        "fodinha",
        maker=fodinha_encoding,
        seats=_SEATS,
        leave_out=("turn", "hand", "hand_sizes", "last_trick", "last_winner", "last_power",
                   "last_calls", "last_wins", "last_points", "history", "wins", "leader",
                   "rising"),
        extras={
            "needs": (PerSeat(Number(9)), _needs),
            "surplus": (PerSeat(Number(3)), _surplus),
            "to place": (Number(10, low=-10), _to_place),
            "winner": (Seat(), _winner),
        },
        relabelling=FodinhaStrengths(),
    )  # fmt: skip
