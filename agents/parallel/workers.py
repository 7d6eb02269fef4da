"""Workers that train one learner together, in processes on this machine or elsewhere."""

import pickle
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from multiprocessing import Pipe, Process, parent_process
from signal import SIG_IGN, SIGHUP, SIGINT, SIGTERM, signal
from types import TracebackType
from typing import Any, Final, Protocol

from agents.agent import Learner
from agents.parallel.parts import Shared, worker_died

PARENT_CHECK_SECONDS: Final = 5.0
"""How often an idle worker checks whether its parent is alive."""

PlayPart = Callable[..., None]
"""Lets a learner play. Called with the learner and the arguments of a part."""


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

    def updates(self) -> dict[str, Any]:
        """Wait for the part and return the updates learned in it."""
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

    def play_round(self, parts: Sequence[tuple[Any, ...]]) -> None:
        """Play one part per worker. Workers without a part stay idle."""
        for number, worker in enumerate(self._workers):
            worker.start(self._next, parts[number] if number < len(parts) else None)
        busy = self._workers[: len(parts)]
        for worker in busy:
            worker.repeat_if_lost()
        # A part that is repeated needs the learner as it was at the start of the round, so
        # nothing is merged before all parts are done.
        for updates in [worker.updates() for worker in busy]:
            self._learner.merge_updates(updates)
        self._next = self._round_start(self._next.number + 1, self._learner.take_delta())

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

    def updates(self) -> dict[str, Any]:
        try:
            answer = self._pipe.recv()
        except EOFError as error:
            raise worker_died() from error
        if isinstance(answer, Exception):
            raise answer
        updates: dict[str, Any] = answer
        return updates

    def close(self) -> None:
        self._process.kill()
        self._process.join()
        self._pipe.close()


def _worker_main(pipe: Any, learner: Learner, play_part: PlayPart) -> None:
    """Main loop of a worker process. The parent handles signals."""
    for number in (SIGINT, SIGTERM, SIGHUP):
        signal(number, SIG_IGN)
    clear_updates(learner)
    parent = parent_process()
    while True:
        while not pipe.poll(PARENT_CHECK_SECONDS):
            if parent is not None and not parent.is_alive():
                return
        delta = pipe.recv()
        if delta is not None:
            learner.apply_delta(delta)
        part = pipe.recv()
        if part is not None:
            try:
                play_part(learner, *part)
                pipe.send(learner.updates())
            except Exception as error:
                pipe.send(error)
