"""Daily deals: your week, and what agents scored in the same seat."""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from datetime import date

from textual import on, work
from textual.app import ComposeResult
from textual.binding import Binding
from textual.content import Content
from textual.screen import Screen
from textual.widgets import DataTable, Static

from app.match.dealing import DAILY_OPPONENT
from app.records.history import History
from app.records.history_file import HistoryError
from app.records.practice_book import PracticeBook
from app.records.practice_rows import Par
from app.study.daily import (
    DailyResult,
    daily_results,
    daily_table,
    days_in_a_row,
    mean_of,
    share_line,
    signs,
    week_of,
)
from app.ui.layout.wording import minus
from app.ui.screens.requests import GoHome, OpenTable
from app.ui.widgets.keys import Keys
from app.ui.widgets.rows import Column, Rows
from app.ui.widgets.why import bar_from_zero
from engine.manifest import GAME_ROWS, VARIANTS

_POLL = 1.0
"""Seconds between two looks for par, while it is computed."""

_WIDE_CELL, _CELL = 9, 6
_PROMISE = (
    f"Everyone gets the same cards in the same seat, with {DAILY_OPPONENT.title()} in all others. "
    "A number is your lead over the best other side, and par is the mean of what the agents reach. "
    "The cards follow from the date, so anyone can look at them first. Only your first try counts, "
    "and nobody can check that it was one."
)
_DASH = "·"
_YOU = "you"
_BAR = 40


class _Games(Rows):
    BINDINGS = [Binding("enter", "select_cursor", "Play", key_display="Enter", id="daily.play")]


