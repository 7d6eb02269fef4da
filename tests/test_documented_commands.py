"""Every command in the documentation and in --help is run as written.

The reader's files are a match called FILE, a training course called FILE.yaml, a comparison of
settings called GRID.yaml and the figures of an earlier run called plain.json. Long commands are
shortened by the rules in SHORTER. `kibitz` runs in this process; a command that would open a screen
or a server is followed up to that point, which other tests cover.
"""

import io
import json
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import typer
import yaml

from agents.named_learners import NOTHING, begin
from agents.registry import agents_for
from agents.storage.store import Store
from app.bench.figures import Figure, keep
from app.cli import run
from app.commands.examples import EXAMPLES
from app.commands.parser import cli
from app.lab.course_file import CourseFile
from app.records.journal import MatchSetup, line_of
from app.web.server import KibitzServer
from engine import GAMES
from tests.documents import PAGES, ROOT, installs, program_of, shell_lines, yaml_courses

SHORTER = (
    (r"--(games|hands|measured) \d+", r"--\1 2"),
    (r"^(kibitz (?:evaluate|arena|exploit|reliability|skill) .*)", r"\1 --budget 1"),
    (r"^(kibitz train (?!.*--config).*)", r"\1 --config QUICK.yaml"),
    (r"^(kibitz exploit .*--seconds) \d+", r"\1 0.1"),
    (r"^(kibitz exploit truco) search", r"\1 hard"),
    (r"^pytest (?:-n \d )?(\S+).*", r"test -e \1"),
    (r"^make (?!-)", "make -n "),
    (r"^kibitz replay - <", "kibitz replay - --json <"),
    (
        r"^python -m agents\.training\.pretraining .*",
        "python -c 'import agents.training.pretraining'",
    ),
    (
        r"^python -m (agents\.evaluation\.measured_ratings|app\.study\.calibration"
        r"|tests\.bench\.levels) .*",
        r"python -c 'import \1'",
    ),
)
QUICK = "evaluation: {points: 0}\nepisodes: 2\n"
PARSED_ONLY = {
    "--cluster": "there is no cluster here",
    "--peers": "the peers are not installed here",
    "import": "the imported files come from other programs",
}
"""Words in commands that are only parsed, and why."""

LINES = sorted(
    {
        *[line for page in PAGES for line in shell_lines(page)],
        *[example.command for examples in EXAMPLES.values() for example in examples],
    }
)
RUN = [line for line in LINES if not installs(line)]

Opened = list[dict[str, Any]]


def arguments_of(line: str) -> list[str]:
    """The arguments of a `kibitz` command."""
    return shlex.split(line)[1:]


def needs_shell(line: str) -> bool:
    """True for another program, a redirection, a variable, or a change of the shell's own files."""
    return not line.startswith("kibitz") or " < " in line or "completion" in line


def shortened(line: str) -> str:
    for long, short in SHORTER:
        line = re.sub(long, short, line)
    return line


@pytest.fixture
def desk(tmp_path: Path) -> Path:
    """A folder with the documentation and the reader's files."""
    folder = tmp_path / "desk"
    folder.mkdir()
    for name in (
        "docs",
        "tests",
        "Makefile",
        "pyproject.toml",
        "setup.py",
        "agents",
        "app",
        "engine",
    ):
        (folder / name).symlink_to(ROOT / name)
    (folder / "FILE").write_text(journal(), encoding="utf-8")
    for name, course in zip(("FILE.yaml", "GRID.yaml"), yaml_courses(), strict=False):
        course = re.sub(r"(episodes|games|seeds): \d+", r"\1: 2", course)
        (folder / name).write_text(course, encoding="utf-8")
    keep([Figure("Hands of Truco", 1.0, "hands/s")], folder / "plain.json")
    (folder / "QUICK.yaml").write_text(QUICK, encoding="utf-8")
    return folder


def journal() -> str:
    options = {"target": 40}
    setup = MatchSetup(
        *("truco", options, 7, 0, ("you", "hard"), ("You", "Hard")),
        started="2026-11-16T12:00:00+00:00",
    )
    state = GAMES["truco"].new(seed=7, deck=None, first=0, **options)
    lines = [line_of(setup.line())]
    for _ in range(4):
        action = state.legal()[0]
        lines.append(line_of({"seat": state.turn, "do": state.label(action)}))
        state.apply(action)
    return "".join(lines)


