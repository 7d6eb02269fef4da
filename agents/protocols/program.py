"""A player that runs as a separate program and communicates by lines (`cmd:PROGRAM`)."""

import os
import select
import shlex
import signal
import subprocess
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from random import Random
from typing import IO, Final

from agents.agent import Agent, Decision
from agents.plain_text import sentence
from agents.protocols.lines import BadAnswer, hand_line, parse_answer, question_line, result_line
from agents.storage.files import reason_of
from engine.game import View

PREFIX: Final = "cmd:"
TIME_LIMIT: Final = 10.0
"""Seconds a program may take for a decision."""

GRACE: Final = 0.5
"""Seconds a program has to read the last results before it is stopped."""

MOST_RESTARTS: Final = 3
_LONGEST_LINE: Final = 1 << 20


def is_program(name: str) -> bool:
    """Whether the name of an agent starts a program."""
    return name.startswith(PREFIX)


def check_allowed(name: str, programs: bool) -> None:
    """Raise ValueError if an agent would start a program that nobody asked for.

    Every agent is made with this check. Files name agents too: journals, courses, bookmarks. Only
    a person may allow programs, by typing the name as an argument of a command, or by agreeing.
    """
    if is_program(name) and not programs:
        raise ValueError(
            f"{sentence(name, 100)} would start a program; type it on the command line to allow it."
        )


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
        self._heard_last = False
        try:
            self._arguments = shlex.split(command)
        except ValueError as error:
            raise ProgramError(f"{command!r} is not a valid command ({error}).") from error
        if not self._arguments:
            raise ProgramError(f"Name a program after {PREFIX}, such as {PREFIX}./bot.py.")

    def act(self, view: View, legal: list[int], rng: Random) -> Decision:
        question = question_line(self.game, view, legal).encode() + b"\n"
        until = self._now() + self._time_limit
        while True:
            process = self._running()
            try:
                line = self._exchange(process, question, until)
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
            text = "".join([f"{line}\n" for line in lines])
            self._send(self._process, text.encode(), self._now() + self._time_limit)
            self._heard_last = True
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
                    start_new_session=True,
                )
            except OSError as error:
                raise ProgramMissing(
                    f"{self._command} cannot be started: {reason_of(error)}."
                ) from error
        return self._process

    def _exchange(self, process: "subprocess.Popen[bytes]", question: bytes, until: float) -> str:
        """Send a question and read one line. Raises BrokenPipeError or EOFError if the program
        has exited, ProgramError if it does not answer in time."""
        self._heard_last = False
        self._send(process, question, until)
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

    def _send(self, process: "subprocess.Popen[bytes]", lines: bytes, until: float) -> None:
        assert process.stdin is not None
        while lines:
            self._wait_for([], [process.stdin], until)
            lines = lines[os.write(process.stdin.fileno(), lines[: select.PIPE_BUF]) :]

    def _wait_for(self, reads: list[IO[bytes]], writes: list[IO[bytes]], until: float) -> None:
        """Wait until one of the pipes is ready. Raises ProgramError when the time is up."""
        left = max(0.0, until - self._now())
        if not any(select.select(reads, writes, [], left)):
            raise ProgramError(
                f"{self._command} took longer than {self._time_limit:g} s for a decision; "
                "make it faster."
            )

    def close(self) -> None:
        """Stop the program if it is running, and all programs that it has started.

        If results were the last it was sent, it may read them and finish at the end of its input.
        They are one process group. A program that leaves the group is not waited for, although it
        may keep the pipes open.
        """
        process, self._process = self._process, None
        if process is None:
            return
        if self._heard_last:
            self._let_finish(process)
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
        process.kill()
        for pipe in (process.stdin, process.stdout):
            if pipe is not None:
                with suppress(OSError):
                    pipe.close()
        process.wait()

    def _let_finish(self, process: "subprocess.Popen[bytes]") -> None:
        """End the program's input and wait for the end of its output, not longer than GRACE."""
        self._heard_last = False
        assert process.stdin is not None
        assert process.stdout is not None
        with suppress(OSError):
            process.stdin.close()
            until = self._now() + GRACE
            while select.select([process.stdout], [], [], max(0.0, until - self._now()))[0]:
                if not os.read(process.stdout.fileno(), 65536):
                    break

    def __del__(self) -> None:
        if getattr(self, "_process", None) is not None:
            self.close()
