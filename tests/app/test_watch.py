"""Watching agents: pausing, stepping, speed, open and closed hands, learning."""

import shlex
import sys
from dataclasses import replace
from pathlib import Path
from threading import Event
from typing import Any

import pytest

from agents.registry import make
from app.home.locations import Locations
from app.lab.verdict import percentages
from app.match.pace import SPEEDS, Clock
from app.match.seating import plan_table
from app.match.series import Series
from app.records.history import History
from app.records.journal import Recorded, read_journal
from app.records.scorekeeper import Scorekeeper
from app.ui.app import KibitzApp
from app.ui.screens.home import HomeScreen
from app.ui.screens.watch import WatchScreen
from tests.app.driving import (
    StoppedClock,
    at_table,
    is_over,
    make_app,
    moment_of,
    prompt_of,
    table_of,
    text_of,
    wait_until,
)

BACKS = "╳╳"
BOT = Path(__file__).parents[2] / "docs" / "bot.py"


async def test_pause_and_step(tmp_path: Path) -> None:
    app = make_app(tmp_path, plan_table("euchre", seed=7, watch=True), clock=StoppedClock())
    async with app.run_test(size=(80, 24)) as pilot:
        await wait_until(pilot, lambda: at_table(app))
        await pilot.press("space")
        assert moment_of(app).paused
        await pilot.pause()
        assert "Paused." in text_of(app)
        before = moment_of(app).view.history
        for steps in (1, 2, 3):
            await pilot.press("full_stop")
            await wait_until(
                pilot, lambda n=steps: len(moment_of(app).view.history) == len(before) + n
            )
        await pilot.pause()
        assert len(moment_of(app).view.history) == len(before) + 3
        await pilot.press("p")
        assert not moment_of(app).paused


async def test_speed_goes_through_the_delays(tmp_path: Path) -> None:
    app = make_app(tmp_path, plan_table("euchre", seed=7, watch=True), clock=StoppedClock())
    async with app.run_test(size=(80, 24)) as pilot:
        await wait_until(pilot, lambda: at_table(app))
        await pilot.press("space")
        seen = [moment_of(app).delay]
        for key in ("minus", "minus", "plus", "plus", "plus", "plus", "plus"):
            await pilot.press(key)
            seen.append(moment_of(app).delay)
        assert seen == [1.0, 2.0, 2.0, 1.0, 0.5, 0.25, 0.0, 0.0]
        assert set(seen) == set(SPEEDS)


async def test_fast_forward_stops_at_the_end_of_the_hand(tmp_path: Path) -> None:
    app = make_app(tmp_path, plan_table("euchre", seed=7, watch=True), clock=StoppedClock())
    async with app.run_test(size=(80, 24)) as pilot:
        await wait_until(pilot, lambda: at_table(app))
        await pilot.press("f")
        await wait_until(pilot, lambda: moment_of(app).ending is not None)
        await pilot.pause()
        moment = moment_of(app)
        assert moment.view.hand_no == 1
        assert len(moment.results) == 1
        assert moment.results[0].sentence in " ".join(moment.log)


async def test_hands_open_and_from_each_seat(tmp_path: Path) -> None:
    app = make_app(tmp_path, plan_table("euchre", seed=7, watch=True), clock=StoppedClock())
    async with app.run_test(size=(80, 24)) as pilot:
        await wait_until(pilot, lambda: at_table(app))
        assert BACKS not in text_of(app)
        looks = []
        for _ in range(4):
            await pilot.press("v")
            await pilot.pause()
            looks.append((moment_of(app).view.seat, BACKS in text_of(app)))
        assert looks == [(0, True), (1, True), (2, True), (0, False)]
        assert prompt_of(app) == "All hands are open."
        await pilot.press("v", "v")
        await pilot.pause()
        assert prompt_of(app) == "Seen from West."


async def test_a_change_of_speed_is_seen_while_paused(tmp_path: Path) -> None:
    plan = plan_table("truco", ["easy", "hard"], delay=1.0, seed=7, watch=True)
    app = make_app(tmp_path, plan, clock=StoppedClock())
    async with app.run_test(size=(80, 24)) as pilot:
        await wait_until(pilot, lambda: at_table(app))
        await pilot.press("space", "plus")
        await wait_until(pilot, lambda: "paused, delay 0.5 s" in text_of(app))


