"""Practice while no exercise is due: what has been done, and when the next one comes back."""

from textual.app import ComposeResult
from textual.binding import Binding
from textual.screen import Screen
from textual.widgets import Static

from app.study.practice import Session
from app.ui.screens.requests import GoHome, NextExercise
from app.ui.widgets.empty_state import EmptyState
from app.ui.widgets.keys import Keys
from engine.manifest import GAME_ROWS


class PracticeRestScreen(Screen[None]):
    CSS_PATH = ["common.tcss"]
    BINDINGS = [
        Binding("escape,q", "home", "Back", key_display="Esc", id="practice.back"),
        Binding("tab", "game", "Game", key_display="Tab", id="practice.game"),
    ]

    def __init__(self, session: Session) -> None:
        super().__init__()
        self.session = session

    def compose(self) -> ComposeResult:
        yield Static(f"Practice · {game_words(self.session)}", id="title", classes="heading")
        yield EmptyState(*self._words(), [("Tab", "another game"), ("Esc", "goes back")])
        yield Keys(palette=False)

    def _words(self) -> tuple[str, str]:
        practice = self.session.practice
        if not practice.exercises:
            return (
                "No exercises yet",
                "Costly moves of your matches come back here as exercises.",
            )
        done = practice.answered_today
        told = f"You have answered {done} exercise{'s' * (done != 1)} today. " if done else ""
        days = practice.streak
        if days > 1:
            told += f"That makes {days} days in a row. "
        following = practice.following()
        if following is not None:
            told += f"The next one comes back on {following.isoformat()}."
        return "Nothing is due", told or "Costly moves of your matches come back here."

    def action_home(self) -> None:
        self.post_message(GoHome())

    def action_game(self) -> None:
        self.session.next_game()
        self.post_message(NextExercise(self.session))


def game_words(session: Session) -> str:
    """The game that is practised, or `all games`."""
    return GAME_ROWS[session.game].title if session.game else "all games"
