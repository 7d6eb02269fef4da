"""What forms are made of: a label, something to change, and a line that explains it."""

from textual.containers import Horizontal
from textual.widget import Widget
from textual.widgets import Input, Label

from app.widgets.cycle import Cycle


def row(label: str, editor: Widget, help: str) -> Widget:
    editor.tooltip = help or None
    return Horizontal(Label(label), editor, classes="row")


def value_of(editor: Widget) -> str:
    if isinstance(editor, Cycle | Input):
        return editor.value.strip()
    raise TypeError(f"{editor} has no value")
