"""What `kibitz evaluate` and `arena` say about agents, matches and limits."""

import json
import os
from pathlib import Path

import pytest

from agents.registry import make
from agents.storage.store import Store
from app.cli import run
from app.commands.common import WORKERS_PER_CORE, worker_pool
from app.lab.training import check_writable

QUICK = ["--option", "target=4"]


def evaluated(arguments: list[str], home: Path, capsys: pytest.CaptureFixture[str]) -> dict:
    assert run(["evaluate", "truco", *arguments, *QUICK, "--json", "--home", str(home)]) == 0
    report: dict = json.loads(capsys.readouterr().out)
    return report


def test_the_learner_that_played_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    report = evaluated(["q", "hard", "--games", "2"], tmp_path, capsys)
    assert [entry["source"] for entry in report["agents"]] == ["shipped", None]
    store = Store(tmp_path / "qtables")
    store.folder.mkdir(parents=True)
    store.replace(make("truco", "q"))  # type: ignore[arg-type]
    first, second = evaluated(["q", "q@0", "--games", "2"], tmp_path, capsys)["agents"]
    assert first["source"].startswith("home, saved 20")
    assert second["source"] == "nothing learned"
    command = ["arena", "truco", "q", "random", "--games", "2", *QUICK, "--home", str(tmp_path)]
    assert run([*command, "--json"]) == 0
    ladder = json.loads(capsys.readouterr().out)["ladder"]
    assert {each["agent"]: bool(each["source"]) for each in ladder} == {"q": True, "random": False}
    assert run(command) == 0
    assert "home, saved 20" in capsys.readouterr().out


@pytest.mark.parametrize("command", ["evaluate", "arena"])
def test_an_unreadable_table_is_an_error_and_stays(
    command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = Store(tmp_path / "qtables").path("truco", "q")
    path.parent.mkdir(parents=True)
    path.write_bytes(b"not a table")
    for _ in range(2):
        assert run([command, "truco", "q", "random", "--games", "2", "--home", str(tmp_path)]) == 2
        error = capsys.readouterr().err
        assert error.count("\n") == 1
        assert f"{path} cannot be used" in error
        assert path.read_bytes() == b"not a table"


def test_games_are_rounded_to_whole_rotations(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    command = ["evaluate", "truco", "easy", "random", "--games", "3", *QUICK]
    assert run([*command, "--json", "--home", str(tmp_path)]) == 0
    captured = capsys.readouterr()
    assert json.loads(captured.out)["games"] == 4
    assert "playing 4 matches" in captured.err


def test_workers_are_capped_and_it_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    most = WORKERS_PER_CORE * (os.cpu_count() or 1)
    with worker_pool(100_000, None) as (count, executor):
        assert count == most
        assert executor is None
    assert f"using {most}" in capsys.readouterr().err
    with worker_pool(most, None) as (count, _):
        assert count == most
    assert not capsys.readouterr().err


def test_a_course_checks_where_it_writes_before_it_trains(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for out in (tmp_path, tmp_path / "missing" / "q.pkl"):
        course = tmp_path / "course.yaml"
        course.write_text(f"episodes: 1000000\nout: {out}\n")
        home = tmp_path / "home"
        assert run(["train", "truco", "--config", str(course), "--home", str(home)]) == 2
        assert str(out.parent) in capsys.readouterr().err
        assert not home.exists()
    check_writable(tmp_path / "q.pkl")


def test_the_agents_of_a_variant_can_be_exploited(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Only the full game has an agent of this name."""
    full = ["--option", "rules=full", *QUICK, "--seconds", "0.05", "--games", "2"]
    command = ["exploit", "truco", "expert", *full, "--learners", "q", "--home", str(tmp_path)]
    assert run([*command, "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert report["game"] == "truco_full"
    assert report["agent"] == "expert"
