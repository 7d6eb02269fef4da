"""High Card in the app: a game that is nothing but rules, a table, a page and a manifest row."""

import io
import json
import sys
from pathlib import Path

import pytest

from app.cli import run
from app.commands.line_play import play_by_lines
from app.home.locations import Locations
from app.match.seating import plan_table
from app.records.history import History
from app.records.journal import read_journal
from app.ui.app import KibitzApp
from app.ui.screens.home import HomeScreen
from app.ui.screens.rules import RulesScreen
from app.ui.widgets.entry import Entry
from tests.app.driving import (
    QuickClock,
    answer_by_keyboard,
    at_table,
    is_over,
    make_app,
    moment_of,
    prompt_of,
    table_of,
    text_of,
    to_question,
    wait_until,
)
from tests.high_card import high_card
from tests.quick import quick_with

__all__ = ["high_card"]

pytestmark = pytest.mark.usefixtures("high_card")

SEATS = ["you", "random"]


def journals(home: Path) -> list[Path]:
    return sorted((home / "games").glob("*.jsonl"))


async def test_home_shows_a_sixth_tile_and_key_6_deals(tmp_path: Path) -> None:
    app = make_app(tmp_path)
    async with app.run_test(size=(80, 24)) as pilot:
        await wait_until(pilot, lambda: isinstance(app.screen, HomeScreen))
        tiles = [entry.id for entry in app.screen.query(".tile").results(Entry)]
        assert len(tiles) == 6
        assert tiles[-1] == "game-high_card"
        assert "6 High Card" in text_of(app)
        await pilot.press("6")
        await wait_until(pilot, lambda: at_table(app))
        assert table_of(app).plan.game == "high_card"
        await to_question(pilot, app)
        assert "High Card · hand 1" in text_of(app)


@pytest.mark.parametrize("size", quick_with([(80, 24), (60, 20)], (80, 24)))
async def test_a_match_by_keyboard(tmp_path: Path, size: tuple[int, int]) -> None:
    app = make_app(tmp_path, plan_table("high_card", SEATS, delay=0.0, seed=3))
    async with app.run_test(size=size) as pilot:
        questions = set()
        while not is_over(app):
            await to_question(pilot, app)
            if not is_over(app):
                questions.add(prompt_of(app).partition(" ")[0])
                await answer_by_keyboard(pilot, app)
        assert questions >= {"You", "Beat"}
        ending = moment_of(app).ending
        assert ending is not None
        assert ending.sentence.endswith(" the match.")
        scores = moment_of(app).view.scores
        assert max(scores) == 3
    recorded = read_journal(journals(tmp_path)[0])
    assert recorded.setup.game == "high_card"
    (match,) = History(tmp_path / "history.db").matches()
    assert (match.game, match.scores) == ("high_card", scores)


async def test_the_last_trick_and_the_rules_page(tmp_path: Path) -> None:
    app = make_app(tmp_path, plan_table("high_card", SEATS, delay=0.0, seed=3))
    async with app.run_test(size=(80, 24)) as pilot:
        while not moment_of_hand(app, tricks=1):
            await to_question(pilot, app)
            await answer_by_keyboard(pilot, app)
        await to_question(pilot, app)
        await pilot.press("k")
        await wait_until(pilot, lambda: "Last trick:" in text_of(app))
        await pilot.press("r")
        await wait_until(pilot, lambda: isinstance(app.screen, RulesScreen))
        await wait_until(pilot, lambda: "of equal ranks" in " ".join(text_of(app).split()))


def moment_of_hand(app: KibitzApp, tricks: int) -> bool:
    """Whether so many tricks of a hand have been taken."""
    return at_table(app) and sum(moment_of(app).view.tricks) >= tricks


