"""A player that runs as a separate program and communicates by lines (`cmd:PROGRAM`)."""

import os
import select
import shlex
import subprocess
import time
from collections.abc import Callable, Sequence
from random import Random
from typing import IO, Final

from agents.agent import Agent, Decision
from agents.protocols.lines import BadAnswer, hand_line, parse_answer, question_line, result_line
from agents.storage.files import reason_of
from engine.game import View

PREFIX: Final = "cmd:"
TIME_LIMIT: Final = 10.0
"""Seconds a program may take for a decision."""

MOST_RESTARTS: Final = 3
_LONGEST_LINE: Final = 1 << 20


class ProgramError(ValueError):
    """The program does not play. The message says which program, why, and what to do."""


class ProgramMissing(ProgramError):
    """There is no such program, or it is not executable."""


class ProgramPlayer(Agent):
    """Starts a program and sends it the questions of `agents.protocols.lines`.

    A program that exits is restarted up to MOST_RESTARTS times. A program that answers too
    late, or with an illegal action, is stopped and ProgramError raised. One that cannot be started
    at all raises ProgramMissing.
    """

    wants_results = True

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
            raise ProgramError(f"{command!r} is not a valid command ({error}).") from error
        if not self._arguments:
            raise ProgramError(f"Name a program after {PREFIX}, such as {PREFIX}./bot.py.")

    def act(self, view: View, legal: list[int], rng: Random) -> Decision:
        question = question_line(self.game, view, legal).encode() + b"\n"
        while True:
            process = self._running()
            try:
                line = self._exchange(process, question)
            except (BrokenPipeError, EOFError):
                self.close()
                continue
            except ProgramError:
                self.close()
                raise
            try:
                return Decision(parse_answer(line, view, legal), meaning="decided by a program")
            except BadAnswer as mistake:
                self.close()
                raise ProgramError(f"{self._command} gave a wrong answer: {mistake}") from mistake

    def hear_result(
        self, points: Sequence[float], scores: Sequence[float], returns: Sequence[float] | None
    ) -> None:
        """Tell the program, which gives no answer. One that has exited hears nothing."""
        if self._process is None:
            return
        lines = [hand_line(self.game, points, scores)]
        if returns is not None:
            lines.append(result_line(self.game, scores, returns))
        try:
            self._send(self._process, "".join([f"{line}\n" for line in lines]).encode())
        except (OSError, ProgramError):
            self.close()

    def forgive(self) -> None:
        """Stop the program and allow as many restarts as at first, for the next match."""
        self.close()
        self._starts = 0

    def _running(self) -> "subprocess.Popen[bytes]":
        if self._process is None:
            if self._starts > MOST_RESTARTS:
                raise ProgramError(
                    f"{self._command} ended without an answer {self._starts} times; "
                    "run it alone to see why."
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
                raise ProgramMissing(
                    f"{self._command} cannot be started: {reason_of(error)}."
                ) from error
        return self._process

    def _exchange(self, process: "subprocess.Popen[bytes]", question: bytes) -> str:
        """Send a question and read one line. Raises BrokenPipeError or EOFError if the program
        has exited, ProgramError if it does not answer in time."""
        until = self._send(process, question)
        assert process.stdout is not None
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

    def _send(self, process: "subprocess.Popen[bytes]", lines: bytes) -> float:
        """Send lines and return when the time for an answer is up."""
        assert process.stdin is not None
        until = self._now() + self._time_limit
        while lines:
            self._wait_for([], [process.stdin], until)
            lines = lines[os.write(process.stdin.fileno(), lines[: select.PIPE_BUF]) :]
        return until

    def _wait_for(self, reads: list[IO[bytes]], writes: list[IO[bytes]], until: float) -> None:
        """Wait until one of the pipes is ready. Raises ProgramError when the time is up."""
        left = max(0.0, until - self._now())
        if not any(select.select(reads, writes, [], left)):
            raise ProgramError(
                f"{self._command} took longer than {self._time_limit:g} s for a decision; "
                "make it faster."
            )

    def close(self) -> None:
        """Stop the program if it is running."""
        process, self._process = self._process, None
        if process is not None:
            process.kill()
            process.communicate()

    def __del__(self) -> None:
        if getattr(self, "_process", None) is not None:
            self.close()
