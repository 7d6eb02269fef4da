"""What a screen shows while it has nothing to show: what will be here, and how to begin."""

from collections.abc import Sequence

from textual.content import Content
from textual.widgets import Static

from app.ui.layout.card_art import COMPACT, place_rows

_CARDS = 3


class EmptyState(Static):
    """Three empty places for cards, a heading, a text and keys, in the middle of the screen."""

    DEFAULT_CSS = """
    EmptyState {
        width: 100%;
        height: 1fr;
        padding: 1 4;
        content-align: center middle;
        text-align: center;
    }
    """

    def __init__(self, heading: str, text: str, keys: Sequence[tuple[str, str]] = ()) -> None:
        """keys: each with what it does"""
        lines = [Content.assemble(*_places(row)) for row in place_rows(COMPACT)]
        lines += [Content(""), Content.styled(heading, "bold"), Content.styled(text, "$text-muted")]
        if keys:
            offers = [
                Content.assemble((key, "bold $footer-key-foreground"), f" {words}")
                for key, words in keys
            ]
            lines += [Content(""), Content("    ").join(offers)]
        super().__init__(Content("\n").join(lines), id="empty")


def _places(row: Sequence[tuple[str, str]]) -> list[tuple[str, str]]:
    """One row of the empty places, side by side."""
    text = "".join([piece for piece, _ in row])
    return [("  ".join([text] * _CARDS), "$text-muted")]
