"""The deal of the day."""

from datetime import UTC, date, datetime
from pathlib import Path

import pytest

from app.cli import run
from app.match.dealing import daily_plan, daily_seed
from app.match.seating import TablePlan, plan_table
from app.records.journal import read_journal
from engine import GAMES
from tests.app.driving import (
    answer_first,
    at_table,
    make_app,
    table_of,
    text_of,
    to_question,
    wait_until,
)

DAY = date(2026, 11, 16)


def test_daily_seeds_never_change() -> None:
    seeds = {game: daily_seed(game, DAY) for game in GAMES}
    assert len(set(seeds.values())) == len(GAMES)
    assert seeds["euchre"] == 621_676_153
    assert daily_seed("euchre", date(2026, 11, 17)) != seeds["euchre"]


def test_match_after_the_daily_deal_is_ordinary() -> None:
    plan = daily_plan(plan_table("euchre"), DAY)
    assert plan.daily == "2026-11-16"
    assert plan.again().daily == ""
    assert plan.again().seed is None


async def test_daily_deal_from_home_is_shown_and_recorded(tmp_path: Path) -> None:
    """In a wide window, because other notices depend on the cards of the day."""
    app = make_app(tmp_path)
    async with app.run_test(size=(120, 40)) as pilot:
        before = datetime.now(UTC).date()
        await pilot.click("#menu-daily")
        await wait_until(pilot, lambda: at_table(app))
        plan = table_of(app).plan
        assert date.fromisoformat(plan.daily) in (before, datetime.now(UTC).date())
        assert plan.seed == daily_seed("euchre", date.fromisoformat(plan.daily))
        await to_question(pilot, app)
        assert f"daily deal {plan.daily}" in text_of(app)
        loop = table_of(app).loop
        assert loop is not None
        played = len(loop.actions)
        answer_first(app)
        await wait_until(pilot, lambda: len(loop.actions) > played)
    (path,) = (tmp_path / "games").glob("*.jsonl")
    assert read_journal(path).setup.daily == plan.daily


def test_play_with_daily_flag(monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[TablePlan] = []
    monkeypatch.setattr(
        "app.commands.play.open_app", lambda *places, plan, delay: opened.append(plan)
    )
    assert run(["play", "truco", "--daily"]) == 0
    assert opened[0].seed == daily_seed("truco", date.fromisoformat(opened[0].daily))


def test_daily_flag_with_a_seed_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["play", "truco", "--daily", "--seed", "3"]) == 2
    assert "its own seed" in capsys.readouterr().err
