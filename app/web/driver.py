"""The app's side of a terminal in a browser."""

import os
from functools import partial

from textual.drivers.web_driver import WebDriver
from textual.events import AppFocus
from textual.messages import ExitApp

from app.home.log import LOG


class VisitorDriver(WebDriver):
    """Ends the app when the server ends.

    A killed server sends no message: the app only sees that its input ends and its output
    pipe is closed.
    """

    def __init__(self, *arguments: object, **named: object) -> None:
        super().__init__(*arguments, **named)  # type: ignore[arg-type]
        self._write = partial(self._write_to_server)

    def _write_to_server(self, data: bytes) -> int:
        try:
            return os.write(self.fileno, data)
        except BrokenPipeError:
            self._leave()
            return len(data)

    def start_application_mode(self) -> None:
        """The page focuses the terminal when it opens, but Textual starts without the focus, and
        would show neither it nor the keys before the first key press."""
        super().start_application_mode()
        self._app.call_later(self._app.post_message, AppFocus())

    def run_input_thread(self) -> None:
        super().run_input_thread()
        self._leave()

    def _leave(self) -> None:
        if not self.exit_event.is_set():
            self.exit_event.set()
            LOG.info("The server has ended")
            self._app.post_message(ExitApp())