@pytest.fixture
def environ(tmp_path: Path) -> dict[str, str]:
    """Finds programs under the names that readers type. The reader has a learner q:rosa."""
    programs = tmp_path / "bin"
    programs.mkdir()
    called = {"kibitz": "-m app ", "python": "", "python3": ""}
    for name, module in called.items():
        script = programs / name
        script.write_text(f'#!/bin/sh\nexec "{sys.executable}" {module}"$@"\n')
        script.chmod(0o755)
    home = tmp_path / "home"
    home.mkdir()
    store = Store(home / ".kibitz" / "qtables")
    store.save(begin("truco", "q:rosa", NOTHING, store))
    return {
        "PATH": f"{programs}{os.pathsep}{os.environ['PATH']}",
        "PYTHONPATH": str(ROOT),
        "HOME": str(home),
        "LANG": "C.UTF-8",
    }


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> Opened:
    """What would have been opened: a screen or a server."""
    found: Opened = []

    def open_app(locations: object, *args: object, **named: object) -> int:
        found.append(named)
        return 0

    for module in (
        "app.cli",
        "app.commands.daily",
        "app.commands.guide",
        "app.commands.learn",
        "app.commands.play",
        "app.commands.practice",
        "app.commands.replay",
    ):
        monkeypatch.setattr(f"{module}.open_app", open_app)
    monkeypatch.setattr(KibitzServer, "serve", lambda server: found.append({"server": server}))
    return found


@pytest.fixture
def works(
    desk: Path, environ: dict[str, str], opened: Opened, monkeypatch: pytest.MonkeyPatch
) -> Callable[[str], None]:
    """Run a documented line; AssertionError unless it works."""
    monkeypatch.chdir(desk)
    for name, value in environ.items():
        monkeypatch.setenv(name, value)
    monkeypatch.delenv("KIBITZ_HOME", raising=False)
    monkeypatch.setattr("app.bench.figures.rate.__defaults__", (0.01,))

    def check(line: str) -> None:
        if any(word in line.split() for word in PARSED_ONLY):
            assert parsed(line)
        elif needs_shell(line):
            done = subprocess.run(
                ["bash", "-c", f"{shortened(line)}\nexit $?"],
                stdin=subprocess.DEVNULL,
                capture_output=True,
                text=True,
                check=False,
            )
            assert done.returncode == 0, done.stderr or done.stdout
        elif "--jsonl" in line.split():
            assert asks(line, monkeypatch)
        else:
            assert run(arguments_of(shortened(line))) == 0
            if opens_screen(line):
                assert len(opened) == 1

    return check


def opens_screen(line: str) -> bool:
    arguments = arguments_of(line)
    command = next((word for word in arguments if not word.startswith("-")), "")
    if {"--json", "--share", "export"} & set(arguments):
        return False
    screens = ("daily", "guide", "learn", "play", "practice", "replay", "serve", "watch")
    return command in screens or not command


def test_every_page_is_read() -> None:
    names = {page.name for page in PAGES}
    assert {"README.md", "CONTRIBUTING.md", "agents.md", "configuration.md", "files.md"} <= names
    assert len(RUN) > 40


def test_every_line_calls_a_program() -> None:
    """A block of commands holds nothing else, so no command is overlooked."""
    assert [line for line in LINES if not program_of(line)] == []


@pytest.mark.parametrize("line", RUN)
def test_documented_command_works(line: str, works: Callable[[str], None]) -> None:
    works(line)


def parsed(line: str) -> bool:
    """True if the parser accepts it; otherwise it raises its error."""
    name, *arguments = arguments_of(line)
    root = typer.main.get_command(cli)
    command = root.commands[name]  # type: ignore[attr-defined]
    return bool(command.make_context(name, arguments))


def asks(line: str, monkeypatch: pytest.MonkeyPatch) -> bool:
    """True if the first line of output asks for a decision."""
    out = io.StringIO()
    monkeypatch.setattr(sys, "stdin", io.StringIO(""))
    monkeypatch.setattr(sys, "stdout", out)
    run(arguments_of(line))
    return bool(json.loads(out.getvalue().splitlines()[0])["type"] == "decide")


@pytest.mark.parametrize(
    "wrong", ["kibitz shuffle", "kibitz evaluate truco q merlin", "make coffee"]
)
def test_wrong_command_is_noticed(wrong: str, works: Callable[[str], None]) -> None:
    with pytest.raises(AssertionError):
        works(wrong)


def measured_rows() -> Iterator[tuple[str, ...]]:
    """The rows of strengths in the README: the words after `kibitz evaluate`."""
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    for row in re.findall(r"^\| `([a-z]+(?: [a-z-]+)+)` \| [\d,]+ \|", readme, re.MULTILINE):
        yield tuple(row.split())


@pytest.mark.parametrize("row", list(measured_rows()), ids=" ".join)
def test_measured_agents_can_play_each_other(row: tuple[str, ...]) -> None:
    game, *agents = row
    assert len(agents) == len(GAMES[game].new(1, None, None).sides)
    assert set(agents) <= set(agents_for(game))


def test_courses_show_every_setting() -> None:
    courses = [yaml.safe_load(course) for course in yaml_courses()]
    settings = [CourseFile.model_validate(course).settings() for course in courses]
    assert {name for course in courses for name in course} == set(CourseFile.model_fields)
    assert any(settings)
