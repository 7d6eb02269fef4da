"""A program killed with SIGKILL loses no action."""

from pathlib import Path

import pytest

from app.records.journal import JournalError
from tests.app.journals import only_journal
from tests.app.terminal import Terminal

NEXT_CHOICE = "l\r"
"""Right and Enter: typed repeatedly, it finds something that can be chosen."""


def recorded_actions(home: Path) -> tuple[int, ...]:
    """The actions in the only journal; empty while there is none."""
    try:
        return only_journal(home).past.actions
    except (ValueError, JournalError):
        return ()


def play_on(terminal: Terminal, home: Path, actions: int) -> None:
    terminal.type_until(lambda: len(recorded_actions(home)) >= actions, NEXT_CHOICE)


@pytest.mark.slow
def test_match_resumes_after_a_kill(tmp_path: Path) -> None:
    table = ["--seats", "you,random,random", "--seed", "7", "--delay", "0"]
    with Terminal("play", "euchre", *table, home=tmp_path) as terminal:
        play_on(terminal, tmp_path, 12)
        terminal.kill()
    before = recorded_actions(tmp_path)
    assert len(before) >= 12
    with Terminal("--delay", "0", home=tmp_path) as terminal:
        terminal.wait_for("resumes")
        terminal.type("u")
        terminal.wait_for("seed 7")
        play_on(terminal, tmp_path, len(before) + 4)
        terminal.kill()
    assert recorded_actions(tmp_path)[: len(before)] == before
