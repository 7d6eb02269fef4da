"""The process in which a coach works. It ends itself when the app is gone.

Heavy modules are imported in the functions: numpy reads the environment when it is imported.
"""

from dataclasses import dataclass
from multiprocessing.connection import Connection
from threading import Condition, Thread
from typing import Any

from app.home.process import kill_group, prepare_process, use_one_core


@dataclass(frozen=True, slots=True)
class AllKnown:
    """Everything about these actions has been found out."""

    actions: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Failed:
    """The coach had to stop."""

    sentence: str


class _Inbox:
    """The latest actions of the match."""

    def __init__(self) -> None:
        self._changed = Condition()
        self._actions: tuple[int, ...] | None = None

    def put(self, actions: tuple[int, ...]) -> None:
        with self._changed:
            self._actions = actions
            self._changed.notify_all()

    def take(self, wait: bool) -> tuple[int, ...] | None:
        """The actions, if there are others than at the last call.

        wait   until there are
        """
        with self._changed:
            if wait:
                self._changed.wait_for(lambda: self._actions is not None)
            actions, self._actions = self._actions, None
            return actions


def examine(connection: "Connection[Any, Any]") -> None:
    """Main function of the process. It receives the setup of the match, then its actions as often
    as they change, and sends what it finds."""
    prepare_process()
    use_one_core()
    inbox = _Inbox()
    try:
        setup = connection.recv()
    except (EOFError, OSError):
        return

    def listen() -> None:
        while True:
            try:
                inbox.put(connection.recv())
            except (EOFError, OSError):
                kill_group()
                return

    Thread(target=listen, daemon=True).start()
    try:
        _work(setup, inbox, connection)
    except Exception as error:
        connection.send(Failed(f"The coach had to stop ({type(error).__name__}: {error})."))


def _work(setup: Any, inbox: _Inbox, connection: "Connection[Any, Any]") -> None:
    from app.study.examination import Examination

    examination = Examination(setup)
    busy = False
    while True:
        actions = inbox.take(wait=not busy)
        if actions is not None:
            examination.follow(actions)
        found = examination.step()
        busy = found is not None
        connection.send(found or AllKnown(examination.actions))
