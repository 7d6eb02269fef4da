"""The score sheet of Truco: a tally in fives, for the malas and for the buenas."""

from collections.abc import Callable, Sequence
from typing import cast

from textual.content import Content

from app.match.moment import HandResult
from engine.games.truco import BID_NAMES, RoundSummary, TrucoView
from engine.games.truco_full import FullView

_FIVE = 5
"""Points in a group of the tally."""

_LONGEST_TALLY = 60
"""A half with more points than this is shown as a number."""


def truco_sheet(
    names: Sequence[str],
    view: TrucoView | FullView,
    results: Sequence[HandResult],
    steps: Callable[[HandResult], list[str]],
) -> Content:
    """Each side's points in both halves of the match, then the steps of every round, the last
    round first.

    steps   the points of a round in the order they were added, in words
    """
    target = view.target()
    malas = -(-target // 2)
    parts: list[str | tuple[str, str]] = [(f"first to {target}\n", "dim")]
    for name, points in zip(names, view.scores, strict=True):
        half = "buenas" if points > malas else "malas"
        parts.append((f"\n{name} {points} · in the {half}\n", "bold"))
        parts.append(f"malas   {_tally(points, malas)}\n")
        if target > malas:
            parts.append(f"buenas  {_tally(points - malas, target - malas)}\n")
    for result in reversed(results):
        parts.append(f"\nround {result.number}   {' : '.join(f'{p:g}' for p in result.points)}\n")
        parts += [(f"  {step}\n", "dim") for step in steps(result)]
    return Content.assemble(*parts)


def steps_of(names: Sequence[str], result: HandResult) -> list[str]:
    """`+3 North, false flor`: the points of a round in the order they were added."""
    finished = finished_round(cast(TrucoView, result.view))
    return [
        f"+{step.points} {names[step.seat]}, "
        f"{_worth(finished) if step.reason == 'round' else step.reason}"
        for step in finished.steps
    ]


def finished_round(view: TrucoView) -> RoundSummary:
    """The round that has just ended."""
    assert view.last_round is not None
    return view.last_round


def _worth(finished: RoundSummary) -> str:
    """What the points of the round itself were for."""
    if finished.note == "rejected":
        return f"{BID_NAMES[finished.stake + 1]} refused"
    return BID_NAMES.get(finished.stake, "the round")


def _tally(points: int, room: int) -> str:
    """A stroke for each point, and a dot for each point to come."""
    won = min(max(points, 0), room)
    if room > _LONGEST_TALLY:
        return f"{won:,} of {room:,}"
    row = "|" * won + "." * (room - won)
    return " ".join(row[at : at + _FIVE] for at in range(0, room, _FIVE))
