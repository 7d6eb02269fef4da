"""Hints for a person who has to decide."""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Protocol

from app.match.moment import Thought
from engine.game import View


class Adviser(Protocol):
    """Recommends a move (see `app.study.advice.Adviser`)."""

    def weigh(self, view: View, legal: list[int], number: int) -> Thought:
        """Called in a thread. number: how many actions came before in the match."""


class Hints:
    """Computes one hint at a time in a thread. The person may move before it is ready.

    thought    the hint for the current question
    thinking   whether a hint is being computed
    """

    def __init__(self, adviser: Adviser, report: Callable[[str], None]) -> None:
        """report: called when a hint is ready, with a sentence if there is none."""
        self.thought: Thought | None = None
        self._adviser = adviser
        self._report = report
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="hint")
        self._task: asyncio.Task[None] | None = None

    @property
    def thinking(self) -> bool:
        return self._task is not None

    def ask(self, view: View, legal: list[int], number: int) -> None:
        """Start computing a hint, unless there is one already or one is under way."""
        if self.thought is None and self._task is None:
            self._task = asyncio.create_task(self._think(view, legal, number))

    async def _think(self, view: View, legal: list[int], number: int) -> None:
        problem = ""
        try:
            self.thought = await asyncio.get_running_loop().run_in_executor(
                self._thread, self._adviser.weigh, view, legal, number
            )
        except Exception as error:
            problem = f"There is no hint for this move ({error})."
        self._task = None
        self._report(problem)

    def drop(self) -> None:
        """Discard the hint, since the question has been answered."""
        if self._task is not None:
            self._task.cancel()
        self._task = self.thought = None

    def close(self) -> None:
        self.drop()
        self._thread.shutdown(wait=False, cancel_futures=True)
