"""`kibitz learners`, and named learners in other commands."""

import json
from datetime import UTC, datetime
from pathlib import Path

import pytest

from agents.named_learners import NOTHING, begin
from agents.storage.store import Store
from app.cli import run
from app.commands import learners
from app.home.locations import Locations
from app.records.doctor import examine_home
from app.records.history import History

Output = pytest.CaptureFixture[str]
QUICK = ["truco", "--option", "target=2", "--games", "12"]


@pytest.fixture
def home(tmp_path: Path) -> list[str]:
    """A home folder with q:rosa."""
    store = Store(tmp_path / "qtables")
    store.save(begin("truco", "q:rosa", NOTHING, store, {"gamma": 0.5}))
    return ["--home", str(tmp_path)]


def error(capsys: Output) -> str:
    """The only line on stderr."""
    (line,) = capsys.readouterr().err.splitlines()
    return line


def listed(home: list[str], capsys: Output) -> dict[str, dict[str, object]]:
    capsys.readouterr()
    assert run(["learners", "list", "--json", *home]) == 0
    found = json.loads(capsys.readouterr().out)["learners"]
    return {each["agent"]: each for each in found}


def test_training_creates_and_continues(home: list[str], capsys: Output) -> None:
    command = ["train", *QUICK, "--agent", "q:anna", "--from", "nothing", "--json", *home]
    reports = []
    for _ in range(2):
        assert run(command) == 0
        reports.append(json.loads(capsys.readouterr().out))
    assert [each["trained"] for each in reports] == [12, 24]
    assert [each["from"] for each in reports] == ["nothing", "home"]
    assert run(["train", *QUICK, "--agent", "q:anna", "--from", "q:rosa", *home]) == 0
    assert "q:anna exists already, so it continued" in capsys.readouterr().out
    anna = listed(home, capsys)["q:anna"]
    assert anna["matches"] == 36
    assert anna["generations"] == [0, 10]
    assert anna["curve"]


def test_training_starts_from_a_learner(home: list[str], capsys: Output) -> None:
    start = ["--agent", "q:eva", "--from", "q:rosa", "--setting", "alpha=0.25"]
    assert run(["train", *QUICK, *start, *home]) == 0
    settings = listed(home, capsys)["q:eva"]["settings"]
    assert isinstance(settings, dict)
    assert (settings["alpha"], settings["gamma"]) == (0.25, 0.5)
    assert run(["train", *QUICK, "--agent", "linear:x", "--from", "q:rosa", *home]) == 2
    assert "linear:x cannot use what q:rosa has learned" in error(capsys)


@pytest.mark.parametrize(
    "command",
    [
        ["evaluate", "truco", "q:nobody", "hard"],
        ["arena", "truco", "q:nobody", "hard"],
        ["play", "truco", "--seats", "you,q:nobody"],
        ["watch", "truco", "--seats", "hard,q:nobody@10"],
        ["learn", "truco", "--agent", "q:nobody"],
        ["train", "truco", "--agent", "q:nobody"],
        ["train", "truco", "--opponents", "q:nobody"],
        ["learners", "rename", "truco", "q:nobody", "anna"],
        ["learners", "copy", "truco", "q:nobody", "anna"],
        ["learners", "delete", "truco", "q:nobody"],
        ["learners", "export", "truco", "q:nobody"],
    ],
)
def test_unknown_learner_is_one_line(command: list[str], home: list[str], capsys: Output) -> None:
    assert run([*command, *home]) == 2
    line = error(capsys)
    assert line.startswith("There is no learner q:nobody for truco; create it with kibitz train")
    assert line.endswith("or choose one of: q:rosa.")


def test_bad_name_is_one_line(home: list[str], capsys: Output) -> None:
    for command in (
        ["train", "truco", "--agent", "q:Rosa Maria", "--from", "nothing"],
        ["learners", "copy", "truco", "q:rosa", "9lives"],
        ["evaluate", "truco", "q:", "hard"],
    ):
        assert run([*command, *home]) == 2
        assert "use 1 to 20 of a-z, 0-9, - and _, beginning with a letter." in error(capsys)


