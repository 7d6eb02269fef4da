"""Workers that train one learner together, in processes on this machine or elsewhere."""

import pickle
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing import Pipe, Process
from signal import SIG_IGN, SIGHUP, SIGINT, SIGTERM, signal
from time import monotonic
from types import TracebackType
from typing import Any, Final, Protocol

from agents.agent import Learner
from agents.parallel.parts import Shared, end_with_parent, worker_died

INTERRUPT_SECONDS: Final = 0.2
"""How often workers and their parent look whether to end a round early."""

PlayPart = Callable[..., int]
"""Lets a learner play. Called with the learner, a function that says whether to end early or None,
and the arguments of a part. Returns the number of matches played."""


@dataclass(frozen=True, slots=True)
class RoundStart:
    """What a round starts from.

    number        of the round, from 0
    delta         what the round before has changed, pickled
    full_learner  returns the learner itself, pickled, for workers that missed a round
    """

    number: int
    delta: Shared[bytes]
    full_learner: Callable[[], Shared[bytes]]


class Worker(Protocol):
    """Plays one part of each round with a copy of the learner."""

    def start(self, round_start: RoundStart, part: tuple[Any, ...] | None) -> None:
        """Start a part. None if there is none for this worker in this round."""

    def repeat_if_lost(self) -> None:
        """Start the part again if it reached a worker without an up-to-date learner."""

    def wait(self, seconds: float) -> bool:
        """Wait at most so long for the part. Return False if it takes longer and could be
        interrupted."""
        ...

    def interrupt(self) -> None:
        """Ask for an early end of the part."""

    def result(self) -> tuple[dict[str, Any], int]:
        """Wait for the part. Return the updates learned in it and the number of its matches."""
        ...

    def close(self) -> None:
        """End the training."""


class WorkerPool:
    """A learner and the workers that train it.

    In a round every worker plays on its own. Then the learner merges the updates of all
    workers, always in the same order. Only what that changed is sent to the workers for the
    next round, so that many learned values cost no more than few. The updates of a part depend
    only on what the learner knew at the start of the round, not on the worker that plays it.
    """

    def __init__(self, learner: Learner, workers: Sequence[Worker]) -> None:
        self._learner = learner
        self._workers = workers
        learner.take_delta()
        self._next = self._round_start(0, None)

    def _round_start(self, number: int, delta: dict[str, Any] | None) -> RoundStart:
        cached: list[Shared[bytes]] = []

        def full_learner() -> Shared[bytes]:
            if not cached:
                cached.append(Shared(pickle.dumps(self._learner, pickle.HIGHEST_PROTOCOL)))
            return cached[0]

        pickled = pickle.dumps(delta, pickle.HIGHEST_PROTOCOL)
        return RoundStart(number, Shared(pickled), full_learner)

    def play_round(
        self, parts: Sequence[tuple[Any, ...]], interrupt: Callable[[], bool] | None = None
    ) -> int:
        """Play one part per worker. Workers without a part stay idle.

        interrupt   whether to end the round early. No other round may follow then

        Return the number of matches played.
        """
        for number, worker in enumerate(self._workers):
            worker.start(self._next, parts[number] if number < len(parts) else None)
        busy = self._workers[: len(parts)]
        for worker in busy:
            worker.repeat_if_lost()
        if interrupt is not None:
            _wait_or_interrupt(busy, interrupt)
        # A part that is repeated needs the learner as it was at the start of the round, so
        # nothing is merged before all parts are done.
        results = [worker.result() for worker in busy]
        for updates, _ in results:
            self._learner.merge_updates(updates)
        self._next = self._round_start(self._next.number + 1, self._learner.take_delta())
        return sum([played for _, played in results])

    def __enter__(self) -> "WorkerPool":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        for worker in self._workers:
            worker.close()


def _wait_or_interrupt(busy: Sequence[Worker], interrupt: Callable[[], bool]) -> None:
    for worker in busy:
        while not worker.wait(INTERRUPT_SECONDS):
            if interrupt():
                for each in busy:
                    each.interrupt()
                return


def clear_updates(learner: Learner) -> None:
    """Drop the unsaved updates of a worker's copy: the original learner still has them."""
    learner.apply_delta(learner.take_delta())


class ProcessWorker:
    """A process on this machine that stays for the whole training."""

    def __init__(self, learner: Learner, play_part: PlayPart) -> None:
        self._pipe, far_end = Pipe()
        self._process = Process(target=_worker_main, args=(far_end, learner, play_part))
        self._process.daemon = True
        self._process.start()
        far_end.close()

    def start(self, round_start: RoundStart, part: tuple[Any, ...] | None) -> None:
        try:
            self._pipe.send_bytes(round_start.delta.value)
            self._pipe.send(part)
        except BrokenPipeError as error:
            raise worker_died() from error

    def repeat_if_lost(self) -> None:
        """Do nothing: a process receives every delta."""

    def wait(self, seconds: float) -> bool:
        return self._pipe.poll(seconds)

    def interrupt(self) -> None:
        with suppress(BrokenPipeError):
            self._pipe.send(None)

    def result(self) -> tuple[dict[str, Any], int]:
        try:
            answer = self._pipe.recv()
        except EOFError as error:
            raise worker_died() from error
        if isinstance(answer, Exception):
            raise answer
        updates, played = answer
        return updates, played

    def close(self) -> None:
        self._process.kill()
        self._process.join()
        self._pipe.close()


def _worker_main(pipe: Any, learner: Learner, play_part: PlayPart) -> None:
    """Main loop of a worker process. The parent handles signals."""
    for number in (SIGINT, SIGTERM, SIGHUP):
        signal(number, SIG_IGN)
    clear_updates(learner)
    end_with_parent()
    while True:
        delta = pipe.recv()
        if delta is not None:
            learner.apply_delta(delta)
        part = pipe.recv()
        if part is not None:
            try:
                played = play_part(learner, _interrupted(pipe), *part)
                pipe.send((learner.updates(), played))
            except Exception as error:
                pipe.send(error)


def _interrupted(pipe: Any) -> Callable[[], bool]:
    """Whether the parent has sent something during a part. Looks from time to time only."""
    next_look = monotonic() + INTERRUPT_SECONDS

    def interrupted() -> bool:
        nonlocal next_look
        if monotonic() < next_look:
            return False
        next_look = monotonic() + INTERRUPT_SECONDS
        found: bool = pipe.poll()
        return found

    return interrupted
