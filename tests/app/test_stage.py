"""The stage "Watch it learn", with reports in place of a learner."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot
from textual.widgets import Input

from agents.learners.tabular import TabularLearner
from agents.named_learners import NOTHING, begin
from agents.registry import create, make
from agents.storage.store import Store, write_values
from app.cli import run
from app.home.locations import Locations
from app.lab.stage.feed import Phase
from app.lab.stage.mind import expectations, read_table, sample_positions, view_of
from app.lab.stage.record import StageRecord
from app.lab.stage.reports import (
    Discovery,
    Failed,
    Notice,
    Order,
    Positions,
    Purpose,
    Save,
    Saved,
)
from app.lab.stage.then_and_now import compare
from app.ui.app import KibitzApp
from app.ui.screens.home import HomeScreen
from app.ui.screens.lab import LabScreen
from app.ui.screens.learners import ForkForm, NameForm
from app.ui.screens.question import Question
from app.ui.screens.requests import OpenStage
from app.ui.screens.stage import StageScreen
from app.ui.screens.stage_form import StageForm
from app.ui.screens.stage_telling import Teller
from engine import GAMES
from tests.app.driving import QuickClock, at_table, make_app, table_of, text_of, wait_until
from tests.app.lab_driving import all_shown
from tests.app.stage_feed import FakeFeed, fake_feeds, measured, report, vitals


@pytest.fixture
def feeds(monkeypatch: pytest.MonkeyPatch) -> list[FakeFeed]:
    return fake_feeds(monkeypatch)


@asynccontextmanager
async def stage(
    home: Path,
    feeds: list[FakeFeed],
    game: str = "euchre",
    agent: str = "neural",
    size: tuple[int, int] = (120, 40),
) -> AsyncIterator[tuple[Pilot[Any], KibitzApp, FakeFeed]]:
    app = KibitzApp(Locations(home), clock=QuickClock(), stage=(game, agent))
    app.animation_level = "none"
    async with app.run_test(size=size) as pilot:
        await wait_until(pilot, lambda: isinstance(app.screen, StageScreen))
        await pilot.pause()
        yield pilot, app, feeds[-1]


def notices(app: KibitzApp) -> str:
    return " ".join(each.message for each in app._notifications)


async def until_shown(pilot: Pilot[Any], app: KibitzApp, text: str) -> None:
    await wait_until(pilot, lambda: text in text_of(app))


async def test_stage_says_what_will_appear(tmp_path: Path, feeds: list[FakeFeed]) -> None:
    async with stage(tmp_path, feeds) as (pilot, app, feed):
        assert feed.started
        assert feed.subject.game == "euchre"
        await until_shown(pilot, app, "the first point is on its way")
        for words in ("a new learner that knows nothing", "The same deal twice", "Speed, memory"):
            assert words in text_of(app)


async def test_curve_and_engine_room(tmp_path: Path, feeds: list[FakeFeed]) -> None:
    async with stage(tmp_path, feeds) as (pilot, app, feed):
        report(app, feed, measured(0, 0.0), vitals(50), vitals(100), measured(100, 0.25))
        await until_shown(pilot, app, "Hard 25 % (15–35)")
        await until_shown(pilot, app, "4,500")
        shown = text_of(app)
        assert "100 matches   12/s" in shown
        assert "playing 75%" in shown
        assert "knew nothing 10 s ago" in shown


async def test_then_and_now_shows_both_hands(tmp_path: Path, feeds: list[FakeFeed]) -> None:
    novice, expert = create("euchre", "random"), make("euchre", "hard")
    comparison = compare("euchre", 12, 0, novice, expert, expert, 640)
    async with stage(tmp_path, feeds) as (pilot, app, feed):
        report(app, feed, comparison)
        await until_shown(pilot, app, "now · 640 matches")
        shown = text_of(app)
        assert "generation 0" in shown
        assert "1 deal:" in shown
        assert "◆" in shown


async def test_discovery_of_a_table_is_a_sentence(tmp_path: Path, feeds: list[FakeFeed]) -> None:
    found = Discovery(1_400, "leading: I made trump", "highest trump", 0.31, -0.02)
    async with stage(tmp_path, feeds, agent="q") as (pilot, app, feed):
        report(app, feed, found)
        await until_shown(pilot, app, "after 1,400 matches")
        assert "“highest trump”" in text_of(app)
        assert "before −0.02)" in text_of(app)


async def test_network_shows_expectations(tmp_path: Path, feeds: list[FakeFeed]) -> None:
    positions = sample_positions("euchre", 1, make("euchre", "hard"))
    views = [view_of("euchre", each) for each in positions]
    learner: Any = create("euchre", "neural")
    async with stage(tmp_path, feeds, size=(200, 50)) as (pilot, app, feed):
        report(app, feed, Positions(tuple(positions)), expectations(learner, views, 0))
        await until_shown(pilot, app, "+0.00")
        _, legal = views[0]
        report(app, feed, Discovery(8, positions[0].words, "", 1.0, 0.0, 0, legal[0]))
        await until_shown(pilot, app, "after 8 matches")


async def test_table_shows_heat_map(tmp_path: Path, feeds: list[FakeFeed]) -> None:
    learner = make("euchre", "q")
    assert isinstance(learner, TabularLearner)
    async with stage(tmp_path, feeds, agent="q", size=(200, 50)) as (pilot, app, feed):
        report(app, feed, read_table(learner, 10), read_table(learner, 20))
        await until_shown(pilot, app, " ↓")
        before = text_of(app)
        for key in ("m", "x", "y"):
            await pilot.press(key)
            await pilot.pause()
            assert text_of(app) != before
            before = text_of(app)


@pytest.mark.parametrize("game", list(GAMES))
def test_every_game_is_told(game: str) -> None:
    player = make(game, "easy")
    teller = Teller(game, "neural", ascii_only=False)
    comparison = compare(game, 12, 0, create(game, "random"), player, player, 5)
    for story in teller.stories(comparison):
        assert story.hand
        assert story.result
        assert story.length == len(
            comparison.then.actions if "0" in story.title else comparison.now.actions
        )
    record = StageRecord()
    positions = sample_positions(game, 1, player)
    learner: Any = create(game, "neural")
    record.take(Positions(tuple(positions)))
    record.take(expectations(learner, [view_of(game, each) for each in positions], 0))
    assert all(len(each.moves) > 1 for each in teller.followed(record))


async def test_small_window_has_tabs(tmp_path: Path, feeds: list[FakeFeed]) -> None:
    async with stage(tmp_path, feeds, size=(80, 24)) as (pilot, app, _):
        assert app.screen.query_one("#learning").display
        assert not app.screen.query_one("#engine").display
        await pilot.press("4")
        assert app.screen.query_one("#engine").display
        await pilot.press("right")
        assert app.screen.query_one("#mind").display
        await pilot.click("#tabs", offset=(2, 0))
        assert app.screen.query_one("#learning").display


@pytest.mark.parametrize("size", [(60, 20), (80, 24), (120, 40), (200, 50)])
async def test_every_window_is_filled(
    size: tuple[int, int], tmp_path: Path, feeds: list[FakeFeed]
) -> None:
    async with stage(tmp_path, feeds, size=size) as (pilot, app, feed):
        report(app, feed, measured(10, 0.1), vitals(10))
        await until_shown(pilot, app, "Hard 10 %")
        assert "Pause" in text_of(app)


async def test_orders_reach_the_learner(tmp_path: Path, feeds: list[FakeFeed]) -> None:
    async with stage(tmp_path, feeds) as (pilot, app, feed):
        report(app, feed, measured(100, 0.2), vitals(100))
        await until_shown(pilot, app, "100 matches")
        await pilot.press("p")
        assert feed.phase is Phase.PAUSED
        await pilot.press("p", "s", "k")
        await wait_until(pilot, lambda: isinstance(app.screen, NameForm))
        await pilot.press(*"rosa", "enter")
        await wait_until(pilot, lambda: isinstance(app.screen, StageScreen))
        *orders, save = feed.orders
        assert orders == [Order.PAUSE, Order.RESUME, Order.STOP]
        assert isinstance(save, Save)
        assert (save.folder, save.name) == (tmp_path / "qtables", "neural:rosa")
        assert len(save.points) == 3
        path = tmp_path / "qtables" / "euchre.neural:rosa.pkl"
        report(app, feed, Saved(path, Purpose.KEEP, 100, "neural:rosa"))
        await wait_until(pilot, lambda: feed.saved == 100)
        assert "Saved as neural:rosa" in notices(app)
        await pilot.press("k")
        await wait_until(pilot, lambda: isinstance(app.screen, NameForm))
        assert app.screen.query_one("#name", Input).value == "rosa"
        await pilot.press("escape")
        await wait_until(pilot, lambda: isinstance(app.screen, StageScreen))
        await pilot.press("escape")
        await wait_until(pilot, lambda: isinstance(app.screen, HomeScreen))
        assert feed.ended


async def test_taken_name_is_refused_in_the_form(tmp_path: Path, feeds: list[FakeFeed]) -> None:
    store = Store(tmp_path / "qtables")
    store.save(begin("truco", "q:rosa", NOTHING, store))
    async with stage(tmp_path, feeds, "truco", "q") as (pilot, app, feed):
        await pilot.press("k")
        await wait_until(pilot, lambda: isinstance(app.screen, NameForm))
        await pilot.press(*"rosa", "enter")
        await until_shown(pilot, app, "There is already a learner q:rosa")
        await pilot.press("-", "2", "enter")
        await wait_until(pilot, lambda: isinstance(app.screen, StageScreen))
        assert isinstance(feed.orders[-1], Save)
        assert feed.orders[-1].name == "q:rosa-2"


@pytest.mark.slow
async def test_fork_takes_the_stage_and_the_first_one_waits(
    tmp_path: Path, feeds: list[FakeFeed]
) -> None:
    store = Store(tmp_path / "qtables")
    async with stage(tmp_path, feeds, "truco", "q") as (pilot, app, feed):
        report(app, feed, vitals(100))
        await until_shown(pilot, app, "100 matches")
        assert not app.screen.check_action("other", ())
        await pilot.press("f")
        await wait_until(pilot, lambda: isinstance(app.screen, ForkForm))
        app.screen.query_one("#setting-alpha", Input).value = "0.25"
        await pilot.press("enter")
        await until_shown(pilot, app, "beginning with a letter")
        app.screen.query_one("#name", Input).value = "eva"
        await pilot.press("enter")
        await wait_until(pilot, lambda: isinstance(app.screen, StageScreen))
        save = feed.orders[-1]
        assert isinstance(save, Save)
        assert (save.purpose, save.name) == (Purpose.FORK, "q:eva")
        assert save.settings["alpha"] == 0.25
        assert save.settings["gamma"] == 1.0
        store.save(begin("truco", "q:eva", NOTHING, store, save.settings, save.rewards))
        report(app, feed, Saved(store.path("truco", "q:eva"), Purpose.FORK, 100, "q:eva"))
        await wait_until(pilot, lambda: len(feeds) == 2)
        await until_shown(pilot, app, "Q eva, continues")
        assert feeds[1].subject.agent == "q:eva"
        assert (feed.phase, feed.ended) == (Phase.PAUSED, False)
        await pilot.press("o")
        await until_shown(pilot, app, "Q, paused after 10 s")
        report(app, feeds[1], vitals(150))
        await wait_until(pilot, lambda: feeds[1].record.matches == 150)
        assert "150 matches" not in text_of(app)
        await pilot.press("o")
        await until_shown(pilot, app, "150 matches")
        await pilot.press("escape")
        await wait_until(pilot, lambda: isinstance(app.screen, Question))
        await pilot.press("e")
        await wait_until(pilot, lambda: feeds[1].ended)
        assert not feed.ended
        await wait_until(pilot, lambda: isinstance(app.screen, HomeScreen))
        await pilot.press("w")
        await until_shown(pilot, app, "Q, paused after 10 s")
    assert feed.ended


async def test_named_learner_of_the_lab_goes_on_beside_another(
    tmp_path: Path, feeds: list[FakeFeed]
) -> None:
    store = Store(tmp_path / "qtables")
    store.save(begin("truco", "q:rosa", NOTHING, store))
    async with stage(tmp_path, feeds) as (pilot, app, feed):
        app.post_message(OpenStage("truco", "q:nobody"))
        await wait_until(pilot, lambda: "There is no learner q:nobody" in notices(app))
        app.post_message(OpenStage("truco", "q:rosa"))
        await until_shown(pilot, app, "Q rosa, continues")
        assert not feed.ended
        assert feed.phase is Phase.PAUSED
        app.post_message(OpenStage("truco", "q:rosa"))
        await pilot.pause()
        assert len(feeds) == 2


@pytest.mark.parametrize(
    ("key", "purpose"),
    [("g", Purpose.PLAY), pytest.param("w", Purpose.WATCH, marks=pytest.mark.slow)],
)
async def test_table_with_the_learner_opens_while_it_learns(
    key: str, purpose: Purpose, tmp_path: Path, feeds: list[FakeFeed]
) -> None:
    path = tmp_path / "exports" / "euchre.q-100.pkl"
    path.parent.mkdir()
    learner: Any = make("euchre", "q@0")
    write_values(path, learner)
    async with stage(tmp_path, feeds, agent="q") as (pilot, app, feed):
        report(app, feed, vitals(100))
        await until_shown(pilot, app, "100 matches")
        await pilot.press(key)
        assert isinstance(feed.orders[-1], Save)
        assert feed.orders[-1].purpose is purpose
        report(app, feed, Saved(path, purpose, 100))
        await wait_until(pilot, lambda: at_table(app))
        seats = table_of(app).plan.seats
        assert f"q@{path}" in seats
        assert ("you" in seats) == (purpose is Purpose.PLAY)
        assert not feed.ended
        report(app, feed, vitals(200))
        await wait_until(pilot, lambda: feed.record.matches == 200)


async def test_learner_goes_on_in_the_background(tmp_path: Path, feeds: list[FakeFeed]) -> None:
    async with stage(tmp_path, feeds) as (pilot, app, feed):
        report(app, feed, vitals(100))
        await until_shown(pilot, app, "100 matches")
        await pilot.press("escape")
        await wait_until(pilot, lambda: isinstance(app.screen, Question))
        await pilot.press("b")
        await wait_until(pilot, lambda: isinstance(app.screen, HomeScreen))
        assert not feed.ended
        await pilot.press("w")
        await wait_until(pilot, lambda: isinstance(app.screen, StageScreen))
        assert app.screen.feed is feed  # type: ignore[attr-defined]
        await pilot.press("escape")
        await wait_until(pilot, lambda: isinstance(app.screen, Question))
        await pilot.press("e")
        await wait_until(pilot, lambda: feed.ended)


async def test_another_learner_replaces_the_first(tmp_path: Path, feeds: list[FakeFeed]) -> None:
    async with stage(tmp_path, feeds) as (pilot, app, feed):
        await pilot.press("n")
        await wait_until(pilot, lambda: isinstance(app.screen, StageForm))
        await pilot.press("right", "enter")
        await wait_until(pilot, lambda: len(feeds) == 2)
        await wait_until(pilot, lambda: isinstance(app.screen, StageScreen))
        assert feed.ended
        assert feeds[1].subject.game != "euchre"


async def test_lab_opens_the_stage(tmp_path: Path, feeds: list[FakeFeed]) -> None:
    app = make_app(tmp_path)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("b")
        await wait_until(pilot, lambda: isinstance(app.screen, LabScreen))
        await all_shown(pilot, app)
        await pilot.press("w")
        await wait_until(pilot, lambda: isinstance(app.screen, StageScreen))
        assert feeds[0].subject.agent == "q"


async def test_failure_is_a_sentence(tmp_path: Path, feeds: list[FakeFeed]) -> None:
    async with stage(tmp_path, feeds) as (pilot, app, feed):
        report(app, feed, Notice("The disk is full."), Failed("A process ended."))
        await wait_until(pilot, lambda: feed.phase is Phase.FAILED)
        await until_shown(pilot, app, "ended unexpectedly")


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["poker"], "There is no game 'poker'"),
        (["euchre", "--agent", "merlin"], "There is no agent 'merlin'"),
        (["euchre", "--agent", "hard"], "hard does not learn"),
        (["euchre", "--agent", "q@10"], "q@10 never learns"),
    ],
)
def test_wrong_input_is_one_sentence(
    arguments: list[str], sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["learn", *arguments]) == 2
    complaint = capsys.readouterr().err
    assert sentence in complaint
    assert complaint.count("\n") == 1
