"""Watching agents: pausing, stepping, speed, open and closed hands, learning."""

import shlex
import sys
from pathlib import Path

from agents.registry import make
from app.match.pace import SPEEDS, Clock
from app.match.seating import plan_table
from app.ui.app import KibitzApp
from app.ui.screens.home import HomeScreen
from tests.app.driving import (
    StoppedClock,
    at_table,
    is_over,
    make_app,
    moment_of,
    prompt_of,
    text_of,
    wait_until,
)

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
        assert "▒" not in text_of(app)
        looks = []
        for _ in range(4):
            await pilot.press("v")
            await pilot.pause()
            looks.append((moment_of(app).view.seat, "▒" in text_of(app)))
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


async def test_a_hostile_table_file_is_said_and_the_match_goes_on(tmp_path: Path) -> None:
    folder = tmp_path / "qtables"
    folder.mkdir()
    (folder / "euchre.q.pkl").write_bytes(b"cos\nsystem\n(S'touch pwned'\ntR.")
    plan = plan_table("euchre", ["q", "random", "random"], seed=7, watch=True)
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
    plan = plan_table("truco", seats, {"target": 2}, delay=0, seed=7, watch=True)
    app = make_app(tmp_path, plan)
    async with app.run_test(size=(80, 24)) as pilot:
        await wait_until(pilot, lambda: at_table(app))
        while not is_over(app):
            await pilot.pause(0.05)
        journal = next((tmp_path / "games").glob("*.jsonl")).read_text()
    assert "bot.py" in journal
    assert "could not decide" not in " ".join([each.message for each in app._notifications])
    assert "taken" not in journal


async def test_a_program_that_fails_is_told_of_and_random_plays_on(tmp_path: Path) -> None:
    plan = plan_table("truco", ("cmd:false", "random"), {"target": 2}, delay=0, seed=7, watch=True)
    app = make_app(tmp_path, plan)
    said: list[str] = []
    async with app.run_test(size=(80, 24)) as pilot:
        await wait_until(pilot, lambda: at_table(app))
        while not is_over(app):
            said += [notice.message for notice in app._notifications]
            await pilot.pause(0.05)
        said += [notice.message for notice in app._notifications]
    assert any("false ended without an answer" in sentence for sentence in said), said
