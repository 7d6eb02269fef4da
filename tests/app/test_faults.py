"""Signals, closed windows, unusual terminals, full disks."""

import fcntl
import json
import os
import resource
import signal
import termios
from datetime import UTC, datetime
from pathlib import Path

import pytest
from _pytest.mark import ParameterSet

from agents.agent import Learner
from agents.registry import make
from agents.storage.store import Store
from agents.training.rounds import ROUND
from agents.training_log import is_generation
from app.cli import run
from app.home.locations import Locations
from app.home.log import LOG, close_log, open_log
from app.match.past import NOTHING_YET
from app.match.seating import plan_table
from app.records.history import History
from app.records.scorekeeper import Scorekeeper
from app.ui.app import KibitzApp
from engine.game import OVER, State
from tests.app.driving import make_app, wait_until
from tests.app.terminal import Terminal

LEFT_THE_SCREEN = "\x1b[?1049l"
WATCH = ("watch", "euchre", "--seats", "q,q,q", "--delay", "0.25", "--seed", "7")
TRAIN = ("train", "truco", "--option", "target=4", "--games", "1000000")
AT_THE_TABLE = "seed 7"
CARDS_PLAYED = "leads"
"""Shown after q has made a decision, so there is something to save."""


def slow(value: object) -> ParameterSet:
    return pytest.param(value, marks=pytest.mark.slow)


def no_room() -> None:
    """Keep files from growing."""
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))


@pytest.mark.parametrize("number", [signal.SIGTERM, slow(signal.SIGHUP), slow(signal.SIGINT)])
def test_signal_saves_and_restores_the_terminal(tmp_path: Path, number: signal.Signals) -> None:
    with Terminal(*WATCH, home=tmp_path) as terminal:
        terminal.wait_for(CARDS_PLAYED)
        terminal.send(number)
        assert terminal.exit_status() == 0
        assert LEFT_THE_SCREEN in terminal.shown
        assert "Traceback" not in terminal.shown
    assert (tmp_path / "qtables" / "euchre.q.pkl").exists()


@pytest.mark.slow
def test_closing_the_window_saves(tmp_path: Path) -> None:
    with Terminal(*WATCH, home=tmp_path) as terminal:
        terminal.wait_for(CARDS_PLAYED)
        terminal.hang_up()
        terminal.exit_status()
    assert (tmp_path / "qtables" / "euchre.q.pkl").exists()
    assert "Traceback" not in (tmp_path / "log" / "kibitz.log").read_text()


@pytest.mark.slow
def test_closing_the_window_without_a_signal_saves(tmp_path: Path) -> None:
    with Terminal(*WATCH, home=tmp_path, before=_without_signals_from_the_terminal) as terminal:
        terminal.wait_for(CARDS_PLAYED)
        terminal.hang_up()
        terminal.exit_status()
    assert (tmp_path / "qtables" / "euchre.q.pkl").exists()
    assert "The terminal has gone" in (tmp_path / "log" / "kibitz.log").read_text()


def _without_signals_from_the_terminal() -> None:
    signal.signal(signal.SIGHUP, signal.SIG_IGN)
    fcntl.ioctl(0, termios.TIOCNOTTY)


@pytest.mark.parametrize(
    "way", [signal.SIGTERM, slow(signal.SIGHUP), slow(signal.SIGINT), slow("closed")]
)
def test_training_finishes_its_round_and_saves_on_a_signal(
    tmp_path: Path, way: signal.Signals | str
) -> None:
    with Terminal(*TRAIN, home=tmp_path) as terminal:
        terminal.wait_for("games/s")
        if isinstance(way, signal.Signals):
            terminal.send(way)
            assert terminal.exit_status() == 0
            assert "What was learned is saved" in terminal.text()
            assert "Traceback" not in terminal.shown
        else:
            terminal.hang_up()
            terminal.exit_status()
    learner = make("truco", "q")
    assert isinstance(learner, Learner)
    before = learner.stats().updates
    assert Store(tmp_path / "qtables").load(learner)
    assert learner.stats().updates > before
    played = json.loads((tmp_path / "courses" / "truco.q.json").read_text())["played"]
    assert played > 0
    assert played % ROUND == 0 or is_generation(played)


