"""Asks again before a costly move is played."""

from collections.abc import Callable
from typing import Final

from app.match.loop import TableLoop
from app.match.moment import Thought
from app.study.costly import costly
from app.ui.tables.base import Table
from app.ui.tables.nudges import nudge
from engine.game import View

PATIENCE: Final = 1.5
"""Seconds that a move waits for the judgement. Then it is played without a word."""

CHECKING: Final = "A look at your move … any key plays it at once."


class SecondThoughts:
    """Judges the answers to one question after the other.

    say        shows a sentence in place of the prompt; empty to take it back
    call_later calls something after some seconds
    """

    def __init__(
        self,
        table: Table[View],
        say: Callable[[str], None],
        call_later: Callable[[float, Callable[[], None]], object],
    ) -> None:
        self._table = table
        self._say = say
        self._call_later = call_later
        self._waiting: tuple[int, ...] = ()
        """The answer that waits for its judgement."""
        self._loop: TableLoop | None = None
        self._nudged: tuple[int, ...] = ()
        """The answer that the person was last asked about again."""
        self._number = 0
        """Counts the waits, so that an old timer does not end a new one."""

    @property
    def nudged(self) -> tuple[int, ...]:
        """The answer that Enter confirms; empty if there is none."""
        return self._nudged

    def next_question(self) -> None:
        """Forget the question before."""
        self._waiting = self._nudged = ()

    def answer(self, loop: TableLoop, actions: tuple[int, ...]) -> None:
        """Play the answer, or ask again if it is costly."""
        if not loop.asking:
            return
        if _same(actions, self._nudged):
            loop.choose(*actions)
        elif (thought := loop.weighed) is not None:
            self._judge(loop, actions, thought)
        elif loop.weighing:
            self._loop, self._waiting = loop, actions
            self._number += 1
            number = self._number
            self._say(CHECKING)
            self._call_later(PATIENCE, lambda: self._give_up(number))
        else:
            loop.choose(*actions)

    def weighed(self, loop: TableLoop) -> None:
        """The question may have been weighed; judge an answer that waits for it."""
        waiting, thought = self._waiting, loop.weighed
        if waiting and (thought is not None or not loop.weighing):
            self._waiting = ()
            if thought is not None:
                self._judge(loop, waiting, thought)
            else:
                loop.choose(*waiting)

    def skip(self) -> None:
        """Play an answer that waits, without a word."""
        waiting, self._waiting = self._waiting, ()
        if waiting and self._loop is not None:
            self._loop.choose(*waiting)

    def _give_up(self, number: int) -> None:
        if number == self._number:
            self.skip()

    def _judge(self, loop: TableLoop, actions: tuple[int, ...], thought: Thought) -> None:
        found = costly(thought, actions) if actions[0] in thought.legal else None
        if found is None:
            loop.choose(*actions)
            return
        self._nudged = actions
        self._say(nudge(self._table, thought.view, found, thought))


def _same(first: tuple[int, ...], second: tuple[int, ...]) -> bool:
    """Whether two answers are the same; the order of several actions means nothing."""
    return bool(first) and sorted(first) == sorted(second)