@pytest.mark.slow
async def test_without_delay_keys_are_answered_and_the_learner_learns(tmp_path: Path) -> None:
    plan = plan_table("truco", ["q", "random"], {"target": 100_000}, 0.0, 7, watch=True)
    app = make_app(tmp_path, plan, clock=Clock())
    async with app.run_test(size=(120, 40)) as pilot:
        await wait_until(pilot, lambda: at_table(app))
        await pilot.press("space")
        paused = moment_of(app)
        assert paused.paused
        assert not is_over(app)
        await pilot.pause()
        assert moment_of(app).view.scores == paused.view.scores
        await pilot.press("space")
        known = paused.learners[0].stats
        await wait_until(
            pilot, lambda: moment_of(app).learners[0].stats.total_actions > known.total_actions + 50
        )
        await pilot.press("e", "space")
        await pilot.pause()
        learned = moment_of(app).learners[0]
        assert learned.seats == (0,)
        assert learned.stats.updates > known.updates
        shown = text_of(app)
        assert "situations known" in shown
        assert f"{learned.stats.total_actions:,}" in shown


def has_learned(app: KibitzApp) -> bool:
    """Whether the learner at the table has made a few moves of its own."""
    shipped = make("euchre", "q").stats().total_actions  # type: ignore[attr-defined]
    return at_table(app) and moment_of(app).learners[0].stats.total_actions > shipped + 5


async def test_what_was_learned_is_kept_when_the_table_is_left(tmp_path: Path) -> None:
    plan = plan_table("euchre", ["q", "random", "random"], seed=7, watch=True)
    app = make_app(tmp_path, plan)
    async with app.run_test(size=(80, 24)) as pilot:
        await wait_until(pilot, lambda: has_learned(app))
        await pilot.press("escape")
        await wait_until(pilot, lambda: isinstance(app.screen, HomeScreen))
    assert (tmp_path / "qtables" / "euchre.q.pkl").exists()


async def test_quitting_saves(tmp_path: Path) -> None:
    plan = plan_table("euchre", ["q", "random", "random"], seed=7, watch=True)
    app = make_app(tmp_path, plan)
    async with app.run_test(size=(80, 24)) as pilot:
        await wait_until(pilot, lambda: has_learned(app))
        await pilot.press("ctrl+q")
    assert (tmp_path / "qtables" / "euchre.q.pkl").exists()


@pytest.mark.slow
async def test_a_hostile_table_file_is_said_and_the_match_goes_on(tmp_path: Path) -> None:
    folder = tmp_path / "qtables"
    folder.mkdir()
    (folder / "euchre.q.pkl").write_bytes(b"cos\nsystem\n(S'touch pwned'\ntR.")
    plan = plan_table("euchre", ["q", "random", "random"], seed=7, watch=True, matches=1)
    app = make_app(tmp_path, plan)
    async with app.run_test(size=(80, 24), notifications=True) as pilot:
        await wait_until(pilot, lambda: at_table(app))
        await wait_until(pilot, lambda: bool(app._notifications))
        said = [notification.message for notification in app._notifications]
        assert any("euchre.q.pkl was not loaded" in sentence for sentence in said)
        await wait_until(pilot, lambda: is_over(app))
    assert list(folder.glob("euchre.q.pkl.damaged-*"))


async def test_a_program_takes_a_seat(tmp_path: Path) -> None:
    seats = (f"cmd:{shlex.join([sys.executable, str(BOT)])}", "random")
    plan = plan_table("truco", seats, {"target": 2}, delay=0, seed=7, watch=True, matches=1)
    app = make_app(tmp_path, replace(plan, programs=True))
    async with app.run_test(size=(80, 24)) as pilot:
        await wait_until(pilot, lambda: at_table(app))
        while not is_over(app):
            await pilot.pause(0.05)
        journal = next((tmp_path / "games").glob("*.jsonl")).read_text()
    assert "bot.py" in journal
    assert "could not decide" not in " ".join([each.message for each in app._notifications])
    assert "taken" not in journal


async def test_a_program_that_fails_is_told_of_and_random_plays_on(tmp_path: Path) -> None:
    seats = ("cmd:false", "random")
    plan = plan_table("truco", seats, {"target": 2}, delay=0, seed=7, watch=True)
    app = make_app(tmp_path, replace(plan, programs=True))
    said: list[str] = []
    async with app.run_test(size=(80, 24)) as pilot:
        await wait_until(pilot, lambda: at_table(app))
        while not is_over(app):
            said += [notice.message for notice in app._notifications]
            await pilot.pause(0.05)
        await wait_until(
            pilot, lambda: any("The series ends" in each.message for each in app._notifications)
        )
        said += [notice.message for notice in app._notifications]
    assert any("false ended without an answer" in sentence for sentence in said), said


# Match after match


