"""Opens the Lab in tests, and runs short jobs in it."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from textual.pilot import Pilot

from agents.training.course import Course
from agents.training_log import CurvePoint
from app.home.locations import Locations
from app.lab.jobs import Job, Training
from app.lab.run import Phase, Run
from app.ui.app import KibitzApp
from app.ui.screens.lab import LabScreen
from app.ui.widgets.agents_list import AgentsList
from app.ui.widgets.cycle import Cycle
from tests.app.driving import make_app, wait_until

LONG_ENOUGH = 120.0
"""Seconds a process may take for a short job."""

TINY = {"target": 6}
"""Truco to six points, for short matches."""


def values_file(home: Path, agent: str = "q", game: str = "truco") -> Path:
    return home / "qtables" / f"{game}.{agent}.pkl"


def tiny(games: int, agent: str = "q", **changes: Any) -> Training:
    course = Course("truco", agent, games, 1, dict(TINY), **changes)
    return Training(course, measurements=1, measured=4)


@asynccontextmanager
async def lab(
    home: Path, game: str = "truco", size: tuple[int, int] = (80, 24), ascii_only: bool = False
) -> AsyncIterator[tuple[Pilot[Any], KibitzApp, LabScreen]]:
    """Open the Lab and wait until everything it shows is loaded."""
    app = make_app(home, ascii_only=ascii_only)
    async with app.run_test(size=size) as pilot:
        await wait_until(pilot, lambda: bool(app.screen.query(f"#game-{game}")))
        app.screen.query_one(f"#game-{game}").focus()
        await pilot.press("b")
        await wait_until(pilot, lambda: bool(open_labs(app)))
        (screen,) = open_labs(app)
        await all_shown(pilot, app)
        assert screen.query_one(Cycle).value == game
        yield pilot, app, screen


def open_labs(app: KibitzApp) -> list[LabScreen]:
    return [screen for screen in app.screen_stack if isinstance(screen, LabScreen)]


async def all_shown(pilot: Pilot[Any], app: KibitzApp) -> None:
    """Wait until everything that threads load is shown."""
    for _ in range(3):
        await app.workers.wait_for_complete()
        await pilot.pause()


async def until_phase(app: KibitzApp, *phases: Phase) -> None:
    """Wait until the current job is in one of these phases."""
    run = app.laboratory.run
    assert run is not None
    reported = asyncio.Event()
    take = run.take

    def take_and_wake(report: Any) -> None:
        take(report)
        reported.set()

    run.take = take_and_wake  # type: ignore[method-assign]
    async with asyncio.timeout(LONG_ENOUGH):
        while run.phase not in phases:
            assert run.phase is not Phase.OVER, run.result
            reported.clear()
            await reported.wait()


async def finished(app: KibitzApp) -> Any:
    await until_phase(app, Phase.OVER)
    run = app.laboratory.run
    assert run is not None
    return run.result


def start(app: KibitzApp, job: Job) -> None:
    app.laboratory.start(job)


async def choose(pilot: Pilot[Any], screen: LabScreen, agent: str) -> None:
    """Move the cursor to an agent."""
    table = screen.query_one(AgentsList)
    names = [member.agent for member in table.members]
    table.move_cursor(row=names.index(agent))
    await all_shown(pilot, screen.app)  # type: ignore[arg-type]


def training_of_q(tmp_path: Path, app: KibitzApp) -> Run:
    """A run that gets its reports from the test."""
    job = Training(Course("truco", "q", 50_000, 1))
    run = Run(job, Locations(tmp_path), app._history, lambda run, report: None)
    app.laboratory.run = run
    return run


def point(games: int, against: str, rate: float, spread: float) -> CurvePoint:
    return CurvePoint(games, against, rate, rate - spread, rate + spread)