@pytest.mark.slow
def test_training_on_a_full_disk_is_one_sentence(tmp_path: Path) -> None:
    few = ("train", "truco", "--option", "target=4", "--games", "1", "--json")
    with Terminal(*few, home=tmp_path, before=no_room) as terminal:
        assert terminal.exit_status() == 2
        assert "cannot be saved" in terminal.text()
        assert terminal.shown.count("\n") == 1
    assert not (tmp_path / "qtables" / "truco.q.pkl").exists()


@pytest.mark.slow
def test_home_path_with_spaces_and_foreign_letters(tmp_path: Path) -> None:
    home = tmp_path / "mi casa ñandú 家"
    with Terminal(*WATCH, home=home) as terminal:
        terminal.wait_for(CARDS_PLAYED)
        terminal.type("\x11")
        assert terminal.exit_status() == 0
    assert (home / "qtables" / "euchre.q.pkl").exists()


@pytest.mark.slow
def test_tiny_window_asks_for_a_larger_one(tmp_path: Path) -> None:
    with Terminal(home=tmp_path, size=(10, 5)) as terminal:
        terminal.wait_for("Kibitz")
        terminal.resize(80, 24)
        terminal.wait_for("Smear")
        terminal.type("\x11")
        assert terminal.exit_status() == 0


@pytest.mark.slow
def test_many_resizes_are_harmless(tmp_path: Path) -> None:
    with Terminal(*WATCH, home=tmp_path) as terminal:
        terminal.wait_for(AT_THE_TABLE)
        for number in range(60):
            terminal.resize(1 + number * 37 % 200, 1 + number * 17 % 60)
        terminal.resize(100, 30)
        terminal.wait_for(AT_THE_TABLE)
        terminal.type("\x11")
        assert terminal.exit_status() == 0
        assert "Traceback" not in terminal.shown


@pytest.mark.slow
@pytest.mark.parametrize(
    "environ", [{"TERM": "dumb"}, {"LANG": "C", "LC_ALL": "C", "PYTHONUTF8": "0"}, {"TERM": ""}]
)
def test_unusual_terminals(tmp_path: Path, environ: dict[str, str]) -> None:
    with Terminal(*WATCH, home=tmp_path, environ=environ) as terminal:
        terminal.wait_for(AT_THE_TABLE)
        terminal.type("\x11")
        assert terminal.exit_status() == 0
        assert "Traceback" not in terminal.shown


@pytest.mark.slow
def test_full_disk_is_reported_and_play_continues(tmp_path: Path) -> None:
    with Terminal(
        "watch", "euchre", "--seats", "q,q,q", "--delay", "0", home=tmp_path, before=no_room
    ) as terminal:
        terminal.wait_for("You can play on")
        terminal.type("\x11")
        assert terminal.exit_status() == 0
        assert "Traceback" not in terminal.shown


def test_impossible_home_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with Terminal(home=tmp_path / "file" / "home") as terminal:
        terminal.wait_for("cannot be created")
        assert terminal.exit_status() == 2
        assert terminal.shown.count("\n") == 1


def test_read_only_home_is_one_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(os, "access", lambda path, rights: False)
    monkeypatch.setenv("KIBITZ_HOME", str(tmp_path))
    for command in (["play", "euchre"], ["train", "truco", "--games", "1"], []):
        assert run(command) == 2
        output = capsys.readouterr()
        assert output.out == ""
        assert output.err.count("\n") == 1
        assert "cannot be written to; choose another with --home" in output.err
    assert list(tmp_path.iterdir()) == []


