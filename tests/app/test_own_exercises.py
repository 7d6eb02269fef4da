"""A person plays a coached match, and its costly mistakes come back in Practice."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot

from app.cli import run
from app.match.seating import plan_table
from app.records.history import History
from app.records.match_report import Mistake
from app.study.collection import costly_of
from app.ui.app import KibitzApp
from app.ui.screens.home import HomeScreen
from tests.app.driving import (
    at_table,
    is_asked,
    is_over,
    make_app,
    moment_of,
    table_of,
    text_of,
    wait_until,
)
from tests.app.test_coach import in_threads, processes_can_start  # noqa: F401
from tests.app.test_practice import judged, nothing_shipped, open_practice, press_move  # noqa: F401


async def play_badly(pilot: Pilot[Any], app: KibitzApp) -> None:
    """Take the last legal move at every question, to the end of the match."""
    while not (at_table(app) and is_over(app)):
        if is_asked(app) and not is_over(app):
            loop, moment = table_of(app).loop, moment_of(app)
            assert loop is not None
            if moment.legal:
                loop.choose(moment.legal[-1])
            else:
                loop.acknowledge()
        await pilot.pause()


def mistakes_in(home: Path) -> Sequence[Mistake]:
    (report,) = History(home / "history.db").reports()
    return costly_of(report.mistakes)


@pytest.mark.usefixtures("in_threads", "nothing_shipped")
async def test_mistakes_of_a_match_come_back_as_exercises(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    home = tmp_path / "home"
    plan = plan_table("truco", ["you", "hard"], {"target": 12}, delay=0.0, seed=5)
    app = make_app(home, plan)
    app.coaches_allowed = True
    async with app.run_test(size=(120, 40)) as pilot:
        await play_badly(pilot, app)
        await wait_until(pilot, lambda: bool(History(home / "history.db").reports()))
    costly = mistakes_in(home)
    assert costly, "the match has no mistake that is worth an exercise"
    app = make_app(home)
    async with app.run_test(size=(120, 40)) as pilot:
        screen = await open_practice(pilot, app)
        exercise = screen._exercise
        mistake = next(each for each in costly if each.number == len(exercise.before))
        assert (exercise.source.value, exercise.played) == ("own", mistake.action)
        await press_move(pilot, app, screen._position.moves[mistake.action])
        await judged(pilot, screen)
        shown = " ".join(text_of(app).split())
        assert f"costs {100 * mistake.cost:.1f} percentage points." in shown
        assert "Best is" in shown
        assert "So did you in the match." in shown
        assert screen._solution is not None
        assert screen._solution.best == mistake.best
        await pilot.press("escape")
        await wait_until(pilot, lambda: isinstance(app.screen, HomeScreen))
    file, other = tmp_path / "file", tmp_path / "other"
    assert run(["--home", str(home), "practice", "export", str(file)]) == 0
    assert run(["--home", str(other), "practice", "import", str(file), "--mine"]) == 0
    capsys.readouterr()
    assert run(["--home", str(other), "practice", "--json"]) == 0
    (truco,) = json.loads(capsys.readouterr().out)["games"]
    assert truco["exercises"] == len(costly)
    assert (truco["due"], truco["new"]) == (len(costly) - 1, 0), "own mistakes are due at once"
    assert truco["answers"] == {"right": 0, "nearly": 0, "wrong": 1}
