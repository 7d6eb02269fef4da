"""Every command in the documentation and below --help is run, as it stands there.

In place of what a reader has, there are a match called FILE and a course called FILE.yaml;
what would take long is shortened by the rules of SHORTER and nothing else. Screens are
opened on a terminal until they are painted; a server is left alone once it listens.
"""

import json
import os
import re
import shlex
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from time import monotonic, sleep

import pytest
import typer
import yaml

from agents.registry import agents_for
from app.commands.examples import EXAMPLES
from app.commands.parser import cli
from app.lab.course_file import CourseFile
from app.records.journal import Opening, line_of
from engine import GAMES
from tests.app.terminal import PATIENCE, Terminal
from tests.documents import PAGES, ROOT, installs, program_of, shell_lines, yaml_courses

SHORTER = (
    (r"--(games|hands|measured) \d+", r"--\1 2"),
    (r"^(kibitz (?:evaluate|arena) .*)", r"\1 --budget 1"),
    (r"^(kibitz train (?!.*--config).*)", r"\1 --config QUICK.yaml"),
    (r"^pytest (?:-n \d )?(\S+).*", r"test -e \1"),
    (r"^make (?!-)", "make -n "),
    (r"^python -m agents\.pretraining .*", "python -c 'import agents.training.pretraining'"),
)
QUICK = "evaluation: {points: 0}\nepisodes: 2\n"
READ_ONLY = {
    "--cluster": "there is no cluster here",
    "--peers": "the others are not installed here",
    "import": "what is imported comes from other programs",
}
"""Words in commands that are only parsed, and why."""

LINES = sorted(
    {
        *[line for page in PAGES for line in shell_lines(page)],
        *[example.command for examples in EXAMPLES.values() for example in examples],
    }
)
RUN = [line for line in LINES if not installs(line)]


def arguments_of(line: str) -> list[str]:
    """Of a `kibitz` command, without redirections."""
    return shlex.split(line.partition(" < ")[0])[1:]


def opens_a_screen(line: str) -> bool:
    if program_of(line) != "kibitz" or "=" in line.split()[0]:
        return False
    arguments = arguments_of(line)
    command = next((word for word in arguments if not word.startswith("-")), "")
    if "--jsonl" in arguments or "--json" in arguments:
        return False
    return command in ("play", "watch", "replay") or set(arguments) <= {"--ascii", "--delay", "0"}


def shortened(line: str) -> str:
    for long, short in SHORTER:
        line = re.sub(long, short, line)
    return line


@pytest.fixture
def desk(tmp_path: Path) -> Path:
    """A folder such as a reader would be in: with the documentation, a match and a course."""
    folder = tmp_path / "desk"
    folder.mkdir()
    for name in ("docs", "tests", "Makefile", "pyproject.toml", "agents", "app", "engine"):
        (folder / name).symlink_to(ROOT / name)
    (folder / "FILE").write_text(journal(), encoding="utf-8")
    course = re.sub(r"(episodes|games): \d+", r"\1: 2", yaml_courses()[0])
    (folder / "FILE.yaml").write_text(course, encoding="utf-8")
    (folder / "QUICK.yaml").write_text(QUICK, encoding="utf-8")
    return folder


def journal() -> str:
    options = {"target": 40}
    opening = Opening(
        *("truco", options, 7, 0, ("you", "hard"), ("You", "Hard")),
        started="2026-11-16T12:00:00+00:00",
    )
    state = GAMES["truco"].new(seed=7, deck=None, first=0, **options)
    lines = [line_of(opening.line())]
    for _ in range(4):
        action = state.legal()[0]
        lines.append(line_of({"seat": state.turn, "do": state.label(action)}))
        state.apply(action)
    return "".join(lines)


@pytest.fixture
def environ(tmp_path: Path) -> dict[str, str]:
    """Programs are found under the names that readers type."""
    programs = tmp_path / "bin"
    programs.mkdir()
    called = {"kibitz": "-m app ", "python": "", "python3": ""}
    for name, module in called.items():
        script = programs / name
        script.write_text(f'#!/bin/sh\nexec "{sys.executable}" {module}"$@"\n')
        script.chmod(0o755)
    home = tmp_path / "home"
    home.mkdir()
    return {
        "PATH": f"{programs}{os.pathsep}{os.environ['PATH']}",
        "PYTHONPATH": str(ROOT),
        "HOME": str(home),
        "LANG": "C.UTF-8",
    }


