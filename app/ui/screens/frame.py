"""The smallest window, and the screen that asks for a larger one."""

from textual import events
from textual.app import ComposeResult
from textual.geometry import Size
from textual.screen import ModalScreen
from textual.widgets import Static

SMALLEST = Size(60, 20)


def too_small(size: Size) -> bool:
    return size.width < SMALLEST.width or size.height < SMALLEST.height


class TooSmall(ModalScreen[None]):
    """Covers every screen until the window is large enough. Nothing is lost."""

    CSS = """
    TooSmall { background: $background; align: center middle; }
    TooSmall Static { width: 100%; padding: 0 1; text-align: center; }
    """

    def compose(self) -> ComposeResult:
        yield Static(
            f"Kibitz needs a window of {SMALLEST.width} × {SMALLEST.height}: "
            "please make this one larger."
        )

    def on_resize(self, event: events.Resize) -> None:
        self._leave_if_grown(event.size)

    def on_screen_resume(self) -> None:
        self._leave_if_grown(self.app.size)

    def _leave_if_grown(self, size: Size) -> None:
        if not too_small(size) and self.is_current:
            self.dismiss()
