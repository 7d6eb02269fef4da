"""What the desks of the Lab share: they ask, then work with files in a thread."""

from collections.abc import Callable
from typing import Literal

from textual.app import App

from agents.storage.store import StoreError
from app.lab.laboratory import Laboratory


class Desk:
    """Does something with the files of learners for a screen.

    changed   is called after something has changed
    """

    def __init__(
        self, app: App[object], laboratory: Laboratory, changed: Callable[[], None]
    ) -> None:
        self.app = app
        self.laboratory = laboratory
        self.web = app.is_web
        self._changed = changed

    def run(self, act: Callable[[], str]) -> None:
        """Do something with files in a thread, and say how it went."""

        def work() -> None:
            failed = False
            try:
                sentence = act()
            except (StoreError, ValueError) as error:
                failed, sentence = True, str(error)
            self.app.call_from_thread(self.notify, sentence, failed)
            self.app.call_from_thread(self._changed)

        self.app.run_worker(work, thread=True, group="learners")

    def notify(self, sentence: str, failed: bool = False) -> None:
        severity: Literal["warning", "information"] = "warning" if failed else "information"
        self.app.notify(sentence, severity=severity, markup=False)
