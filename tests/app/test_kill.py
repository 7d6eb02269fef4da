"""The real program in a real terminal: killed, restarted, and nothing is lost."""

import fcntl
import os
import pty
import select
import signal
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from app.records.journal import JournalError, read_journal
from tests.app.test_replay import recorded_match

ROOT = Path(__file__).parents[2]
PATIENCE = 90.0
"""Seconds before a test gives up; the machine may be busy."""

NEXT_CHOICE = "l\r"
"""To the right and Enter: pressed again and again, it finds what can be chosen."""


class Terminal:
    """A program with a terminal of its own; what it draws is kept as raw bytes."""

    def __init__(self, process: "subprocess.Popen[bytes]", screen: int) -> None:
        self.process = process
        self.drawn = b""
        self._screen = screen

    def press(self, keys: str) -> None:
        os.write(self._screen, keys.encode())

    def kill(self) -> None:
        os.kill(self.process.pid, signal.SIGKILL)
        self.process.wait(PATIENCE)

    def wait_for(self, condition: Callable[[], bool], keys: str = "") -> None:
        """Let it draw until the condition holds; press the keys again and again meanwhile."""
        give_up = time.monotonic() + PATIENCE
        press_at = time.monotonic()
        while not condition():
            assert time.monotonic() < give_up, f"waited in vain: {self.drawn[-2000:]!r}"
            if keys and time.monotonic() > press_at:
                self.press(keys)
                press_at = time.monotonic() + 0.1
            if select.select([self._screen], [], [], 0.05)[0]:
                try:
                    self.drawn += os.read(self._screen, 1 << 16)
                except OSError:
                    self.process.wait(PATIENCE)
                    assert condition(), "the program has ended"


@contextmanager
def program(home: Path, *arguments: str, stdin: Path | None = None) -> Iterator[Terminal]:
    """`kibitz` with these arguments, its keyboard the terminal unless stdin is a file."""
    screen, end = pty.openpty()
    fcntl.ioctl(screen, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))

    def own_terminal() -> None:
        fcntl.ioctl(1, termios.TIOCSCTTY, 0)

    environment = {**os.environ, "TERM": "xterm-256color", "KIBITZ_HOME": str(home)}
    environment |= {"TEXTUAL_ANIMATIONS": "none", "PYTHONPATH": str(ROOT)}
    with open(stdin or os.devnull, "rb") as file:
        process = subprocess.Popen(
            [sys.executable, "-m", "app", *arguments],
            stdin=file if stdin else end,
            stdout=end,
            stderr=end,
            env=environment,
            start_new_session=True,
            preexec_fn=own_terminal,
        )
    os.close(end)
    try:
        yield Terminal(process, screen)
    finally:
        process.kill()
        process.wait(PATIENCE)
        os.close(screen)


def actions_in(home: Path) -> tuple[int, ...]:
    """What the only journal holds."""
    try:
        (path,) = (home / "games").glob("*.jsonl")
        return read_journal(path).past.actions
    except (ValueError, JournalError):
        return ()


def has_grown_to(home: Path, actions: int) -> Callable[[], bool]:
    return lambda: len(actions_in(home)) >= actions


def test_kill_9_in_the_middle_of_a_match_loses_nothing(tmp_path: Path) -> None:
    table = ["--seats", "you,random,random", "--seed", "7", "--delay", "0"]
    with program(tmp_path, "play", "euchre", *table) as kibitz:
        kibitz.wait_for(has_grown_to(tmp_path, 12), keys=NEXT_CHOICE)
        kibitz.kill()
    for _ in range(2):
        before = actions_in(tmp_path)
        assert len(before) >= 12
        with program(tmp_path, "--delay", "0") as kibitz:
            kibitz.wait_for(lambda: b"resumes" in kibitz.drawn)
            kibitz.press("u")
            kibitz.wait_for(lambda: b"seed 7" in kibitz.drawn)
            kibitz.wait_for(has_grown_to(tmp_path, len(before) + 4), keys=NEXT_CHOICE)
            kibitz.kill()
        assert actions_in(tmp_path)[: len(before)] == before


def test_a_match_from_standard_input_is_shown_and_the_keyboard_works(tmp_path: Path) -> None:
    path = recorded_match(tmp_path, "euchre", 20)
    with program(tmp_path / "elsewhere", "replay", "-", stdin=path) as kibitz:
        kibitz.wait_for(lambda: b"move 0 of 20" in kibitz.drawn)
        kibitz.press("l")
        kibitz.wait_for(lambda: b"1 of 20" in kibitz.drawn)
        kibitz.press("\x11")
        kibitz.wait_for(lambda: kibitz.process.poll() is not None)
        assert kibitz.process.returncode == 0
