"""The title and the score sheet of Notty, whose matches have turns and no hands."""

from random import Random

from agents.registry import make
from app.match.moment import HandResult, Moment
from app.match.seating import Seating, plan_table
from app.ui.tables.notty import NottyTable
from engine import GAMES
from engine.game import OVER

SEATING = Seating.of(plan_table("notty", ["you", "random"]))


def test_score_sheet_of_a_match_without_hands() -> None:
    view = GAMES["notty"].new(seed=1).view(0)
    table = NottyTable(GAMES["notty"], SEATING)
    result = HandResult(1, (0.0, 1.0), "North has no cards left.", view)
    lines = str(table.score_sheet(Moment(view, results=(result,)))).split("\n")
    assert lines[0].split() == ["You", "4", "cards"]
    assert lines[-2:] == ["North has no cards left.", ""]
    assert not any("hand" in line for line in lines)


def test_last_turn_keeps_its_number() -> None:
    """Whoever goes out does so in a turn that is not over."""
    table = NottyTable(GAMES["notty"], SEATING)
    state, titles = GAMES["notty"].new(seed=1), [""]
    player, rng = make("notty", "easy"), Random(1)
    while state.turn != OVER:
        titles.append(table.title_line(state.view(0)))
        state.apply(player.act(state.view(state.turn), state.legal(), rng).action)
    assert table.title_line(state.view(0)) == titles[-1] != "Notty · turn 300 of 300"
    limited = GAMES["notty"].new(seed=1, turn_limit=3)
    while limited.turn != OVER:
        limited.apply(limited.parse("pass"))
    assert table.title_line(limited.view(0)) == "Notty · turn 3 of 3"
