"""Stats: your record in each game against each agent."""

import asyncio
from collections.abc import Mapping

from textual import work
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Grid, Vertical, VerticalScroll
from textual.content import Content
from textual.screen import Screen
from textual.widget import Widget
from textual.widgets import Static

from agents.evaluation.ratings import ladder
from agents.registry import title_of
from app.records.history import History, HistoryError, MatchRecord
from app.records.personal_rating import PersonalRating, personal_ratings
from app.records.personal_record import GameRecord, Tally, records
from app.ui.screens.requests import OpenForm, OpenHistory
from app.ui.widgets.empty_state import EmptyState
from app.ui.widgets.keys import Keys
from app.ui.widgets.rating_plot import RatingPlot
from engine import GAMES
from engine.manifest import base_game

_NAME_WIDTH = 22
_HEADING = f"{'':<{_NAME_WIDTH}}{'matches':>8}{'won':>6}{'win rate':>10}"
_BAR_BESIDE = len(_HEADING) + 14
"""The width of a line without its drawn rate."""

_SHORTEST_BAR, _LONGEST_BAR = 10, 60
_LEGEND = (
    "Matches with hints are counted separately, and so are unrated ones: "
    "with moves taken back, with teaching, or played on from a replay. The others change your "
    "rating, if the options are the usual ones and all agents have a rating too. Hard has 1500."
)
_OF_TWO = 0.495
"""Below this, there were matches with more than two sides."""
_BAR_LEGEND = "● win rate   ━ 95 % interval"


class StatsScreen(Screen[None]):
    CSS_PATH = ["common.tcss", "stats.tcss"]
    HORIZONTAL_BREAKPOINTS = [(0, "-normal"), (160, "-huge")]
    VERTICAL_BREAKPOINTS = [(0, "-low"), (34, "-tall")]
    BINDINGS = [
        Binding("escape,q", "back", "Back", key_display="Esc", id="stats.back"),
        Binding("down,j", "scroll(1)", "Scroll", key_display="↑↓", id="stats.down"),
        Binding("up,k", "scroll(-1)", show=False, id="stats.up"),
        Binding("m", "matches", "Matches", id="stats.matches"),
        Binding("n", "new", "New table", show=False, id="stats.new"),
    ]

    def __init__(self, history: History, ascii_only: bool = False) -> None:
        super().__init__()
        self._ascii_only = ascii_only
        self._history = history
        self._records: list[GameRecord] = []

    def compose(self) -> ComposeResult:
        yield Static("Your record", id="title", classes="heading")
        yield EmptyState(
            "You have not finished a match yet",
            "Your wins in each game against each agent appear here, with a 95 % interval.",
            [("n", "starts a match"), ("Esc", "goes back")],
        )
        with VerticalScroll(can_focus=False):
            yield Static("Counting …", id="problem")
            yield Grid(id="games")
            yield Static(id="legend")
        yield Keys()

    def on_screen_resume(self) -> None:
        self._look()

    @work(exclusive=True)
    async def _look(self) -> None:
        problem = self.query_one("#problem", Static)
        try:
            matches = await asyncio.to_thread(self._history.matches)
            found, ratings = await asyncio.to_thread(_counted, matches)
        except HistoryError as error:
            problem.update(Content(str(error)))
            return
        problem.display = False
        self._records = [record for record in found if record.played]
        self.set_class(not self._records, "-empty")
        games = self.query_one("#games")
        await games.remove_children()
        await games.mount_all([self._block(record.game, ratings) for record in self._records])
        self._show()

    def _block(self, game: str, ratings: Mapping[str, PersonalRating]) -> Widget:
        """The record in a game, and the rating with its plot."""
        parts: list[Widget] = [Static(classes="game")]
        plain = self._ascii_only or self.app.no_color
        for name, rating in ratings.items():
            if base_game(name) == game:
                parts.append(Static(rating_text(rating), classes="rating"))
                parts += [RatingPlot(rating, plain)] if len(rating.points) > 1 else []
        return Vertical(*parts, classes="block")

    def on_resize(self) -> None:
        self._show()

    def _show(self) -> None:
        """Draw every game as wide as its place."""
        columns = 2 if self.has_class("-huge") else 1
        room = self.app.size.width // columns - _BAR_BESIDE - 4
        bar = min(_LONGEST_BAR, room) if room >= _SHORTEST_BAR else 0
        for block, record in zip(self.query(".game").results(Static), self._records, strict=False):
            block.update(game_text(record, bar))
        legend = f"{_BAR_LEGEND}\n{_LEGEND}" if bar else _LEGEND
        self.query_one("#legend", Static).update(legend if self._records else "")

    def action_scroll(self, lines: int) -> None:
        self.query_one(VerticalScroll).scroll_relative(y=lines, animate=False)

    def action_new(self) -> None:
        self.post_message(OpenForm(next(iter(GAMES))))

    def action_matches(self) -> None:
        self.post_message(OpenHistory())

    def action_back(self) -> None:
        self.dismiss()


def _counted(
    matches: list[MatchRecord],
) -> tuple[list[GameRecord], dict[str, PersonalRating]]:
    return records(matches), personal_ratings(matches)


def rating_text(rating: PersonalRating) -> Content:
    """The rating in words, and the agents next to it on the ladder."""
    words = rating.sentence()
    lines = [Content.styled(f"  {words[0].upper()}{words[1:]}", "bold")]
    order = sorted(ladder(rating.game).items(), key=lambda each: each[1].points)
    below = [each for each in order if each[1].points <= rating.now.rating]
    above = [each for each in order if each[1].points > rating.now.rating]
    near = [
        f"{side} {title_of(rating.game, name)} ({each.points:.0f})"
        for side, (name, each) in [
            *[("above", each) for each in below[-1:]],
            *[("below", each) for each in above[:1]],
        ]
    ]
    if near:
        lines.append(Content.styled(f"  {' and '.join(near)} on the ladder", "$text-muted"))
    return Content("\n").join(lines)


def game_text(record: GameRecord, bar_width: int) -> Content:
    """The record in one game: all matches, then by opponent."""
    title = f"{record.title:<{_NAME_WIDTH}}"
    lines = [Content.assemble((title, "bold $accent"), (_HEADING[_NAME_WIDTH:], "$text-muted"))]
    if record.rated.matches:
        lines.append(_line("  all matches", record.rated, bar_width, "bold"))
    for name, tally in record.opponents.items():
        lines.append(_line(f"  against {name}", tally, bar_width))
    for kind, tally in (("with hints", record.assisted), ("unrated", record.unrated)):
        if tally.matches:
            lines.append(_line(f"  {kind}", tally, bar_width, "italic $text-muted"))
    if record.rated.matches and record.equal_share < _OF_TWO:
        equal = f"  an equal player would win {100 * record.equal_share:.0f} %"
        lines.append(Content.styled(equal, "$text-muted"))
    if record.streaks:
        lines.append(Content.styled(f"  {record.streaks.words()}", "$text-muted"))
    return Content("\n").join(lines)


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
        ("·" * start, "$text-muted"),
        ("━" * (at - start), "$primary"),
        ("●", "$accent"),
        ("━" * (end - at), "$primary"),
        ("·" * (width - 1 - end), "$text-muted"),
        (f"  {_between(tally)}", "$text-muted"),
    ]


def _between(tally: Tally) -> str:
    low, high = tally.interval
    return f"{100 * low:.0f}–{100 * high:.0f} %"
