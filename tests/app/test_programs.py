"""A file never starts a program, and never replaces a file that Kibitz did not write."""

import json
import shlex
import sys
from pathlib import Path

import pytest

from agents.registry import create, make
from agents.storage.store import Store
from agents.training.course import Course
from agents.training.rounds import check_opponents
from app.cli import run
from app.home.locations import Locations
from app.match.dealing import make_players
from app.match.seating import plan_table
from app.records.journal import read_journal
from app.ui.app import KibitzApp
from app.ui.screens.question import Question
from app.ui.screens.requests import ResumeMatch
from tests.app.driving import wait_until
from tests.app.journals import recorded_match


@pytest.fixture
def trap(tmp_path: Path) -> Path:
    """A program that leaves a file `started`."""
    program = tmp_path / "trap.py"
    program.write_text(f"open({str(tmp_path / 'started')!r}, 'w').close()\n")
    return program


def started(trap: Path) -> bool:
    return trap.with_name("started").exists()


def name_of(trap: Path) -> str:
    return f"cmd:{shlex.join([sys.executable, str(trap)])}"


def test_programs_are_refused_by_default(trap: Path, tmp_path: Path) -> None:
    name = name_of(trap)
    plan = plan_table("truco", ("you", name))
    for refused in (
        lambda: create("truco", name),
        lambda: make("truco", name),
        lambda: check_opponents(Course("truco", "q", 1, opponents=(name,))),
        lambda: make_players(plan, Store(tmp_path)),
    ):
        with pytest.raises(ValueError, match="would start a program"):
            refused()
    assert not started(trap)


@pytest.mark.parametrize("grid", ["", "grid: {values: {alpha: [0.1]}, seeds: 1}\n"])
def test_course_file_starts_no_program(
    trap: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], grid: str
) -> None:
    course = tmp_path / "course.yaml"
    course.write_text(f"episodes: 1\nopponents: [{json.dumps(name_of(trap))}]\n{grid}")
    command = ["train", "truco", "--config", str(course), "--home", str(tmp_path / "home")]
    assert run(command) == 2
    assert "--allow-programs" in capsys.readouterr().err
    assert not started(trap)
    if not grid:
        run([*command, "--allow-programs"])
        assert started(trap)


def test_bookmark_starts_no_program(trap: Path, tmp_path: Path) -> None:
    folder = tmp_path / "courses"
    folder.mkdir()
    course = {"game": "truco", "agent": "q", "games": 9, "opponents": [name_of(trap)]}
    bookmark = {"course": course | {"programs": True}, "played": 1}
    (folder / "truco.q.json").write_text(json.dumps(bookmark))
    config = tmp_path / "short.yaml"
    config.write_text("evaluation: {points: 0}\n")
    command = ["train", "truco", "--games", "2", "--option", "target=4", "--config", str(config)]
    assert run([*command, "--home", str(tmp_path)]) == 0
    assert not started(trap)


async def test_resuming_asks_before_it_starts_a_program(trap: Path, tmp_path: Path) -> None:
    home = tmp_path / "home"
    path = recorded_match(home, "truco", 3)
    first, *rest = path.read_text().splitlines()
    setup = json.loads(first)
    seats = [setup["seats"][0], setup["seats"][1] | {"player": name_of(trap)}]
    path.write_text("\n".join([json.dumps(setup | {"seats": seats}), *rest, ""]))
    assert read_journal(path).setup.players[1] == name_of(trap)
    app = KibitzApp(Locations(home))
    async with app.run_test(size=(80, 24)) as pilot:
        app.post_message(ResumeMatch(path))
        await wait_until(pilot, lambda: isinstance(app.screen, Question))
        assert not started(trap)
        await pilot.press("escape")
        await wait_until(pilot, lambda: not isinstance(app.screen, Question))
        assert not started(trap)
        app.post_message(ResumeMatch(path))
        await wait_until(pilot, lambda: isinstance(app.screen, Question))
        await pilot.press("s")
        await wait_until(pilot, lambda: started(trap))


@pytest.mark.parametrize("out", ["precious.txt", "pipe"])
def test_output_of_a_course_replaces_no_foreign_file(
    tmp_path: Path, out: str, capsys: pytest.CaptureFixture[str]
) -> None:
    precious = tmp_path / out
    if out == "pipe":
        import os

        os.mkfifo(precious)
    else:
        precious.write_text("my letters")
    course = tmp_path / "course.yaml"
    course.write_text(f"episodes: 1\nout: {precious}\nevaluation: {{points: 0}}\n")
    command = ["train", "truco", "--config", str(course), "--home", str(tmp_path / "home")]
    assert run(command) == 2
    assert str(precious) in capsys.readouterr().err
    assert out == "pipe" or precious.read_text() == "my letters"


def test_kept_figures_and_exports_replace_no_foreign_file(tmp_path: Path) -> None:
    from app.bench.figures import keep
    from app.lab.export import export
    from app.lab.named import export as export_learner

    precious = tmp_path / "precious.json"
    precious.write_text("[]")
    with pytest.raises(ValueError, match="did not write it"):
        keep([], precious)
    with pytest.raises(ValueError, match="did not write it"):
        export_learner("truco", "q", precious, Store(tmp_path / "q"), replace=True)
    (tmp_path / "truco.q.csv").write_text("mine")
    with pytest.raises(ValueError, match="did not write it"):
        export("truco", "q", Store(tmp_path / "q"), tmp_path)
    assert precious.read_text() == "[]"
