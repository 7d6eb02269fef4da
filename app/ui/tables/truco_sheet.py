"""The score sheet of Truco: matches laid in fives, in the malas and then in the buenas."""

from collections.abc import Sequence
from typing import cast

from textual.content import Content

from app.match.moment import HandResult
from engine.games.truco import BID_NAMES, RoundSummary, TrucoView

_FIVE = 5
"""How many matches make a group, a square with a diagonal on a real table."""

_MATCHES_ON_THE_TABLE = 60
"""A half of more points than this is counted in figures: nobody can read so many matches."""


def truco_sheet(names: Sequence[str], view: TrucoView, results: Sequence[HandResult]) -> Content:
    """How each player stands in both halves of the match, then every round step by step,
    the last one first."""
    target = view.target()
    malas = -(-target // 2)
    parts: list[str | tuple[str, str]] = [(f"first to {target}\n", "dim")]
    for name, points in zip(names, view.scores, strict=True):
        half = "buenas" if points > malas else "malas"
        parts.append((f"\n{name} {points} · in the {half}\n", "bold"))
        parts.append(f"malas   {_matches(points, malas)}\n")
        if target > malas:
            parts.append(f"buenas  {_matches(points - malas, target - malas)}\n")
    for result in reversed(results):
        parts.append(f"\nround {result.number}   {' : '.join(f'{p:g}' for p in result.points)}\n")
        parts += [(f"  {step}\n", "dim") for step in counted(names, result)]
    return Content.assemble(*parts)


def counted(names: Sequence[str], result: HandResult) -> list[str]:
    """`+3 North, false flor`: the points of a round in the order they were added."""
    finished = finished_round(cast(TrucoView, result.view))
    return [
        f"+{step.points} {names[step.seat]}, "
        f"{_worth(finished) if step.reason == 'round' else step.reason}"
        for step in finished.steps
    ]


def finished_round(view: TrucoView) -> RoundSummary:
    """The round that has just been counted."""
    assert view.last_round is not None
    return view.last_round


def _worth(finished: RoundSummary) -> str:
    """What the points of the round itself were for."""
    if finished.note == "rejected":
        return f"{BID_NAMES[finished.stake + 1]} refused"
    return BID_NAMES.get(finished.stake, "the round")


def _matches(points: int, room: int) -> str:
    """Points as matches, and dots for those still to come."""
    laid = min(max(points, 0), room)
    if room > _MATCHES_ON_THE_TABLE:
        return f"{laid:,} of {room:,}"
    row = "|" * laid + "." * (room - laid)
    return " ".join(row[at : at + _FIVE] for at in range(0, room, _FIVE))
