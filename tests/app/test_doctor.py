"""`kibitz doctor` finds problems and says how to repair them, without changing anything."""

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
from tests.app.journals import recorded_match

LATER = datetime(2040, 1, 1, tzinfo=UTC)
"""Every temporary file is a leftover by then."""


@pytest.fixture(scope="module")
def sound_home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home folder with every kind of file and without problems."""
    folder = tmp_path_factory.mktemp("doctor")
    home = folder / "home"
    flags = ["--option", "target=4", "--games", "32", "--home", str(home), "--json"]
    config = folder / "course.yaml"
    config.write_text("evaluation: {points: 0}\n")
    for _ in range(2):
        assert run(["train", "truco", "--config", str(config), *flags]) == 0
    recorded_match(home, "euchre", 20)
    write_settings(home / "settings.toml", Settings())
    return home


@pytest.fixture
def home(sound_home: Path, tmp_path: Path) -> Path:
    return Path(copytree(sound_home, tmp_path / "home"))


def contents_of(home: Path) -> dict[str, tuple[bytes, int]]:
    """The contents and modification time of every file."""
    return {
        str(path.relative_to(home)): (path.read_bytes(), path.stat().st_mtime_ns)
        for path in sorted(home.rglob("*"))
        if path.is_file()
    }


def problems(home: Path) -> list[str]:
    """The problems found. Checks that finding them changes nothing."""
    before = contents_of(home)
    found = [each.sentence() for each in examine_home(Locations(home), LATER).problems]
    assert contents_of(home) == before
    return found


def test_sound_home_has_no_problems(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    capsys.readouterr()
    assert problems(home) == []
    assert run(["doctor", "--home", str(home)]) == 0
    output = capsys.readouterr()
    assert "holds 1 learner." in output.out
    assert "1 match, 1 unfinished." in output.out
    assert output.out.endswith(f"No problems in {home}.\n")
    assert output.err == ""


def test_missing_home_is_no_problem_and_is_not_created(tmp_path: Path) -> None:
    assert run(["doctor", "--home", str(tmp_path / "none")]) == 0
    assert not (tmp_path / "none").exists()


def truncate_values(home: Path) -> None:
    path = home / "qtables" / "truco.q.pkl"
    path.write_bytes(path.read_bytes()[:-1])


def outdate_values(home: Path) -> None:
    (home / "qtables" / "truco.q.pkl").write_bytes(encode({}, "truco of long ago"))


def break_version(home: Path) -> None:
    (home / "qtables" / "truco.q.pkl.1").write_bytes(b"nonsense")


def add_unknown_values(home: Path) -> None:
    (home / "qtables" / "bridge.q.pkl").write_bytes(b"")


def add_wrong_generation(home: Path) -> None:
    (home / "qtables" / "truco.q@soon.pkl").write_bytes(b"")


def truncate_generation(home: Path) -> None:
    (home / "qtables" / "truco.q@10.pkl").write_bytes(b"")


def rename_damaged_values(home: Path) -> None:
    truncate_values(home)
    Store(home / "qtables").load(create("truco", "q"))  # type: ignore[arg-type]


def open_folder_to_others(home: Path) -> None:
    (home / "qtables").chmod(0o777)


def break_journal(home: Path) -> None:
    (path,) = (home / "games").glob("*.jsonl")
    lines = path.read_text().splitlines(keepends=True)
    path.write_text("".join([*lines[:5], "nonsense\n", *lines[5:]]))


def damage_history(home: Path) -> None:
    with closing(sqlite3.connect(home / "history.db")) as database:
        database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    with (home / "history.db").open("r+b") as file:
        file.seek(4096)
        file.write(b"\x7f" * 4096)


def newer_history(home: Path) -> None:
    with closing(sqlite3.connect(home / "history.db")) as database:
        database.execute(f"PRAGMA user_version = {len(MIGRATIONS) + 1}")
        database.execute("CREATE TABLE seasons (id INTEGER PRIMARY KEY)")


def damage_row(home: Path) -> None:
    with closing(sqlite3.connect(home / "history.db")) as database:
        database.execute("UPDATE runs SET started = '0001-01-01T00:00:00+00:00' WHERE id = 1")
        database.commit()


def pipe_for_history(home: Path) -> None:
    (home / "history.db").unlink()
    os.mkfifo(home / "history.db")


def pipe_for_journal(home: Path) -> None:
    os.mkfifo(home / "games" / "pipe.jsonl")


def device_for_settings(home: Path) -> None:
    (home / "settings.toml").unlink()
    (home / "settings.toml").symlink_to("/dev/zero")


def change_setup(home: Path, **changes: object) -> None:
    (path,) = (home / "games").glob("*.jsonl")
    first, *rest = path.read_text().splitlines()
    path.write_text("\n".join([json.dumps(json.loads(first) | changes), *rest, ""]))


def start_with_a_fraction(home: Path) -> None:
    change_setup(home, first=0.0)


def start_in_the_first_year(home: Path) -> None:
    change_setup(home, started="0001-01-01T00:00:00+00:00")


def break_checkpoint(home: Path) -> None:
    (home / "checkpoints").mkdir(exist_ok=True)
    (home / "checkpoints" / "truco.q.1.json").write_text("[" * 100_000)


def break_settings(home: Path) -> None:
    (home / "settings.toml").write_text("delay = 'long'\n")


def break_bookmark(home: Path) -> None:
    (home / "courses").mkdir(exist_ok=True)
    (home / "courses" / "truco.q.json").write_text("{")


def block_log(home: Path) -> None:
    (home / "log").write_text("in the way")


def leave_temporary_file(home: Path) -> None:
    (home / "qtables" / ".truco.q.pkl.x1y2z3").write_bytes(b"half a file")


SENTENCES = {
    truncate_values: "truco.q.pkl will not be loaded because its length is wrong",
    outdate_values: "will not be loaded because it was learned with other rules",
    break_version: "truco.q.pkl.1 is a version that cannot be used",
    add_unknown_values: "bridge.q.pkl belongs to no known agent",
    add_wrong_generation: "truco.q@soon.pkl belongs to no known agent",
    truncate_generation: "truco.q@10.pkl will not be loaded because it is cut short",
    rename_damaged_values: "was renamed because it was damaged; no agent uses it",
    open_folder_to_others: "qtables can be written to by others; forbid it: chmod go-w",
    break_journal: "line 6: it cannot be read); correct that line",
    damage_history: "history.db is damaged",
    damage_row: "history.db has 1 damaged row; the next use sets them aside",
    pipe_for_history: "history.db cannot be read (it is not a regular file)",
    pipe_for_journal: "pipe.jsonl cannot be read: it is not a regular file",
    device_for_settings: "settings.toml is not valid: the file cannot be read (it is not",
    start_with_a_fraction: "the setup of the match is incomplete",
    start_in_the_first_year: "a time is out of range",
    break_checkpoint: "truco.q.1.json does not say where the training stopped",
    newer_history: "history.db was written by a newer Kibitz",
    break_settings: "settings.toml is not valid: delay is",
    break_bookmark: "truco.q.json does not say where the training stopped; delete it",
    block_log: "log is not a folder; move it away",
    leave_temporary_file: "x1y2z3 is a leftover; delete it",
}


@pytest.mark.parametrize("damage", SENTENCES, ids=lambda damage: damage.__name__)
def test_each_problem_says_how_to_repair_it(home: Path, damage) -> None:
    damage(home)
    (found,) = problems(home)
    assert SENTENCES[damage] in found
    assert found.startswith(str(home))
    assert found.endswith(".")


def test_full_disk_and_read_only_folder(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    little = disk_usage(home)._replace(free=3 << 20)
    monkeypatch.setattr(doctor, "disk_usage", lambda path: little)
    assert "with only 3 MB left; free some space" in problems(home)[0]
    monkeypatch.setattr(os, "access", lambda path, rights: False)
    assert "cannot be written to; give yourself permission" in problems(home)[0]


def test_file_instead_of_the_home_folder(tmp_path: Path) -> None:
    (tmp_path / "home").write_text("")
    for place in (tmp_path / "home", tmp_path / "home" / "below"):
        (found,) = examine_home(Locations(place), LATER).problems
        assert "--home" in found.repair


def test_incomplete_last_line_is_only_a_note(home: Path) -> None:
    (path,) = (home / "games").glob("*.jsonl")
    path.write_bytes(path.read_bytes()[:-5])
    assert problems(home) == []
    assert any(
        "1 with an incomplete last line" in note
        for note in examine_home(Locations(home), LATER).notes
    )


def test_json_report_and_one_line_on_stderr(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    break_settings(home)
    capsys.readouterr()
    assert run(["doctor", "--home", str(home), "--json"]) == 2
    output = capsys.readouterr()
    report = json.loads(output.out)
    assert not report["well"]
    assert [Path(each["path"]).name for each in report["problems"]] == ["settings.toml"]
    assert output.err == f"1 problem in {home}; the list says how to repair each one.\n"


def test_mend_deletes_only_leftovers(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    leave_temporary_file(home)
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
    assert f"{left} was deleted." in capsys.readouterr().out
    gone = {str(each.relative_to(home)) for each in (left, lock)}
    assert contents_of(home) == {name: was for name, was in before.items() if name not in gone}
