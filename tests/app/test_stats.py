"""A person's record, in `kibitz stats` and on the screens."""

import json
import sqlite3
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from textual.message import Message
from textual.pilot import Pilot

from agents.evaluation.intervals import wilson
from app.cli import run
from app.records.history import History, MatchRecord, SeatRecord
from app.records.personal_record import GameRecord, Streaks, records
from app.ui.app import KibitzApp
from app.ui.screens.history import HistoryScreen, details_of
from app.ui.screens.home import HomeScreen
from app.ui.screens.requests import OpenReplay
from app.ui.screens.stats import StatsScreen, game_text
from app.ui.widgets.rows import Rows
from engine.game import OptionValue
from tests.app.driving import make_app, text_of, wait_until

Compare = Callable[[KibitzApp, str], None]
SIZES = [(60, 20), (80, 24), (120, 40)]


def match(
    game: str = "truco",
    won: float = 1.0,
    against: str = "hard",
    day: int = 1,
    assisted: bool = False,
    unrated: bool = False,
    journal: str = "",
) -> MatchRecord:
    seats = (SeatRecord("You", "you", 0, won), SeatRecord("North", against, 1, 1 - won))
    when = f"2026-03-{day:02}T10:{day:02}:00+00:00"
    scores = (30, 12) if won == 1 else (12, 30)
    return MatchRecord(
        game, {}, day, seats, scores, 9, when, when, False, assisted, unrated, journal
    )


def record_of(matches: list[MatchRecord], game: str = "truco") -> GameRecord:
    return next(record for record in records(reversed(matches)) if record.game == game)


def test_wins_are_counted_by_opponent() -> None:
    record = record_of([match(won=1), match(won=0), match(won=1, against="q"), match("smear")])
    assert (record.rated.wins, record.rated.matches) == (2, 3)
    assert record.rated.interval == wilson(2 / 3, 3)
    assert {name: (each.wins, each.matches) for name, each in record.opponents.items()} == {
        "hard": (1, 2),
        "q": (1, 1),
    }
    assert next(iter(record.opponents)) == "hard"
    assert record.words() == "won 2 of 3"


def test_equal_share_of_a_table_with_several_sides_is_shown() -> None:
    four = record_of([replace(match("fodinha"), scores=(3, 0, 0, 0))], "fodinha")
    assert four.equal_share == 0.25
    assert "an equal player would win 25 %" in game_text(four, 0).plain
    assert "an equal player" not in game_text(record_of([match()]), 0).plain


def test_opponents_count_once_and_partners_do_not_count() -> None:
    seats = (
        SeatRecord("You", "you", 0, 1.0),
        SeatRecord("West", "hard", 1, 0.0),
        SeatRecord("North", "q", 0, 1.0),
        SeatRecord("East", "hard", 1, 0.0),
    )
    record = record_of([replace(match("smear"), seats=seats)], "smear")
    assert {name: each.matches for name, each in record.opponents.items()} == {"hard": 1}


def test_assisted_and_unrated_matches_are_counted_separately() -> None:
    record = record_of(
        [match(), match(assisted=True), match(assisted=True, unrated=True), match(unrated=True)]
    )
    assert [each.matches for each in (record.rated, record.assisted, record.unrated)] == [1, 1, 2]
    assert record.opponents["hard"].matches == 1
    assert record_of([match(assisted=True)]).words() == ""
    assert record_of([match(assisted=True)]).streaks is None


def test_matches_with_other_than_one_person_do_not_count() -> None:
    two = (SeatRecord("Player 1", "you", 0, 1.0), SeatRecord("Player 2", "you", 1, 0.0))
    agents = (SeatRecord("South", "q", 0, 1.0), SeatRecord("North", "hard", 1, 0.0))
    matches = [replace(match(), seats=two), replace(match(), seats=agents, watched=True)]
    assert not record_of(matches).played


@pytest.mark.parametrize(
    ("results", "streaks", "words"),
    [
        ([1, 1, 1, 0, 1, 1], Streaks(2, 3), "won the last 2 in a row, longest streak 3"),
        ([1, 0, 0], Streaks(-2, 1), "lost the last 2 in a row, longest streak 1"),
        ([0], Streaks(-1, 0), "lost the last one"),
        ([1, 1, 0.5], Streaks(0, 2), "drew the last one, longest streak 2"),
        ([1, 0.5, 1], Streaks(1, 1), "won the last one, longest streak 1"),
    ],
)
def test_streaks(results: list[float], streaks: Streaks, words: str) -> None:
    found = record_of([match(won=won) for won in results]).streaks
    assert found == streaks
    assert found.words() == words


