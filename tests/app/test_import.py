"""`kibitz import`: a sentence for what was taken over, and one for what was not."""

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


def test_an_import_is_told_in_words_and_can_be_repeated(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file, home = str(original(tmp_path)), str(tmp_path / "home")
    shipped = make("notty", "q-original")
    assert isinstance(shipped, Learner)
    assert run(["import", file, "--home", home]) == 0
    said = "notty q-original: 1 of 1 situations were taken over; it knows "
    out = capsys.readouterr().out
    assert out.startswith(said)
    assert int(out.removeprefix(said).split()[0]) >= shipped.stats().table_size > 1
    assert run(["import", file, "--replace", "--home", home]) == 0
    first, second = capsys.readouterr().out.splitlines()
    assert first == f"{said}1 now."
    assert second.startswith("What it knew before is kept as notty.q-original.pkl.reset-")


def test_an_import_as_json(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file, home = str(original(tmp_path)), str(tmp_path / "home")
    assert run(["import", file, "--replace", "--json", "--home", home]) == 0
    report = json.loads(capsys.readouterr().out)
    assert report["game"] == "notty"
    assert report["situations_taken"] == report["table_size"] == 1


def test_what_is_refused_is_one_line_and_leaves_all_as_it_was(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    home = tmp_path / "home"
    assert run(["import", str(original(tmp_path)), "--home", str(home)]) == 0
    table = home / "qtables" / "notty.q-original.pkl"
    before = table.read_bytes()
    (tmp_path / "bad.pkl").write_bytes(pickle.dumps(print))
    capsys.readouterr()
    assert run(["import", str(tmp_path / "bad.pkl"), "--replace", "--home", str(home)]) == 2
    said = capsys.readouterr().err
    assert said.endswith("was not imported because it asks for builtins.print.\n")
    assert len(said.splitlines()) == 1
    assert table.read_bytes() == before