def test_every_page_is_read() -> None:
    names = {page.name for page in PAGES}
    assert {"README.md", "CONTRIBUTING.md", "agents.md", "configuration.md", "files.md"} <= names
    assert len(RUN) > 40


def test_every_line_calls_a_program() -> None:
    """In a block of commands there is nothing else, so that none is overlooked."""
    assert [line for line in LINES if not program_of(line)] == []


@pytest.mark.parametrize("line", RUN)
def test_what_is_documented_works(line: str, desk: Path, environ: dict[str, str]) -> None:
    if any(word in line.split() for word in READ_ONLY):
        assert understood(line)
    elif opens_a_screen(line):
        assert painted(line, desk, environ)
    elif line.startswith("kibitz serve"):
        assert listens(line, desk, environ)
    elif "--jsonl" in line.split():
        assert asks(line, desk, environ)
    else:
        done = subprocess.run(
            ["bash", "-c", f"{shortened(line)}\nexit $?"],
            cwd=desk,
            env=environ,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr or done.stdout


def understood(line: str) -> bool:
    """The parser takes it. Raises what it says otherwise."""
    name, *arguments = arguments_of(line)
    root = typer.main.get_command(cli)
    command = root.commands[name]  # type: ignore[attr-defined]
    return bool(command.make_context(name, arguments))


def painted(line: str, desk: Path, environ: dict[str, str]) -> bool:
    """The game's name, or that of the first of all games, is on the screen; where two people
    play, one is called to the keyboard before anything is shown."""
    game = next((game for name, game in GAMES.items() if name in arguments_of(line)), None)
    expected = game.title if game else "Truco" if "replay" in line else "Euchre"
    if "you,you" in line:
        expected = "Pass the keyboard"
    with Terminal(
        *("-c", f"exec {line}"),
        program=["bash"],
        folder=desk,
        home=Path(environ["HOME"]),
        environ=environ,
        size=(120, 40),
    ) as terminal:
        terminal.wait_for(expected)
        return "\x1b[?1049h" in terminal.shown


def asks(line: str, desk: Path, environ: dict[str, str]) -> bool:
    """The program that plays gets its first question."""
    with subprocess.Popen(
        ["bash", "-c", f"exec {line}"],
        cwd=desk,
        env=environ,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    ) as match:
        assert match.stdout is not None
        question = json.loads(match.stdout.readline())
        match.kill()
    return question["type"] == "decide"


def listens(line: str, desk: Path, environ: dict[str, str]) -> bool:
    with socket.socket() as spare:
        spare.bind(("127.0.0.1", 0))
        port = spare.getsockname()[1]
    command = f"exec {re.sub(r' --port .*', '', line)} --port {port}"
    server = subprocess.Popen(["bash", "-c", command], cwd=desk, env=environ)
    try:
        give_up = monotonic() + PATIENCE
        while server.poll() is None and monotonic() < give_up:
            with socket.socket() as visitor:
                if visitor.connect_ex(("127.0.0.1", port)) == 0:
                    return True
            sleep(0.05)
        return False
    finally:
        server.send_signal(signal.SIGKILL)
        server.wait()


def test_a_command_that_does_not_exist_is_found_out(desk: Path, environ: dict[str, str]) -> None:
    for wrong in ("kibitz shuffle", "kibitz evaluate truco q merlin", "make coffee"):
        with pytest.raises(AssertionError):
            test_what_is_documented_works(wrong, desk, environ)


def measured_rows() -> Iterator[tuple[str, ...]]:
    """The rows of strengths in the README: what follows `kibitz evaluate`."""
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    for row in re.findall(r"^\| `([a-z -]+)` \| [\d,]+ \|", readme, re.MULTILINE):
        yield tuple(row.split())


@pytest.mark.parametrize("row", list(measured_rows()), ids=" ".join)
def test_measured_agents_can_play_each_other(row: tuple[str, ...]) -> None:
    game, *agents = row
    assert len(agents) == len(GAMES[game].new(1, None, None).sides)
    assert set(agents) <= set(agents_for(game))


@pytest.mark.parametrize("course", yaml_courses())
def test_courses_show_every_setting(course: str) -> None:
    shown = CourseFile.model_validate(yaml.safe_load(course))
    assert set(yaml.safe_load(course)) == set(CourseFile.model_fields)
    assert shown.settings()
