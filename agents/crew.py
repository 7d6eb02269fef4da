"""Several processes that train one learner together."""

import pickle
from collections.abc import Callable, Sequence
from multiprocessing import Pipe, Process, parent_process
from multiprocessing.connection import Connection
from signal import SIG_IGN, SIGINT, signal
from types import TracebackType
from typing import Any, Final

from agents.agent import Learner

PATIENCE: Final = 5.0
"""Seconds after which a helper without work looks whether anybody is left to work for."""

Lesson = Callable[..., None]
"""Lets a learner play: called with the learner and with what a round gives each helper."""


class Crew:
    """Helpers that stay for the whole training, each with a copy of the learner.

    In a round every helper plays on its own; then the learner takes in what each has learned,
    always in the same order. What that changed is all that is sent to them for the next
    round, so that a large table costs no more than a small one.
    """

    def __init__(self, learner: Learner, lesson: Lesson, helpers: int) -> None:
        self._learner = learner
        self._helpers: list[Process] = []
        self._pipes: list[Connection[Any, Any]] = []
        learner.news()
        self._news = pickle.dumps(None)
        for _ in range(helpers):
            ours, theirs = Pipe()
            helper = Process(target=_help, args=(theirs, learner, lesson), daemon=True)
            helper.start()
            theirs.close()
            self._helpers.append(helper)
            self._pipes.append(ours)

    def play_round(self, parts: Sequence[tuple[Any, ...]]) -> None:
        """Play a part each; parts that are missing leave helpers idle."""
        for number, pipe in enumerate(self._pipes):
            pipe.send_bytes(self._news)
            pipe.send(parts[number] if number < len(parts) else None)
        for pipe in self._pipes[: len(parts)]:
            self._learner.learn_from(_received(pipe))
        self._news = pickle.dumps(self._learner.news(), pickle.HIGHEST_PROTOCOL)

    def __enter__(self) -> "Crew":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        for helper in self._helpers:
            helper.terminate()
            helper.join()
        for pipe in self._pipes:
            pipe.close()


def _received(pipe: "Connection[Any, Any]") -> dict[str, Any]:
    try:
        answer = pipe.recv()
    except EOFError:
        raise RuntimeError("A process that helped to train has died.") from None
    if isinstance(answer, Exception):
        raise answer
    lessons: dict[str, Any] = answer
    return lessons


def _help(pipe: "Connection[Any, Any]", learner: Learner, lesson: Lesson) -> None:
    """What a helper does all day. An interrupt is for the one who sends the work."""
    signal(SIGINT, SIG_IGN)
    # What the learner had not saved yet is its own lesson, not this helper's.
    learner.catch_up(learner.news())
    employer = parent_process()
    while True:
        while not pipe.poll(PATIENCE):
            if employer is not None and not employer.is_alive():
                return
        news = pipe.recv()
        if news is not None:
            learner.catch_up(news)
        part = pipe.recv()
        if part is not None:
            try:
                lesson(learner, *part)
                pipe.send(learner.lessons())
            except Exception as error:
                pipe.send(error)
