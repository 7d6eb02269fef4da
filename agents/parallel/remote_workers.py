"""Training workers whose parts are played by an executor, such as a cluster."""

import pickle
from collections import OrderedDict
from concurrent.futures import Executor, Future
from threading import Lock
from typing import Any, Final

from agents.agent import Learner
from agents.parallel.parts import Shared
from agents.parallel.workers import PlayPart, RoundStart, clear_updates

MAX_TRAININGS: Final = 2
"""How many trainings a process keeps learners of, the latest ones."""


class LearnerCache:
    """The learners that a process keeps for the next round of their training."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._learners: OrderedDict[str, list[tuple[int, Learner]]] = OrderedDict()

    def take(self, training: str, number: int) -> Learner | None:
        """Remove and return a learner that played in the previous round, if there is one.

        Learners that missed the previous round are dropped.
        """
        with self._lock:
            cached = self._learners.get(training, [])
            cached[:] = [each for each in cached if each[0] >= number - 1]
            for place, (played, learner) in enumerate(cached):
                if played == number - 1:
                    del cached[place]
                    return learner
        return None

    def put(self, training: str, number: int, learner: Learner) -> None:
        """Keep a learner that has played in this round."""
        with self._lock:
            self._learners.setdefault(training, []).append((number, learner))
            self._learners.move_to_end(training)
            while len(self._learners) > MAX_TRAININGS:
                self._learners.popitem(last=False)


_CACHE: Final = LearnerCache()


def play_remotely(
    training: str,
    number: int,
    delta: Shared[bytes],
    full_learner: Shared[bytes] | None,
    play_part: PlayPart,
    *part: Any,
) -> bytes | None:
    """Play a part of round `number`. Return its updates and its number of matches, pickled.

    Return None if this process has no learner that the delta applies to, and was not given
    the full learner.
    """
    learner = _CACHE.take(training, number)
    if learner is not None:
        learner.apply_delta(pickle.loads(delta.value))
    elif full_learner is not None:
        learner = pickle.loads(full_learner.value)
        clear_updates(learner)
    else:
        return None
    played = play_part(learner, None, *part)
    result = pickle.dumps((learner.updates(), played), pickle.HIGHEST_PROTOCOL)
    _CACHE.put(training, number, learner)
    return result


class RemoteWorker:
    """Submits its parts to an executor.

    The full learner is sent in the first round, and again if a part reaches a process that
    did not play in the previous round.
    """

    def __init__(self, executor: Executor, training: str, play_part: PlayPart) -> None:
        """training: a unique name for this training."""
        self._executor = executor
        self._training = training
        self._play_part = play_part
        self._job: Future[bytes | None] = Future()

    def start(self, round_start: RoundStart, part: tuple[Any, ...] | None) -> None:
        self._round_start = round_start
        self._part = part or ()
        if part is not None:
            self._submit(None if round_start.number else round_start.full_learner())

    def _submit(self, full_learner: Shared[bytes] | None) -> None:
        start = self._round_start
        self._job = self._executor.submit(
            play_remotely,
            self._training,
            start.number,
            start.delta,
            full_learner,
            self._play_part,
            *self._part,
        )

    def repeat_if_lost(self) -> None:
        if self._job.result() is None:
            self._submit(self._round_start.full_learner())

    def wait(self, seconds: float) -> bool:
        """Return True: a part elsewhere cannot be interrupted."""
        return True

    def interrupt(self) -> None:
        """Do nothing."""

    def result(self) -> tuple[dict[str, Any], int]:
        answer = self._job.result()
        assert answer is not None
        updates, played = pickle.loads(answer)
        return updates, played

    def close(self) -> None:
        """Cancel a part that was submitted but not started."""
        self._job.cancel()
