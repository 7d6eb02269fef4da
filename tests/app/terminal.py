"""The real program in a real terminal: a pseudo-terminal that tests type into."""

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
"""Seconds without any output after which a test gives up."""

_ESCAPES = re.compile(r"\x1b(\[[0-?]*[ -/]*[@-~]|[\]P_^][^\x07\x1b]*(\x07|\x1b\\)|[()].|.)")
_ROOT = Path(__file__).parents[2]


class Terminal:
    """A program that runs on a terminal of its own.

    shown   everything it has written, with the escape sequences
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
    ) -> None:
        """before: called in the new process, ahead of the program; folder: where it runs."""
        self._master, slave = pty.openpty()
        self.resize(*size)
        self.shown = ""
        self.process = subprocess.Popen(
            [*program, *arguments],
            stdin=slave,
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
        os.close(slave)

    def resize(self, width: int, height: int) -> None:
        fcntl.ioctl(self._master, termios.TIOCSWINSZ, struct.pack("HHHH", height, width, 0, 0))

    def type(self, keys: str) -> None:
        os.write(self._master, keys.encode())

    def wait_for(self, words: str) -> None:
        """Read until these words have been shown since the last call."""
        seen = ""
        while words not in _ESCAPES.sub("", seen):
            part = self._read()
            assert part, f"{words!r} was not shown, but: {_ESCAPES.sub('', seen)[-2000:]}"
            seen += part

    def read_for(self, seconds: float) -> None:
        """Let it draw for so long, or until it has ended."""
        until = monotonic() + seconds
        while (left := until - monotonic()) > 0:
            if select.select([self._master], [], [], left)[0] and not self._read():
                return

    def text(self) -> str:
        """What it has written, without the escape sequences."""
        return _ESCAPES.sub("", self.shown)

    def kill(self) -> None:
        """The plug is pulled."""
        self.process.kill()
        self.process.wait()

    def _read(self) -> str:
        """The next output; empty when there is none any more."""
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
        """The window is closed."""
        os.close(self._master)
        self._master = -1

    def exit_status(self) -> int:
        """Of the program, once it has ended by itself."""
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
    fcntl.ioctl(0, termios.TIOCSCTTY, 0)
    if before is not None:
        before()
