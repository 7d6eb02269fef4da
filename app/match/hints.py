"""Hints for a person who has to decide."""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from random import Random
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

    def ask(self, view: View, legal: list[int], number: int, count: int = 1) -> None:
        """Start computing a hint, unless there is one already or one is under way.

        number   how many actions came before in the match
        count    how many actions of the same seat make up the answer
        """
        if self.thought is None and self._task is None:
            self._task = asyncio.create_task(self._think(view, legal, number, count))

    async def _think(self, view: View, legal: list[int], number: int, count: int) -> None:
        problem = ""
        try:
            self.thought = await asyncio.get_running_loop().run_in_executor(
                self._thread, self._weigh_all, view, legal, number, count
            )
        except Exception as error:
            problem = f"There is no hint for this move ({error})."
        self._task = None
        self._report(problem)

    def _weigh_all(self, view: View, legal: list[int], number: int, count: int) -> Thought:
        """The hint for the first action, with the actions that follow it.

        The later views are the ones of a sampled state. The seat sees only its own cards there,
        which are the real ones.
        """
        first = thought = self._adviser.weigh(view, legal, number)
        following: list[int] = []
        for later in range(number + 1, number + count):
            state = thought.view.sample(Random(later))
            state.apply(thought.decision.action)
            thought = self._adviser.weigh(state.view(view.seat), state.legal(), later)
            following.append(thought.decision.action)
        return replace(first, following=tuple(following))

    def drop(self) -> None:
        """Discard the hint, since the question has been answered."""
        if self._task is not None:
            self._task.cancel()
        self._task = self.thought = None

    def close(self) -> None:
        self.drop()
        self._thread.shutdown(wait=False, cancel_futures=True)
