"""Offers a guided hand to somebody who starts a game for the first time."""

from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.widgets import Button, Static

from app.ui.layout.faces import faces_with
from app.ui.screens.asking import Asking
from app.ui.widgets.fan import hand_picture
from engine.manifest import GameRow

GUIDE, MATCH = "guide", "match"

_FAN = 17
"""Columns of the three cards."""


class GuideOffer(Asking[str | None]):
    """Returns GUIDE or MATCH, or None if the person went back."""

    CSS = """
    GuideOffer { align: center middle; }
    GuideOffer #box {
        width: 60; max-width: 100%; height: auto; padding: 1 2;
        border: round $primary; background: $surface;
    }
    GuideOffer Static { width: 100%; text-align: center; }
    GuideOffer #cards { height: 4; }
    GuideOffer #answers { height: 1; margin-top: 1; align-horizontal: center; }
    GuideOffer Button { margin: 0 1; }
    """
    AUTO_FOCUS = ""
    BINDINGS = [
        Binding("enter", "answer('guide')", "Play a guided hand", id="offer.guide"),
        Binding("n", "answer('match')", "No, thanks", id="offer.match"),
        Binding("escape", "back", "Back", key_display="Esc", id="offer.back"),
    ]

    def __init__(self, row: GameRow, ascii_only: bool = False) -> None:
        super().__init__()
        self._row = row
        self._ascii_only = ascii_only

    def compose(self) -> ComposeResult:
        with Vertical(id="box"):
            if self._row.cards:
                picture = hand_picture(faces_with(self._row.cards), _FAN, self._ascii_only)
                yield Static(picture, id="cards")
            yield Static(Content.styled(f"Your first time at {self._row.title}?", "bold"))
            yield Static(
                "A guided hand shows you how to play in about five minutes. "
                "Esc leaves it at any time.",
                markup=False,
            )
            with Horizontal(id="answers"):
                yield Button("Enter Guided first hand", compact=True, id=GUIDE)
                yield Button("n No, thanks", compact=True, id=MATCH)

    def on_button_pressed(self, event: Button.Pressed) -> None:
        self.dismiss(event.button.id)

    def action_answer(self, name: str) -> None:
        self.dismiss(name)

    def action_back(self) -> None:
        self.dismiss(None)
