"""The history of matches, runs and evaluations, and damage to its file."""

import fcntl
import os
import sqlite3
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from random import Random
from typing import Any

import pytest

from agents.training_log import CurvePoint
from app.records import history_file
from app.records.history import History, HistoryError, MatchRecord, SeatRecord
from app.records.history_file import MIGRATIONS, HistoryFile
from app.records.history_rows import TABLES, Rows, unread
from app.records.match_report import MatchReport, Mistake

MATCH = MatchRecord(
    game="euchre",
    options={"players": 3},
    seed=2**80,
    seats=(
        SeatRecord("You", "you", 0, 1.0),
        SeatRecord("West", "hard", 1, 0.0),
        SeatRecord("East", "q", 1, 0.0),
    ),
    scores=(15, 9),
    hands=11,
    started="2026-03-01T10:00:00+00:00",
    finished="2026-03-01T10:20:00+00:00",
    assisted=True,
    journal="euchre-1.jsonl",
)
COACHED = MatchReport(
    game="euchre",
    journal="euchre-1.jsonl",
    seat=0,
    finished="2026-03-01T10:20:00+00:00",
    judge="search",
    decisions=40,
    mattered=25,
    lost=0.5,
    at_stake=2.0,
    points=3.5,
    accuracy=91.5,
    result=1.0,
    luck=((0, 0.125), (17, -0.25)),
    mistakes=(Mistake(8, 0.25, "play 9S", "play AS", 1), Mistake(90, 0.25, "pass", "alone", 7)),
)
WITHOUT_CHECKSUMS = 3
"""The last schema version whose rows have none."""
POINT = CurvePoint(100, "random", 0.75, 0.6, 0.85)
REPORT = {
    "game": "euchre",
    "agents": [
        {"agent": "q", "games": 60, "win_rate": 0.75, "ci95": [0.6, 0.85]},
        {"agent": "hard", "games": 60, "win_rate": 0.125, "ci95": [0.1, 0.3]},
        {"agent": "hard", "games": 60, "win_rate": 0.125, "ci95": [0.1, 0.3]},
    ],
}


def test_matches_are_read_back_newest_first(tmp_path: Path) -> None:
    history = History(tmp_path / "history.db")
    assert history.matches() == []
    first = history.add_match(MATCH)
    second = history.add_match(replace(MATCH, game="truco", watched=True, unrated=True))
    found = history.matches()
    assert [match.id for match in found] == [second, first]
    assert found[1] == replace(MATCH, id=first)
    assert found[0].watched
    assert found[0].unrated
    assert [match.id for match in history.matches("euchre")] == [first]
    assert [match.id for match in history.matches(limit=1)] == [second]


def test_report_on_a_match_is_read_back(tmp_path: Path) -> None:
    history = History(tmp_path / "history.db")
    assert history.reports() == []
    number = history.add_report(COACHED)
    history.add_report(replace(COACHED, game="truco", journal="truco-1.jsonl", accuracy=None))
    assert history.reports("euchre") == [replace(COACHED, id=number)]
    assert history.reports(journal="truco-1.jsonl")[0].accuracy is None
    assert [report.game for report in history.reports()] == ["truco", "euchre"]
    assert len(history.reports(limit=1)) == 1


def test_later_report_replaces_one_on_the_same_seat(tmp_path: Path) -> None:
    history = History(tmp_path / "history.db")
    history.add_report(COACHED)
    history.add_report(replace(COACHED, seat=2))
    history.add_report(replace(COACHED, lost=0.25))
    assert [(report.seat, report.lost) for report in history.reports()] == [(0, 0.25), (2, 0.5)]


def test_result_is_adjusted_by_luck() -> None:
    assert COACHED.error_rate == 0.02
    assert COACHED.waste == 0.25
    assert COACHED.total_luck == -0.125
    assert COACHED.adjusted == 1.125
    assert replace(COACHED, mattered=0, lost=0.0).error_rate is None


@pytest.mark.parametrize(
    "wrong",
    [
        {"result": 2.0},
        {"accuracy": 101.0},
        {"mattered": 41},
        {"finished": "yesterday"},
        {"luck": ((3, 1.5),)},
        {"judge": "\x1b[31m"},
        {"mistakes": (Mistake(8, 0.25, "play 9S\x1b", "play AS", 1),)},
    ],
)
def test_report_that_makes_no_sense_is_set_aside(tmp_path: Path, wrong: dict[str, Any]) -> None:
    history = History(tmp_path / "history.db")
    history.add_report(replace(COACHED, **wrong))
    assert history.reports() == []
    assert "1 damaged row" in history.notices[0]


def test_reading_creates_no_file(tmp_path: Path) -> None:
    history = History(tmp_path / "home" / "history.db")
    assert history.matches() == []
    assert history.curve("truco", "q") == []
    assert history.standing("truco", "q", "random") is None
    assert not (tmp_path / "home").exists()


