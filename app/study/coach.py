"""The coach: examines a match in a process of its own while a person plays it.

What it finds stays in memory until the match is over. The process has a low priority, works on one
thing after the other and ends with the app. If it fails, only the report is lost.
"""

from collections.abc import Callable
from contextlib import suppress
from multiprocessing import get_context
from multiprocessing.context import SpawnProcess
from threading import Condition, Thread

from app.records.journal import MatchSetup
from app.study.coach_process import AllKnown, Failed, examine
from app.study.examination import Actions, Findings, Found

Listener = Callable[[], None]
Save = Callable[[Findings], None]


class Coach:
    """The coach of one match.

    findings   so far; only about finished hands may anything be shown
    problem    why it stopped, in a sentence; empty while it works
    listener   called from another thread after each finding
    """

    def __init__(self, setup: MatchSetup) -> None:
        self.setup = setup
        self.findings = Findings()
        self.problem = ""
        self.listener: Listener | None = None
        self._known: Actions | None = None
        self._save: Save | None = None
        self._last: Actions | None = None
        """All actions of the match, once it is over."""
        self._actions: Actions | None = None
        self._changed = Condition()
        self._connection, self._far_end = get_context("spawn").Pipe()
        self._process: SpawnProcess | None = None
        self._unsent = self._started = self._ended = False

    def follow(self, actions: Actions) -> None:
        """Take note of the actions of the match so far. Never waits."""
        with self._changed:
            if self._ended or actions == self._actions or not actions:
                return
            self._actions, self._unsent = actions, True
            self._changed.notify_all()
        if not self._started:
            self._started = True
            Thread(target=self._run, daemon=True).start()

    def complete(self, actions: Actions) -> bool:
        """Whether everything about these actions is known."""
        return self._known == actions

    def finish(self, actions: Actions, save: Save) -> None:
        """The match is over. When everything is known, it is saved, and the process ends.

        save   called in another thread
        """
        if self._last == actions:
            return
        self._last, self._save = actions, save
        self.follow(actions)
        if self.complete(actions):
            Thread(target=self._close, daemon=True).start()

    def release(self) -> None:
        """The table has been left. A match that is over is still examined to the end."""
        self.listener = None
        if self._save is None:
            self.end()

    @property
    def pid(self) -> int | None:
        """The number of its process."""
        return self._process.pid if self._process else None

    @property
    def ended(self) -> bool:
        return self._ended

    def end(self) -> None:
        """End the process. If the match is over, what was found so far is saved."""
        self._save_once()
        with self._changed:
            self._ended = True
            self._changed.notify_all()
        if self._process is not None:
            self._process.kill()

    def _close(self) -> None:
        self._save_once()
        self._tell()
        self.end()

    def _save_once(self) -> None:
        with self._changed:
            save, self._save = self._save, None
        if save is not None:
            try:
                save(self.findings)
            except Exception as error:
                self.problem = f"The report cannot be saved ({error})."

    def _run(self) -> None:
        """Start the process, and note what it finds until it ends."""
        try:
            process = get_context("spawn").Process(
                target=examine, args=(self._far_end,), daemon=True
            )
            process.start()
            self._process = process
            self._far_end.close()
            if self._ended:
                process.kill()
            self._connection.send(self.setup)
            Thread(target=self._send, daemon=True).start()
            while not self.problem and not self._ended:
                self._note(self._connection.recv())
        except Exception as error:
            if not self._ended:
                reason = str(error) or type(error).__name__
                self.problem = f"The coach has stopped unexpectedly ({reason})."
        if self._process is not None:
            self._process.kill()
            self._process.join()
        self._tell()

    def _send(self) -> None:
        """Send the latest actions whenever they change."""
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._ended or self._unsent)
                if self._ended:
                    return
                actions, self._unsent = self._actions, False
            with suppress(OSError):
                self._connection.send(actions)

    def _note(self, report: Found | AllKnown | Failed) -> None:
        if isinstance(report, Failed):
            self.problem = report.sentence
        elif isinstance(report, AllKnown):
            self._known = report.actions
            if self._known == self._last:
                self._close()
            else:
                self._tell()
        else:
            self.findings.add(report)
            self._tell()

    def _tell(self) -> None:
        listener = self.listener
        if listener is not None and not self._ended:
            listener()
