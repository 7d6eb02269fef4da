"""How fast a table goes: the delay between moves, pauses, single steps."""

import asyncio
import time
from contextlib import suppress

SPEEDS = (0.0, 0.25, 0.5, 1.0, 2.0)
"""Seconds between the actions of agents that a person can choose from."""


class Clock:
    """Time as the loop sees it; a test brings its own."""

    def now(self) -> float:
        return time.monotonic()

    async def wait(self, wake: asyncio.Event, seconds: float) -> None:
        """Until somebody wakes the loop, but no longer than this."""
        with suppress(TimeoutError):
            await asyncio.wait_for(wake.wait(), seconds)


class Pace:
    """What a person set, and waiting accordingly; every change counts at once.

    delay     seconds between the actions of agents
    hurried   whether the rest of this hand goes without a delay
    skipped   whether a person has seen enough of what is waited for now
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
        """Whether every action is to be seen."""
        return bool(self.delay) and not self.hurried

    def pause(self) -> None:
        """Pause, or go on after a pause."""
        self.paused = not self.paused
        self._wake.set()

    def hold(self, held: bool) -> None:
        """Stand still, or no longer, whatever else is set."""
        self._held = held
        self._wake.set()

    def step(self) -> None:
        """One action while paused; pauses if it was not."""
        if self.paused:
            self._steps = 1
        self.paused = True
        self._wake.set()

    def hurry(self) -> None:
        """No delay until the end of this hand."""
        self.hurried = True
        self.paused = False
        self._wake.set()

    def change_speed(self, faster: bool) -> None:
        """To the next shorter or longer delay."""
        if faster:
            self.delay = max([speed for speed in SPEEDS if speed < self.delay], default=SPEEDS[0])
        else:
            self.delay = min([speed for speed in SPEEDS if speed > self.delay], default=SPEEDS[-1])
        self._wake.set()

    def skip(self) -> None:
        """Wait no longer for what can be skipped."""
        self.skipped = True
        self._wake.set()

    async def linger(self, since: float, delays: float) -> None:
        """Wait as many delays, counted from a time."""
        while not (self.hurried or self.skipped or self.paused or self._held):
            left = since + self.delay * delays - self._clock.now()
            if left <= 0:
                return
            self._wake.clear()
            await self._clock.wait(self._wake, left)

    async def gate(self) -> None:
        """Stand still while paused or held."""
        while self._held or (self.paused and not self._steps):
            self._wake.clear()
            await self._wake.wait()
        self._steps = 0

    async def until_skipped(self) -> None:
        while not self.skipped:
            self._wake.clear()
            await self._wake.wait()
