"""Figures of the screen, measured in a pseudo-terminal: start-up and key to repaint."""

import fcntl
import os
import pty
import struct
import sys
import termios
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from select import select
from statistics import median
from subprocess import Popen
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Final

from app.bench.figures import Measure, Peer, Task

ROWS, COLUMNS = 30, 100
FIRST_ROW, LAST_ROW = b"\x1b[1;1H", b"\x1b[%d;1H" % ROWS
"""Escape sequences that begin the first and the last row of a painted screen."""
DOWN, UP = b"\x1b[B", b"\x1b[A"
PRESSES: Final = 10
QUIET: Final = 0.3
"""Seconds without output after which a screen counts as settled."""
LONGEST: Final = 30.0
STARTS: Final = 5

EMPTY_APP: Final = "from textual.app import App; App().run()"


class Terminal:
    """A program in a pseudo-terminal."""

    def __init__(self, command: Sequence[str]) -> None:
        self._end, theirs = pty.openpty()
        fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS, COLUMNS, 0, 0))
        # Without cached bytecode, start-up would measure Python's compiler.
        environment = {
            name: value
            for name, value in os.environ.items()
            if name not in ("PYTHONDONTWRITEBYTECODE", "TEXTUAL_DRIVER")
        } | {"TERM": "xterm-256color"}
        self._started = perf_counter()
        self._program = Popen(
            command,
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            env=environment,
            start_new_session=True,
        )
        os.close(theirs)

    def until_painted(self) -> float:
        """Seconds from start to a screen painted from its first row to its last."""
        shown = b""
        while LAST_ROW not in shown.partition(FIRST_ROW)[2]:
            shown += self._read(LONGEST)
        return perf_counter() - self._started

    def settle(self) -> None:
        """Wait until the output stops."""
        while self._read(QUIET, must=False):
            pass

    def until_repainted(self, key: bytes) -> float:
        """Seconds from a key press to the first change of the screen."""
        pressed = perf_counter()
        os.write(self._end, key)
        self._read(LONGEST)
        return perf_counter() - pressed

    def _read(self, seconds: float, must: bool = True) -> bytes:
        if select([self._end], [], [], seconds)[0]:
            return os.read(self._end, 1 << 16)
        if must:
            raise ValueError("The screen did not change; check that kibitz starts in a terminal.")
        return b""

    def close(self) -> None:
        self._program.kill()
        self._program.wait()
        os.close(self._end)


@contextmanager
def opened(command: Sequence[str]) -> Iterator[Terminal]:
    terminal = Terminal(command)
    try:
        yield terminal
    finally:
        terminal.close()


@contextmanager
def kibitz() -> Iterator[Terminal]:
    with TemporaryDirectory() as home:
        command = [sys.executable, "-m", "app", "--home", str(Path(home) / "home")]
        with opened(command) as terminal:
            yield terminal


def start_up() -> Measure:
    def measure() -> float:
        with kibitz() as terminal:
            return 1000 * terminal.until_painted()

    measure()
    return measure


def empty_start_up() -> Measure:
    def measure() -> float:
        with opened([sys.executable, "-c", EMPTY_APP]) as terminal:
            return 1000 * terminal.until_painted()

    measure()
    return measure


def key_to_repaint() -> Measure:
    def measure() -> float:
        with kibitz() as terminal:
            terminal.until_painted()
            times = []
            for press in range(PRESSES):
                terminal.settle()
                times.append(terminal.until_repainted(DOWN if press % 2 == 0 else UP))
            return 1000 * median(times)

    return measure


def tasks() -> list[Task]:
    empty = Peer("an empty Textual app", "", empty_start_up)
    return [
        Task("start to the first painted screen", "ms", start_up, empty, rounds=STARTS),
        Task("key to repaint", "ms", key_to_repaint, rounds=1),
    ]