def test_opponents_are_on_other_sides() -> None:
    assert MATCH.own == MATCH.seats[0]
    assert MATCH.opponents == MATCH.seats[1:]
    pairs = replace(MATCH, seats=(*MATCH.seats[:2], SeatRecord("North", "easy", 0, 1.0)))
    assert [seat.name for seat in pairs.opponents] == ["West"]
    assert replace(MATCH, seats=MATCH.seats[1:]).own is None


def test_curve_adds_up_kept_runs(tmp_path: Path) -> None:
    history = History(tmp_path / "history.db", lambda: datetime(2026, 3, 1, tzinfo=UTC))
    for kept in (True, False, True):
        run = history.start_run("truco", "q", 7, {"alpha": 0.2})
        history.add_points(run, [POINT])
        history.end_run(run, 200, 1.5, kept)
    unfinished = history.start_run("truco", "q", 8, {})
    history.add_points(unfinished, [POINT])
    assert history.curve("truco", "q") == [POINT, replace(POINT, games=300)]
    runs = history.runs("truco", "q")
    assert [run.kept for run in runs] == [True, False, True, None]
    assert runs[0].settings == {"alpha": 0.2}
    assert (runs[0].games, runs[0].seconds, runs[0].seed) == (200, 1.5, 7)
    assert runs[0].started == "2026-03-01T00:00:00+00:00"
    assert history.runs("truco", "mc") == []


def test_evaluation_against_one_rival_gives_a_standing(tmp_path: Path) -> None:
    history = History(tmp_path / "history.db")
    history.add_evaluation("euchre", REPORT)
    assert history.standing("euchre", "q", "hard") == (0.75, 0.6, 0.85, 60)
    assert history.standing("euchre", "hard", "q") is None
    assert history.standing("euchre", "hard", "hard") is None
    better = {"agent": "q", "games": 10, "win_rate": 0.9, "ci95": [0.8, 0.95]}
    history.add_evaluation("euchre", {"agents": [better, REPORT["agents"][1]]})
    assert history.standing("euchre", "q", "hard") == (0.9, 0.8, 0.95, 10)
    assert history.standing("euchre", "hard", "q") == (0.125, 0.1, 0.3, 60)


def test_reset_agent_has_no_curve_and_no_standing(tmp_path: Path) -> None:
    history = History(tmp_path / "history.db")
    for agent in ("q", "mc"):
        run = history.start_run("euchre", agent, 7, {})
        history.add_points(run, [POINT])
        history.end_run(run, 200, 1.5, kept=True)
    history.start_run("euchre", "q", 8, {})
    q = {"agent": "q", "games": 10, "win_rate": 0.9, "ci95": [0.8, 0.95]}
    mc, hard = {**q, "agent": "mc"}, {**q, "agent": "hard"}
    for pair in ([q, hard], [mc, hard]):
        history.add_evaluation("euchre", {"agents": pair})
    history.forget("euchre", "q")
    assert history.curve("euchre", "q") == []
    assert [run.kept for run in history.runs("euchre", "q")] == [None]
    assert history.standing("euchre", "q", "hard") is None
    assert history.standing("euchre", "hard", "q") is None
    assert history.curve("euchre", "mc") == [POINT]
    assert history.standing("euchre", "hard", "mc") is not None


def test_two_windows_lose_nothing(tmp_path: Path) -> None:
    path = tmp_path / "history.db"

    def window(number: int) -> None:
        history = History(path)
        for _ in range(20):
            history.add_match(replace(MATCH, hands=number))

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(window, range(4)))
    hands = [match.hands for match in History(path).matches()]
    assert sorted(hands) == sorted([number for number in range(4) for _ in range(20)])


@pytest.mark.parametrize("version", range(len(MIGRATIONS)))
def test_older_schema_is_migrated(tmp_path: Path, version: int) -> None:
    path = tmp_path / "history.db"
    with closing(sqlite3.connect(path)) as database:
        for migrate in MIGRATIONS[:version]:
            migrate(database)
        if version > WITHOUT_CHECKSUMS:
            old = {"game": "notty", "options": "{}", "seed": "5", "scores": "[1, 0]", "hands": 1}
            times = {"started": MATCH.started, "finished": MATCH.finished, "journal": ""}
            seats = '[["You", "you", 0, 1.0]]'
            Rows(database).insert("matches", **old, **times, seats=seats)
        elif version:
            database.execute(
                "INSERT INTO matches VALUES (1, 'notty', '{}', '5', '[1, 0]', 1, "
                "'2026-03-01T10:00:00+00:00', '2026-03-01T10:20:00+00:00', 0, 0, 0, '')"
            )
            database.execute("INSERT INTO seats VALUES (1, 0, 'You', 'you', 0, 1.0)")
        database.execute(f"PRAGMA user_version = {version}")
        database.commit()
    history = History(path)
    kept = [(match.game, match.seats) for match in history.matches()]
    assert kept == ([("notty", (SeatRecord("You", "you", 0, 1.0),))] if version else [])
    assert history.notices == []
    history.add_evaluation("euchre", REPORT)
    history.add_points(history.start_run("truco", "q", 0, {}), [POINT])
    history.add_report(COACHED)
    assert [report.journal for report in history.reports()] == [COACHED.journal]
    with closing(sqlite3.connect(path)) as database:
        assert database.execute("PRAGMA user_version").fetchone() == (len(MIGRATIONS),)
        assert database.execute("PRAGMA journal_mode").fetchone() == ("wal",)