@pytest.mark.slow
def test_play_continues_if_nothing_can_be_saved(tmp_path: Path) -> None:
    """No path in the home folder can be written to."""
    for name in ("qtables", "games", "log"):
        (tmp_path / name).write_text("in the way")
    for name in ("history.db", "settings.toml"):
        (tmp_path / name).mkdir()
    with Terminal(*WATCH, home=tmp_path) as terminal:
        terminal.wait_for("You can play on")
        terminal.type("\x11")
        assert terminal.exit_status() == 0
        assert "Traceback" not in terminal.shown
    assert (tmp_path / "games").read_text() == "in the way"


def test_clock_set_back_loses_no_match(tmp_path: Path) -> None:
    times = iter(range(40, 0, -1))

    def clock() -> datetime:
        """Each call returns an earlier time, every other one the same second."""
        return datetime(2026, 11, 16, 12, 30, next(times) // 2, tzinfo=UTC)

    history = History(tmp_path / "history.db", clock)
    keeper = Scorekeeper(tmp_path / "games", history, clock)
    plan = plan_table("truco", ["random", "random"], seed=1, watch=True)
    begun = []
    for _ in range(6):
        journal = keeper.begin(plan, 1, None)
        state = journal.setup.deal()
        journal.action(state.turn, state.label(state.legal()[0]), flush=False)
        begun.append(journal)
    for journal in begun[:3]:
        keeper.finish(journal, play_out(journal.setup.deal()), NOTHING_YET)
    for journal in begun:
        journal.close()
    names = [journal.path.name for journal in begun]
    assert len(set(names)) == 6
    assert {match.path.name for match in keeper.waiting()} == set(names[3:])
    assert [match.journal for match in history.matches()] == names[2::-1]


def test_damaged_histories_of_the_same_second_are_both_kept(tmp_path: Path) -> None:
    history = History(tmp_path / "history.db", lambda: datetime(2026, 11, 16, tzinfo=UTC))
    for contents in ("first", "second"):
        (tmp_path / "history.db").write_text(contents * 100)
        assert history.matches() == []
    aside = tmp_path / "history.db.damaged-20261116T000000Z"
    assert aside.read_text() == "first" * 100
    assert aside.with_name(f"{aside.name}-2").read_text() == "second" * 100


def play_out(state: State) -> State:
    while state.turn != OVER:
        state.apply(state.legal()[0])
    return state


async def test_crash_is_one_sentence_and_a_traceback_in_the_log(tmp_path: Path) -> None:
    open_log(tmp_path / "log" / "kibitz.log")
    app = make_app(tmp_path)

    def fail() -> None:
        raise RuntimeError("an unexpected error")

    async def open_and_fail() -> None:
        async with app.run_test() as pilot:
            app.call_later(fail)
            await wait_until(pilot, lambda: app.return_code == 1)

    with pytest.raises(RuntimeError, match="an unexpected error"):
        await open_and_fail()
    close_log()
    assert "RuntimeError: an unexpected error" in (tmp_path / "log" / "kibitz.log").read_text()


def test_log_rotates_and_stays_small(tmp_path: Path) -> None:
    path = tmp_path / "log" / "kibitz.log"
    open_log(path)
    for number in range(20_000):
        LOG.info("a line that says something about match number %d", number)
    close_log()
    sizes = [each.stat().st_size for each in path.parent.iterdir()]
    assert 2 <= len(sizes) <= 4
    assert sum(sizes) < 1_100_000


def test_unwritable_log_is_harmless(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "log").write_text("a file where the folder should be")
    open_log(tmp_path / "log" / "kibitz.log")
    LOG.info("unheard")
    close_log()
    assert capfd.readouterr() == ("", "")


def test_each_home_has_its_own_settings(tmp_path: Path) -> None:
    (tmp_path / "settings.toml").write_text("delay = 2\n")
    assert KibitzApp(Locations(tmp_path)).delay == 2.0
    assert KibitzApp(Locations(tmp_path / "other")).delay == 1.0
