"""Shell completion."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from agents.names import generation_name
from agents.registry import agents_for, generations
from app.cli import run
from engine import GAMES

Ask = Callable[[dict[str, str]], str]
ROOT = Path(__file__).parents[2]
GENERATIONS = [generation_name("q", matches) for matches in generations("truco", "q")]


@pytest.fixture
def kibitz(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> Ask:
    """Run the program with the variables that a shell sets, and return its output."""

    monkeypatch.setenv("KIBITZ_HOME", str(tmp_path))

    def answer(environ: dict[str, str]) -> str:
        for name, value in environ.items():
            monkeypatch.setenv(name, value)
        with pytest.raises(SystemExit, match="0"):
            run([])
        return capsys.readouterr().out

    return answer


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("kibitz pl", ["play"]),
        ("kibitz play ", list(GAMES)),
        ("kibitz evaluate truco ", list(agents_for("truco"))),
        ("kibitz evaluate truco q m", ["mc", "mc-original"]),
        ("kibitz arena fodinha lin", ["linear", "linear-original"]),
        ("kibitz train notty --agent n", ["neural"]),
        ("kibitz train notty --opponents hard,p", ["hard,pool", "hard,pairs"]),
        ("kibitz play truco --seats you,e", ["you,easy"]),
        ("kibitz evaluate truco q@", GENERATIONS),
        ("kibitz play truco --seats you,q@", [f"you,{name}" for name in GENERATIONS]),
        ("kibitz help ev", ["evaluate"]),
        ("kibitz evaluate whist ", []),
        ("kibitz doctor --m", ["--mend"]),
    ],
)
def test_names_are_completed(kibitz: Ask, line: str, words: list[str]) -> None:
    """In bash, with the cursor at the end of the line."""
    cursor = str(len(line.split(" ")) - 1)
    bash = {"_KIBITZ_COMPLETE": "complete_bash", "COMP_WORDS": line, "COMP_CWORD": cursor}
    assert kibitz(bash).split() == words


def test_fish_shows_descriptions(kibitz: Ask) -> None:
    shown = kibitz(
        {
            "_KIBITZ_COMPLETE": "complete_fish",
            "_TYPER_COMPLETE_FISH_ACTION": "get-args",
            "_TYPER_COMPLETE_ARGS": "kibitz play tr",
        }
    )
    assert shown == "truco\tTruco Uruguayo\n"


def test_completion_script_is_installed(tmp_path: Path) -> None:
    """For the shell that runs the command."""
    done = subprocess.run(
        ["bash", "-c", '"$0" -m app --install-completion; exit $?', sys.executable],
        cwd=ROOT,
        env=os.environ | {"HOME": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    script = next(path for path in tmp_path.rglob("*") if path.name == "kibitz.sh")
    assert "_KIBITZ_COMPLETE=complete_bash" in script.read_text()
    assert str(script) in (tmp_path / ".bashrc").read_text()
