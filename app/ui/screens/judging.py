"""Screens on which the strongest agent judges moves one after the other, in a thread."""

from collections.abc import Sequence

from textual import on
from textual.message import Message
from textual.screen import Screen
from textual.worker import get_current_worker

from app.study.advice import Adviser
from app.study.review import Answer, Verdict, judge


class JudgingScreen(Screen[None]):
    """
    answers    the moves to judge
    verdicts   one for each move judged so far
    problem    why judging stopped; empty while it works
    """

    class Judged(Message):
        """A move has been judged, or judging has failed."""

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
        """Show the verdicts so far."""
        raise NotImplementedError

    def _judge(self) -> None:
        """Judge one move after the other in a thread while the screen is open."""
        worker = get_current_worker()
        try:
            for answer in self.answers:
                verdict = judge(self._adviser, answer)
                if worker.is_cancelled:
                    return
                self.post_message(self.Judged(verdict))
        except Exception as error:
            self.post_message(self.Judged(None, f"The moves cannot be judged ({error})."))

    @on(Judged)
    def _add(self, event: Judged) -> None:
        if event.verdict is None:
            self.problem = event.problem
        else:
            self.verdicts.append(event.verdict)
        self.draw()
