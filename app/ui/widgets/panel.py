"""The side panel: why agents moved so, what learners learned, what happened, the scores."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from textwrap import wrap

from textual import events, on
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.widgets import Static, TabbedContent, TabPane, Tabs

from agents.registry import agents_for
from app.match.moment import LearnerStatus
from app.match.seating import Seating
from app.ui.widgets.scroll import Scroll
from app.ui.widgets.tail import Tail

TABS = {"why": "Why", "learning": "Learning", "log": "Log", "scores": "Scores"}
_BARS = "▁▂▃▄▅▆▇"
_LABEL_WIDTH = 19
_VALUE_WIDTH = 17
_BAR_COUNT = 10


class Panel(Vertical):
    """Tabs that never take the keyboard away from the table; below them, in a high window, what
    happened last."""

    def __init__(self, id: str | None = None) -> None:
        super().__init__(id=id)
        self._texts: Mapping[str, Callable[[], Content]] = {}
        self._drawn: dict[str, Content] = {}

    def compose(self) -> ComposeResult:
        with TabbedContent():
            for name, title in TABS.items():
                with TabPane(title, id=name), Scroll():
                    yield Static(id=f"{name}-text")
        tail = Tail(id="tail")
        tail.border_title = TABS["log"]
        yield tail

    def on_mount(self) -> None:
        """A table that is left at once may have no tabs any more."""
        for tabs in self.query(Tabs):
            tabs.can_focus = False
        for log in self.query("#log Scroll"):
            log.anchor()

    @property
    def active(self) -> str:
        """The tab that is open; nothing while there is none yet or none any more."""
        tabs = self.query_one_optional(TabbedContent)
        return tabs.active if tabs is not None else ""

    def open(self, tab: str) -> None:
        self.query_one(TabbedContent).active = tab

    def page(self, step: int) -> None:
        """A page up or down in the tab that is open."""
        if self.active:
            part = self.query_one(f"#{self.active}").query_one(Scroll)
            part.scroll_relative(y=step * part.size.height, animate=False)

    def show(self, texts: Mapping[str, Callable[[], Content]]) -> None:
        """What each tab says; only the one that is seen is asked for."""
        self._texts = texts
        self._draw()

    @on(events.Show)
    @on(TabbedContent.TabActivated)
    def _draw(self) -> None:
        """The tab that is seen; laying out the whole screen again only if it must be."""
        tab = self.active
        if not self.display or tab not in self._texts:
            return
        self.set_class(tab == "log", "-log")
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


def learning_text(game: str, lessons: Sequence[LearnerStatus], seating: Seating) -> Content:
    """Where every learner of the table stands, words first."""
    if not lessons:
        return Content("No learner sits at this table. Seat Q at a new table to see one learn.")
    return Content("\n\n").join([_lesson_text(game, lesson, seating) for lesson in lessons])


def _lesson_text(game: str, lesson: LearnerStatus, seating: Seating) -> Content:
    stats = lesson.stats
    player = seating.players[lesson.seats[0]]
    lines: list[tuple[str, str]] = [
        ("situations known", f"{stats.table_size:,}"),
        ("moves made", f"{stats.total_actions:,}"),
        ("tried at random", f"{stats.exploration_actions:,}"),
        ("curiosity (ε)", f"{stats.epsilon:.3f}"),
        ("lessons", f"{stats.updates:,}"),
        ("last lesson", _lesson(stats.last_reward, stats.last_reason)),
        ("last change", f"{round(stats.last_update, 2) + 0.0:+.2f}"),
        ("mean surprise", f"{stats.mean_td_error:.2f}"),
        ("matches won", f"{stats.wins:,.10g} of {stats.games:,}"),
    ]
    if stats.recent:
        rate = sum(stats.recent) / len(stats.recent)
        share = f"{_bars(stats.recent)} {100 * rate:.0f} %"
        lines.append((f"wins, last {len(stats.recent)}", share))
    names = seating.together(lesson.seats)
    spec = agents_for(game).get(player)
    about = f"\n{spec.title} {spec.summary}.\n" if spec else ""
    rows = [f"\n{label:<{_LABEL_WIDTH}}{_hanging(value)}" for label, value in lines]
    return Content.assemble((f"{names} · {player}", "bold"), (about, "dim"), *rows)


def _hanging(value: str) -> str:
    """On lines of their own below each other, beside the label."""
    return f"\n{'':{_LABEL_WIDTH}}".join(wrap(value, _VALUE_WIDTH))


def _lesson(reward: float, reason: str) -> str:
    """`+25 5× trick won`; reason: what was rewarded, separated by commas."""
    if not reason:
        return "none yet"
    times = Counter(reason.split(", "))
    told = [f"{count}× {what}" if count > 1 else what for what, count in times.items()]
    return f"{reward:+g} {', '.join(told)}"


def _bars(results: Sequence[float]) -> str:
    """The share of wins over time, oldest first."""
    size = -(-len(results) // _BAR_COUNT)
    parts = [results[at : at + size] for at in range(0, len(results), size)]
    return "".join(_BARS[round(sum(part) / len(part) * (len(_BARS) - 1))] for part in parts)