def test_file_of_a_newer_program_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "history.db"
    History(path).add_match(MATCH)
    with closing(sqlite3.connect(path)) as database:
        database.execute("PRAGMA user_version = 99")
        database.execute("CREATE TABLE seasons (id INTEGER PRIMARY KEY)")
    with pytest.raises(HistoryError, match="newer Kibitz"):
        History(path).add_match(MATCH)
    assert [each.name for each in tmp_path.glob("*damaged*")] == []


@pytest.mark.parametrize("contents", [b"no database" * 100, b"SQLite format 3\0" + b"\xff" * 4000])
def test_damaged_file_is_renamed_and_replaced(tmp_path: Path, contents: bytes) -> None:
    path = tmp_path / "history.db"
    path.write_bytes(contents)
    history = History(path, lambda: datetime(2026, 3, 1, tzinfo=UTC))
    history.add_match(MATCH)
    assert (tmp_path / "history.db.damaged-20260301T000000Z").read_bytes() == contents
    assert len(history.matches()) == 1
    assert history.notices == [
        "history.db was damaged and renamed to history.db.damaged-20260301T000000Z; "
        "a new history starts."
    ]


@pytest.mark.slow
def test_rows_of_undamaged_pages_are_recovered(tmp_path: Path) -> None:
    path = tmp_path / "history.db"
    history = History(path)
    for number in range(200):
        history.add_match(replace(MATCH, hands=number))
    whole = path.read_bytes()
    middle = len(whole) // 2 // 4096 * 4096
    path.write_bytes(whole[:middle] + b"\xa5" * 4096 + whole[middle + 4096 :])
    found = history.matches()
    assert 180 <= len(found) < 200
    assert found[0].hands == 199
    (notice,) = history.notices
    assert notice.endswith(f"; {len(found)} sound rows were recovered.")
    assert History(path).matches() == found


@pytest.mark.parametrize("at", [(4096, 1), (3171, 7), (47, 4), (56, 0), (18, 3)])
def test_flips_that_stopped_a_reader_once(tmp_path: Path, at: tuple[int, int]) -> None:
    """In the root of a table, in the schema and in the format of the file."""
    path = tmp_path / "history.db"
    history = History(path)
    for number in range(40):
        history.add_match(replace(MATCH, hands=number))
    whole = bytearray(path.read_bytes())
    whole[at[0]] ^= 1 << at[1]
    path.write_bytes(whole)
    assert len({match.hands for match in History(path).matches()}) >= 39


@pytest.mark.parametrize("start", [16, 100, 4096])
def test_lost_start_of_the_file_costs_no_row(tmp_path: Path, start: int) -> None:
    path = tmp_path / "history.db"
    history = History(path)
    for _ in range(50):
        history.add_match(MATCH)
    path.write_bytes(b"\xa5" * start + path.read_bytes()[start:])
    assert len(history.matches()) == 50


@pytest.mark.slow
def test_flipped_bit_costs_at_most_its_row(tmp_path: Path) -> None:
    """No flip stops a reader, and every other row is still there."""
    path, rng = tmp_path / "history.db", Random(1)
    history = History(path)
    for number in range(30):
        history.add_match(replace(MATCH, hands=number))
        history.add_points(history.start_run("truco", "q", 7, {}), [POINT])
    whole = path.read_bytes()
    for _ in range(60):
        for old in tmp_path.glob("history.db*"):
            old.unlink()
        at = rng.randrange(len(whole))
        path.write_bytes(whole[:at] + bytes([whole[at] ^ 1 << rng.randrange(8)]) + whole[at + 1 :])
        again = History(path)
        found = [match.hands for match in again.matches()]
        assert again.runs("truco", "q")
        again.standing("truco", "q", "hard")
        again.add_match(MATCH)
        assert len(set(range(30)) - set(found)) <= (1 if not again.notices else 12), at
        assert len(found) == 30 or again.notices, at


