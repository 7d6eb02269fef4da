"""Signals that ask a command to stop."""

import signal
from types import FrameType
from typing import Final

_SIGNALS: Final = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class StopSignals:
    """Notes Ctrl+C, a termination request or a closed terminal in `received`.

    The first signal only sets `received`. A second one has its usual effect.
    """

    def __init__(self) -> None:
        self.received = False
        self._usual = {number: signal.getsignal(number) for number in _SIGNALS}

    def __enter__(self) -> "StopSignals":
        for number in _SIGNALS:
            signal.signal(number, self._note)
        return self

    def __exit__(self, *_: object) -> None:
        self._restore()

    def _note(self, number: int, frame: FrameType | None) -> None:
        self.received = True
        self._restore()

    def _restore(self) -> None:
        for number, usual in self._usual.items():
            signal.signal(number, usual)
