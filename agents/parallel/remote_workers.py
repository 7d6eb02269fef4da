"""Helpers of a training whose parts are played by an executor, such as a cluster."""

import pickle
from collections import OrderedDict
from concurrent.futures import Executor, Future
from threading import Lock
from typing import Any, Final

from agents.agent import Learner
from agents.parallel.parts import Shared
from agents.parallel.workers import Lesson, Start, get_ready

TRAININGS: Final = 2
"""How many trainings a worker has learners of at hand, the latest ones."""


class Desk:
    """The copies of learners that wait in a process for the next round of their training."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._waiting: OrderedDict[str, list[tuple[int, Learner]]] = OrderedDict()

    def take(self, training: str, number: int) -> Learner | None:
        """A learner that has played in the round before; those who missed it are dropped."""
        with self._lock:
            waiting = self._waiting.get(training, [])
            waiting[:] = [each for each in waiting if each[0] >= number - 1]
            for place, (played, learner) in enumerate(waiting):
                if played == number - 1:
                    del waiting[place]
                    return learner
        return None

    def leave(self, training: str, number: int, learner: Learner) -> None:
        """Put down a learner that has played in this round."""
        with self._lock:
            self._waiting.setdefault(training, []).append((number, learner))
            self._waiting.move_to_end(training)
            while len(self._waiting) > TRAININGS:
                self._waiting.popitem(last=False)


_DESK: Final = Desk()


def play_part(
    training: str,
    number: int,
    news: Shared[bytes],
    everything: Shared[bytes] | None,
    lesson: Lesson,
    *part: Any,
) -> bytes | None:
    """A part of round `number`: what was learned, pickled. None if this process has no
    learner at hand who could catch up, and has not been given everything."""
    learner = _DESK.take(training, number)
    if learner is not None:
        learner.apply_delta(pickle.loads(news.value))
    elif everything is not None:
        learner = pickle.loads(everything.value)
        get_ready(learner)
    else:
        return None
    lesson(learner, *part)
    updates = pickle.dumps(learner.updates(), pickle.HIGHEST_PROTOCOL)
    _DESK.leave(training, number, learner)
    return updates


class HelperElsewhere:
    """Sends its parts away. Where one arrives that has not helped in the round before, since
    it is new or somebody was lost, it is sent again with everything the learner knows."""

    def __init__(self, executor: Executor, training: str, lesson: Lesson) -> None:
        """training: a name that no other training has."""
        self._executor = executor
        self._training = training
        self._lesson = lesson
        self._job: Future[bytes | None] = Future()

    def begin(self, start: Start, part: tuple[Any, ...] | None) -> None:
        self._start = start
        self._part = part or ()
        if part is not None:
            self._send(None if start.number else start.everything())

    def _send(self, everything: Shared[bytes] | None) -> None:
        round_ = (self._training, self._start.number, self._start.news, everything)
        self._job = self._executor.submit(play_part, *round_, self._lesson, *self._part)

    def settle(self) -> None:
        if self._job.result() is None:
            self._send(self._start.everything())

    def updates(self) -> dict[str, Any]:
        answer = self._job.result()
        assert answer is not None
        updates: dict[str, Any] = pickle.loads(answer)
        return updates

    def leave(self) -> None:
        """What was sent away and is not begun need not be."""
        self._job.cancel()
