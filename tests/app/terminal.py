"""Runs the program in a pseudo-terminal that tests can type into."""

import fcntl
import os
import pty
import re
import select
import signal
import struct
import subprocess
import sys
import termios
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from time import monotonic

PATIENCE = 60.0
"""Seconds without output after which a test fails."""

_ESCAPES = re.compile(r"\x1b(\[[0-?]*[ -/]*[@-~]|[\]P_^][^\x07\x1b]*(\x07|\x1b\\)|[()].|.)")
_ROOT = Path(__file__).parents[2]


class Terminal:
    """A running program and its terminal.

    shown   all output so far, including escape sequences
    """

    def __init__(
        self,
        *arguments: str,
        home: Path,
        size: tuple[int, int] = (80, 24),
        environ: Mapping[str, str] | None = None,
        before: Callable[[], None] | None = None,
        program: Sequence[str] = (sys.executable, "-m", "app"),
        folder: Path = _ROOT,
        stdin: Path | None = None,
    ) -> None:
        """
        before   called in the new process before the program starts
        folder   working directory
        stdin    file for standard input; None for the keyboard
        """
        self._master, slave = pty.openpty()
        self.resize(*size)
        self.shown = ""
        source = slave if stdin is None else os.open(stdin, os.O_RDONLY)
        self.process = subprocess.Popen(
            [*program, *arguments],
            stdin=source,
            stdout=slave,
            stderr=slave,
            cwd=folder,
            start_new_session=True,
            preexec_fn=lambda: _own_terminal(before),
            env={
                "PATH": os.environ["PATH"],
                "HOME": str(home),
                "KIBITZ_HOME": str(home),
                "TERM": "xterm-256color",
                "LANG": "C.UTF-8",
                "TEXTUAL_ANIMATIONS": "none",
                **(environ or {}),
            },
        )
        for file in {source, slave}:
            os.close(file)

    def resize(self, width: int, height: int) -> None:
        fcntl.ioctl(self._master, termios.TIOCSWINSZ, struct.pack("HHHH", height, width, 0, 0))

    def type(self, keys: str) -> None:
        os.write(self._master, keys.encode())

    def wait_for(self, words: str) -> None:
        """Read until these words appear in new output."""
        seen = ""
        while words not in _ESCAPES.sub("", seen):
            part = self._read()
            assert part, f"{words!r} was not shown, but: {_ESCAPES.sub('', seen)[-2000:]}"
            seen += part

    def type_until(self, condition: Callable[[], bool], keys: str) -> None:
        """Type the keys ten times a second until the condition holds."""
        until = monotonic() + PATIENCE
        while not condition():
            assert monotonic() < until, f"nothing came of {keys!r}: {self.text()[-2000:]}"
            assert self.process.poll() is None, f"the program ended: {self.text()[-2000:]}"
            self.type(keys)
            self.read_for(0.1)

    def read_for(self, seconds: float) -> None:
        """Read output for this long, or until the program ends."""
        until = monotonic() + seconds
        while (left := until - monotonic()) > 0:
            if select.select([self._master], [], [], left)[0] and not self._read():
                return

    def text(self) -> str:
        """All output without escape sequences."""
        return _ESCAPES.sub("", self.shown)

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()

    def _read(self) -> str:
        """The next output; empty if the program ended or was silent for too long."""
        ready, _, _ = select.select([self._master], [], [], PATIENCE)
        try:
            part = os.read(self._master, 65536).decode(errors="replace") if ready else ""
        except OSError:
            part = ""
        self.shown += part
        return part

    def send(self, number: signal.Signals) -> None:
        self.process.send_signal(number)

    def hang_up(self) -> None:
        """Close the window."""
        os.close(self._master)
        self._master = -1

    def exit_status(self) -> int:
        """Wait until the program ends, and return its exit status."""
        while self._master >= 0 and self._read():
            pass
        return self.process.wait(PATIENCE)

    def __enter__(self) -> "Terminal":
        return self

    def __exit__(self, *_: object) -> None:
        self.kill()
        if self._master >= 0:
            os.close(self._master)


def _own_terminal(before: Callable[[], None] | None) -> None:
    fcntl.ioctl(1, termios.TIOCSCTTY, 0)
    if before is not None:
        before()


def processes_in(home: Path) -> list[int]:
    """The processes with this home folder."""
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        try:
            environment = (process / "environ").read_bytes()
        except OSError:
            continue
        if f"KIBITZ_HOME={home}\0".encode() in environment:
            found.append(int(process.name))
    return found
