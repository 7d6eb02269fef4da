"""A list in columns, one line per row, for the arrow keys and the mouse."""

from collections.abc import Sequence
from dataclasses import dataclass

from rich.text import Text
from textual import events
from textual.binding import Binding
from textual.widgets import DataTable

_LEAST = 8
"""The least width of a column without a fixed width."""


@dataclass(frozen=True, slots=True)
class Column:
    """width: in characters, 0 for a share of the remaining width."""

    title: str
    width: int = 0
    right: bool = False


class Rows(DataTable[Text]):
    """Text that is too long ends in an ellipsis. A new width lays out all columns again."""

    DEFAULT_CSS = """
    Rows {
        background: $background;
        &:focus { background-tint: $background 0%; }
        & > .datatable--header { background: $panel; color: $text-muted; text-style: none; }
        & > .datatable--odd-row { background: $background; }
        & > .datatable--even-row { background: $surface; }
    }
    """
    BINDINGS = [
        Binding("down,j", "cursor_down", "Move", key_display="↑↓", id="rows.down"),
        Binding("up,k", "cursor_up", show=False, id="rows.up"),
    ]

    def __init__(self, id: str | None = None) -> None:
        super().__init__(id=id, cursor_type="row", zebra_stripes=True)
        self._headings: Sequence[Column] = ()
        self._lines: Sequence[Sequence[str]] = ()
        self._laid_out_for = 0

    def fill(self, columns: Sequence[Column], lines: Sequence[Sequence[str]], at: int = 0) -> None:
        """Show these lines, with the cursor on line `at`."""
        self._headings, self._lines = columns, lines
        self._lay_out(at)

    def on_resize(self, event: events.Resize) -> None:
        if self._headings and self._laid_out_for != self.size.width:
            self._lay_out(self.cursor_row)

    async def _on_click(self, event: events.Click) -> None:
        """Ignores a click on a column that was removed meanwhile."""
        event.prevent_default()
        if event.style.meta.get("column", 0) < len(self.columns):
            await super()._on_click(event)

    def _lay_out(self, at: int) -> None:
        self._laid_out_for = self.size.width
        self.clear(columns=True)
        for column, width in zip(self._headings, self._widths(), strict=True):
            self.add_column(_cell(column.title, column.right), width=width)
        self.add_rows(
            [
                [
                    _cell(text, column.right)
                    for column, text in zip(self._headings, line, strict=True)
                ]
                for line in self._lines
            ]
        )
        self.move_cursor(row=at)

    def _widths(self) -> list[int]:
        padding = 2 * self.cell_padding * len(self._headings)
        scrollbar = self.styles.scrollbar_size_vertical
        taken = sum([column.width for column in self._headings])
        shares = max(1, [column.width for column in self._headings].count(0))
        share = max(_LEAST, (self.size.width - padding - scrollbar - taken) // shares)
        return [column.width or share for column in self._headings]


def _cell(text: str, right: bool) -> Text:
    return Text(text, justify="right" if right else "left", no_wrap=True, overflow="ellipsis")
