"""The command line: output for scripts, and one line for every error."""

import json
import os
import pwd
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from app.cli import run
from app.home.locations import UnusableHome, locate
from app.records.history import History
from engine import COMPILED, GAMES
from tests.app.terminal import Terminal

ROOT = Path(__file__).parents[2]
COLOUR = re.compile(r"\x1b\[[0-9;]*(3[0-8]|4[0-8]|9[0-7])[0-9;]*m")


def test_games_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["games", "--json"]) == 0
    listing = {game["name"]: game for game in json.loads(capsys.readouterr().out)["games"]}
    assert list(listing) == list(GAMES)
    euchre = listing["euchre"]
    assert euchre["title"] == "Euchre"
    assert euchre["players"] == [3, 4]
    assert euchre["options"]["players"]["default"] == 3
    assert euchre["options"]["players"]["choices"] == [3, 4]
    assert {"random", "hard", "q"} <= set(euchre["agents"])
    assert euchre["variants"] == []
    (full,) = listing["truco"]["variants"]
    assert (full["option"], full["players"]) == ("rules=full", [2, 4, 6])
    assert "expert" in full["agents"]
    assert "expert" not in listing["truco"]["agents"]


def test_games_in_words(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["games"]) == 0
    out = capsys.readouterr().out
    assert "euchre: Euchre, for 3 or 4 players\n" in out
    assert "smear: Smear, for 4 players\n" in out
    assert "fodinha: Fodinha, for 2 to 10 players\n" in out
    assert "option players=3" in out
    assert "with rules=full: Truco Uruguayo, full, for 2 or 4 or 6" in out


def test_paths_follow_home(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["paths", "--json", "--home", str(tmp_path)]) == 0
    places = json.loads(capsys.readouterr().out)
    assert places == {
        "home": str(tmp_path),
        "qtables": str(tmp_path / "qtables"),
        "games": str(tmp_path / "games"),
        "history": str(tmp_path / "history.db"),
        "exports": str(tmp_path / "exports"),
        "experiments": str(tmp_path / "experiments"),
        "courses": str(tmp_path / "courses"),
        "checkpoints": str(tmp_path / "checkpoints"),
        "settings": str(tmp_path / "settings.toml"),
        "tips": str(tmp_path / "tips.json"),
        "guides": str(tmp_path / "guides.json"),
        "secret": str(tmp_path / "secret"),
        "log": str(tmp_path / "log" / "kibitz.log"),
        "engine": "compiled" if COMPILED else "plain Python",
    }
    assert run(["--home", str(tmp_path), "paths"]) == 0
    assert str(tmp_path) in capsys.readouterr().out


@pytest.mark.parametrize(
    "arguments",
    [
        "--delay 0.25 --ascii play smear",
        "play smear --delay 0.25 --ascii",
        "--delay 3 --ascii watch smear --delay 0.25",
    ],
)
def test_options_before_and_after_the_command(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: str
) -> None:
    opened = []

    def remember(places: object, ascii_only: bool, plan: object, delay: float) -> int:
        opened.append((ascii_only, delay))
        return 0

    monkeypatch.setattr("app.commands.play.open_app", remember)
    assert run(["--home", str(tmp_path), *arguments.split()]) == 0
    assert opened == [(True, 0.25)]


