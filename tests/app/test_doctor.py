"""`kibitz doctor` finds what is wrong, says how to mend it, and changes nothing by looking."""

import json
import os
import sqlite3
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from shutil import copytree, disk_usage

import pytest

from agents.registry import create
from agents.storage.store import Store
from agents.storage.values_file import encode
from app.cli import run
from app.home.locations import Locations
from app.home.settings import Settings, write_settings
from app.records import doctor
from app.records.doctor import examine_home
from app.records.history_file import MIGRATIONS
from tests.app.test_replay import recorded_match

LATER = datetime(2040, 1, 1, tzinfo=UTC)
"""By then every temporary file has been left behind."""


@pytest.fixture(scope="module")
def well(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home folder with something of everything in it, all of it well."""
    folder = tmp_path_factory.mktemp("doctor")
    home = folder / "home"
    lessons = ["--option", "target=4", "--games", "32", "--home", str(home), "--json"]
    config = folder / "course.yaml"
    config.write_text("evaluation: {points: 0}\n")
    for _ in range(2):
        assert run(["train", "truco", "--config", str(config), *lessons]) == 0
    recorded_match(home, "euchre", 20)
    write_settings(home / "settings.toml", Settings())
    return home


@pytest.fixture
def home(well: Path, tmp_path: Path) -> Path:
    return Path(copytree(well, tmp_path / "home"))


def contents_of(home: Path) -> dict[str, tuple[bytes, int]]:
    """Every file with what is in it and when it was written."""
    return {
        str(path.relative_to(home)): (path.read_bytes(), path.stat().st_mtime_ns)
        for path in sorted(home.rglob("*"))
        if path.is_file()
    }


def problems(home: Path) -> list[str]:
    """What is found; looking changes nothing."""
    before = contents_of(home)
    found = [each.words() for each in examine_home(Locations(home), LATER).problems]
    assert contents_of(home) == before
    return found


def test_all_is_well(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    capsys.readouterr()
    assert problems(home) == []
    assert run(["doctor", "--home", str(home)]) == 0
    said = capsys.readouterr()
    assert "holds 1 table." in said.out
    assert "1 match, 1 unfinished." in said.out
    assert said.out.endswith(f"All is well in {home}.\n")
    assert said.err == ""


def test_a_home_that_is_not_there_yet_is_well_and_not_made(tmp_path: Path) -> None:
    assert run(["doctor", "--home", str(tmp_path / "none")]) == 0
    assert not (tmp_path / "none").exists()


def spoil_table(home: Path) -> None:
    path = home / "qtables" / "truco.q.pkl"
    path.write_bytes(path.read_bytes()[:-1])


def outdate_table(home: Path) -> None:
    (home / "qtables" / "truco.q.pkl").write_bytes(encode({}, "truco of long ago"))


def spoil_version(home: Path) -> None:
    (home / "qtables" / "truco.q.pkl.1").write_bytes(b"nonsense")


def foreign_table(home: Path) -> None:
    (home / "qtables" / "bridge.q.pkl").write_bytes(b"")


def damage_aside(home: Path) -> None:
    spoil_table(home)
    Store(home / "qtables").load(create("truco", "q"))  # type: ignore[arg-type]


def open_folder(home: Path) -> None:
    (home / "qtables").chmod(0o777)


def spoil_journal(home: Path) -> None:
    (path,) = (home / "games").glob("*.jsonl")
    lines = path.read_text().splitlines(keepends=True)
    path.write_text("".join([*lines[:5], "nonsense\n", *lines[5:]]))


def spoil_history(home: Path) -> None:
    with closing(sqlite3.connect(home / "history.db")) as database:
        database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    with (home / "history.db").open("r+b") as file:
        file.seek(4096)
        file.write(b"\x7f" * 4096)


def newer_history(home: Path) -> None:
    with closing(sqlite3.connect(home / "history.db")) as database:
        database.execute(f"PRAGMA user_version = {len(MIGRATIONS) + 1}")


def spoil_settings(home: Path) -> None:
    (home / "settings.toml").write_text("delay = 'long'\n")


def spoil_bookmark(home: Path) -> None:
    (home / "courses").mkdir(exist_ok=True)
    (home / "courses" / "truco.q.json").write_text("{")


def block_log(home: Path) -> None:
    (home / "log").write_text("in the way")


def leave_behind(home: Path) -> None:
    (home / "qtables" / ".truco.q.pkl.x1y2z3").write_bytes(b"half a table")


SPOILT = {
    spoil_table: "truco.q.pkl will not be loaded because its length is wrong",
    outdate_table: "will not be loaded because it was learned with other rules",
    spoil_version: "truco.q.pkl.1 is no good version any more",
    foreign_table: "bridge.q.pkl belongs to no agent",
    damage_aside: "was set aside because it was damaged; nobody plays with it",
    open_folder: "qtables can be written to by others; close it: chmod go-w",
    spoil_journal: "line 6: it cannot be read); mend that line",
    spoil_history: "history.db is damaged",
    newer_history: "history.db was written by a newer Kibitz; use that one",
    spoil_settings: "settings.toml needs mending: delay is",
    spoil_bookmark: "truco.q.json does not say how far a course came; delete it",
    block_log: "log is no folder; move it away",
    leave_behind: "x1y2z3 was left behind; delete it",
}


@pytest.mark.parametrize("spoil", SPOILT, ids=lambda spoil: spoil.__name__)
def test_what_is_wrong_is_said_with_how_to_mend_it(home: Path, spoil) -> None:
    spoil(home)
    (found,) = problems(home)
    assert SPOILT[spoil] in found
    assert found.startswith(str(home))
    assert found.endswith(".")


def test_a_full_disk_and_a_closed_folder(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    little = disk_usage(home)._replace(free=3 << 20)
    monkeypatch.setattr(doctor, "disk_usage", lambda path: little)
    assert "with only 3 MB left; make room" in problems(home)[0]
    monkeypatch.setattr(os, "access", lambda path, rights: False)
    assert "cannot be written to; give yourself the right" in problems(home)[0]


def test_a_file_in_place_of_the_home(tmp_path: Path) -> None:
    (tmp_path / "home").write_text("")
    for place in (tmp_path / "home", tmp_path / "home" / "below"):
        (found,) = examine_home(Locations(place), LATER).problems
        assert "--home" in found.mend


def test_a_torn_last_line_is_only_mentioned(home: Path) -> None:
    (path,) = (home / "games").glob("*.jsonl")
    path.write_bytes(path.read_bytes()[:-5])
    assert problems(home) == []
    assert any(
        "1 with a torn last line" in note for note in examine_home(Locations(home), LATER).notes
    )


def test_json_and_one_line_on_stderr(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    spoil_settings(home)
    capsys.readouterr()
    assert run(["doctor", "--home", str(home), "--json"]) == 2
    said = capsys.readouterr()
    report = json.loads(said.out)
    assert not report["well"]
    assert [Path(each["path"]).name for each in report["problems"]] == ["settings.toml"]
    assert said.err == f"1 thing is wrong in {home}; what to do stands with each.\n"


def test_mending_removes_what_was_left_behind_and_nothing_else(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    leave_behind(home)
    left = home / "qtables" / ".truco.q.pkl.x1y2z3"
    os.utime(left, (0, 0))
    (journal,) = (home / "games").glob("*.jsonl")
    lock = journal.with_name(f".{journal.name}.lock")
    lock.write_text("")
    os.utime(lock, (0, 0))
    fresh = home / ".settings.toml.abc"
    fresh.write_text("being written")
    before = contents_of(home)
    assert run(["doctor", "--home", str(home), "--mend"]) == 0
    assert f"{left} was removed." in capsys.readouterr().out
    gone = {str(each.relative_to(home)) for each in (left, lock)}
    assert contents_of(home) == {name: was for name, was in before.items() if name not in gone}
