"""The connection of the Lab's process to the app."""

from collections.abc import Callable
from threading import Condition
from time import perf_counter
from typing import Final

from app.lab.jobs import Command, Progress, Report

_PROGRESS_SECONDS: Final = 0.2
"""Seconds between two progress reports."""


class AppLink:
    """Receives commands from the app and sends reports to it.

    receive   waits for the next command; raises EOFError when the app is gone
    """

    def __init__(self, receive: Callable[[], Command], send: Callable[[Report], None]) -> None:
        self._receive = receive
        self.send = send
        self._changed = Condition()
        self._paused = False
        self._command: Command | None = None
        self.skip = False
        """Whether a command has followed the one to stop: the last measurement is not wanted."""
        self._progress_sent = 0.0

    def listen(self) -> None:
        """Receive commands until the app is gone."""
        while True:
            try:
                command = self._receive()
            except (EOFError, OSError):
                return
            with self._changed:
                if command in (Command.PAUSE, Command.RESUME):
                    self._paused = command is Command.PAUSE
                else:
                    self.skip = self._command is not None
                    self._command = command
                self._changed.notify_all()

    def command(self) -> Command | None:
        """Return the command to stop, if there is one. Waits while the job is paused."""
        with self._changed:
            self._changed.wait_for(lambda: self._command is not None or not self._paused)
            return self._command

    def stopped(self) -> bool:
        """Return whether there is a command to stop. Never waits."""
        return self._command is not None

    def wait_for_decision(self) -> Command:
        """Wait for KEEP or DISCARD."""
        with self._changed:
            self._changed.wait_for(lambda: self._command in (Command.KEEP, Command.DISCARD))
            return Command.KEEP if self._command is Command.KEEP else Command.DISCARD

    def send_progress(self, progress: Progress) -> None:
        """Send a progress report, unless the last one was sent a moment ago."""
        now = perf_counter()
        important = progress.measuring or progress.done == progress.total
        if important or now - self._progress_sent >= _PROGRESS_SECONDS:
            self._progress_sent = now
            self.send(progress)
