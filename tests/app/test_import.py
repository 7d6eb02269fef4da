"""`kibitz import`: what it prints for imported and for refused files."""

import json
import pickle
from pathlib import Path

import pytest

from agents.agent import Learner
from agents.registry import make
from app.cli import run


def original(folder: Path) -> Path:
    path = folder / "notty_qtable.pkl"
    data = {"q_table": {(0, 2, False, 0): {"next_turn": -1.5}}, "total_actions": 12}
    path.write_bytes(pickle.dumps(data))
    return path


def test_import_prints_a_summary_and_can_be_repeated(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file, home = str(original(tmp_path)), str(tmp_path / "home")
    shipped = make("notty", "q-original")
    assert isinstance(shipped, Learner)
    assert run(["import", file, "--home", home]) == 0
    start = "notty q-original: 1 of 1 situations were imported; it now knows "
    out = capsys.readouterr().out
    assert out.startswith(start)
    assert (
        int(out.removeprefix(start).rstrip().rstrip(".").replace(",", ""))
        >= shipped.stats().table_size
        > 1
    )
    assert run(["import", file, "--replace", "--home", home]) == 0
    first, second = capsys.readouterr().out.splitlines()
    assert first == f"{start}1."
    assert second.startswith("Its earlier values are kept as notty.q-original.pkl.reset-")


def test_import_as_json(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file, home = str(original(tmp_path)), str(tmp_path / "home")
    assert run(["import", file, "--replace", "--json", "--home", home]) == 0
    report = json.loads(capsys.readouterr().out)
    assert report["game"] == "notty"
    assert report["situations_taken"] == report["table_size"] == 1


def test_refused_file_changes_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    home = tmp_path / "home"
    assert run(["import", str(original(tmp_path)), "--home", str(home)]) == 0
    saved = home / "qtables" / "notty.q-original.pkl"
    before = saved.read_bytes()
    (tmp_path / "bad.pkl").write_bytes(pickle.dumps(print))
    capsys.readouterr()
    assert run(["import", str(tmp_path / "bad.pkl"), "--replace", "--home", str(home)]) == 2
    said = capsys.readouterr().err
    assert said.endswith("was not imported because it asks for builtins.print.\n")
    assert len(said.splitlines()) == 1
    assert saved.read_bytes() == before
