"""Files of learners in the Lab: reset and export."""

import csv
import json
import sqlite3
from pathlib import Path
from xml.etree import ElementTree

import pytest
from textual.widgets import Input

from agents.storage.store import Store
from agents.training.course import Course, new_learner
from agents.training_log import CurvePoint
from app.ui.app import KibitzApp
from app.ui.screens.lab_forms import ExportForm
from app.ui.screens.question import Question
from app.ui.widgets.cycle import Cycle
from tests.app.driving import make_app, text_of, wait_until
from tests.app.lab_driving import all_shown, choose, lab, point, values_file
from tests.quick import quick_with


async def test_file_has_the_curve_of_a_learner_without_runs(tmp_path: Path) -> None:
    learner = new_learner(Course("truco", "q", 1))
    points = [CurvePoint(games, "hard", 0.2, 0.1, 0.3) for games in (0, 40)]
    learner.log = learner.log.after(40).measured(points)
    Store(tmp_path / "qtables").save(learner)
    async with lab(tmp_path) as (pilot, app, _):
        await wait_until(pilot, lambda: "won against • Hard" in text_of(app))


async def test_reset_asks_first_and_keeps_the_old_values(tmp_path: Path) -> None:
    store = Store(tmp_path / "qtables")
    store.save(new_learner(Course("truco", "q", 1)))
    history = make_app(tmp_path)._history
    run = history.start_run("truco", "q", 1, {})
    history.add_points(run, [CurvePoint(10, "hard", 0.4, 0.3, 0.5)])
    history.end_run(run, 10, 1.0, kept=True)
    async with lab(tmp_path) as (pilot, app, _):
        await pilot.press("z")
        await wait_until(pilot, lambda: isinstance(app.screen, Question))
        await pilot.press("escape")
        assert values_file(tmp_path).exists()
        assert history.curve("truco", "q")
        await pilot.press("z")
        await wait_until(pilot, lambda: isinstance(app.screen, Question))
        await pilot.press("y")
        await all_shown(pilot, app)
        assert not values_file(tmp_path).exists()
        assert len(list(values_file(tmp_path).parent.glob("truco.q.pkl.reset-*"))) == 1
        assert history.curve("truco", "q") == []


@pytest.mark.parametrize("agent", quick_with(["q", "linear"], "q"))
async def test_export_can_be_read_by_other_programs(tmp_path: Path, agent: str) -> None:
    async with lab(tmp_path) as (pilot, app, screen):
        while screen.member is None or screen.member.agent != agent:
            await pilot.press("down")
        await pilot.press("x")
        await wait_until(pilot, lambda: isinstance(app.screen, ExportForm))
        folder = tmp_path / "elsewhere"
        app.screen.query_one("#folder", Input).value = str(folder)
        await pilot.press("enter")
        await all_shown(pilot, app)
    with (folder / f"truco.{agent}.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert list(rows[0]) == ["state", "action", "value", "visits"]
    database = sqlite3.connect(folder / f"truco.{agent}.db")
    stored = database.execute("SELECT state, action, value, visits FROM knowledge").fetchall()
    database.close()
    assert len(stored) == len(rows) > 1000
    assert all(visits > 0 for *_, visits in stored)
    first = rows[0]
    assert stored[0] == (
        first["state"],
        first["action"],
        float(first["value"]),
        int(first["visits"]),
    )


async def test_export_is_downloaded_in_a_browser(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    delivered: list[Path] = []
    monkeypatch.setattr(KibitzApp, "is_web", True)
    monkeypatch.setattr(KibitzApp, "deliver_text", lambda app, path: delivered.append(path))
    async with lab(tmp_path) as (pilot, app, screen):
        while screen.member is None or screen.member.agent != "q":
            await pilot.press("down")
        await pilot.press("x")
        await wait_until(pilot, lambda: bool(delivered))
        assert app.screen is screen
    assert delivered == [tmp_path / "exports" / "truco.q.csv"]
    assert delivered[0].exists()


@pytest.mark.parametrize(("key", "sentence"), [("q", "no words"), ("x", "Export")])
async def test_unreadable_agents_are_refused(tmp_path: Path, key: str, sentence: str) -> None:
    """The values of a network cannot be explored or exported, but its curve can be exported."""
    async with lab(tmp_path) as (pilot, app, screen):
        await choose(pilot, screen, "neural")
        await pilot.press(key)
        await pilot.pause()
        if key == "q":
            assert app.screen is screen
            assert sentence in " ".join([each.message for each in app._notifications])
        else:
            await wait_until(pilot, lambda: isinstance(app.screen, ExportForm))
            assert app.screen.query_one("#part", Cycle).value == "curve"


async def test_curve_and_runs_are_exported(tmp_path: Path) -> None:
    history = make_app(tmp_path)._history
    number = history.start_run("truco", "neural", 1, {})
    history.add_points(number, [point(0, "hard", 0.4, 0.1)])
    history.end_run(number, 10, 1.0, kept=False)
    folder = tmp_path / "elsewhere"
    async with lab(tmp_path) as (pilot, app, screen):
        await choose(pilot, screen, "neural")
        await pilot.press("x")
        await wait_until(pilot, lambda: isinstance(app.screen, ExportForm))
        app.screen.query_one("#folder", Input).value = str(folder)
        await pilot.press("enter")
        await wait_until(pilot, lambda: (folder / "truco.neural.runs.csv").exists())
    data = json.loads((folder / "truco.neural.curve.json").read_text())
    assert data["runs"][0]["kept"] is False
    assert data["points"]
    with (folder / "truco.neural.curve.csv").open(newline="") as file:
        assert len(list(csv.DictReader(file))) == len(data["points"])
    ElementTree.parse(folder / "truco.neural.curve.svg")
