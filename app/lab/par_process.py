"""Computes par of daily deals in a process of its own, one deal after the other."""

from collections.abc import Callable
from contextlib import suppress
from datetime import date
from multiprocessing import get_context
from multiprocessing.context import SpawnProcess
from pathlib import Path
from threading import Lock


def compute(history: Path, game: str, day: date, program: str, rotates_start: bool) -> None:
    """Work of the process: compute par and keep it in the history."""
    from app.home.process import prepare_process

    prepare_process()
    keep_par(history, game, day, program, rotates_start)


def keep_par(history: Path, game: str, day: date, program: str, rotates_start: bool) -> None:
    """Compute par and keep it in the history. An error of the history is left for the screen."""
    from app.records.history_file import HistoryError
    from app.records.practice_book import PracticeBook
    from app.study.daily import compute_par

    par = compute_par(game, day, program, rotates_start)
    with suppress(HistoryError):
        PracticeBook(history).add_par(par)


class ParProcesses:
    """The process that computes par, and the deals that wait for it."""

    def __init__(self, history: Path, program: str, rotates: Callable[[str], bool]) -> None:
        """rotates: whether the seat that starts moves on in a series of this game"""
        self._history = history
        self._program = program
        self._rotates = rotates
        self._process: SpawnProcess | None = None
        self._asked: set[tuple[str, date]] = set()
        self._lock = Lock()

    def want(self, game: str, day: date) -> bool:
        """Compute par of this deal as soon as no other one is computed. Returns whether it is worth
        waiting: a deal whose computation has failed is not tried again."""
        with self._lock:
            if self._process is not None and self._process.is_alive():
                return True
            if (game, day) in self._asked:
                return False
            self._asked.add((game, day))
            given = (self._history, game, day, self._program, self._rotates(game))
            self._process = get_context("spawn").Process(target=compute, args=given, daemon=True)
            self._process.start()
            return True

    def end(self) -> None:
        """Kill the process."""
        with self._lock:
            if self._process is not None and self._process.is_alive():
                self._process.kill()
