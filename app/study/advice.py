"""Advice from the strongest agent of a game, for hints and reviews."""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from random import Random

from agents.agent import Agent, Decision, Scale
from agents.registry import STRONGEST, make
from agents.search.agent import Budget, SearchAgent
from app.match.moment import Thought
from engine.game import View

_PURE = "hard"
"""Of those who do not mix their moves, the strongest in games where the strongest does."""

_DEEPER = 3
"""How many times as much as at the table an agent thinks before it advises."""


class Adviser:
    """Weighs every move of a position, the bad ones too. Not for two threads at once.

    The same position of the same match is weighed the same way each time, so that a review
    agrees with the hints given before.
    """

    def __init__(self, game: str, seed: int) -> None:
        self._game = game
        self._seed = seed
        self._agents: dict[str, Agent] = {}

    def weigh(self, view: View, legal: list[int], number: int) -> Thought:
        """What the strongest agent thinks; of moves that it mixes it takes the usual one.

        number   how many actions of the match came before
        """
        decision = self._ask(STRONGEST, view, legal, number)
        if decision.scale is Scale.HABIT and decision.scores:
            usual = max(decision.scores, key=decision.scores.__getitem__)
            decision = replace(decision, action=usual)
        return Thought(number, STRONGEST, view, tuple(legal), decision)

    def worth(self, view: View, legal: list[int], number: int) -> Decision:
        """The same by an agent that does not mix its moves but says what they are worth."""
        return self._ask(_PURE, view, legal, number)

    def _ask(self, name: str, view: View, legal: list[int], number: int) -> Decision:
        if name not in self._agents:
            agent = self._agents[name] = make(self._game, name)
            if isinstance(agent, SearchAgent):
                agent.thorough = True
                agent.budget = Budget(_DEEPER * agent.budget.worlds)
        return self._agents[name].act(view, legal, Random(f"{self._seed}/advice/{number}"))


class Hints:
    """One hint at a time, thought of in a thread while the person may answer all the same.

    thought    the hint for the question asked now
    thinking   whether one is on its way
    """

    def __init__(self, adviser: Adviser, tell: Callable[[str], None]) -> None:
        """tell: is called when a hint has come, with a sentence if none could be found."""
        self.thought: Thought | None = None
        self._adviser = adviser
        self._tell = tell
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="hint")
        self._task: asyncio.Task[None] | None = None

    @property
    def thinking(self) -> bool:
        return self._task is not None

    def ask(self, view: View, legal: list[int], number: int) -> None:
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
        self._tell(problem)

    def drop(self) -> None:
        """The question has been answered: a hint that comes later is let go."""
        if self._task is not None:
            self._task.cancel()
        self._task = self.thought = None

    def close(self) -> None:
        self.drop()
        self._thread.shutdown(wait=False, cancel_futures=True)
