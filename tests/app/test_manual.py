"""`kibitz help`, --help and --version."""

from pathlib import Path

import pytest
import typer

from app import __version__
from app.cli import run
from app.commands.examples import EXAMPLES
from app.commands.manual import ENVIRONMENT
from app.commands.parser import cli
from app.home.locations import Locations

COMMANDS = sorted(typer.main.get_command(cli).commands)  # type: ignore[attr-defined]


def page(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert run(["help", *arguments]) == 0
    return capsys.readouterr().out


def headings(text: str) -> list[str]:
    return [line for line in text.splitlines() if line and not line.startswith(" ")]


def test_manual_has_the_usual_sections(capsys: pytest.CaptureFixture[str]) -> None:
    assert headings(page(capsys)) == [
        *("NAME", "SYNOPSIS", "DESCRIPTION", "COMMANDS", "OPTIONS"),
        *("FILES", "ENVIRONMENT", "EXIT STATUS", "EXAMPLES"),
    ]


def test_manual_lists_every_command_file_and_variable(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = page(capsys, "--home", str(tmp_path))
    lines = [line.strip() for line in text.splitlines()]
    for command in COMMANDS:
        assert any(line.startswith(f"{command}  ") for line in lines), command
    for place in (*Locations(tmp_path).as_dict().values(), *ENVIRONMENT, "--install-completion"):
        assert place in lines


def test_every_file_is_described(tmp_path: Path) -> None:
    described = dict(Locations(tmp_path).described())
    assert list(described) == list(Locations(tmp_path).as_dict().values())
    assert len(set(described.values())) == len(described)
    assert all(sentence.endswith(".") for sentence in described.values())


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_a_page(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    text = page(capsys, command)
    commands = ["COMMANDS"] if command == "learners" else []
    assert headings(text) == [
        *("NAME", "SYNOPSIS", "DESCRIPTION"),
        *commands,
        *("OPTIONS", "EXIT STATUS", "EXAMPLES", "SEE ALSO"),
    ]
    assert text.startswith(f"NAME\n    kibitz {command} - ")
    assert "    --home " in text
    assert all(len(line) <= 100 for line in text.splitlines())


@pytest.mark.parametrize("command", ["kibitz", *COMMANDS])
def test_every_command_has_examples(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = [] if command == "kibitz" else [command]
    assert run([*arguments, "--help"]) == 0
    text = capsys.readouterr().out
    for example in EXAMPLES[command]:
        assert f"    {example.command}\n        {example.outcome}\n" in text
        assert example.command.split()[: 1 + len(arguments)] == ["kibitz", *arguments]


def test_examples_belong_to_commands() -> None:
    assert sorted(EXAMPLES) == sorted(["kibitz", *COMMANDS])


def test_version(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["--version"]) == 0
    assert capsys.readouterr().out == f"kibitz {__version__}\n"
