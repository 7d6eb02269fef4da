"""Compares pictures of screens with stored ones, arranges deals, and speeds up app starts."""

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from textual.css.model import RuleSet
from textual.css.stylesheet import Stylesheet
from textual.pilot import Pilot
from textual.screen import Screen

from agents.agent import Agent
from agents.match import Match
from agents.storage.store import Store
from app.match.dealing import Deal, make_players
from app.match.seating import TablePlan
from app.ui.app import KibitzApp
from engine import GAMES
from engine.game import State
from engine.manifest import VARIANTS
from tests.app.driving import Arrange
from tests.app.ladders import POINTS

PICTURES = Path(__file__).parent / "snapshots"


@pytest.fixture(autouse=True, scope="session")
def styles_are_parsed_once() -> Iterator[None]:
    """Textual caches parsed styles for each app; this shares the cache between all apps. Nothing
    changes a rule after it is parsed."""
    parse = Stylesheet._parse_rules
    parsed: dict[object, list[RuleSet]] = {}

    def cached(sheet: Stylesheet, css: str, **where: Any) -> list[RuleSet]:
        key = (css, *sorted(where.items()), frozenset(sheet._variables.items()))
        if key not in parsed:
            parsed[key] = parse(sheet, css, **where)
        return parsed[key]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Stylesheet, "_parse_rules", cached)
        yield


@pytest.fixture(autouse=True, scope="session")
def screens_are_painted_when_the_test_looks() -> Iterator[None]:
    """Textual paints 60 times a second, a third of the time of these tests. Here it paints after
    each key, click and pause of the pilot, so every state that a test sees is painted."""
    paint, wait = Screen._compositor_refresh, Pilot._wait_for_screen

    def keep_dirty(screen: Screen[Any]) -> None:
        if screen is not screen.app.screen:
            paint(screen)

    async def wait_and_paint(pilot: Pilot[Any], timeout: float = 30.0) -> bool:
        waited = await wait(pilot, timeout)
        if pilot.app.screen._compositor._dirty_regions:
            paint(pilot.app.screen)
        return waited

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Screen, "_compositor_refresh", keep_dirty)
        patch.setattr(Pilot, "_wait_for_screen", wait_and_paint)
        yield


@pytest.fixture
def round_ladder(monkeypatch: pytest.MonkeyPatch) -> None:
    """A ladder with round numbers, so that tests and pictures do not depend on the measured one."""
    agents = {name: [points, points - 20, points + 20, 400] for name, points in POINTS.items()}
    ladders = {game: {"advantages": [0], "agents": agents} for game in [*GAMES, *VARIANTS]}
    monkeypatch.setattr("agents.evaluation.ratings._read", lambda: ladders)


@pytest.fixture
def same_picture(
    stored: Callable[[Path, str], None], round_ladder: None
) -> Callable[[KibitzApp, str | Path], None]:
    """Fails unless the screen equals the stored picture with that name or path."""

    def compare(app: KibitzApp, name: str | Path) -> None:
        # Textual puts a random number into each picture.
        picture = re.sub(r"terminal-\d+", "terminal", app.export_screenshot())
        stored(PICTURES / f"{name}.svg", picture)

    return compare


@pytest.fixture
def arrange(monkeypatch: pytest.MonkeyPatch) -> Arrange:
    """Lets every table start with a given state in place of a fresh deal."""

    def begin(state: Callable[[TablePlan], State], agent: Agent | None = None) -> None:
        """agent: plays all seats without a person, in place of the agents of the plan"""

        def deal(plan: TablePlan, store: Store, rotates_start: bool, _players: object) -> Deal:
            players = make_players(plan, store)
            if agent is not None:
                players = [player and agent for player in players]
            return Deal(Match(state(plan), players, 1, record=True), 1)

        monkeypatch.setattr("app.ui.screens.table.deal", deal)

    return begin


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """A new home folder, in a program that comes without learned values."""
    monkeypatch.setattr("agents.storage.store.SHIPPED", tmp_path / "pretrained")
    return ["--home", str(tmp_path / "home")]
