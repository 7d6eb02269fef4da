"""The score sheet of Fodinha: calls, wins and lives, round by round."""

from collections.abc import Sequence
from typing import cast

from textual.content import Content

from app.match.moment import HandResult
from engine.games.fodinha import NO_CALL, FodinhaView

_WIDTH = 36
FEW = 4
"""With up to this many players there is room for longer texts about each."""

_LABEL = 6
_LINES = {"call": 0, "won": 1, "lives": 2}


def lives_sheet(names: Sequence[str], view: FodinhaView, results: Sequence[HandResult]) -> Content:
    """A column for each player, the last round first.

    With few players a round takes one line, with many a line each for calls, wins and lives.
    """
    few = len(names) <= FEW
    label = 3 if few else _LABEL
    wide = (_WIDTH - label) // len(names)
    heads = "".join(f"{name[: wide - 1]:>{wide}}" for name in names)
    lives = "".join(f"{max(0, each):>{wide}}" for each in view.scores)
    parts: list[str | tuple[str, str]] = [
        (f"{'':{label}}{heads}\n", "bold"),
        f"{'':{label}}{lives}\n",
    ]
    if results and few:
        parts.append(("\nwon/called and lives left\n", "dim"))
    for result in reversed(results):
        cells = [_cells(result, seat) for seat in range(len(names))]
        if few:
            row = "".join(
                f"{f'{won}/{call} {left}' if call else '':>{wide}}" for call, won, left in cells
            )
            parts.append(f"{result.number:>2} {row}\n")
        else:
            parts.append((f"\nround {result.number}\n", "dim"))
            for name, line in _LINES.items():
                row = "".join(f"{cell[line]:>{wide}}" for cell in cells)
                parts.append(f"{name:<{label}}{row}\n")
    return Content.assemble(*parts)


def _cells(result: HandResult, seat: int) -> tuple[str, str, str]:
    """Call, wins and lives after a round; empty for a player who was out before it."""
    after = cast(FodinhaView, result.view)
    call = after.last_calls[seat]
    if call == NO_CALL:
        return "", "", ""
    return str(call), str(after.last_wins[seat]), str(max(0, after.scores[seat]))
