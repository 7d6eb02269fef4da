"""Screens on which the strongest agent weighs moves, one after the other, in a thread."""

from collections.abc import Sequence

from textual import on
from textual.message import Message
from textual.screen import Screen
from textual.worker import get_current_worker

from app.study.advice import Adviser
from app.study.review import Answer, Verdict, judge


class JudgingScreen(Screen[None]):
    """
    answers    the moves to be weighed
    verdicts   of those that have been weighed
    problem    why no more can be weighed; empty if they can
    """

    class Judged(Message):
        """A move has been weighed, or why it cannot be."""

        def __init__(self, verdict: Verdict | None, problem: str = "") -> None:
            super().__init__()
            self.verdict = verdict
            self.problem = problem

    def __init__(self, adviser: Adviser) -> None:
        super().__init__()
        self.answers: Sequence[Answer] = ()
        self.verdicts: list[Verdict] = []
        self.problem = ""
        self._adviser = adviser

    @property
    def complete(self) -> bool:
        return len(self.verdicts) == len(self.answers)

    def begin_judging(self) -> None:
        self.run_worker(self._judge, thread=True, exit_on_error=False)

    def draw(self) -> None:
        """Show the verdicts there are."""
        raise NotImplementedError

    def _judge(self) -> None:
        """In a thread: one answer after the other, as long as the screen is open."""
        worker = get_current_worker()
        try:
            for answer in self.answers:
                verdict = judge(self._adviser, answer)
                if worker.is_cancelled:
                    return
                self.post_message(self.Judged(verdict))
        except Exception as error:
            self.post_message(self.Judged(None, f"The moves cannot be weighed ({error})."))

    @on(Judged)
    def _add(self, event: Judged) -> None:
        if event.verdict is None:
            self.problem = event.problem
        else:
            self.verdicts.append(event.verdict)
        self.draw()
