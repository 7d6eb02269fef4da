"""Curves and figures in the Lab, and pictures of it."""

from itertools import combinations
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot

from agents.evaluation.arena import Pairing, Rated
from agents.registry import agents_for
from agents.storage.store import Store
from agents.training.course import Course, new_learner
from agents.training_log import CurvePoint
from app.home.locations import Locations
from app.lab.jobs import (
    Discarded,
    Learned,
    Measured,
    Progress,
    Ranked,
    Training,
)
from app.lab.laboratory import JobReported
from app.lab.run import Run
from app.ui.app import KibitzApp
from app.ui.screens.lab_forms import EvaluateForm
from app.ui.screens.ladder import LadderScreen
from engine import GAMES
from tests.app.driving import make_app, text_of, wait_until
from tests.app.lab_driving import all_shown, choose, lab, point, training_of_q


async def test_curve_is_drawn_in_ascii(tmp_path: Path) -> None:
    with_curve(tmp_path)
    async with lab(tmp_path, "euchre", ascii_only=True) as (_, app, _screen):
        shown = text_of(app)
        assert shown.isascii()
        assert "100 %" in shown
        assert "####" in shown


def with_curve(home: Path) -> None:
    """Write a history in which Q has learned Euchre and was evaluated."""
    history = make_app(home)._history
    rates = {
        "random": (0.55, 0.63, 0.7, 0.74, 0.79, 0.8, 0.83, 0.84, 0.85),
        "hard": (0.2, 0.26, 0.33, 0.36, 0.38, 0.42, 0.43, 0.42, 0.45),
    }
    run = history.start_run("euchre", "q", 1, {})
    points = [
        CurvePoint(625 * number, rival, rate, rate - 0.07, rate + 0.06)
        for rival, measured in rates.items()
        for number, rate in enumerate(measured)
    ]
    history.add_points(run, points)
    history.end_run(run, 5000, 100.0, kept=True)
    for rival, rate in (("random", 0.85), ("hard", 0.45)):
        entry = {"agent": "q", "games": 200, "win_rate": rate, "ci95": [rate - 0.07, rate + 0.06]}
        other = {"agent": rival, "games": 200, "win_rate": 1 - rate, "ci95": [0.0, 1.0]}
        history.add_evaluation("euchre", {"agents": [entry, other]})


@pytest.mark.parametrize("size", [(60, 20), (80, 24), (120, 40)])
async def test_pictures(tmp_path: Path, same_picture: Any, size: tuple[int, int]) -> None:
    with_curve(tmp_path)
    async with lab(tmp_path, "euchre", size) as (pilot, app, _):
        assert "against • Random  • Hard" in text_of(app)
        same_picture(app, f"lab-{size[0]}x{size[1]}")
        await pilot.press("e")
        await wait_until(pilot, lambda: isinstance(app.screen, EvaluateForm))
        await pilot.pause()
        same_picture(app, f"lab-evaluate-{size[0]}x{size[1]}")


async def keys_shown(pilot: Pilot[Any], app: KibitzApp) -> None:
    """Wait for the line of keys, which is redrawn after every report."""
    await wait_until(pilot, lambda: "q Explore" in text_of(app))


