"""How long a key takes to show on the screen: idle, while the Lab or the stage trains, and at a
table.

The app runs as a person runs it, in a terminal of its own. A key counts as answered when
the text that it brings up has arrived at the terminal. Nothing here fails for being slow.
"""

import fcntl
import os
import pty
import re
import select
import signal
import struct
import sys
import termios
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median, quantiles
from time import perf_counter

import pytest

pytestmark = pytest.mark.timeout(600)

KEYS = 200
PATIENCE = 120.0
"""Seconds to wait for what must come."""

Q, SARSA = b"if the best move follows", b"with the moves it made next"
"""Words that the Lab says about two neighbours in its list, when the cursor comes to them."""

UP, DOWN = b"\x1b[A", b"\x1b[B"


class Terminal:
    """The app at the far end of a pseudo-terminal."""

    def __init__(self, pid: int, end: int) -> None:
        self.pid = pid
        self._end = end

    def press(self, keys: bytes) -> float:
        """Type; when."""
        now = perf_counter()
        os.write(self._end, keys)
        return now

    def await_text(self, text: bytes, patience: float = PATIENCE) -> float | None:
        """When the text came; None if it did not."""
        seen = b""
        deadline = perf_counter() + patience
        while (left := deadline - perf_counter()) > 0:
            if not select.select([self._end], [], [], left)[0]:
                break
            seen = seen[-200:] + os.read(self._end, 65536)
            if text in seen:
                return perf_counter()
        return None

    def expect(self, text: bytes) -> float:
        came = self.await_text(text)
        assert came is not None, f"{text!r} did not come"
        return came

    def settle(self, seconds: float) -> None:
        """Read for a while, whatever comes."""
        self.await_text(b"\0 never sent", seconds)

    def expect_other(self, pattern: re.Pattern[bytes], before: bytes) -> tuple[float, bytes]:
        """When a text that matches came and is not the one before; the time and the text."""
        seen = b""
        deadline = perf_counter() + PATIENCE
        while (left := deadline - perf_counter()) > 0:
            if not select.select([self._end], [], [], left)[0]:
                break
            seen = seen[-2000:] + os.read(self._end, 65536)
            for found in pattern.findall(seen):
                if found != before:
                    return perf_counter(), found
        raise AssertionError(f"{pattern} did not come")


@contextmanager
def kibitz(home: Path, *arguments: str, size: tuple[int, int] = (120, 40)) -> Iterator[Terminal]:
    pid, end = pty.fork()
    if pid == 0:
        os.environ.update(TERM="xterm-256color", COLORTERM="truecolor", LANG="C.UTF-8")
        command = [sys.executable, "-m", "app", *arguments, "--home", str(home)]
        # Readline sets COLUMNS and LINES behind Python's back; the app would believe them.
        os.execve(sys.executable, command, dict(os.environ))
    columns, rows = size
    fcntl.ioctl(end, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
    try:
        yield Terminal(pid, end)
    finally:
        os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, 0)
        os.close(end)


def in_the_list(terminal: Terminal) -> list[float]:
    """Seconds from an arrow key to the words about the next agent, up and down in turn."""
    times = []
    for number in range(KEYS):
        key, words = (DOWN, SARSA) if number % 2 == 0 else (UP, Q)
        # Some way into the time between two repaints, a different one each time.
        terminal.settle(0.02 + 0.07 * (number % 10) / 10)
        pressed = terminal.press(key)
        times.append(terminal.expect(words) - pressed)
    return times


def report(what: str, times: list[float]) -> None:
    milliseconds = [1000 * each for each in times]
    late = quantiles(milliseconds, n=20)[-1]
    print(f"{what}: median {median(milliseconds):.1f} ms, 95 % within {late:.1f} ms", flush=True)


def test_keys_in_the_lab(tmp_path: Path) -> None:
    with kibitz(tmp_path) as terminal:
        terminal.expect(b"Euchre")
        terminal.settle(1.0)
        terminal.press(b"b")
        terminal.expect(Q)
        terminal.settle(2.0)
        print()
        report("Lab, idle", in_the_list(terminal))
        terminal.press(b"t")
        terminal.expect(b"Plays against")
        terminal.settle(0.5)
        for key in (DOWN, b"50000", b"\r"):
            terminal.press(key)
            terminal.settle(0.5)
        terminal.expect(b"games/s")
        report("Lab, training 50,000 matches", in_the_list(terminal))
        terminal.press(b"\x11")
        terminal.expect(b"before you go")
        terminal.press(b"d")


_CURVE, _ENGINE, _MAP = b"won against", b"updates/s", re.compile(rb": ([^:\x1b]+ \xe2\x86\x92 by )")
"""Words of two parts of the stage, and of the heading of the heat map."""


def settle_between(terminal: Terminal, number: int) -> None:
    """Read until some way into the time between two reports, a different one each time."""
    terminal.settle(0.1 + 0.03 * (number % 10))


