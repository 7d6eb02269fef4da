"""What the strongest agent thinks of the question to a person: for hints and for teaching."""

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
    """Weighs one question at a time in a thread. The person may move before it is done.

    weighed    the agent's thought about the current question, shown or not
    """

    def __init__(self, adviser: Adviser, report: Callable[[str], None]) -> None:
        """report: called when a question has been weighed, with a sentence if that failed and a
        hint was asked for."""
        self.weighed: Thought | None = None
        self._adviser = adviser
        self._report = report
        self._shown = False
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="hint")
        self._task: asyncio.Task[None] | None = None

    @property
    def thought(self) -> Thought | None:
        """The hint for the current question, if the person asked for one."""
        return self.weighed if self._shown else None

    @property
    def thinking(self) -> bool:
        """Whether a hint is being computed."""
        return self._shown and self.weighing

    @property
    def weighing(self) -> bool:
        """Whether the question is being weighed, for a hint or not."""
        return self._task is not None

    def ask(self, view: View, legal: list[int], number: int, count: int = 1) -> None:
        """Show a hint as soon as there is one. Parameters: see `weigh`."""
        if self._shown:
            return
        self._shown = True
        if self.weighed is not None:
            self._report("")
        else:
            self.weigh(view, legal, number, count)

    def weigh(self, view: View, legal: list[int], number: int, count: int = 1) -> None:
        """Start to weigh the question, unless that has been done or is under way.

        number   how many actions came before in the match
        count    how many actions of the same seat make up the answer
        """
        if self.weighed is None and self._task is None:
            self._task = asyncio.create_task(self._think(view, legal, number, count))

    async def _think(self, view: View, legal: list[int], number: int, count: int) -> None:
        problem = ""
        try:
            self.weighed = await asyncio.get_running_loop().run_in_executor(
                self._thread, self._weigh_all, view, legal, number, count
            )
        except Exception as error:
            problem = f"There is no hint for this move ({error})." if self._shown else ""
            self._shown = False
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
        self._task = self.weighed = None
        self._shown = False

    def close(self) -> None:
        self.drop()
        self._thread.shutdown(wait=False, cancel_futures=True)