@pytest.mark.parametrize("size", [(80, 24), (120, 40)])
async def test_pictures_of_a_run(tmp_path: Path, same_picture: Any, size: tuple[int, int]) -> None:
    """In the middle of a training, at its end, and an arena's ladder."""
    with_curve(tmp_path)
    async with lab(tmp_path, "euchre", size) as (pilot, app, _):
        course = Course("euchre", "q", 50_000, 1)
        run = Run(Training(course), Locations(tmp_path), app._history, lambda run, report: None)
        app.laboratory.run = run
        before = (point(0, "random", 0.85, 0.07), point(0, "hard", 0.45, 0.07))
        after = (point(25_000, "random", 0.91, 0.06), point(25_000, "hard", 0.62, 0.07))
        for report in (Measured(before), Measured(after), Progress(25_000, 50_000, 62.5)):
            app.post_message(JobReported(run, report))
        await pilot.pause()
        assert "25,000 of 50,000 matches · 400 games/s · 0:01:02 left" in text_of(app)
        await keys_shown(pilot, app)
        same_picture(app, f"lab-training-{size[0]}x{size[1]}")
        app.post_message(JobReported(run, Learned(25_000, 62.5)))
        await pilot.pause()
        assert "Better than before" in text_of(app)
        await keys_shown(pilot, app)
        same_picture(app, f"lab-asking-{size[0]}x{size[1]}")
        names = list(agents_for("euchre"))
        ladder = [Rated(name, 30.0 - 2 * at, 32.0, 1.0) for at, name in enumerate(names)]
        pairings = [Pairing(*pair, 0.64, 0.6, 0.7) for pair in combinations(names, 2)]
        await app.push_screen(LadderScreen("euchre", Ranked(tuple(pairings), tuple(ladder))))
        await pilot.pause()
        same_picture(app, f"lab-ladder-{size[0]}x{size[1]}")
        run.take(Discarded())


@pytest.mark.parametrize("game", list(GAMES))
def test_every_shipped_agent_has_figures(tmp_path: Path, game: str) -> None:
    members, problems = make_app(tmp_path).laboratory.roster.members(game)
    assert not problems
    for member in members:
        assert set(member.standings) >= {"random", "hard"} - {member.agent}, member.agent


def test_a_match_against_itself_counts_once(tmp_path: Path) -> None:
    roster = make_app(tmp_path).laboratory.roster
    learner = new_learner(Course("truco", "q", 1))
    learner.log = learner.log.after(40)
    Store(tmp_path / "qtables").save(learner)
    members, _ = roster.members("truco")
    assert next(each for each in members if each.agent == "q").matches == 40


async def test_row_of_the_agent_in_training_is_live(tmp_path: Path) -> None:
    async with lab(tmp_path, size=(120, 40)) as (pilot, app, screen):
        await choose(pilot, screen, "q")
        run = training_of_q(tmp_path, app)
        before = screen.member
        assert before is not None
        app.post_message(JobReported(run, Measured((point(700, "hard", 0.91, 0.02),))))
        app.post_message(JobReported(run, Progress(700, 50_000, 2.0, False, 123_456, 0.25)))
        await pilot.pause()
        await pilot.pause()
        shown = text_of(app)
        assert "▸ Q" in shown
        assert f"{before.matches + 700:,}" in shown
        assert "123 k situations" in shown
        assert "91 % (89–93)" in shown
        run.take(Discarded())


async def test_curve_of_a_discarded_run_stays(tmp_path: Path) -> None:
    async with lab(tmp_path, size=(120, 40)) as (pilot, app, screen):
        await choose(pilot, screen, "q")
        run = training_of_q(tmp_path, app)
        last = point(700, "hard", 0.91, 0.02)
        app.post_message(JobReported(run, Measured((last,))))
        app.post_message(JobReported(run, Discarded()))
        await all_shown(pilot, app)
        assert "Q with the discarded run" in text_of(app)
        assert screen._drawn_points()[-1].win_rate == last.win_rate


async def test_runs_can_be_drawn_and_compared(tmp_path: Path) -> None:
    history = make_app(tmp_path)._history
    for kept in (True, False):
        number = history.start_run("truco", "q", 1, {})
        history.add_points(number, [point(games, "hard", 0.4, 0.1) for games in (0, 10)])
        history.end_run(number, 10, 1.0, kept)
    async with lab(tmp_path, size=(120, 40)) as (pilot, app, screen):
        await choose(pilot, screen, "q")
        await pilot.press("o")
        assert "Q, discarded run of" in text_of(app)
        await pilot.press("c", "o")
        await pilot.pause()
        shown = text_of(app)
        assert "Q, kept run of" in shown
        assert "◆ Q, discarded run of" in shown
        await choose(pilot, screen, "mc")
        assert "Monte Carlo: won" in text_of(app)
        assert "◆ Q, discarded run of" in text_of(app)
        await pilot.press("c")
        await pilot.pause()
        assert "◆ Q" not in text_of(app)