@pytest.mark.parametrize("agent", ["neural", "q"])
def test_keys_on_the_stage(tmp_path: Path, agent: str) -> None:
    """Switching the parts in a small window, then the cursor of the Lab while the learner goes on
    in the background."""
    with kibitz(tmp_path, "learn", "euchre", "--agent", agent, size=(80, 24)) as terminal:
        terminal.expect(_CURVE)
        terminal.settle(10.0)
        times = []
        for number in range(KEYS // 2):
            settle_between(terminal, number)
            key, words = (b"4", _ENGINE) if number % 2 == 0 else (b"1", _CURVE)
            pressed = terminal.press(key)
            times.append(terminal.expect(words) - pressed)
        print()
        report(f"stage with {agent}, switching parts", times)
        terminal.press(b"\x1b")
        terminal.expect(b"Let it learn on")
        terminal.press(b"b")
        terminal.expect(b"Truco")
        terminal.settle(1.0)
        terminal.press(b"b")
        terminal.expect(Q)
        terminal.settle(2.0)
        report(f"Lab while the stage trains {agent}", in_the_list(terminal))


def test_features_on_the_stage(tmp_path: Path) -> None:
    """Changing a feature of the heat map, in a window that shows everything."""
    with kibitz(tmp_path, "learn", "euchre", "--agent", "q", size=(200, 50)) as terminal:
        _, shown = terminal.expect_other(_MAP, b"")
        terminal.settle(10.0)
        times = []
        for number in range(KEYS // 2):
            settle_between(terminal, number)
            pressed = terminal.press(b"x")
            came, shown = terminal.expect_other(_MAP, shown)
            times.append(came - pressed)
    print()
    report("stage with q, changing a feature of the heat map", times)


WATCHING = b"Hands"
"""A key in the footer of a watched table."""

PAUSED = b"paused,"
"""Words of the status line, which shows them in every phase. The prompt says it too, but not at
the end of a hand."""


@pytest.mark.parametrize(
    ("game", "seats", "options"),
    [
        ("truco", "q,hard", ["--target", "10000"]),
        ("fodinha", "hard,q,hard,q", ["--lives", "1000"]),
        ("notty", "random,random", ["--turn-limit", "100000"]),
    ],
)
def test_keys_at_a_watched_table(tmp_path: Path, game: str, seats: str, options: list[str]) -> None:
    """Pausing a long match that goes as fast as it can."""
    times = []
    unanswered = 0
    arguments = ["watch", game, "--seats", seats, "--delay", "0", *options]
    with kibitz(tmp_path, *arguments) as terminal:
        terminal.expect(WATCHING)
        terminal.settle(3.0)
        for number in range(KEYS // 4):
            terminal.settle(0.2 + 0.01 * (number % 10))
            pressed = terminal.press(b" ")
            came = terminal.await_text(PAUSED, 2.0)
            if came is None:
                unanswered += 1
            else:
                times.append(came - pressed)
            terminal.press(b" ")
    print()
    report(f"watched {game}, {unanswered} keys not answered within 2 s, the others", times)


LARGEST = (200, 50)


@pytest.mark.parametrize("game", ["euchre", "smear", "truco", "fodinha", "notty"])
def test_keys_while_cards_move(tmp_path: Path, game: str) -> None:
    """Pausing a match in a large window whose cards are nearly always on their way."""
    times = []
    arguments = ["watch", game, "--seats", _HARD[game], "--delay", "0.25"]
    with kibitz(tmp_path, *arguments, size=LARGEST) as terminal:
        terminal.expect(WATCHING)
        terminal.settle(3.0)
        for number in range(KEYS // 4):
            terminal.settle(0.3 + 0.02 * (number % 10))
            pressed = terminal.press(b" ")
            came = terminal.await_text(PAUSED, 2.0)
            if came is not None:
                times.append(came - pressed)
            terminal.press(b" ")
    print()
    report(f"{game}, cards moving, {len(times)} of {KEYS // 4} keys", times)


_HARD = {
    "euchre": "hard,hard,hard",
    "smear": "hard,hard,hard,hard",
    "truco": "hard,hard",
    "fodinha": "hard,hard,hard,hard",
    "notty": "hard,hard",
}


def test_choosing_at_a_large_table(tmp_path: Path) -> None:
    """The arrow keys at a question."""
    times = []
    arguments = ["play", "euchre", "--seats", "you,hard,easy", "--seed", "43", "--delay", "1"]
    with kibitz(tmp_path, *arguments, size=LARGEST) as terminal:
        terminal.expect(b"Order up")
        terminal.settle(2.0)
        for number in range(KEYS // 2):
            terminal.settle(0.05 + 0.01 * (number % 10))
            words = b"[1 Pass]" if number % 2 == 0 else b"[2 Order up]"
            pressed = terminal.press(b"\x1b[C")
            times.append(terminal.expect(words) - pressed)
    print()
    report("Euchre, choosing with arrow keys", times)