@pytest.fixture
def played(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A home with a few matches; the local time zone is UTC."""
    monkeypatch.setenv("TZ", "UTC")
    time.tzset()
    history = History(tmp_path / "history.db")
    for day, (game, won, against) in enumerate(
        [
            ("truco", 1, "hard"),
            ("truco", 0, "q"),
            ("truco", 1, "hard"),
            ("notty", 0, "easy"),
            ("truco", 1, "hard"),
        ],
        1,
    ):
        history.add_match(match(game, won, against, day))
    history.add_match(match(day=6, assisted=True, journal="truco-6.jsonl"))
    history.add_match(match(day=7, won=0, unrated=True))
    yield tmp_path
    monkeypatch.undo()
    time.tzset()


def test_stats_command(played: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["stats", "--home", str(played)]) == 0
    out = capsys.readouterr().out
    assert "Truco" in out
    assert "against hard" in out
    assert "  with hints  " in out
    assert "won the last 2 in a row, longest streak 2" in out
    assert "Euchre" not in out


def test_stats_command_as_json(played: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["stats", "--home", str(played), "--json"]) == 0
    games = {game["game"]: game for game in json.loads(capsys.readouterr().out)["games"]}
    truco = games["truco"]
    assert truco["rated"]["wins"] == 3
    assert truco["rated"]["win_rate"] == 0.75
    assert truco["streak"] == {"current": 2, "longest": 2}
    assert [(each["agent"], each["matches"]) for each in truco["opponents"]] == [
        ("hard", 3),
        ("q", 1),
    ]
    assert truco["assisted"]["matches"] == 1
    assert truco["unrated"]["wins"] == 0
    assert games["euchre"]["rated"] == {
        "matches": 0,
        "wins": 0,
        "draws": 0,
        "win_rate": None,
        "ci95": None,
    }


def test_matches_of_a_variant_count_for_its_game(
    played: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["stats", "truco_full", "--home", str(played)]) == 0
    assert "against hard" in capsys.readouterr().out


def test_stats_command_without_matches(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["stats", "--home", str(tmp_path)]) == 0
    assert "No match has been finished yet" in capsys.readouterr().out
    assert list(tmp_path.iterdir()) == []


def test_newer_history_is_one_line_on_stderr(
    played: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with sqlite3.connect(played / "history.db") as database:
        database.execute("PRAGMA user_version = 99")
        database.execute("CREATE TABLE seasons (id INTEGER PRIMARY KEY)")
    assert run(["stats", "--home", str(played)]) == 2
    assert capsys.readouterr().err.count("\n") == 1


# The screens


async def to_stats(app: KibitzApp, pilot: Pilot[None]) -> None:
    await pilot.click("#menu-stats")
    await wait_until(pilot, lambda: isinstance(app.screen, StatsScreen))
    await wait_until(pilot, lambda: "Counting" not in text_of(app))


async def to_history(app: KibitzApp, pilot: Pilot[None]) -> None:
    await pilot.click("#menu-history")
    await wait_until(pilot, lambda: isinstance(app.screen, HistoryScreen))
    await wait_until(pilot, lambda: "Looking" not in text_of(app))


async def test_tiles_show_the_record(played: Path) -> None:
    app = make_app(played)
    async with app.run_test(size=(80, 24)) as pilot:
        await wait_until(pilot, lambda: "won 3 of 4" in text_of(app))
        assert "won 0 of 1" in text_of(app)
        History(played / "history.db").add_match(match("truco", won=1.0))
        await pilot.press("n")
        await wait_until(pilot, lambda: not isinstance(app.screen, HomeScreen))
        await pilot.press("escape")
        await wait_until(pilot, lambda: "won 4 of 5" in text_of(app))


async def test_stats_and_history_screens_open_each_other(played: Path) -> None:
    app = make_app(played)
    async with app.run_test(size=(120, 40)) as pilot:
        await to_stats(app, pilot)
        shown = text_of(app)
        for words in (
            "Truco",
            "against hard",
            "with hints",
            "unrated",
            "moves taken back",
            "longest streak 2",
        ):
            assert words in shown
        await pilot.press("m")
        await wait_until(pilot, lambda: isinstance(app.screen, HistoryScreen))
        await pilot.press("s")
        await wait_until(pilot, lambda: isinstance(app.screen, StatsScreen))
        await pilot.press("escape")
        await wait_until(pilot, lambda: isinstance(app.screen, HomeScreen))


async def test_stats_and_history_screens_without_matches(tmp_path: Path) -> None:
    app = make_app(tmp_path)
    async with app.run_test(size=(80, 24)) as pilot:
        await to_stats(app, pilot)
        assert "You have not finished a match yet" in text_of(app)
        await pilot.press("m")
        await wait_until(pilot, lambda: isinstance(app.screen, HistoryScreen))
        await wait_until(pilot, lambda: "You have not finished a match yet" in text_of(app))
        await pilot.press("enter", "escape")
        await wait_until(pilot, lambda: isinstance(app.screen, HomeScreen))


async def test_history_lists_the_newest_match_first_with_details(played: Path) -> None:
    app = make_app(played)
    async with app.run_test(size=(80, 24)) as pilot:
        await to_history(app, pilot)
        lines = [line for line in text_of(app).splitlines() if "2026-03" in line]
        assert [line.split()[0] for line in lines] == [
            f"2026-03-{day:02}" for day in range(7, 0, -1)
        ]
        assert "lost, unrated" in lines[0]
        assert "won, hint" in lines[1]
        assert "unrated (moves taken back, teaching, or played on)" in text_of(app)
        await pilot.press("down")
        await wait_until(pilot, lambda: "hints were shown" in text_of(app))
        assert "seed 6" in text_of(app)


async def test_enter_opens_a_replay(played: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []
    monkeypatch.setattr(
        HistoryScreen,
        "post_message",
        _listening(HistoryScreen.post_message, asked),
    )
    app = make_app(played)
    async with app.run_test(size=(80, 24), notifications=True) as pilot:
        await to_history(app, pilot)
        await pilot.press("enter")
        await wait_until(pilot, lambda: bool(app._notifications))
        assert "The moves of this match were not recorded" in next(iter(app._notifications)).message
        await pilot.press("down", "enter")
        await wait_until(pilot, lambda: asked == ["truco-6.jsonl"])


def _listening(post: Callable[..., bool], asked: list[str]) -> Callable[..., bool]:
    def listen(screen: HistoryScreen, message: Message) -> bool:
        if isinstance(message, OpenReplay):
            asked.append(message.journal)
            return True
        return post(screen, message)

    return listen


async def test_unreadable_history_is_reported_once(tmp_path: Path) -> None:
    (tmp_path / "history.db").mkdir()
    app = make_app(tmp_path)
    async with app.run_test(size=(80, 24), notifications=True) as pilot:
        await wait_until(pilot, lambda: bool(app._notifications))
        await pilot.press("n")
        await wait_until(pilot, lambda: not isinstance(app.screen, HomeScreen))
        await pilot.press("escape")
        await to_stats(app, pilot)
        assert "cannot be read" in text_of(app)
        assert len(app._notifications) == 1


async def test_home_screen_reports_a_damaged_history(tmp_path: Path) -> None:
    (tmp_path / "history.db").write_bytes(b"no database" * 100)
    app = make_app(tmp_path)
    async with app.run_test(size=(80, 24), notifications=True) as pilot:
        await wait_until(pilot, lambda: bool(app._notifications))
        assert "was damaged and renamed to" in next(iter(app._notifications)).message


@pytest.mark.parametrize("size", SIZES)
async def test_pictures(played: Path, same_picture: Compare, size: tuple[int, int]) -> None:
    app = make_app(played)
    async with app.run_test(size=size) as pilot:
        await to_stats(app, pilot)
        await pilot.pause()
        same_picture(app, f"stats-{size[0]}x{size[1]}")
        await pilot.press("m")
        await wait_until(pilot, lambda: bool(app.screen.query(Rows)))
        await wait_until(pilot, lambda: app.screen.query_one(Rows).row_count == 7)
        await pilot.pause()
        same_picture(app, f"history-{size[0]}x{size[1]}")


@pytest.mark.parametrize(
    ("game", "options", "told"),
    [
        ("truco", {}, ["7 rounds"]),
        ("truco", {"target": 20, "players": 2}, ["7 rounds", "target 20"]),
        ("euchre", {"players": 4}, ["7 hands", "players 4"]),
        ("fodinha", {"blind_one": False}, ["7 rounds", "blind one off"]),
        ("notty", {"players": 2}, []),
        ("belote", {"target": 501}, ["7 hands", "target 501"]),
    ],
)
def test_details_name_only_unusual_options(
    game: str, options: dict[str, OptionValue], told: list[str]
) -> None:
    """In the words of the game; a game that is no longer there keeps everything."""
    played = replace(match(game), hands=7, options=options)
    facts = [each for each in details_of(played)[1] if not each.startswith("seed")]
    assert [each for each in facts if not each.endswith(" min")] == told