async def test_a_match_that_was_left_is_resumed_at_the_same_card(tmp_path: Path) -> None:
    app = make_app(tmp_path, plan_table("high_card", SEATS, delay=0.0, seed=5))
    async with app.run_test(size=(80, 24)) as pilot:
        for _ in range(3):
            await to_question(pilot, app)
            await answer_by_keyboard(pilot, app)
        left = await to_question(pilot, app)
        await pilot.press("escape", "escape")
        await wait_until(pilot, lambda: isinstance(app.screen, HomeScreen))
        app.screen.query_one("#game-high_card").focus()
        await wait_until(pilot, lambda: "u resumes" in text_of(app))
        await pilot.press("u")
        resumed = await to_question(pilot, app)
        assert (resumed.view, resumed.legal, resumed.log) == (left.view, left.legal, left.log)
    assert len(journals(tmp_path)) == 1


@pytest.mark.slow
async def test_a_finished_match_is_replayed(tmp_path: Path) -> None:
    locations = Locations(tmp_path)
    app = make_app(tmp_path, plan_table("high_card", SEATS, {"target": 1}, delay=0.0, seed=5))
    async with app.run_test(size=(80, 24)) as pilot:
        while not is_over(app):
            await to_question(pilot, app)
            if not is_over(app):
                await answer_by_keyboard(pilot, app)
    recorded = read_journal(journals(tmp_path)[0])
    replay = KibitzApp(locations, clock=QuickClock(), replay=recorded)
    replay.animation_level = "none"
    async with replay.run_test(size=(80, 24)) as pilot:
        await wait_until(pilot, lambda: at_table(replay))
        await pilot.press("end")
        await wait_until(pilot, lambda: "move 10 of 10" in text_of(replay))
        assert "the match" in text_of(replay)


def test_a_match_over_json_lines(tmp_path: Path) -> None:
    plan = plan_table("high_card", SEATS, {"target": 1}, seed=5)
    written = io.StringIO()
    play_by_lines(plan, Locations(tmp_path), written, FirstLegal(written))
    *questions, result = [json.loads(line) for line in written.getvalue().splitlines()]
    assert len(questions) == 5
    view = questions[0]["view"]
    assert len(view["hand"]) == 5
    assert view["options"] == {"target": 1}
    assert questions[-1]["legal"] == [f"play {card}" for card in questions[-1]["view"]["hand"]]
    assert result["type"] == "over"
    assert sorted(result["scores"]) == [0, 1]


class FirstLegal(io.StringIO):
    """Answers the last question with its first legal action."""

    def __init__(self, written: io.StringIO) -> None:
        super().__init__()
        self._written = written

    def readline(self, size: int = -1, /) -> str:
        question = json.loads(self._written.getvalue().splitlines()[-1])
        return f"{question['legal'][0]}\n"


@pytest.fixture
def home(tmp_path: Path) -> list[str]:
    return ["--home", str(tmp_path)]


def test_play_jsonl_starts_and_explains_an_early_end(
    home: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO(""))
    assert run(["play", "high_card", "--jsonl", *home]) == 2
    question = json.loads(capsys.readouterr().out.splitlines()[0])
    assert (question["type"], question["game"]) == ("decide", "high_card")


def test_games_lists_it(home: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["games", "--json", *home]) == 0
    listed = json.loads(capsys.readouterr().out)["games"]
    (entry,) = [game for game in listed if game["name"] == "high_card"]
    assert entry["title"] == "High Card"
    assert {"random", "q", "neural"} <= set(entry["agents"])


@pytest.mark.parametrize("agent", quick_with(["q", "neural"], "q"))
def test_train_then_evaluate(
    home: list[str], tmp_path: Path, agent: str, capsys: pytest.CaptureFixture[str]
) -> None:
    course = ["--agent", agent, "--games", "20", "--seed", "1", "--workers", "1"]
    assert run(["train", "high_card", *course, "--json", *home]) == 0
    report = json.loads(capsys.readouterr().out)
    assert report["updates"] > 0
    assert (tmp_path / "qtables" / f"high_card.{agent}.pkl").exists()
    against = [agent, "random", "--games", "20", "--seed", "1", "--workers", "1"]
    assert run(["evaluate", "high_card", *against, "--json", *home]) == 0
    result = json.loads(capsys.readouterr().out)
    assert [each["games"] for each in result["agents"]] == [20, 20]
    assert sum(each["wins"] for each in result["agents"]) == 20