class DailyScreen(Screen[None]):
    CSS_PATH = ["common.tcss", "daily.tcss"]
    AUTO_FOCUS = "Rows"
    HORIZONTAL_BREAKPOINTS = [(0, "-normal"), (110, "-wide")]
    BINDINGS = [
        Binding("escape,q", "home", "Back", key_display="Esc", id="daily.back"),
        Binding("c", "copy", "Copy line", id="daily.copy"),
    ]

    def __init__(
        self,
        history: History,
        book: PracticeBook,
        program: str,
        today: date,
        game: str,
        delay: float,
        want_par: Callable[[str, date], bool],
        ascii_only: bool,
    ) -> None:
        """
        program    the checksum of the program whose par is shown
        game       the row with the cursor
        want_par   starts computing par in the background; returns whether it is on its way
        """
        super().__init__()
        self._history = history
        self._book = book
        self._program = program
        self._today = today
        self._first = game
        self._delay = delay
        self._want_par = want_par
        self._ascii = ascii_only
        self._results: Mapping[tuple[str, date], DailyResult] = {}
        self._par: Mapping[tuple[str, date], Par] = {}
        self._games = list(GAME_ROWS)
        self._computing = False

    def compose(self) -> ComposeResult:
        yield Static(f"Daily deals · {self._today.isoformat()}", id="title", classes="heading")
        yield _Games(id="week")
        yield Static("Looking …", id="about")
        yield Static(_PROMISE, id="promise")
        yield Keys(palette=False)

    def on_mount(self) -> None:
        self.set_interval(_POLL, self._look_again)

    def on_screen_resume(self) -> None:
        self._look()

    def _look_again(self) -> None:
        if self._computing and self.is_current:
            self._look()

    @work(exclusive=True)
    async def _look(self) -> None:
        try:
            self._results, self._par = await asyncio.to_thread(self._read)
        except HistoryError as error:
            self.query_one("#about", Static).update(Content(str(error)))
            return
        week = week_of(self._today)
        played = {game for game, day in self._results if day in week}
        self._games = [*GAME_ROWS, *[name for name in VARIANTS if name in played]]
        missing = [each for each in self._results if each not in self._par and each[1] in week]
        self._computing = await asyncio.to_thread(self._want_first, missing)
        self._fill()

    def _want_first(self, missing: Sequence[tuple[str, date]]) -> bool:
        """Start computing par of one deal; the others follow. Returns whether one is on its way."""
        return any(self._want_par(*each) for each in missing)

    def _read(
        self,
    ) -> tuple[Mapping[tuple[str, date], DailyResult], Mapping[tuple[str, date], Par]]:
        return daily_results(self._history.matches()), self._book.par(self._program)

    # Drawing

    def _fill(self) -> None:
        rows = self.query_one(Rows)
        at = rows.cursor_row if rows.row_count else -1
        if at < 0:
            at = self._games.index(self._first) if self._first in self._games else 0
        week = week_of(self._today)
        width = _WIDE_CELL if self.has_class("-wide") else _CELL
        columns = [
            Column("Game"),
            *[Column(_day_words(day, self._today), width, right=True) for day in week],
            Column("Days", 4, right=True),
        ]
        rows.fill(columns, [self._line(game, week) for game in self._games], at)
        self._tell(at)

    def _line(self, game: str, week: list[date]) -> list[str]:
        days = days_in_a_row(self._results, game, self._today)
        cells = [self._cell(game, day) for day in week]
        return [GAME_ROWS[game].title, *cells, str(days) if days else _DASH]

    def _cell(self, game: str, day: date) -> str:
        """`+3 ▲`; in a wide window with par, `+3 (+1)`."""
        result, par = self._results.get((game, day)), self._par.get((game, day))
        if result is None:
            return _DASH
        if par is None:
            return _signed(result.margin)
        if self.has_class("-wide"):
            return f"{_signed(result.margin)} ({_signed(mean_of(par))})"
        ahead = Par(par.game, par.day, par.program, {"par": mean_of(par)})
        return f"{_signed(result.margin)} {signs(result, ahead, self._ascii)}"

    @property
    def _game(self) -> str:
        at = self.query_one(Rows).cursor_row
        return self._games[at] if 0 <= at < len(self._games) else self._games[0]

    def _tell(self, at: int) -> None:
        about = self.query_one("#about", Static)
        if 0 <= at < len(self._games):
            about.update(self._about(self._games[at]))

    def _about(self, game: str) -> Content:
        """Today's result in a game, those of the agents and the line to share."""
        title = GAME_ROWS[game].title
        result, par = self._results.get((game, self._today)), self._par.get((game, self._today))
        if result is None:
            return Content.assemble(
                (f"{title} today: ", "bold"),
                "not played yet. Enter deals; par appears when the match is over.",
            )
        parts: list[str | tuple[str, str]] = [
            (f"{title} today: ", "bold"),
            f"you {result.outcome}, {_signed(result.margin)}{' with hints' * result.assisted}",
        ]
        if par is None:
            parts.append("\nPar is on its way: the agents are playing the same deal …\n")
        else:
            parts += [f"; par {_signed(mean_of(par))}\n", *_bars(result, par)]
        return Content.assemble(*parts, "\n", (self._shared(game) or "", "$accent"))

    def _shared(self, game: str) -> str | None:
        result = self._results.get((game, self._today))
        if result is None:
            return None
        days = days_in_a_row(self._results, game, self._today)
        return share_line(result, self._par.get((game, self._today)), days, self._ascii)

    # Keys

    @on(DataTable.RowHighlighted)
    def _moved(self, event: DataTable.RowHighlighted) -> None:
        self._tell(event.cursor_row)

    @on(DataTable.RowSelected)
    def _chosen(self, event: DataTable.RowSelected) -> None:
        if event.cursor_row < len(self._games):
            game = self._games[event.cursor_row]
            self.post_message(OpenTable(daily_table(game, self._today, self._delay)))

    def action_copy(self) -> None:
        """Copy the line to share to the clipboard of the terminal."""
        line = self._shared(self._game)
        if line is None:
            self.notify("Play today's deal first; then there is a line to share.")
        else:
            self.app.copy_to_clipboard(line)
            self.notify("The line is on the clipboard, if your terminal allows it.")

    def action_home(self) -> None:
        self.post_message(GoHome())


def _day_words(day: date, today: date) -> str:
    return "today" if day == today else f"{day:%a} {day.day}"


def _signed(number: int) -> str:
    return minus(f"{number:+d}")


def _bars(result: DailyResult, par: Par) -> list[str | tuple[str, str]]:
    """You and the agents, the best first."""
    scores = [(_YOU, result.margin), *par.margins.items()]
    reach = max([abs(score) for _, score in scores])
    parts: list[str | tuple[str, str]] = []
    for name, score in sorted(scores, key=lambda each: -each[1]):
        bar, style = bar_from_zero(score, reach, _BAR)
        weight = "bold" if name == _YOU else ""
        parts += [
            (f"{name:<8}{_signed(score):>4} ", weight),
            (f"{bar}\n", style or ("$success" if name == _YOU else "$primary")),
        ]
    return parts
