"""A file of the program is missing: this is reported, and everything else works."""

from pathlib import Path

import pytest

from agents.storage import store
from agents.storage.store import Store
from agents.truco.expert import shipped_policy
from app.lab.roster import Roster
from app.match.seating import PERSON, plan_table
from app.records.history import History
from app.study.knowledge import readable
from app.ui.app import KibitzApp
from app.ui.screens.explorer import ExplorerScreen
from app.ui.screens.lab import LabScreen
from app.ui.screens.requests import OpenExplorer
from tests.app.driving import make_app, text_of, to_question, wait_until

MISSING = "truco.search.pkl.gz cannot be read"


@pytest.fixture(autouse=True)
def no_strategy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Remove the file of Truco's expert."""
    shipped_policy.cache_clear()
    monkeypatch.setattr(store, "SHIPPED", tmp_path / "empty")


def notices(app: KibitzApp) -> str:
    return " ".join(each.message for each in app._notifications)


async def test_explorer_shows_the_learners(tmp_path: Path) -> None:
    app = make_app(tmp_path)
    async with app.run_test(size=(80, 24)) as pilot:
        app.post_message(OpenExplorer("truco", "q"))
        await wait_until(pilot, lambda: isinstance(app.screen, ExplorerScreen))
        await wait_until(pilot, lambda: "nothing yet; train it" in text_of(app))
    assert "search" not in readable("truco", Store(tmp_path))


async def test_lab_lists_all_agents_and_reports_the_missing_file(tmp_path: Path) -> None:
    roster = Roster(Store(tmp_path), History(tmp_path / "history.db"))
    members, complaints = roster.members("truco")
    assert "search" in [member.agent for member in members]
    assert [MISSING in each for each in complaints] == [True]
    app = make_app(tmp_path)
    async with app.run_test(size=(80, 24)) as pilot:
        app.push_screen(LabScreen(app.laboratory, "truco", plain=False))
        await wait_until(pilot, lambda: MISSING in notices(app))
        assert isinstance(app.screen, LabScreen)


async def test_match_with_the_expert_reports_the_missing_file(tmp_path: Path) -> None:
    app = make_app(tmp_path, plan_table("truco", [PERSON, "search"], delay=0.0, seed=1))
    async with app.run_test(size=(80, 24)) as pilot:
        await wait_until(pilot, lambda: MISSING in notices(app))


async def test_missing_hint_is_reported(tmp_path: Path) -> None:
    app = make_app(tmp_path, plan_table("truco", [PERSON, "hard"], delay=0.0, seed=1))
    async with app.run_test(size=(80, 24)) as pilot:
        await to_question(pilot, app)
        await pilot.press("question_mark")
        await wait_until(pilot, lambda: "no hint for this move" in notices(app))
