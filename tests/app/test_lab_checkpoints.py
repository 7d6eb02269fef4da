"""Interrupted trainings: the Lab offers to keep what they learned."""

import subprocess
import sys
from multiprocessing import resource_tracker
from pathlib import Path

import pytest
from filelock import FileLock

from agents.storage.store import Store
from agents.training.course import new_learner
from app.home.locations import Locations
from app.lab.checkpoints import Checkpoint, interrupted_trainings, keep_interrupted, new_bookmark
from app.lab.jobs import Failed
from app.lab.run import Phase
from app.records.bookmark import Bookmark
from app.ui.app import KibitzApp
from app.ui.screens.question import Question
from tests.app.driving import make_app, text_of, wait_until
from tests.app.lab_driving import finished, lab, start, tiny, until_phase, values_file

ROOT = Path(__file__).parents[2]
QUESTION = "Training of Q at Truco Uruguayo was interrupted after"


@pytest.fixture(autouse=True)
def processes_can_be_started() -> None:
    resource_tracker.ensure_running()


def interrupted(home: Path) -> int:
    """Leave the checkpoint of a training, as a crash does, and return its run's number."""
    locations, course = Locations(home), tiny(64).course
    number = make_app(home)._history.start_run("truco", "q", 1, {})
    checkpoint = Checkpoint(new_bookmark(course, locations), Bookmark(course, 0, run=number))
    checkpoint.save(new_learner(course), 32, 1.5)
    checkpoint.close(keep=True)
    return number


def notices(app: KibitzApp) -> str:
    return " ".join(each.message for each in app._notifications)


async def test_lab_keeps_an_interrupted_training(tmp_path: Path) -> None:
    number = interrupted(tmp_path)
    async with lab(tmp_path) as (pilot, app, _):
        await wait_until(pilot, lambda: isinstance(app.screen, Question))
        assert QUESTION in text_of(app)
        await pilot.press("k")
        await wait_until(pilot, lambda: "kept what it learned in 32 matches" in notices(app))
        assert app.laboratory.interrupted() == []
        (run,) = app._history.runs("truco", "q")
        assert (run.id, run.games, run.seconds, run.kept) == (number, 32, 1.5, True)
    assert values_file(tmp_path).exists()


async def test_lab_discards_an_interrupted_training(tmp_path: Path) -> None:
    interrupted(tmp_path)
    async with lab(tmp_path) as (pilot, app, _):
        await wait_until(pilot, lambda: isinstance(app.screen, Question))
        await pilot.press("d")
        await wait_until(pilot, lambda: "nothing was changed" in notices(app))
        assert app.laboratory.interrupted() == []
        assert [run.kept for run in app._history.runs("truco", "q")] == [False]
    assert not values_file(tmp_path).exists()


async def test_lab_asks_about_one_training_after_the_other(tmp_path: Path) -> None:
    for _ in range(2):
        interrupted(tmp_path)
    async with lab(tmp_path) as (pilot, app, screen):
        await wait_until(pilot, lambda: isinstance(app.screen, Question))
        first = app.screen
        await pilot.press("escape")
        await wait_until(pilot, lambda: isinstance(app.screen, Question))
        assert app.screen is not first
        await pilot.press("escape")
        await wait_until(pilot, lambda: app.screen is screen)
        assert len(app.laboratory.interrupted()) == 2


@pytest.mark.slow
async def test_dead_process_leaves_a_checkpoint(tmp_path: Path) -> None:
    """The process dies at the end of the course, before the person decides."""
    async with lab(tmp_path) as (pilot, app, _):
        start(app, tiny(32))
        await until_phase(app, Phase.ASKING)
        run = app.laboratory.run
        assert run is not None
        assert run._process is not None
        run._process.kill()
        assert isinstance(await finished(app), Failed)
        await wait_until(pilot, lambda: isinstance(app.screen, Question))
        await pilot.press("k")
        await wait_until(pilot, lambda: values_file(tmp_path).exists())


@pytest.mark.slow
async def test_quitting_can_discard_the_checkpoint(tmp_path: Path) -> None:
    async with lab(tmp_path) as (pilot, app, _):
        start(app, tiny(32))
        await until_phase(app, Phase.ASKING)
        await pilot.press("ctrl+q")
        await wait_until(pilot, lambda: isinstance(app.screen, Question))
        await pilot.press("d")
    assert interrupted_trainings(Locations(tmp_path)) == []


@pytest.mark.slow
async def test_closing_the_app_leaves_a_checkpoint(tmp_path: Path) -> None:
    """As when the terminal is closed, so that nothing can be asked."""
    async with lab(tmp_path) as (_, app, _screen):
        start(app, tiny(32))
        await until_phase(app, Phase.ASKING)
    assert len(interrupted_trainings(Locations(tmp_path))) == 1


@pytest.mark.slow
def test_killed_app_loses_no_finished_training(tmp_path: Path) -> None:
    """SIGKILL ends the app while it asks; its process ends too and leaves the checkpoint."""
    locations = Locations(tmp_path)
    command = [sys.executable, "-m", "tests.app.lab_process", str(tmp_path)]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as app:
        assert app.stdout is not None
        assert "Learned\n" in iter(app.stdout.readline, "")
        assert interrupted_trainings(locations) == [], "the training still runs"
        app.kill()
    (lock,) = locations.checkpoints.glob(".*.lock")
    with FileLock(lock, timeout=60):
        pass
    assert not values_file(tmp_path).exists()
    (training,) = interrupted_trainings(locations)
    assert training.progress.played == 32
    keep_interrupted(training, locations)
    course = training.progress.course
    before, after = [new_learner(course, Store(tmp_path / name)) for name in ("none", "qtables")]
    assert after.stats().games == before.stats().games + 2 * 32
