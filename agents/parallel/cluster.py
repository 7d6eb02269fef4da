"""Plays matches on an existing Dask cluster (pip install 'kibitz[cluster]').

Dask repeats parts of the work that are lost with their worker. This module adds three things:
shared arguments are sent only once, every machine must have the same program, and errors are
explained in one sentence.
"""

import logging
from collections.abc import Callable, Iterator
from concurrent.futures import CancelledError, Executor, Future
from contextlib import contextmanager, suppress
from functools import partial
from time import monotonic
from typing import TYPE_CHECKING, Any, Final, TypeVar
from urllib.parse import urlsplit
from weakref import WeakKeyDictionary

from agents.parallel.parts import NumberedWorkers, Shared, WorkError
from agents.program_digest import program_digest

if TYPE_CHECKING:
    from distributed import Client

T = TypeVar("T")

TIMEOUT: Final = 10.0
"""Seconds in which a cluster must answer."""

_REFRESH_SECONDS: Final = 1.0
"""How long the list of workers is cached."""

_SCHEMES: Final = ("tcp", "tls", "ws", "wss", "ucx")


def run_if_same_program(expected: str, work: Callable[..., T], *args: Any) -> T:
    """Do a part of the work on a worker. Raises WorkError if its program differs."""
    if program_digest() != expected:
        raise WorkError(_OTHER_PROGRAM.format(machine="A worker of the cluster"))
    return work(*args)


_OTHER_PROGRAM: Final = (
    "{machine} has another version of Kibitz, or none; install the version that is installed here."
)


def checked_address(address: str) -> str:
    """Return the address of a scheduler in full. Raises ValueError."""
    text = address.strip()
    parts = urlsplit(text if "://" in text else f"tcp://{text}")
    try:
        port = parts.port
    except ValueError:
        port = None
    if parts.scheme not in _SCHEMES or not parts.hostname or not port:
        raise ValueError(
            f"{address!r} is not the address of a cluster; write it as tcp://HOST:PORT, "
            "as its scheduler prints it."
        )
    return parts.geturl()


@contextmanager
def connected(address: str, max_workers: int | None = None) -> Iterator["Cluster"]:
    """Connect to the cluster whose scheduler listens at the address. Raises ValueError.

    max_workers   how many of its workers to use at most; None for all
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
    # Learned values are sent once and may be large.
    with dask.config.set({"distributed.admin.large-graph-warning-threshold": "1 GB"}):
        try:
            client = Client(address, timeout=TIMEOUT, set_as_default=False)
        except Exception as error:
            raise WorkError(
                f"No cluster answers at {address}; check that its scheduler is running there."
            ) from error
        cluster = Cluster(client, address, max_workers)
        try:
            cluster.check()
            yield cluster
        finally:
            cluster.shutdown(wait=False)


class Cluster(NumberedWorkers):
    """Sends parts of the work to the workers of a cluster."""

    def __init__(self, client: "Client", address: str, max_workers: int | None) -> None:
        self._client = client
        self._address = address
        self._max_workers = max_workers
        self._sent: WeakKeyDictionary[Shared[Any], Any] = WeakKeyDictionary()
        self._workers: list[str] = []
        self._refreshed = -_REFRESH_SECONDS
        self._numbered: dict[int, str] = {}

    # Workers

    def check(self) -> None:
        """Raise WorkError if there are no workers, or if their program differs from ours."""
        if not self.workers():
            raise WorkError(
                f"The cluster at {self._address} has no workers; start some with "
                f"dask worker {self._address}."
            )
        try:
            digests = {"The scheduler": self._client.run_on_scheduler(_remote_digest)}
        except Exception:
            digests = {"The scheduler": None}
        found = self._client.run(_remote_digest, on_error="return")
        digests |= {f"The worker {worker}": found[worker] for worker in sorted(found)}
        for machine, digest in digests.items():
            if digest != program_digest():
                raise WorkError(_OTHER_PROGRAM.format(machine=f"{machine} of the cluster"))

    def workers(self) -> list[str]:
        """Return the addresses of the workers to use."""
        if monotonic() - self._refreshed >= _REFRESH_SECONDS:
            with self._explaining_loss():
                present = set(self._client.nthreads())
            # Known workers come first, so that the same ones are used again.
            known = [worker for worker in self._workers if worker in present]
            self._workers = known + sorted(present.difference(known))
            self._refreshed = monotonic()
        return self._workers[: self._max_workers]

    def worker(self, number: int) -> Executor:
        return _ClusterWorker(self, number)

    def address_of(self, number: int) -> str | None:
        """Return the address of a numbered worker, or of the worker that replaces it."""
        workers = self.workers()
        if self._numbered.get(number) not in workers:
            assigned = list(self._numbered.values())
            self._numbered.pop(number, None)
            if not workers:
                return None
            self._numbered[number] = min(workers, key=assigned.count)
        return self._numbered[number]

    # Sending

    def submit(self, work: Callable[..., T], /, *args: Any, **kwargs: Any) -> Future[T]:
        addresses = self.workers() if self._max_workers else []
        return self.send(addresses, partial(work, **kwargs), args)

    def send(
        self, addresses: list[str], work: Callable[..., T], args: tuple[Any, ...]
    ) -> Future[T]:
        """Run work on one of these workers, or on another one if they are lost.

        addresses   empty for any worker
        """
        answer: Future[T] = Future()
        with self._explaining_loss():
            sent = [self._send_once(each) if isinstance(each, Shared) else each for each in args]
            job = self._client.get_executor(
                pure=False, workers=addresses or None, allow_other_workers=bool(addresses)
            ).submit(run_if_same_program, program_digest(), work, *sent)
        job.add_done_callback(partial(self._forward, answer))
        answer.add_done_callback(lambda mine: job.cancel() if mine.cancelled() else None)
        return answer

    def _send_once(self, shared: Shared[Any]) -> Any:
        """Return a Dask future of the argument. Dask restores it if it is lost there."""
        if shared not in self._sent:
            self._sent[shared] = self._client.submit(_identity, shared, pure=False)
        return self._sent[shared]

    def _forward(self, answer: "Future[Any]", job: "Future[Any]") -> None:
        if not answer.set_running_or_notify_cancel():
            return
        if job.cancelled():
            answer.set_exception(self._connection_lost())
        elif error := job.exception():
            answer.set_exception(self._explained(error))
        else:
            answer.set_result(job.result())

    def _explained(self, error: BaseException) -> BaseException:
        from distributed import KilledWorker

        if isinstance(error, KilledWorker):
            return WorkError(
                "Several workers of the cluster were lost with the same part of the work; "
                "their logs may say why they ended."
            )
        if isinstance(error, (OSError, CancelledError)):
            return self._connection_lost()
        return error

    def _connection_lost(self) -> WorkError:
        return WorkError(f"The cluster at {self._address} no longer answers.")

    @contextmanager
    def _explaining_loss(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            raise self._connection_lost() from error

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Disconnect. The cluster keeps running, but drops our unfinished work."""
        self._sent.clear()
        with suppress(Exception):
            self._client.close(timeout=TIMEOUT)


class _ClusterWorker(Executor):
    """One numbered worker of a cluster."""

    def __init__(self, cluster: Cluster, number: int) -> None:
        self._cluster = cluster
        self._number = number

    def submit(self, work: Callable[..., T], /, *args: Any, **kwargs: Any) -> Future[T]:
        address = self._cluster.address_of(self._number)
        return self._cluster.send([address] if address else [], partial(work, **kwargs), args)


def _identity(shared: Shared[Any]) -> Shared[Any]:
    return shared


def _remote_digest() -> str:
    return program_digest()
