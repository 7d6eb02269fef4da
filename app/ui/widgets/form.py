"""Parts of forms: a row with a label, an editor and a tooltip."""

from textual.binding import Binding
from textual.containers import Horizontal
from textual.widget import Widget
from textual.widgets import Input, Label

from app.ui.widgets.cycle import Cycle


class Field(Input):
    """A text input that shows its keys: Enter submits, ↑ and ↓ move to another row."""

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
