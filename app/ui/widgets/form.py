"""What forms are made of: a label, something to change, and a line that explains it."""

from textual.binding import Binding
from textual.containers import Horizontal
from textual.widget import Widget
from textual.widgets import Input, Label

from app.ui.widgets.cycle import Cycle


class Field(Input):
    """A line to write in. Textual's own hides that ↑ and ↓ leave it and Enter sends it."""

    BINDINGS = [
        Binding("enter", "submit", "Start", key_display="Enter", id="field.submit"),
        Binding("up", "app.focus_previous", "Row", key_display="↑↓", id="field.up"),
        Binding("down", "app.focus_next", show=False, id="field.down"),
    ]


def row(label: str, editor: Widget, help: str) -> Widget:
    editor.tooltip = help or None
    return Horizontal(Label(label), editor, classes="row")


def value_of(editor: Widget) -> str:
    if isinstance(editor, Cycle | Input):
        return editor.value.strip()
    raise TypeError(f"{editor} has no value")
