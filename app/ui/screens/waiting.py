"""Unfinished matches."""

import asyncio
from datetime import datetime

from textual import on, work
from textual.app import ComposeResult
from textual.binding import Binding
from textual.screen import Screen
from textual.widgets import DataTable, Static

from app.match.seating import PERSON
from app.records.scorekeeper import Scorekeeper, Waiting
from app.ui.screens.question import Answer, Question
from app.ui.screens.requests import ResumeMatch
from app.ui.tables import table_class
from app.ui.widgets.empty_state import EmptyState
from app.ui.widgets.keys import Keys
from app.ui.widgets.rows import Column, Rows
from engine import GAMES


class _Matches(Rows):
    BINDINGS = [
        Binding("enter", "select_cursor", "Resume", key_display="Enter", id="waiting.resume")
    ]


class WaitingScreen(Screen[None]):
    """The match left last is the first. Enter resumes the match under the cursor."""

    CSS_PATH = ["common.tcss", "waiting.tcss"]
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (80, "-normal"), (110, "-wide")]
    AUTO_FOCUS = "Rows"
    BINDINGS = [
        Binding("escape,q", "back", "Back", key_display="Esc", id="waiting.back"),
        Binding("delete,d", "discard", "Discard", key_display="d", id="waiting.discard"),
    ]

    def __init__(self, keeper: Scorekeeper) -> None:
        super().__init__()
        self._keeper = keeper
        self._waiting: list[Waiting] = []
        self._looked = False

    def compose(self) -> ComposeResult:
        yield Static("Matches to resume", id="title", classes="heading")
        yield _Matches(id="matches")
        yield EmptyState(
            "No match is waiting",
            "A match that you leave is saved after every card and waits here.",
            [("Esc", "goes back")],
        )
        yield Static("Looking …", id="about")
        yield Keys(palette=False)

    def on_screen_resume(self) -> None:
        self._look()

    @work(exclusive=True)
    async def _look(self) -> None:
        self._waiting = await asyncio.to_thread(self._keeper.waiting)
        while self._keeper.notices:
            self.notify(self._keeper.notices.pop(0), markup=False)
        self._looked = True
        self._show()
        self.query_one("#about", Static).update("Enter resumes at the same card.")

    def on_resize(self) -> None:
        if self._looked:
            self._show()

    def _show(self) -> None:
        rows, narrow = self.query_one(Rows), self.has_class("-narrow")
        left, game, standing = (11, 8, 17) if narrow else (16, 14, 24)
        rows.fill(
            (
                Column("Left", left),
                Column("Game", game),
                Column("With"),
                Column("Stands at", standing),
            ),
            [_line(match, narrow) for match in self._waiting],
            max(0, rows.cursor_row),
        )
        self.set_class(not self._waiting, "-empty")

    @on(DataTable.RowSelected)
    def _chosen(self, event: DataTable.RowSelected) -> None:
        if event.cursor_row < len(self._waiting):
            self.post_message(ResumeMatch(self._waiting[event.cursor_row].path))

    def action_discard(self) -> None:
        row = self.query_one(Rows).cursor_row
        if row >= len(self._waiting):
            return
        match = self._waiting[row]
        title = GAMES[match.setup.game].title

        async def discard(answer: str | None) -> None:
            if answer == "discard":
                await asyncio.to_thread(self._keeper.discard, match.path)
                self._look()

        sentence = f"Discard the match of {title} at {_progress(match)}?"
        self.app.push_screen(Question(sentence, [Answer("discard", "d", "Discard")]), discard)

    def action_back(self) -> None:
        self.dismiss()


def _line(match: Waiting, narrow: bool) -> tuple[str, ...]:
    setup = match.setup
    left = datetime.fromtimestamp(match.left).astimezone()
    title = GAMES[setup.game].title
    others = [player for player in setup.players if player != PERSON]
    return (
        left.strftime("%m-%d %H:%M" if narrow else "%Y-%m-%d %H:%M"),
        title.split()[0] if narrow else title,
        f"{', '.join(others)}{' (watched)' * match.watched}",
        _progress(match),
    )


def _progress(match: Waiting) -> str:
    return match.words(table_class(match.setup.game).hand_word)
