"""The score sheet of Smear: a column for each team, two lines for each hand."""

from typing import cast

from textual.content import Content

from app.match.moment import NOBODY, HandResult, Moment
from app.match.seating import Seating
from app.ui.layout.faces import suit_words
from app.ui.layout.wording import minus, signed
from engine.games import smear
from engine.games.smear import TARGET, SmearView

POINTS = ("low", "high", "jack", "game")
"""The points of a hand, as `engine.games.smear.HandResult` names them."""

_HAND_WIDTH = 14
_TEAM_WIDTH = 11
_NAME_WIDTH = 8
_NOTE_STYLES = {"made": "$text-success", "set": "$text-error", "revoke": "$text-error"}

Parts = list[str | tuple[str, str]]


def score_sheet(seating: Seating, moment: Moment) -> Content:
    """The running score with each hand's bet, result and points, the last hand first."""
    sides = moment.view.sides
    names = [[seating.names[seat][:_NAME_WIDTH] for seat in side] for side in sides]
    parts: Parts = [
        _row("", [f"{first} +" for first, _ in names]),
        _row(f"first to {TARGET}", [second for _, second in names]),
    ]
    for result in reversed(moment.results):
        parts += _hand(seating, result)
    if moment.results:
        parts.append(("\nL low, H high, J jack, G game;\nin brackets: taken, but set", "dim"))
    else:
        parts.append(("\nNo hand has been played yet.", "dim"))
    return Content.assemble(*parts)


def _hand(seating: Seating, result: HandResult) -> Parts:
    view = cast(SmearView, result.view)
    hand = view.last_hand
    assert hand is not None
    sign, style = suit_words(hand.trump)
    bettor = seating.names[hand.bettor][:_NAME_WIDTH]
    bet = f"{result.number:>2} {bettor} {hand.bet}"
    totals = minus("".join(f"{score:>{_TEAM_WIDTH}}" for score in view.scores))
    parts: Parts = ["\n", bet, (sign[0], style), " " * (_HAND_WIDTH - len(bet) - 1)]
    parts += [(f"{totals}\n", "bold"), (f"   {hand.note:<{_HAND_WIDTH - 3}}", "dim")]
    at_stake = (hand.bettor if hand.revoker == NOBODY else hand.revoker) % 2
    for side in (0, 1):
        cell = f"{_points(hand, side):>{_TEAM_WIDTH}}"
        parts.append((cell, _NOTE_STYLES[hand.note] if side == at_stake else "dim"))
    return [*parts, "\n"]


def _points(hand: smear.HandResult, side: int) -> str:
    """`L H +2`; `(G) −3` for a team that was set."""
    letters = " ".join([name[0].upper() for name in POINTS if getattr(hand, name) == side])
    if letters and hand.points[side] < 0:
        letters = f"({letters})"
    return f"{letters} {signed(hand.points[side])}".strip()


def _row(hand: str, teams: list[str]) -> str:
    cells = "".join(f"{team:>{_TEAM_WIDTH}}" for team in teams)
    return f"{hand:<{_HAND_WIDTH}}{cells}\n"