def series_table(tmp_path: Path, matches: int | None, clock: Clock | None = None) -> KibitzApp:
    """A table of short matches."""
    seats = ("easy", "random")
    options = {"target": 2}
    plan = plan_table("truco", seats, options, 0.0, 7, watch=True, matches=matches)
    return make_app(tmp_path, plan, clock=clock)


def series_of(app: KibitzApp) -> Series:
    assert isinstance(app.screen, WatchScreen)
    return app.screen.series


async def test_a_series_ends_at_its_limit(tmp_path: Path) -> None:
    app = series_table(tmp_path, 3)
    async with app.run_test(size=(120, 40)) as pilot:
        await wait_until(pilot, lambda: at_table(app) and series_of(app).over)
        await pilot.pause()
        shown = text_of(app)
        assert "3 of 3 matches played" in shown
        assert "Again" in shown
        series = series_of(app)
        wins = [series.wins(side) for side in (0, 1)]
        assert sum(wins) == series.matches == 3
        assert percentages(series.rate(0), *series.interval(0)) in shown
        assert table_of(app).plan.match_no == 3
        await pilot.press("escape")
        await wait_until(pilot, lambda: isinstance(app.screen, HomeScreen))
    assert len(History(Locations(tmp_path).history).matches("truco")) == 3
    assert [each.over for each in recorded(tmp_path)] == [True] * 3


async def test_the_last_match_has_no_next_one_while_its_result_is_saved(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    saving = Event()
    finish = Scorekeeper.finish

    def finish_later(*arguments: Any) -> None:
        saving.wait()
        finish(*arguments)

    monkeypatch.setattr(Scorekeeper, "finish", finish_later)
    app = series_table(tmp_path, 1)
    async with app.run_test(size=(80, 24)) as pilot:
        await wait_until(pilot, lambda: is_over(app))
        before = [choice.text for choice in table_of(app).choices()]
        assert series_of(app).matches == 0
        saving.set()
        await wait_until(pilot, lambda: series_of(app).over)
        assert [choice.text for choice in table_of(app).choices()] == before
        assert "Next match" not in before


async def test_a_series_without_limit_goes_on_until_it_is_left(tmp_path: Path) -> None:
    app = series_table(tmp_path, None)
    async with app.run_test(size=(80, 24)) as pilot:
        await wait_until(pilot, lambda: at_table(app) and series_of(app).matches >= 5)
        await wait_until(pilot, lambda: "matches played: South" in text_of(app))
        await pilot.press("escape")
        await wait_until(pilot, lambda: isinstance(app.screen, HomeScreen))
    found = recorded(tmp_path)
    assert sum(each.over for each in found) >= 5
    assert sorted(each.setup.seed for each in found) == list(range(7, 7 + len(found)))


async def test_the_result_stays_until_the_next_match_is_due(tmp_path: Path) -> None:
    """Also: speed, pause and viewpoint are those of the match before."""
    plan = plan_table("truco", ("easy", "random"), {"target": 2}, 1.0, 7, watch=True)
    app = make_app(tmp_path, plan, clock=StoppedClock())
    async with app.run_test(size=(80, 24)) as pilot:
        await wait_until(pilot, lambda: at_table(app))
        await pilot.press("v", "plus")
        while not is_over(app):
            await pilot.press("f")
            await pilot.pause()
        await wait_until(pilot, lambda: series_of(app).matches == 1)
        await pilot.pause()
        assert "Next match" in text_of(app)
        await pilot.press("space", "enter")
        await wait_until(pilot, lambda: table_of(app).plan.match_no == 2 and not is_over(app))
        assert moment_of(app).paused
        assert moment_of(app).delay == 0.5
        assert not moment_of(app).views


async def test_series_tab(tmp_path: Path) -> None:
    app = series_table(tmp_path, 2)
    async with app.run_test(size=(80, 24)) as pilot:
        await wait_until(pilot, lambda: at_table(app) and series_of(app).over)
        await pilot.press("m")
        await pilot.pause()
        shown = text_of(app)
        assert "South · easy" in shown
        assert "100 ┤" in shown


async def test_long_series_stop_being_recorded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.match.series.RECORDED_MATCHES", 2)
    app = series_table(tmp_path, 4)
    async with app.run_test(size=(80, 24)) as pilot:
        await wait_until(pilot, lambda: at_table(app) and series_of(app).over)
    assert len(recorded(tmp_path)) == 2


@pytest.mark.parametrize("matches", [-1, 0, 100_001])
def test_bad_limits_get_a_sentence(matches: int) -> None:
    with pytest.raises(ValueError, match="give 1 to 100,000"):
        plan_table("truco", watch=True, matches=matches)


def recorded(home: Path) -> list[Recorded]:
    return [read_journal(path) for path in sorted((home / "games").glob("*.jsonl"))]
