"""Work in parts, and who does them: this process, others on this machine, or a cluster."""

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import (
    FIRST_COMPLETED,
    BrokenExecutor,
    Executor,
    Future,
    ProcessPoolExecutor,
    wait,
)
from contextlib import contextmanager
from dataclasses import dataclass
from multiprocessing import parent_process
from os import _exit
from signal import SIG_IGN, SIGINT, signal
from threading import Thread
from typing import Any, Generic, TypeVar

T = TypeVar("T")


class WorkError(ValueError):
    """Those who should do the work cannot; the message says why and what to do."""


@dataclass(frozen=True, slots=True, eq=False, weakref_slot=True)
class Shared(Generic[T]):
    """What many parts of the work need. An executor may send it once for all of them."""

    value: T


class Here(Executor):
    """Does every part at once in this process, for those who want no others."""

    def submit(self, work: Callable[..., T], /, *args: Any, **kwargs: Any) -> Future[T]:
        done: Future[T] = Future()
        try:
            done.set_result(work(*args, **kwargs))
        except Exception as error:
            done.set_exception(error)
        return done


class Team(Executor):
    """An executor whose members can be told apart."""

    def member(self, number: int) -> Executor:
        """The same member for the same number, as long as it is there; else another."""
        raise NotImplementedError


def member_of(executor: Executor, number: int) -> Executor:
    return executor.member(number) if isinstance(executor, Team) else executor


@contextmanager
def workforce(workers: int, executor: Executor | None = None) -> Iterator[Executor]:
    """Who does the work: the given executor, else so many processes of our own, or with one
    worker this process itself. Our processes end with this one, however it ends."""
    if executor is not None:
        yield executor
    elif workers == 1:
        yield Here()
    else:
        own = ProcessPoolExecutor(workers, initializer=_begin_to_help)
        try:
            yield own
        finally:
            own.shutdown(cancel_futures=True)


def _begin_to_help() -> None:
    """An interrupt is for the one who sends the work."""
    signal(SIGINT, SIG_IGN)
    employer = parent_process()
    if employer is not None:

        def leave_too() -> None:
            employer.join()
            _exit(1)

        Thread(target=leave_too, daemon=True).start()


def results(
    executor: Executor,
    work: Callable[..., T],
    parts: Iterable[tuple[Any, ...]],
    at_once: int,
) -> Iterator[tuple[int, T]]:
    """What the work gives for each of the parts, as they are done, with their numbers: who
    puts them together by number need not care who did them, how often or in which order.

    parts     asked for one by one, each when somebody is free for it
    at_once   how many parts to have out at a time
    """
    numbers: dict[Future[T], int] = {}
    try:
        for number, part in enumerate(parts):
            job = executor.submit(work, *part)
            numbers[job] = number
            if job.done() or len(numbers) >= at_once:
                yield from _done(numbers)
        while numbers:
            yield from _done(numbers)
    except BrokenExecutor as error:
        raise WorkError("A process that was helping has died; give the command again.") from error
    finally:
        for job in numbers:
            job.cancel()


def _done(numbers: dict[Future[T], int]) -> Iterator[tuple[int, T]]:
    """Those parts that are done, one at least; they are taken out."""
    for job in wait(numbers, return_when=FIRST_COMPLETED).done:
        yield numbers.pop(job), job.result()
