"""Matches over JSON lines, played by another program."""

import io
import json
import os
import runpy
import subprocess
import sys
from pathlib import Path
from threading import Thread

import pytest

from app.cli import run
from app.commands.line_play import play_by_lines
from app.home.locations import Locations
from app.match.seating import plan_table
from engine import GAMES

ROOT = Path(__file__).parents[2]
BOT = ROOT / "docs" / "bot.py"


@pytest.mark.parametrize("game", GAMES)
def test_bot_of_the_docs_plays_a_match(
    tmp_path: Path, game: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Both programs run in this process and are connected by two pipes."""
    plan = plan_table(game, seed=7)
    questions, answers, errors = Pipe(), Pipe(), io.StringIO()

    def play() -> None:
        with questions.input, answers.output:
            play_by_lines(plan, Locations(tmp_path), questions.input, answers.output)

    table = Thread(target=play)
    monkeypatch.setattr(sys, "stdin", questions.output)
    monkeypatch.setattr(sys, "stdout", answers.input)
    monkeypatch.setattr(sys, "stderr", errors)
    table.start()
    with questions.output, answers.input:
        runpy.run_path(str(BOT))
    table.join()
    assert errors.getvalue().startswith("The match ended")


class Pipe:
    """Text written to `input` can be read from `output`."""

    def __init__(self) -> None:
        output, input = os.pipe()
        self.input = os.fdopen(input, "w", encoding="utf-8")
        self.output = os.fdopen(output, encoding="utf-8")


def test_bot_of_the_docs_plays_as_a_process(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "app", "play", "truco", "--jsonl", "--seed", "7"]
    table = subprocess.Popen(
        [*command, "--home", str(tmp_path)],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    bot = subprocess.Popen(
        [sys.executable, str(BOT)],
        stdin=table.stdout,
        stdout=table.stdin,
        stderr=subprocess.PIPE,
        text=True,
    )
    _, output = bot.communicate(timeout=120)
    assert table.wait(timeout=60) == 0
    assert output.startswith("The match ended")


def test_wrong_answer_is_reported_and_asked_again(tmp_path: Path) -> None:
    plan = plan_table("truco", ["you", "random"], {"target": 1}, seed=5)
    questions = io.StringIO()
    with pytest.raises(ValueError, match="answers ended"):
        play_by_lines(plan, Locations(tmp_path), questions, io.StringIO("play 9Z\n"))
    lines = [json.loads(line) for line in questions.getvalue().splitlines()]
    assert [line["type"] for line in lines] == ["decide", "error", "decide"]
    assert "is not possible now" in lines[1]["message"]


def test_end_of_answers_is_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO(""))
    assert run(["play", "truco", "--jsonl", "--home", str(tmp_path)]) == 2
    assert capsys.readouterr().err == "The answers ended before the match was over.\n"


class FirstLegal(io.StringIO):
    """Answers each question with the first legal action."""

    def __init__(self, questions: io.StringIO) -> None:
        super().__init__()
        self._questions = questions

    def readline(self, size: int | None = -1, /) -> str:
        question = json.loads(self._questions.getvalue().splitlines()[-1])
        return f"{question['legal'][0]}\n"


@pytest.mark.parametrize(("agent", "saved"), [("q@0", False), ("q", True)])
def test_generation_plays_and_is_not_saved(tmp_path: Path, agent: str, saved: bool) -> None:
    plan = plan_table("truco", ["you", agent], {"target": 1}, seed=5)
    questions = io.StringIO()
    play_by_lines(plan, Locations(tmp_path), questions, FirstLegal(questions))
    assert json.loads(questions.getvalue().splitlines()[-1])["type"] != "decide"
    assert (tmp_path / "qtables" / "truco.q.pkl").exists() == saved
    assert not (tmp_path / "qtables" / "truco.q@0.pkl").exists()


def test_unknown_generation_is_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    command = ["play", "truco", "--seats", "you,mc-original@7", "--jsonl", "--home", str(tmp_path)]
    assert run(command) == 2
    complaint = capsys.readouterr().err
    assert complaint.startswith("mc-original has no generation 7; there are: mc-original@0")
    assert complaint.count("\n") == 1
