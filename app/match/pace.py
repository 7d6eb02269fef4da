"""The speed of a table: the delay between actions, pauses and single steps."""

import asyncio
import time
from contextlib import suppress

SPEEDS = (0.0, 0.25, 0.5, 1.0, 2.0)
"""The delays a person can choose from, in seconds between the actions of agents."""


class Clock:
    """The time, replaceable in tests."""

    def now(self) -> float:
        return time.monotonic()

    async def wait(self, wake: asyncio.Event, seconds: float) -> None:
        """Wait until the event is set, but no longer than this."""
        with suppress(TimeoutError):
            await asyncio.wait_for(wake.wait(), seconds)


class Pace:
    """Waits between actions. Every change takes effect immediately.

    delay     seconds between the actions of agents
    hurried   whether the rest of this hand has no delay
    skipped   whether the current wait was skipped
    """

    def __init__(self, delay: float, clock: Clock) -> None:
        self.delay = delay
        self.paused = False
        self.hurried = False
        self.skipped = False
        self._clock = clock
        self._steps = 0
        self._held = False
        self._wake = asyncio.Event()

    @property
    def unhurried(self) -> bool:
        """Whether the screen shows every single action."""
        return bool(self.delay) and not self.hurried

    def pause(self) -> None:
        """Pause, or continue after a pause."""
        self.paused = not self.paused
        self._wake.set()

    def hold(self, held: bool) -> None:
        """Stop until called with False, independently of pauses."""
        self._held = held
        self._wake.set()

    def step(self) -> None:
        """Allow one action while paused; pause otherwise."""
        if self.paused:
            self._steps = 1
        self.paused = True
        self._wake.set()

    def hurry(self) -> None:
        """Drop the delay until the end of this hand."""
        self.hurried = True
        self.paused = False
        self._wake.set()

    def change_speed(self, faster: bool) -> None:
        """Change to the next shorter or longer delay."""
        if faster:
            self.delay = max([speed for speed in SPEEDS if speed < self.delay], default=SPEEDS[0])
        else:
            self.delay = min([speed for speed in SPEEDS if speed > self.delay], default=SPEEDS[-1])
        self._wake.set()

    def skip(self) -> None:
        """End the current wait, if it can be skipped."""
        self.skipped = True
        self._wake.set()

    async def linger(self, since: float, delays: float) -> None:
        """Wait until this many delays have passed since a time."""
        while not (self.hurried or self.skipped or self.paused or self._held):
            left = since + self.delay * delays - self._clock.now()
            if left <= 0:
                return
            self._wake.clear()
            await self._clock.wait(self._wake, left)

    async def while_paused(self) -> None:
        """Wait while paused or held, unless the wait is skipped."""
        while not self.skipped and (self._held or (self.paused and not self._steps)):
            self._wake.clear()
            await self._wake.wait()
        self._steps = 0

    async def until_skipped(self) -> None:
        while not self.skipped:
            self._wake.clear()
            await self._wake.wait()
