"""Stats: your record in each game against each agent."""

import asyncio

from textual import work
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import VerticalScroll
from textual.content import Content
from textual.screen import Screen
from textual.widgets import Static

from app.records.history import History, HistoryError
from app.records.personal_record import GameRecord, Tally, records
from app.ui.screens.requests import OpenHistory
from app.ui.widgets.keys import Keys

_NAME_WIDTH = 22
_HEADING = f"{'':<{_NAME_WIDTH}}{'matches':>8}{'won':>6}{'win rate':>10}"
_BAR_WIDTHS = {"-narrow": 0, "-normal": 16, "-wide": 50}
"""Width of the drawn rate, by window width."""


class StatsScreen(Screen[None]):
    CSS_PATH = "stats.tcss"
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (80, "-normal"), (110, "-wide")]
    BINDINGS = [
        Binding("escape,q", "back", "Back", key_display="Esc", id="stats.back"),
        Binding("down,j", "scroll(1)", "Scroll", key_display="↑↓", id="stats.down"),
        Binding("up,k", "scroll(-1)", show=False, id="stats.up"),
        Binding("m", "matches", "Matches", id="stats.matches"),
    ]

    def __init__(self, history: History) -> None:
        super().__init__()
        self._history = history
        self._records: list[GameRecord] | None = None

    def compose(self) -> ComposeResult:
        yield Static("Your record", id="title")
        yield Static(_HEADING, id="heading")
        with VerticalScroll(can_focus=False):
            yield Static("Counting …", id="record")
        yield Keys()

    def on_screen_resume(self) -> None:
        self._look()

    @work(exclusive=True)
    async def _look(self) -> None:
        try:
            self._records = await asyncio.to_thread(lambda: records(self._history.matches()))
        except HistoryError as error:
            self.query_one("#record", Static).update(str(error))
        else:
            self._show()

    def on_resize(self) -> None:
        self._show()

    def _show(self) -> None:
        if self._records is not None:
            wide = next(width for name, width in _BAR_WIDTHS.items() if self.has_class(name))
            self.query_one("#heading").display = any(each.played for each in self._records)
            self.query_one("#record", Static).update(record_text(self._records, wide))

    def action_scroll(self, lines: int) -> None:
        self.query_one(VerticalScroll).scroll_relative(y=lines, animate=False)

    def action_matches(self) -> None:
        self.post_message(OpenHistory())

    def action_back(self) -> None:
        self.dismiss()


def record_text(found: list[GameRecord], bar_width: int) -> Content:
    played = [record for record in found if record.played]
    if not played:
        return Content("You have not finished a match yet. Your wins and losses will appear here.")
    lines = []
    for record in played:
        lines.append(_line(record.title, record.rated, bar_width, "bold"))
        for name, tally in record.opponents.items():
            lines.append(_line(f"  against {name}", tally, bar_width))
        for kind, tally in (("with hints", record.assisted), ("unrated", record.unrated)):
            if tally.matches:
                lines.append(_line(f"  {kind}", tally, bar_width, "dim italic"))
        if record.streaks:
            lines.append(Content.styled(f"  {record.streaks.words()}", "$text-accent"))
        lines.append(Content(""))
    legend = (
        "Matches with hints are counted separately, and so are unrated ones: "
        "with moves taken back, or played on from a replay."
    )
    if bar_width:
        legend += "\n● win rate   ━ 95 % interval"
    return Content("\n").join([*lines, Content.styled(legend, "dim")])


def _line(name: str, tally: Tally, bar_width: int, style: str = "") -> Content:
    text = f"{name:<{_NAME_WIDTH}}{tally.matches:>8}{tally.wins:>6}"
    if not tally.matches:
        return Content.styled(text, style)
    text += f"{100 * tally.rate:>8.0f} %  "
    if not bar_width:
        return Content.styled(text + _between(tally), style)
    return Content.assemble((text, style), *_bar(tally, bar_width))


def _bar(tally: Tally, width: int) -> list[tuple[str, str]]:
    """Draw a rate between 0 and 1 with its interval."""
    low, high = tally.interval
    at = round(tally.rate * (width - 1))
    start, end = round(low * (width - 1)), round(high * (width - 1))
    return [
        ("·" * start, "dim"),
        ("━" * (at - start), "$primary"),
        ("●", "$text-accent"),
        ("━" * (end - at), "$primary"),
        ("·" * (width - 1 - end), "dim"),
        (f"  {_between(tally)}", "dim"),
    ]


def _between(tally: Tally) -> str:
    low, high = tally.interval
    return f"{100 * low:.0f}–{100 * high:.0f} %"
