"""A question before something that cannot be undone."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from textual.app import ComposeResult
from textual.binding import Binding, BindingsMap
from textual.containers import Horizontal, Vertical
from textual.widgets import Button, Static

from app.ui.screens.asking import Asking

_MOST_IN_A_ROW: Final = 2


@dataclass(frozen=True, slots=True)
class Answer:
    """key: the letter that chooses this answer."""

    name: str
    key: str
    text: str


class Question(Asking[str | None]):
    """Returns the name of the chosen answer, or None if the person went back."""

    CSS = """
    Question { align: center middle; }
    Question #box {
        width: 64; max-width: 100%; height: auto; padding: 1 2;
        border: round $primary; background: $surface;
    }
    Question.-hides { background: $felt; }
    Question #answers { height: 1; margin-top: 1; }
    Question Button { margin-right: 2; }
    Question.-many #answers { layout: grid; grid-size: 3; grid-rows: 1; height: auto; }
    """
    AUTO_FOCUS = "#back"
    """Focus no answer, so that Enter alone does nothing."""
    BINDINGS = [
        Binding("escape", "back", "Back", key_display="Esc", id="question.back"),
        Binding("left", "app.focus_previous", show=False, id="question.previous"),
        Binding("right", "app.focus_next", show=False, id="question.next"),
    ]

    def __init__(
        self, sentence: str, answers: Sequence[Answer], hides: bool = False, back: str = "Back"
    ) -> None:
        """
        hides   whether the screen below is not visible, because it shows cards
        back    what Esc answers
        """
        super().__init__()
        self.set_class(len(answers) > _MOST_IN_A_ROW, "-many")
        self.set_class(hides, "-hides")
        self._sentence = sentence
        self._answers = answers
        self._back = back
        keys = [
            Binding(each.key, f"answer('{each.name}')", each.text, id=f"question.{each.name}")
            for each in answers
        ]
        self._bindings = BindingsMap.merge([self._bindings, BindingsMap(keys)])

    def compose(self) -> ComposeResult:
        with Vertical(id="box"):
            yield Static(self._sentence, markup=False)
            with Horizontal(id="answers"):
                for answer in self._answers:
                    yield Button(f"{answer.key} {answer.text}", compact=True, id=answer.name)
                yield Button(f"Esc {self._back}", compact=True, id="back")

    def on_button_pressed(self, event: Button.Pressed) -> None:
        self.dismiss(None if event.button.id == "back" else event.button.id)

    def action_answer(self, name: str) -> None:
        self.dismiss(name)

    def action_back(self) -> None:
        self.dismiss(None)
