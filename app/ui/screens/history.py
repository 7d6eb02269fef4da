"""History: finished matches, newest first."""

import asyncio
from datetime import datetime

from textual import on, work
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Container
from textual.content import Content
from textual.screen import Screen
from textual.widgets import DataTable, Static

from app.match.dealing import is_daily
from app.match.seating import PERSON
from app.records.history import History, HistoryError, MatchRecord
from app.records.match_report import MatchReport
from app.ui.layout.wording import counted, minus
from app.ui.screens.requests import OpenForm, OpenReplay, OpenStats
from app.ui.tables import table_class
from app.ui.tables.base import Table
from app.ui.widgets.coach_words import short_words
from app.ui.widgets.empty_state import EmptyState
from app.ui.widgets.keys import Keys
from app.ui.widgets.rows import Column, Rows
from engine import GAMES
from engine.game import OptionValue

_MOST = 500
"""Most matches in the list; older ones count only in your record."""


class _Matches(Rows):
    BINDINGS = [
        Binding("enter", "select_cursor", "Replay", key_display="Enter", id="history.replay")
    ]


class HistoryScreen(Screen[None]):
    """Enter replays the match under the cursor."""

    CSS_PATH = ["common.tcss", "history.tcss"]
    AUTO_FOCUS = "Rows"
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (80, "-normal"), (110, "-wide"), (160, "-huge")]
    BINDINGS = [
        Binding("escape,q", "back", "Back", key_display="Esc", id="history.back"),
        Binding("s", "stats", "Stats", id="history.stats"),
        Binding("n", "new", "New table", show=False, id="history.new"),
    ]

    def __init__(self, history: History) -> None:
        super().__init__()
        self._history = history
        self._matches: list[MatchRecord] | None = None
        self._reports: dict[str, list[MatchReport]] = {}
        """The coach's reports by the name of the journal."""

    def compose(self) -> ComposeResult:
        yield Static("History", id="title", classes="heading")
        with Container(id="list"):
            yield _Matches(id="matches")
            yield Static("Looking …", id="about")
        yield EmptyState(
            "You have not finished a match yet",
            "Every match you finish is listed here: when, against whom, the result and the score.\n"
            "Enter then replays it move by move.",
            [("n", "starts a match"), ("Esc", "goes back")],
        )
        yield Keys()

    def on_screen_resume(self) -> None:
        self._look()

    @work(exclusive=True)
    async def _look(self) -> None:
        try:
            self._matches = await asyncio.to_thread(self._history.matches, limit=_MOST)
            found = await asyncio.to_thread(self._history.reports, limit=_MOST)
        except HistoryError as error:
            self.query_one("#about", Static).update(Content(str(error)))
            return
        self._reports = {}
        for report in found:
            self._reports.setdefault(report.journal, []).append(report)
        self._show()

    def on_resize(self) -> None:
        self._show()

    def _show(self) -> None:
        if self._matches is None:
            return
        rows = self.query_one(Rows)
        self.set_class(not self._matches, "-empty")
        narrow = self.has_class("-narrow")
        rows.fill(
            (
                Column("When", 11 if narrow else 16),
                Column("Game", 8 if narrow else 14),
                Column("Against"),
                Column("Result", 14),
                Column("Score", 9),
            ),
            [_line(match, narrow) for match in self._matches],
            max(0, rows.cursor_row),
        )

    @on(DataTable.RowHighlighted)
    def _highlighted(self, event: DataTable.RowHighlighted) -> None:
        if self._matches and event.cursor_row < len(self._matches):
            self.query_one("#about", Static).update(self._about(event.cursor_row))

    def _about(self, at: int) -> str:
        """Details that do not fit into the list; beside it one below the other."""
        assert self._matches is not None
        match = self._matches[at]
        players, facts = details_of(match)
        facts += [short_words(report) for report in self._reports.get(match.journal, ())]
        if self.has_class("-huge"):
            return "\n".join([*players, "", *facts])
        return f"{', '.join(players)}\n{' · '.join(facts)}"

    @on(DataTable.RowSelected)
    def _chosen(self, event: DataTable.RowSelected) -> None:
        journal = self._matches[event.cursor_row].journal if self._matches else ""
        if journal:
            self.post_message(OpenReplay(journal))
        else:
            self.notify("The moves of this match were not recorded.")

    def action_new(self) -> None:
        self.post_message(OpenForm(next(iter(GAMES))))

    def action_stats(self) -> None:
        self.post_message(OpenStats())

    def action_back(self) -> None:
        self.dismiss()


def _line(match: MatchRecord, narrow: bool) -> tuple[str, ...]:
    when = datetime.fromisoformat(match.finished).astimezone()
    title = GAMES[match.game].title if match.game in GAMES else match.game
    return (
        when.strftime("%m-%d %H:%M" if narrow else "%Y-%m-%d %H:%M"),
        title.split()[0] if narrow else title,
        ", ".join([seat.player for seat in match.opponents]),
        _result(match),
        minus(" : ".join([f"{score:g}" for score in match.scores])),
    )


def _result(match: MatchRecord) -> str:
    """`won`, with the reason if it is unrated; at a watched table the winner."""
    own = match.own
    if own is None:
        winners = [seat.name for seat in match.seats if seat.result == 1]
        return f"{winners[0]} won" if winners else "drawn"
    apart = "unrated" if match.unrated else "hint" if match.assisted else ""
    return f"{own.outcome}, {apart}" if apart else own.outcome


def _option_words(name: str, value: OptionValue) -> str:
    """`blind one on`, `target 20`."""
    if isinstance(value, bool):
        value = "on" if value else "off"
    return f"{name.replace('_', ' ')} {value}"


def details_of(match: MatchRecord) -> tuple[list[str], list[str]]:
    """The players, and facts about the match, with the options that are not the usual ones."""
    began, ended = map(datetime.fromisoformat, (match.started, match.finished))
    minutes = max(1, round((ended - began).total_seconds() / 60))
    players = [
        seat.name if seat.player == PERSON else f"{seat.name} ({seat.player})"
        for seat in match.seats
    ]
    usual, table = {}, Table
    if match.game in GAMES:
        usual, table = GAMES[match.game].make_options({}).as_dict(), table_class(match.game)
    facts = [
        *[counted(match.hands, table.hand_word, f"{table.hand_word}s")] * (not table.one_hand),
        f"{minutes} min",
        f"seed {match.seed}",
        *["daily deal"] * is_daily(match.game, match.seed, match.started),
        *[
            _option_words(name, value)
            for name, value in match.options.items()
            if usual.get(name) != value
        ],
        *["watched"] * match.watched,
        *["hints were shown"] * match.assisted,
        *["unrated (moves taken back, teaching, or played on)"] * match.unrated,
    ]
    return players, facts
