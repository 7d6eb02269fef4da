"""An existing Dask cluster that plays matches (pip install 'kibitz[cluster]').

Dask sends parts of the work again whose worker is lost. What this file adds is that things
many parts need travel once, that everybody there has the same program as we, and that
whatever goes wrong is said in a sentence.
"""

import logging
from collections.abc import Callable, Iterator
from concurrent.futures import CancelledError, Executor, Future
from contextlib import contextmanager, suppress
from functools import cache, partial
from hashlib import sha256
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Any, Final, TypeVar
from urllib.parse import urlsplit
from weakref import WeakKeyDictionary

from agents.parallel.parts import Shared, Team, WorkError

if TYPE_CHECKING:
    from distributed import Client

T = TypeVar("T")

PATIENCE: Final = 10.0
"""Seconds in which a cluster must answer."""

_UP_TO_DATE: Final = 1.0
"""Seconds for which it is taken as known who works there."""

_SCHEMES: Final = ("tcp", "tls", "ws", "wss", "ucx")


@cache
def program() -> str:
    """Names the rules, the agents and what they come with: who has the same plays the same."""
    digest = sha256()
    agents = Path(__file__).parents[1]
    for folder in (agents, agents.with_name("engine")):
        for path in sorted([*folder.rglob("*.py"), *folder.rglob("*.gz")]):
            digest.update(f"{path.relative_to(folder.parent)}\n".encode())
            digest.update(sha256(path.read_bytes()).digest())
    return digest.hexdigest()


def there(expected: str, work: Callable[..., T], *args: Any) -> T:
    """Do a part of the work on a worker, if it has the same program as who sent it."""
    if program() != expected:
        raise WorkError(_OTHER_PROGRAM.format(who="A worker of the cluster"))
    return work(*args)


_OTHER_PROGRAM: Final = (
    "{who} has another version of Kibitz, or none; install there what is installed here."
)


def checked_address(address: str) -> str:
    """An address that a scheduler can have. Raises ValueError."""
    text = address.strip()
    parts = urlsplit(text if "://" in text else f"tcp://{text}")
    try:
        port = parts.port
    except ValueError:
        port = None
    if parts.scheme not in _SCHEMES or not parts.hostname or not port:
        raise ValueError(
            f"{address!r} is no address of a cluster; write it as tcp://HOST:PORT, "
            "as its scheduler prints it."
        )
    return parts.geturl()


@contextmanager
def connected(address: str, at_most: int | None = None) -> Iterator["Cluster"]:
    """The cluster whose scheduler listens there. Raises ValueError.

    at_most   how many of its workers to use; None: all
    """
    address = checked_address(address)
    try:
        import dask
        from distributed import Client
    except ImportError as error:
        raise WorkError(
            "A cluster needs Dask; install it with pip install 'kibitz[cluster]'."
        ) from error
    for name in ("distributed", "distributed.client", "distributed.core"):
        logging.getLogger(name).setLevel(logging.CRITICAL)
    # A table is sent once and may well be large.
    with dask.config.set({"distributed.admin.large-graph-warning-threshold": "1 GB"}):
        try:
            client = Client(address, timeout=PATIENCE, set_as_default=False)
        except Exception as error:
            raise WorkError(
                f"No cluster answers at {address}; see whether its scheduler runs there."
            ) from error
        cluster = Cluster(client, address, at_most)
        try:
            cluster.check()
            yield cluster
        finally:
            cluster.shutdown(wait=False)


