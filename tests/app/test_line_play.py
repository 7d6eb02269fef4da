"""A whole match over lines, as another program would play it."""

import io
import json
import subprocess
import sys
from pathlib import Path

import pytest

from app.cli import run
from app.commands.line_play import play_by_lines
from app.home.locations import Locations
from app.match.seating import plan_table
from engine import GAMES

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("game", GAMES)
def test_the_bot_of_the_docs_plays_a_whole_match(tmp_path: Path, game: str) -> None:
    command = [sys.executable, "-m", "app", "play", game, "--jsonl", "--seed", "7"]
    table = subprocess.Popen(
        [*command, "--home", str(tmp_path)],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    bot = subprocess.Popen(
        [sys.executable, str(ROOT / "docs" / "bot.py")],
        stdin=table.stdout,
        stdout=table.stdin,
        stderr=subprocess.PIPE,
        text=True,
    )
    _, said = bot.communicate(timeout=120)
    assert table.wait(timeout=60) == 0
    assert said.startswith("The match ended")


def test_a_wrong_answer_is_said_and_asked_again(tmp_path: Path) -> None:
    plan = plan_table("truco", ["you", "random"], {"target": 1}, seed=5)
    questions = io.StringIO()
    with pytest.raises(ValueError, match="answers ended"):
        play_by_lines(plan, Locations(tmp_path), questions, io.StringIO("play 9Z\n"))
    lines = [json.loads(line) for line in questions.getvalue().splitlines()]
    assert [line["type"] for line in lines] == ["decide", "error", "decide"]
    assert "is not possible now" in lines[1]["message"]


def test_answers_that_end_are_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO(""))
    assert run(["play", "truco", "--jsonl", "--home", str(tmp_path)]) == 2
    assert capsys.readouterr().err == "The answers ended before the match was over.\n"
