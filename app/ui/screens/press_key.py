"""Asks for a key by pressing it."""

from collections.abc import Callable

from textual import events
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.widgets import Static

from app.ui.screens.asking import Asking


class PressKey(Asking[str | None]):
    """Returns the pressed key, or None for Esc."""

    CSS = """
    PressKey { align: center middle; }
    PressKey #box {
        width: 64; max-width: 100%; height: auto; padding: 1 2;
        border: round $primary; background: $surface;
    }
    PressKey #problem { color: $text-warning; }
    """

    def __init__(self, what: str, problem_with: Callable[[str], str]) -> None:
        """problem_with: why a key cannot be used, as a sentence; empty if it can"""
        super().__init__()
        self._what = what
        self._problem_with = problem_with

    def compose(self) -> ComposeResult:
        with Vertical(id="box"):
            yield Static(f"Press the new key for: {self._what}", markup=False)
            yield Static("Esc keeps the key as it is.", id="problem", markup=False)

    def on_key(self, event: events.Key) -> None:
        event.stop()
        event.prevent_default()
        if event.key == "escape":
            self.dismiss(None)
        elif problem := self._problem_with(event.key):
            self.query_one("#problem", Static).update(problem)
        else:
            self.dismiss(event.key)
