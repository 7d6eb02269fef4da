"""The side panel: why agents moved, how learners stand, the log and the scores."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from textwrap import wrap

from textual import events, on
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.widgets import Static, TabbedContent, TabPane, Tabs

from agents.registry import spec_of
from app.match.moment import LearnerStatus
from app.match.seating import Seating
from app.ui.widgets.scroll import Scroll
from app.ui.widgets.series_plot import SeriesPlot
from app.ui.widgets.tail import Tail

TABS = {"why": "Why", "learning": "Learning", "log": "Log", "scores": "Scores"}
SERIES = "series"
"""The tab of a watched table with the score of the series."""

_BARS = "▁▂▃▄▅▆▇"
_LABEL_WIDTH = 19
_VALUE_WIDTH = 17
_BAR_COUNT = 10


class Panel(Vertical):
    """Tabs that never take the focus from the table. A tall window shows below them the score of
    a watched series, or else the end of the log."""

    def __init__(self, tabs: Mapping[str, str], plain: bool, id: str | None = None) -> None:
        """
        tabs    the titles of the tabs by name
        plain   use only characters that have an ASCII replacement
        """
        super().__init__(id=id)
        self._tabs = tabs
        self._plain = plain
        self._texts: Mapping[str, Callable[[], Content]] = {}
        self._drawn: dict[str, Content] = {}

    def compose(self) -> ComposeResult:
        with TabbedContent():
            for name, title in self._tabs.items():
                with TabPane(title, id=name), Scroll():
                    if name == SERIES:
                        yield SeriesPlot(self._plain)
                    else:
                        yield Static(id=f"{name}-text")
        if SERIES in self._tabs:
            yield SeriesPlot(self._plain, id="score")
        tail = Tail(id="tail")
        tail.border_title = TABS["log"]
        yield tail

    def on_mount(self) -> None:
        """Loops allow for a table that was closed before its tabs were mounted."""
        for tabs in self.query(Tabs):
            tabs.can_focus = False
        for log in self.query("#log Scroll"):
            log.anchor()

    @property
    def active(self) -> str:
        """The open tab; empty before the tabs are mounted and after they are removed."""
        tabs = self.query_one_optional(TabbedContent)
        return tabs.active if tabs is not None else ""

    def open(self, tab: str) -> None:
        self.query_one(TabbedContent).active = tab

    def page(self, step: int) -> None:
        """Scroll the open tab by a page."""
        if self.active:
            part = self.query_one(f"#{self.active}").query_one(Scroll)
            part.scroll_relative(y=step * part.size.height, animate=False)

    def show(self, texts: Mapping[str, Callable[[], Content]]) -> None:
        """Set a function for the text of each tab. Only the visible tab's function is called."""
        self._texts = texts
        self._draw()

    @on(events.Show)
    @on(TabbedContent.TabActivated)
    def _draw(self) -> None:
        """Draw the visible tab. The screen is laid out again only if the tab's height changes."""
        tab = self.active
        if not self.display:
            return
        self.set_class(tab == "log", "-log")
        self.set_class(tab != SERIES and SERIES in self._tabs, "-score")
        if tab not in self._texts:
            return
        for tail in self.query(Tail):
            tail.show(self._texts["log"]())
        text, drawn = self._texts[tab](), self._drawn.get(tab)
        if drawn is not None and text.is_same(drawn):
            return
        self._drawn[tab] = text
        part = self.query_one(f"#{tab}-text", Static)
        width, height = part.content_size
        fits = width > 0 and len(text.wrap(width)) == height
        part.update(text, layout=not fits)


def learning_text(game: str, learners: Sequence[LearnerStatus], seating: Seating) -> Content:
    """The statistics of every learner at the table."""
    if not learners:
        return Content("No learner sits at this table. Seat Q at a new table to see one learn.")
    return Content("\n\n").join([_learner_text(game, each, seating) for each in learners])


def _learner_text(game: str, learner: LearnerStatus, seating: Seating) -> Content:
    stats = learner.stats
    player = seating.players[learner.seats[0]]
    lines: list[tuple[str, str]] = [
        ("situations known", f"{stats.table_size:,}"),
        ("moves made", f"{stats.total_actions:,}"),
        ("tried at random", f"{stats.exploration_actions:,}"),
        ("curiosity (ε)", f"{stats.epsilon:.3f}"),
        ("updates", f"{stats.updates:,}"),
        ("last reward", _reward(stats.last_reward, stats.last_reason)),
        ("last change", f"{round(stats.last_update, 2) + 0.0:+.2f}"),
        ("mean error (TD)", f"{stats.mean_td_error:.2f}"),
        ("matches won", f"{stats.wins:,.10g} of {stats.games:,}"),
    ]
    if stats.recent:
        rate = sum(stats.recent) / len(stats.recent)
        share = f"{_bars(stats.recent)} {100 * rate:.0f} %"
        lines.append((f"wins, last {len(stats.recent)}", share))
    names = seating.together(learner.seats)
    spec = spec_of(game, player)
    about = f"\n{spec.title} {spec.summary}.\n" if spec else ""
    rows = [f"\n{label:<{_LABEL_WIDTH}}{_hanging(value)}" for label, value in lines]
    return Content.assemble((f"{names} · {player}", "bold"), (about, "dim"), *rows)


def _hanging(value: str) -> str:
    """A value wrapped beside its label."""
    return f"\n{'':{_LABEL_WIDTH}}".join(wrap(value, _VALUE_WIDTH))


def _reward(reward: float, reason: str) -> str:
    """`+25 5× trick won`; `reason` lists the rewarded events, separated by commas."""
    if not reason:
        return "none yet"
    times = Counter(reason.split(", "))
    counts = [f"{count}× {what}" if count > 1 else what for what, count in times.items()]
    return f"{reward:+g} {', '.join(counts)}"


def _bars(results: Sequence[float]) -> str:
    """Win rate over time as bars, oldest first."""
    size = -(-len(results) // _BAR_COUNT)
    parts = [results[at : at + size] for at in range(0, len(results), size)]
    return "".join(_BARS[round(sum(part) / len(part) * (len(_BARS) - 1))] for part in parts)
