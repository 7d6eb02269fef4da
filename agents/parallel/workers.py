"""Several helpers that train one learner together, in processes of our own or elsewhere."""

import pickle
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from multiprocessing import Pipe, Process, parent_process
from signal import SIG_IGN, SIGHUP, SIGINT, SIGTERM, signal
from types import TracebackType
from typing import Any, Final, Protocol

from agents.agent import Learner
from agents.parallel.parts import Shared, WorkError

PATIENCE: Final = 5.0
"""Seconds after which a helper without work looks whether anybody is left to work for."""

Lesson = Callable[..., None]
"""Lets a learner play: called with the learner and with what a round gives each helper."""


@dataclass(frozen=True, slots=True)
class Start:
    """Where a round starts.

    number      of the round, from 0 on
    news        what the round before has changed, pickled
    everything  the learner itself, pickled, for helpers who have missed something
    """

    number: int
    news: Shared[bytes]
    everything: Callable[[], Shared[bytes]]


class Helper(Protocol):
    """Plays one part of each round with a copy of the learner."""

    def begin(self, start: Start, part: tuple[Any, ...] | None) -> None:
        """Play a part; None: there is none in this round."""

    def settle(self) -> None:
        """See to it that the part is played, if need be once more."""

    def updates(self) -> dict[str, Any]:
        """What was learned in the part that was begun, once it is over."""
        ...

    def leave(self) -> None:
        """The training is over."""


class Crew:
    """A learner and its helpers for a whole training.

    In a round every helper plays on its own; then the learner takes in what each has learned,
    always in the same order. What that changed is all that is sent to them for the next
    round, so that a large table costs no more than a small one. A part depends on what the
    learner knew when the round began and on nothing else: it does not matter who plays it.
    """

    def __init__(self, learner: Learner, helpers: Sequence[Helper]) -> None:
        self._learner = learner
        self._helpers = helpers
        learner.take_delta()
        self._next = self._start(0, None)

    def _start(self, number: int, news: dict[str, Any] | None) -> Start:
        everything: list[Shared[bytes]] = []

        def pickled_once() -> Shared[bytes]:
            if not everything:
                everything.append(Shared(pickle.dumps(self._learner, pickle.HIGHEST_PROTOCOL)))
            return everything[0]

        pickled = pickle.dumps(news, pickle.HIGHEST_PROTOCOL)
        return Start(number, Shared(pickled), pickled_once)

    def play_round(self, parts: Sequence[tuple[Any, ...]]) -> None:
        """Play a part each; parts that are missing leave helpers idle."""
        for number, helper in enumerate(self._helpers):
            helper.begin(self._next, parts[number] if number < len(parts) else None)
        busy = self._helpers[: len(parts)]
        for helper in busy:
            helper.settle()
        # Only when all are done is anything learned: who has to repeat a part must find the
        # learner as it was.
        for updates in [helper.updates() for helper in busy]:
            self._learner.merge_updates(updates)
        self._next = self._start(self._next.number + 1, self._learner.take_delta())

    def __enter__(self) -> "Crew":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        for helper in self._helpers:
            helper.leave()


def get_ready(learner: Learner) -> None:
    """What the learner had not saved yet is its own lesson, not its helper's."""
    learner.apply_delta(learner.take_delta())


class ProcessHelper:
    """A process of our own that stays for the whole training."""

    def __init__(self, learner: Learner, lesson: Lesson) -> None:
        self._pipe, theirs = Pipe()
        self._process = Process(target=_help, args=(theirs, learner, lesson), daemon=True)
        self._process.start()
        theirs.close()

    def begin(self, start: Start, part: tuple[Any, ...] | None) -> None:
        try:
            self._pipe.send_bytes(start.news.value)
            self._pipe.send(part)
        except BrokenPipeError as error:
            raise _gone() from error

    def settle(self) -> None:
        """A process that is there has missed nothing."""

    def updates(self) -> dict[str, Any]:
        try:
            answer = self._pipe.recv()
        except EOFError as error:
            raise _gone() from error
        if isinstance(answer, Exception):
            raise answer
        updates: dict[str, Any] = answer
        return updates

    def leave(self) -> None:
        self._process.kill()
        self._process.join()
        self._pipe.close()


def _gone() -> WorkError:
    return WorkError("A process that was helping has died; give the command again.")


def _help(pipe: Any, learner: Learner, lesson: Lesson) -> None:
    """What a helper does all day. To be told to stop is for the one who sends the work."""
    for number in (SIGINT, SIGTERM, SIGHUP):
        signal(number, SIG_IGN)
    get_ready(learner)
    employer = parent_process()
    while True:
        while not pipe.poll(PATIENCE):
            if employer is not None and not employer.is_alive():
                return
        news = pipe.recv()
        if news is not None:
            learner.apply_delta(news)
        part = pipe.recv()
        if part is not None:
            try:
                lesson(learner, *part)
                pipe.send(learner.updates())
            except Exception as error:
                pipe.send(error)
