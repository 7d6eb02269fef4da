"""Quits the app on signals and when its terminal disappears."""

import asyncio
import os
import signal
import sys
from collections.abc import Awaitable, Callable
from threading import Timer

from textual.app import App

from app.home.log import LOG

_TERMINAL_CHECK = 2.0
"""Seconds between checks that the terminal still exists."""

_LAST_SECONDS = 5.0
"""Seconds until the app ends in any case after its terminal has gone."""


class Departure:
    """Watches for the end.

    quit        leaves the app in good order
    stop_work   ends the processes of the app, even if the app is blocked
    """

    def __init__(
        self,
        app: App[None],
        quit: Callable[[], Awaitable[None]],
        stop_work: Callable[[], None],
    ) -> None:
        self._app = app
        self._quit = quit
        self._stop_work = stop_work

    def watch(self) -> None:
        """Quit on SIGTERM, SIGHUP and SIGINT, and when the terminal disappears without a signal.
        Reads from it would return immediately, and the program would spin for ever."""
        loop = asyncio.get_running_loop()
        for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
            loop.add_signal_handler(number, self._quit_on, number)
        if sys.stdin.isatty():
            self._app.set_interval(_TERMINAL_CHECK, self._check_terminal)

    def _check_terminal(self) -> None:
        if not sys.stdin.isatty():
            LOG.info("The terminal has gone")
            self._end_anyway()
            self._app.call_later(self._quit)

    def _quit_on(self, number: signal.Signals) -> None:
        LOG.info("Quitting on %s", number.name)
        if number is signal.SIGHUP:
            self._end_anyway()
        self._app.call_later(self._quit)

    def _end_anyway(self) -> None:
        """End a little later even if the app is blocked. Textual waits for ever when it has
        drawn too much on a terminal that is gone."""

        def end() -> None:
            self._stop_work()
            os._exit(2)

        timer = Timer(_LAST_SECONDS, end)
        timer.daemon = True
        timer.start()