class Cluster(Team):
    """Sends parts of the work to the workers of a cluster."""

    def __init__(self, client: "Client", address: str, at_most: int | None) -> None:
        self._client = client
        self._address = address
        self._at_most = at_most
        self._sent: WeakKeyDictionary[Shared[Any], Any] = WeakKeyDictionary()
        self._workers: list[str] = []
        self._asked = -_UP_TO_DATE
        self._members: dict[int, str] = {}

    # Who is there

    def check(self) -> None:
        """Somebody works there, with the same program as we. Raises WorkError."""
        if not self.workers():
            raise WorkError(
                f"The cluster at {self._address} has no workers; start some with "
                f"dask worker {self._address}."
            )
        try:
            programs = {"The scheduler": self._client.run_on_scheduler(_program_there)}
        except Exception:
            programs = {"The scheduler": None}
        found = self._client.run(_program_there, on_error="return")
        programs |= {f"The worker {worker}": found[worker] for worker in sorted(found)}
        for who, its_program in programs.items():
            if its_program != program():
                raise WorkError(_OTHER_PROGRAM.format(who=f"{who} of the cluster"))

    def workers(self) -> list[str]:
        """The addresses of the workers to use."""
        if monotonic() - self._asked >= _UP_TO_DATE:
            with self._lost():
                there_now = set(self._client.nthreads())
            # Who has been there before comes first, so that the same ones are used again.
            stayed = [worker for worker in self._workers if worker in there_now]
            self._workers = stayed + sorted(there_now.difference(stayed))
            self._asked = monotonic()
        return self._workers[: self._at_most]

    def member(self, number: int) -> Executor:
        return _Member(self, number)

    def whereabouts(self, number: int) -> str | None:
        """The worker that is a member of the team, or has taken the place of a lost one."""
        workers = self.workers()
        if self._members.get(number) not in workers:
            places = list(self._members.values())
            self._members.pop(number, None)
            if not workers:
                return None
            self._members[number] = min(workers, key=places.count)
        return self._members[number]

    # Sending

    def submit(self, work: Callable[..., T], /, *args: Any, **kwargs: Any) -> Future[T]:
        return self.send(self.workers() if self._at_most else [], partial(work, **kwargs), args)

    def send(self, to: list[str], work: Callable[..., T], args: tuple[Any, ...]) -> Future[T]:
        """Have work done by one of some workers, or if they are gone by others; nobody
        named: by any."""
        answer: Future[T] = Future()
        with self._lost():
            sent = [self._once(each) if isinstance(each, Shared) else each for each in args]
            job = self._client.get_executor(
                pure=False, workers=to or None, allow_other_workers=bool(to)
            ).submit(there, program(), work, *sent)
        job.add_done_callback(partial(self._hand_over, answer))
        answer.add_done_callback(lambda mine: job.cancel() if mine.cancelled() else None)
        return answer

    def _once(self, shared: Shared[Any]) -> Any:
        """Stands for something that is at the cluster, or will be if it is lost there."""
        if shared not in self._sent:
            self._sent[shared] = self._client.submit(_same, shared, pure=False)
        return self._sent[shared]

    def _hand_over(self, answer: "Future[Any]", job: "Future[Any]") -> None:
        if not answer.set_running_or_notify_cancel():
            return
        if job.cancelled():
            answer.set_exception(self._gone())
        elif error := job.exception():
            answer.set_exception(self._in_words(error))
        else:
            answer.set_result(job.result())

    def _in_words(self, error: BaseException) -> BaseException:
        from distributed import KilledWorker

        if isinstance(error, KilledWorker):
            return WorkError(
                "The same part of the work was lost with several workers of the cluster; "
                "their logs may say why they ended."
            )
        if isinstance(error, (OSError, CancelledError)):
            return self._gone()
        return error

    def _gone(self) -> WorkError:
        return WorkError(f"The cluster at {self._address} does not answer any more.")

    @contextmanager
    def _lost(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            raise self._gone() from error

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Leave the cluster, which goes on. What is still under way there is given up."""
        self._sent.clear()
        with suppress(Exception):
            self._client.close(timeout=PATIENCE)


class _Member(Executor):
    """One worker of a cluster, as long as it is there."""

    def __init__(self, cluster: Cluster, number: int) -> None:
        self._cluster = cluster
        self._number = number

    def submit(self, work: Callable[..., T], /, *args: Any, **kwargs: Any) -> Future[T]:
        worker = self._cluster.whereabouts(self._number)
        return self._cluster.send([worker] if worker else [], partial(work, **kwargs), args)


def _same(shared: Shared[Any]) -> Shared[Any]:
    return shared


def _program_there() -> str:
    return program()
