"""Being told to stop while something must be finished first."""

import signal
from types import FrameType
from typing import Final

_WAYS: Final = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class Stopping:
    """Notes that somebody wants an end: Ctrl+C, a polite kill, a terminal that was closed.

    A second time, such a signal does what it does everywhere else.
    """

    def __init__(self) -> None:
        self.asked = False
        self._usual = {number: signal.getsignal(number) for number in _WAYS}

    def __enter__(self) -> "Stopping":
        for number in _WAYS:
            signal.signal(number, self._note)
        return self

    def __exit__(self, *_: object) -> None:
        self._give_back()

    def _note(self, number: int, frame: FrameType | None) -> None:
        self.asked = True
        self._give_back()

    def _give_back(self) -> None:
        for number, usual in self._usual.items():
            signal.signal(number, usual)