@pytest.mark.parametrize("option", ["--ascii", "--delay=1"])
def test_option_that_a_command_does_not_know_is_refused(
    option: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run([option, "games"]) == 2
    assert capsys.readouterr().err == f"kibitz games has no {option[:7]}; leave it out.\n"


def test_order_of_home_folders(tmp_path: Path) -> None:
    environ = {"KIBITZ_HOME": str(tmp_path / "env")}
    assert locate(tmp_path, environ).home == tmp_path
    assert locate(None, environ).home == tmp_path / "env"
    assert locate(None, {}).home == Path.home() / ".kibitz"


def test_existing_xdg_folder_is_the_home_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Only if the folder exists, and ~/.kibitz does not."""
    monkeypatch.setenv("HOME", str(tmp_path))
    usual, data = tmp_path / ".kibitz", tmp_path / "data"
    environ = {"XDG_DATA_HOME": str(data)}
    assert locate(None, environ).home == usual
    (data / "kibitz").mkdir(parents=True)
    assert locate(None, environ).home == data / "kibitz"
    assert locate(None, environ | {"KIBITZ_HOME": "/elsewhere"}).home == Path("/elsewhere")
    assert locate(None, {}).home == usual
    (tmp_path / ".local/share/kibitz").mkdir(parents=True)
    assert locate(None, {}).home == tmp_path / ".local/share/kibitz"
    usual.mkdir()
    assert locate(None, environ).home == locate(None, {}).home == usual


def test_missing_home_directory_is_one_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Without $HOME and for a user unknown to the system."""

    def unknown(user: int) -> None:
        raise KeyError(user)

    monkeypatch.delenv("HOME", raising=False)
    monkeypatch.delenv("KIBITZ_HOME", raising=False)
    monkeypatch.setattr(pwd, "getpwuid", unknown)
    for command in (["play", "euchre"], ["paths"], []):
        assert run(command) == 2
        assert capsys.readouterr() == (
            "",
            "There is no home directory; give a folder with --home.\n",
        )


def test_home_is_created_for_its_owner_only(tmp_path: Path) -> None:
    places = locate(tmp_path / "deep" / "home")
    places.prepare()
    assert places.home.stat().st_mode & 0o777 == 0o700


def test_file_cannot_be_the_home_folder(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(UnusableHome, match="choose another with --home"):
        locate(tmp_path / "file").prepare()
    with pytest.raises(UnusableHome, match="choose another with --home"):
        locate(tmp_path / "file" / "below").prepare()


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["play", "whist"], "choose one of: euchre"),
        (["watch", "whist"], "choose one of: euchre"),
        (["play"], "kibitz play --help"),
        (["shuffle"], "shuffle"),
        (["help", "shuffle"], "choose one of: play"),
        (["help", "play", "watch"], "kibitz help --help"),
        (["--jason"], "kibitz --help"),
        (["--version=2"], "kibitz --help"),
        (["games", "--jason"], "kibitz games --help"),
        (["play", "euchre", "--seed", "lucky"], "--seed"),
        (["play", "euchre", "--seats", "you,hard"], "3 seats, not 2"),
        (["play", "euchre", "--seats", "you,hard,merlin"], "merlin"),
        (["play", "euchre", "--seats", "hard,hard,q"], "watch"),
        (["watch", "euchre", "--seats", "you,hard,q"], "play"),
        (["play", "euchre", "--delay", "-1"], "delay is -1; the smallest possible is 0"),
        (["--delay", "-1"], "delay is -1; the smallest possible is 0"),
        (["play", "euchre", "--option", "players"], "key=value"),
        (["play", "euchre", "--option", "players=7"], "choose one of: 3, 4"),
        (["play", "euchre", "--option", "jokers=1"], "jokers"),
        (["play", "euchre", "--home", "/dev/null/x"], "--home"),
        (["play", "euchre", "--home", "HOME"], "in one, without redirection"),
    ],
)
def test_errors_are_one_line_and_status_two(
    arguments: list[str], says: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = [str(tmp_path) if each == "HOME" else each for each in arguments]
    assert run(arguments) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert len(captured.err.splitlines()) == 1
    assert says in captured.err


def test_unexpected_error_is_one_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fail() -> None:
        raise RuntimeError("no\ncards")

    monkeypatch.setattr("app.commands.listing.list_games", fail)
    assert run(["games"]) == 2
    assert len(capsys.readouterr().err.splitlines()) == 1


def test_games_does_not_import_textual() -> None:
    program = (
        "import sys; from app.cli import run; run(['games', '--json']); "
        "sys.exit('textual' in sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, capture_output=True, check=False
    )
    assert done.returncode == 0
    assert b'"euchre"' in done.stdout


def test_module_runs_as_a_program() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "app", "play", "whist"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2
    assert done.stderr.startswith("There is no game 'whist'")
    assert len(done.stderr.splitlines()) == 1


@pytest.mark.parametrize("arguments", [["games", "--json"], ["--version"]])
def test_closed_pipe_gives_no_traceback(arguments: list[str]) -> None:
    """Long output fails while printing, short output only at exit."""
    read, write = os.pipe()
    os.close(read)
    done = subprocess.run(
        [sys.executable, "-m", "app", *arguments],
        cwd=ROOT,
        stdout=write,
        stderr=subprocess.PIPE,
        check=False,
    )
    os.close(write)
    assert (done.returncode, done.stderr) == (2, b"")


def test_closed_streams_give_no_traceback(tmp_path: Path) -> None:
    """No file gets the number of a closed stream, so nothing is printed into it."""
    arguments = ["evaluate", "truco", "random", "random", "--games", "2"]
    command = shlex.join([sys.executable, "-m", "app", "--home", str(tmp_path), *arguments])
    done = subprocess.run(["sh", "-c", f"exec {command} <&- >&- 2>&-"], cwd=ROOT, check=False)
    assert done.returncode == 0
    assert History(tmp_path / "history.db").examine() == (1, 0)


@pytest.mark.parametrize(
    ("environ", "coloured"),
    [
        ({"NO_COLOR": "1"}, False),
        pytest.param({"TERM": "dumb"}, False, marks=pytest.mark.slow),
        pytest.param({}, True, marks=pytest.mark.slow),
    ],
)
def test_progress_has_colours_if_wanted(
    environ: dict[str, str], coloured: bool, tmp_path: Path
) -> None:
    course = tmp_path / "course.yaml"
    course.write_text("{episodes: 2, evaluation: {points: 0}}")
    with Terminal(
        "train", "truco", "--config", str(course), home=tmp_path, environ=environ
    ) as terminal:
        assert terminal.exit_status() == 0
        assert "truco" in terminal.text()
        assert bool(COLOUR.search(terminal.shown)) == coloured


def test_list_of_commands_has_whole_sentences(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["--help"]) == 0
    rows = capsys.readouterr().out.partition("Commands:\n")[2].partition("\n\n")[0].splitlines()
    assert len(rows) > 20
    assert [row for row in rows if not re.fullmatch(r"  [a-z]+ +[A-Z].*[^.]\.", row)] == []
