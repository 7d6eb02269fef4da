"""A real Dask cluster on this machine for tests and measurements."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from time import monotonic, sleep
from types import TracebackType

ROOT = Path(__file__).parents[2]


class LocalCluster:
    """A scheduler and some workers, each a process with one thread."""

    def __init__(self, folder: Path) -> None:
        # Takes a second, and every test process imports this module.
        from distributed import Client

        self._folder = folder
        self._file = folder / "scheduler.json"
        self.workers: dict[str, subprocess.Popen[bytes]] = {}
        self.scheduler = self._start("scheduler", ROOT, "--host=127.0.0.1", "--port=0")
        attempts = _attempts(f"no scheduler; see {folder}")
        while not self._file.exists() or not self._file.read_text().endswith("}"):
            next(attempts)
        self._client = Client(scheduler_file=str(self._file), set_as_default=False)
        self.address: str = self._client.scheduler.address

    def _start(self, role: str, path: Path, *arguments: str) -> "subprocess.Popen[bytes]":
        command = [sys.executable, "-m", f"distributed.cli.dask_{role}", "--no-dashboard"]
        command += [f"--scheduler-file={self._file}", *arguments]
        home = {"HOME": str(self._folder), "KIBITZ_HOME": str(self._folder / "home")}
        with (self._folder / f"{role}.log").open("ab") as log:
            return subprocess.Popen(
                command,
                cwd=self._folder,
                env=os.environ | home | {"PYTHONPATH": str(path)},
                stdout=log,
                stderr=log,
            )

    def start_worker(self, path: Path = ROOT) -> str:
        """Start a worker that imports Kibitz from that folder, and return its address."""
        before = set(self._client.nthreads())
        process = self._start(
            "worker",
            path,
            "--no-nanny",
            "--nthreads=1",
            "--host=127.0.0.1",
            f"--local-directory={self._folder}",
        )
        attempts = _attempts(f"no worker; see {self._folder}")
        while not (new := set(self._client.nthreads()) - before):
            assert process.poll() is None, f"a worker ended; see {self._folder}"
            next(attempts)
        (address,) = new
        self.workers[address] = process
        return address

    def have_workers(self, count: int) -> None:
        """Start or end workers until exactly `count` are alive."""
        for address in [
            each for each, process in self.workers.items() if process.poll() is not None
        ]:
            del self.workers[address]
        for address in list(self.workers)[count:]:
            self.end_worker(address)
        while len(self.workers) < count:
            self.start_worker()

    def end_worker(self, address: str) -> None:
        process = self.workers.pop(address)
        process.kill()
        process.wait()
        attempts = _attempts(f"{address} does not end")
        while address in self._client.nthreads():
            next(attempts)

    def __enter__(self) -> "LocalCluster":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._client.close()
        for process in (*self.workers.values(), self.scheduler):
            process.kill()
            process.wait()


def _attempts(complaint: str, seconds: float = 300.0) -> Iterator[None]:
    """Yield after each short wait. Raises TimeoutError when the time is up."""
    until = monotonic() + seconds
    while monotonic() < until:
        sleep(0.05)
        yield
    raise TimeoutError(complaint)
