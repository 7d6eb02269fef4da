"""A program in any language as a player: it reads questions and writes answers, line by line."""

import os
import select
import shlex
import subprocess
import time
from collections.abc import Callable
from random import Random
from typing import IO, Final

from agents.agent import Agent, Decision
from agents.protocols.lines import BadAnswer, answer, ask
from agents.storage.files import reason_of
from engine.game import View

PREFIX: Final = "cmd:"
TIME_LIMIT: Final = 10.0
"""Seconds a program may take for a decision."""

MOST_RESTARTS: Final = 3
_LONGEST_LINE: Final = 1 << 20


class ProgramError(ValueError):
    """A program that does not play; the message says which, why, and what to do."""


class ProgramPlayer(Agent):
    """Runs a program and lets it decide (see `agents.protocols.lines`).

    A program that ends is started again, a few times; one that answers too late or what
    is not legal is stopped, and whoever asked is told why.
    """

    def __init__(
        self,
        game: str,
        command: str,
        time_limit: float = TIME_LIMIT,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self.game = game
        self.name = f"{PREFIX}{command}"
        self._command = command
        self._time_limit = time_limit
        self._now = now
        self._process: subprocess.Popen[bytes] | None = None
        self._starts = 0
        self._unread = b""
        try:
            self._arguments = shlex.split(command)
        except ValueError as error:
            raise ProgramError(f"{command!r} is no command ({error}).") from error
        if not self._arguments:
            raise ProgramError(f"Name a program after {PREFIX}, such as {PREFIX}./bot.py.")

    def act(self, view: View, legal: list[int], rng: Random) -> Decision:
        question = ask(self.game, view, legal).encode() + b"\n"
        while True:
            process = self._running()
            try:
                line = self._converse(process, question)
            except (BrokenPipeError, EOFError):
                self.close()
                continue
            except ProgramError:
                self.close()
                raise
            try:
                return Decision(answer(line, view, legal), meaning="decided by a program")
            except BadAnswer as mistake:
                self.close()
                raise ProgramError(f"{self._command} gave a wrong answer: {mistake}") from mistake

    def _running(self) -> "subprocess.Popen[bytes]":
        if self._process is None:
            if self._starts > MOST_RESTARTS:
                raise ProgramError(
                    f"{self._command} ended without an answer {self._starts} times; "
                    "run it by itself to see why."
                )
            self._starts += 1
            self._unread = b""
            try:
                self._process = subprocess.Popen(
                    self._arguments,
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    stderr=subprocess.DEVNULL,
                    bufsize=0,
                )
            except OSError as error:
                raise ProgramError(
                    f"{self._command} cannot be started: {reason_of(error)}."
                ) from error
        return self._process

    def _converse(self, process: "subprocess.Popen[bytes]", question: bytes) -> str:
        """Put a question and read a line. Raises BrokenPipeError or EOFError if the program
        is gone, ProgramError if it does not answer in time."""
        assert process.stdin is not None
        assert process.stdout is not None
        until = self._now() + self._time_limit
        unsaid = question
        while unsaid:
            self._wait_for([], [process.stdin], until)
            unsaid = unsaid[os.write(process.stdin.fileno(), unsaid[: select.PIPE_BUF]) :]
        while b"\n" not in self._unread:
            self._wait_for([process.stdout], [], until)
            part = os.read(process.stdout.fileno(), 65536)
            if not part:
                raise EOFError
            self._unread += part
            if len(self._unread) > _LONGEST_LINE:
                raise ProgramError(f"{self._command} writes without ever ending a line.")
        line, _, self._unread = self._unread.partition(b"\n")
        return line.decode(errors="replace")

    def _wait_for(self, talking: list[IO[bytes]], listening: list[IO[bytes]], until: float) -> None:
        """Until the program has said something, or takes in what is said to it."""
        patience = max(0.0, until - self._now())
        if not any(select.select(talking, listening, [], patience)):
            raise ProgramError(
                f"{self._command} took longer than {self._time_limit:g} s for a decision; "
                "make it faster."
            )

    def close(self) -> None:
        """End the program, if it runs."""
        process, self._process = self._process, None
        if process is not None:
            process.kill()
            process.communicate()

    def __del__(self) -> None:
        if getattr(self, "_process", None) is not None:
            self.close()