def test_named_learner_plays_and_is_measured(home: list[str], capsys: Output) -> None:
    command = ["evaluate", "truco", "q:rosa", "q:rosa@0", "--games", "2", "--option", "target=2"]
    assert run([*command, "--json", *home]) == 0
    report = json.loads(capsys.readouterr().out)
    named, ignorant = [each["source"] for each in report["agents"]]
    assert named.startswith("home, saved ")
    assert ignorant == "nothing learned"


def test_list(home: list[str], capsys: Output) -> None:
    assert run(["learners", *home]) == 0
    assert "truco     q:rosa" in capsys.readouterr().out
    assert run(["learners", "list", "euchre", *home]) == 0
    assert "There are no named learners yet" in capsys.readouterr().out


def test_learners_of_a_variant_are_listed(home: list[str], tmp_path: Path, capsys: Output) -> None:
    store = Store(tmp_path / "qtables")
    store.save(begin("truco_full", "q:rosa", NOTHING, store))
    assert run(["learners", *home]) == 0
    lines = [line.split()[:2] for line in capsys.readouterr().out.splitlines()]
    assert lines[1:] == [["truco", "q:rosa"], ["truco_full", "q:rosa"]]


def test_rename_and_copy(home: list[str], tmp_path: Path, capsys: Output) -> None:
    history = History(tmp_path / "history.db")
    history.start_run("truco", "q:rosa", 1, {})
    assert run(["learners", "rename", "truco", "q:rosa", "anna", *home]) == 0
    assert run(["learners", "copy", "truco", "q:anna", "q:eva", *home]) == 0
    assert list(listed(home, capsys)) == ["q:anna", "q:eva"]
    assert [len(history.runs("truco", name)) for name in ("q:rosa", "q:anna")] == [0, 1]
    assert run(["learners", "rename", "truco", "q:anna", "eva", *home]) == 2
    assert "There is already a learner q:eva" in error(capsys)
    assert run(["learners", "copy", "truco", "q:anna", "mc:anna", *home]) == 2
    assert "q:anna stays a learner of the kind q; leave out mc:." in error(capsys)


def test_deletion_asks(home: list[str], capsys: Output, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(learners.typer, "confirm", lambda question: False)
    assert run(["learners", "delete", "truco", "q:rosa", *home]) == 0
    assert "Nothing was deleted." in capsys.readouterr().out
    assert list(listed(home, capsys)) == ["q:rosa"]
    assert run(["learners", "delete", "truco", "q:rosa", "--yes", *home]) == 0
    assert listed(home, capsys) == {}
    assert run(["learners", "delete", "truco", "q", "--yes", *home]) == 2
    assert "q is no named learner" in error(capsys)


def test_export_and_import(home: list[str], tmp_path: Path, capsys: Output) -> None:
    export = ["learners", "export", "truco", "q:rosa", *home]
    assert run(export) == 0
    file = tmp_path / "exports" / "truco.q-rosa.kibitz"
    assert str(file) in capsys.readouterr().out
    assert run(export) == 2
    assert "exists already" in error(capsys)
    assert run([*export, "--replace"]) == 0
    there = ["learners", "import", str(file), *home]
    assert run(there) == 2
    assert "There is already a learner q:rosa" in error(capsys)
    assert run([*there, "--as", "anna"]) == 0
    assert run([*there, "--replace"]) == 0
    assert list(listed(home, capsys)) == ["q:anna", "q:rosa"]
    assert run(["import", str(file), *home]) == 2
    assert "add it with kibitz learners import" in error(capsys)
    file.write_bytes(b"something else")
    assert run([*there, "--as", "eva"]) == 2
    assert "was not imported because" in error(capsys)


def test_doctor_knows_named_learners(home: list[str], tmp_path: Path) -> None:
    findings = examine_home(Locations(tmp_path), datetime.now(UTC))
    assert findings.problems == []
    assert any("holds 1 learner" in note for note in findings.notes)
    store = Store(tmp_path / "qtables")
    store.path("truco", "q:rosa").write_bytes(b"damaged")
    (store.folder / "truco.q:No name.pkl").write_bytes(b"")
    problems = examine_home(Locations(tmp_path), datetime.now(UTC)).problems
    assert sorted(problem.wrong.partition(" because")[0] for problem in problems) == [
        "belongs to no known agent",
        "will not be loaded",
    ]
