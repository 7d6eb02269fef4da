"""Work in parts, done by this process, by other processes or by a cluster."""

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
    """The workers are unavailable. The message says why and what to do."""


def worker_died() -> WorkError:
    return WorkError("A worker process has died; give the command again.")


@dataclass(frozen=True, slots=True, eq=False, weakref_slot=True)
class Shared(Generic[T]):
    """An argument that many parts have in common. An executor may send it only once."""

    value: T


class InProcess(Executor):
    """Does each part in this process, as soon as it is submitted."""

    def submit(self, work: Callable[..., T], /, *args: Any, **kwargs: Any) -> Future[T]:
        done: Future[T] = Future()
        try:
            done.set_result(work(*args, **kwargs))
        except Exception as error:
            done.set_exception(error)
        return done


class NumberedWorkers(Executor):
    """An executor whose workers can be addressed by number."""

    def worker(self, number: int) -> Executor:
        """Return the same worker for the same number. A lost worker is replaced."""
        raise NotImplementedError


def worker_of(executor: Executor, number: int) -> Executor:
    """Return a certain worker, or the executor itself if it does not number its workers."""
    return executor.worker(number) if isinstance(executor, NumberedWorkers) else executor


@contextmanager
def executor_for(workers: int, executor: Executor | None = None) -> Iterator[Executor]:
    """Yield the given executor, else this process for one worker, else a process pool.

    The processes of the pool end with this process, even if it is killed.
    """
    if executor is not None:
        yield executor
    elif workers == 1:
        yield InProcess()
    else:
        pool = ProcessPoolExecutor(workers, initializer=_start_worker)
        try:
            yield pool
        except BaseException:
            # Nobody waits for the parts under way.
            for process in list((pool._processes or {}).values()):
                process.kill()
            raise
        finally:
            pool.shutdown(cancel_futures=True)


def _start_worker() -> None:
    """Leave interrupts to the parent process, and end when it ends."""
    signal(SIGINT, SIG_IGN)
    end_with_parent()


def end_with_parent() -> None:
    """Make this process end when its parent ends, even if that is killed."""
    parent = parent_process()
    if parent is not None:

        def wait_for_parent() -> None:
            parent.join()
            _exit(1)

        Thread(target=wait_for_parent, daemon=True).start()


def run_parts(
    executor: Executor,
    work: Callable[..., T],
    parts: Iterable[tuple[Any, ...]],
    max_pending: int,
) -> Iterator[tuple[int, T]]:
    """Yield the number and the result of each part, in the order in which they finish.

    parts         the arguments of `work`; each is fetched when there is a worker for it
    max_pending   how many parts may be submitted and not finished
    """
    numbers: dict[Future[T], int] = {}
    try:
        for number, part in enumerate(parts):
            job = executor.submit(work, *part)
            numbers[job] = number
            if job.done() or len(numbers) >= max_pending:
                yield from _take_finished(numbers)
        while numbers:
            yield from _take_finished(numbers)
    except BrokenExecutor as error:
        raise worker_died() from error
    finally:
        for job in numbers:
            job.cancel()


def _take_finished(numbers: dict[Future[T], int]) -> Iterator[tuple[int, T]]:
    """Wait for at least one part to finish, and remove and yield all finished ones."""
    for job in wait(numbers, return_when=FIRST_COMPLETED).done:
        yield numbers.pop(job), job.result()