def test_damaged_row_is_set_aside(tmp_path: Path) -> None:
    path = tmp_path / "history.db"
    history = History(path)
    for _ in range(3):
        history.add_match(MATCH)
    with closing(sqlite3.connect(path)) as database:
        database.execute("UPDATE matches SET options = '{' WHERE id = 2")
        database.commit()
    assert [match.id for match in history.matches()] == [3, 1]
    assert history.notices == [
        "history.db had 1 damaged row, which was set aside; all others are there."
    ]
    assert [match.id for match in History(path).matches()] == [3, 1]
    assert History(path).examine() == (2, 1)


@pytest.mark.parametrize(
    ("column", "value"),
    [
        ("started", "0001-01-01T00:00:00+00:00"),
        ("finished", "yesterday"),
        ("seed", "-1"),
        ("scores", "[1e999]"),
        ("seats", "[]"),
        ("seats", '[["\u001b]0;", "you", 0, 1.0]]'),
        ("hands", 2**60),
        ("options", "[" * 100_000),
    ],
)
def test_nonsense_with_a_right_checksum_is_set_aside(
    tmp_path: Path, column: str, value: object
) -> None:
    path = tmp_path / "history.db"
    history = HistoryFile(path)
    History(path).add_match(MATCH)
    (row,) = history.read(lambda rows: rows.select("matches", unread), [])
    history.write(lambda rows: rows.update("matches", row, **{column: value}))
    assert History(path).matches() == []


def test_view_in_place_of_a_table_is_not_run(tmp_path: Path) -> None:
    path = tmp_path / "history.db"
    History(path).add_match(MATCH)
    endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)"
    with closing(sqlite3.connect(path)) as database:
        database.execute("ALTER TABLE matches RENAME TO others")
        columns = ", ".join([f"1 AS {name}" for name in (*TABLES["matches"], "checksum")])
        database.execute(f"CREATE VIEW matches AS {endless} SELECT i AS id, {columns} FROM n")
    history = History(path)
    assert [match.hands for match in history.matches()] == [MATCH.hands]
    assert "renamed" in history.notices[0]


def test_unusable_folder_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "home").write_text("a file where a folder should be")
    history = History(tmp_path / "home" / "history.db")
    with pytest.raises(HistoryError, match=r"^\S+history\.db cannot be written: .+\.$"):
        history.add_match(MATCH)


def test_unwritable_file_is_one_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "history.db"
    History(path).add_match(MATCH)
    connect = sqlite3.connect

    def read_only(where: Path, **settings: object) -> sqlite3.Connection:
        return connect(f"file:{where}?mode=ro", uri=True, isolation_level=None)

    monkeypatch.setattr(sqlite3, "connect", read_only)
    history = History(path)
    assert len(history.matches()) == 1
    with pytest.raises(HistoryError, match="cannot be written: attempt to write a readonly"):
        history.add_match(MATCH)


def test_closed_folder_is_one_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def forbidden(*arguments: object, **options: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(history_file, "check_regular", forbidden)
    with pytest.raises(HistoryError, match=r"cannot be read: permission denied\.$"):
        History(tmp_path / "history.db").matches()


@pytest.mark.parametrize("end", ["-journal", "-wal", "-shm"])
@pytest.mark.parametrize("linked", [False, True])
def test_pipes_and_links_beside_the_history_are_refused(
    end: str, linked: bool, tmp_path: Path
) -> None:
    """SQLite would wait for a pipe forever, and write to the target of a link."""
    History(tmp_path / "history.db").start_run("truco", "q", 1, {})
    beside, precious = tmp_path / f"history.db{end}", tmp_path / "precious"
    beside.unlink(missing_ok=True)
    precious.write_text("precious")
    if linked:
        beside.symlink_to(precious)
    else:
        os.mkfifo(beside)
    history = History(tmp_path / "history.db")
    with pytest.raises(HistoryError, match="it is not a regular file"):
        history.matches()
    with pytest.raises(HistoryError, match="it is not a regular file"):
        history.start_run("truco", "q", 1, {})
    assert precious.read_text() == "precious"


def test_looking_at_the_file_keeps_the_locks_of_another_thread(tmp_path: Path) -> None:
    """Closing any handle of a file releases all locks of the process on it."""
    path = tmp_path / "history.db"
    History(path).start_run("truco", "q", 1, {})
    tracked = os.open(path, os.O_RDWR)
    fcntl.lockf(tracked, fcntl.LOCK_EX, 1, 1)
    history_file.check_regular(path, history_file.LARGEST)
    free = (
        f"import fcntl; fcntl.lockf(open({str(path)!r}, 'r+'), fcntl.LOCK_EX | fcntl.LOCK_NB, 1, 1)"
    )
    done = subprocess.run(
        [sys.executable, "-S", "-c", free], stderr=subprocess.DEVNULL, check=False
    )
    os.close(tracked)
    assert done.returncode == 1
