"""One visitor: a process of the app with its own home folder."""

import asyncio
import contextlib
import hashlib
import os
import signal
import sys
from asyncio.subprocess import PIPE, Process
from pathlib import Path
from typing import Any, Final

from textual_serve.app_service import AppService

from app.home.log import LOG
from app.home.visitor import VISITOR

_PATIENCE: Final = 10.0
"""Seconds a process may take to end before it is killed."""

_PROGRAM: Final = Path(__file__).parents[2]
"""The folder of this program. The current folder may contain another package `app`."""

_SIZES: Final = range(1, 501)
"""Columns and rows a screen may have. Larger screens would use too much memory."""


def visitor_home(server_home: Path, token: str) -> Path:
    """The home folder of a visitor."""
    digest = hashlib.sha256(token.encode()).hexdigest()
    return server_home / "visitors" / digest[:32]


def limited(cells: int) -> int:
    """This many columns or rows, within the limits."""
    return min(max(cells, _SIZES.start), _SIZES.stop - 1)


class VisitorProcess(AppService):
    """The process of the app, started without a shell. Input reaches it only as keys."""

    def __init__(self, home: Path, **connection: Any) -> None:
        super().__init__("kibitz", **connection)
        self.home = home

    async def _open_app_process(self, width: int = 80, height: int = 24) -> Process:
        environment = self._build_environment(width=limited(width), height=limited(height))
        environment["TEXTUAL_DRIVER"] = "app.web.driver:VisitorDriver"
        environment["KIBITZ_HOME"] = str(self.home)
        environment[VISITOR] = "1"
        environment["OPENBLAS_NUM_THREADS"] = "1"
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            *("-m", "app"),
            stdin=PIPE,
            stdout=PIPE,
            stderr=PIPE,
            env=environment,
            cwd=_PROGRAM,
            start_new_session=True,
        )
        self._process, self._stdin = process, process.stdin
        return process

    async def set_terminal_size(self, width: int, height: int) -> None:
        await super().set_terminal_size(limited(width), limited(height))

    async def ended(self) -> None:
        """Wait until the process has ended."""
        if self._process is not None:
            await self._process.wait()

    async def stop(self) -> None:
        """Let the app save and end; kill it if it does not."""
        try:
            await asyncio.wait_for(super().stop(), _PATIENCE)
        except TimeoutError:
            LOG.warning("A visitor's app did not end in time")
        process = self._process
        if process is not None and process.returncode is None:
            with contextlib.suppress(ProcessLookupError, TimeoutError):
                await asyncio.wait_for(process.wait(), _PATIENCE)
        if process is not None:
            # The app and whatever it has started, such as a training of the Lab.
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(process.pid, signal.SIGKILL)
