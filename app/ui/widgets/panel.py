"""The side panel: why agents moved, how learners stand, the log and the scores."""

from collections.abc import Callable, Mapping

from textual import events, on
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.geometry import Size
from textual.widgets import Static, TabbedContent, TabPane, Tabs

from app.ui.widgets.scroll import Scroll
from app.ui.widgets.series_plot import SeriesPlot
from app.ui.widgets.tail import Tail

LEARNING = "learning"
TABS = {"why": "Why", LEARNING: "Learning", "log": "Log", "scores": "Scores"}
SERIES = "series"
"""The tab of a watched table with the score of the series."""


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

    @property
    def room(self) -> Size:
        """The size of the open tab's text."""
        part = self.query_one_optional(f"#{self.active} Scroll") if self.active else None
        return part.scrollable_content_region.size if part is not None else Size()

    def on_resize(self) -> None:
        self.call_after_refresh(self._draw)

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

    @on(TabbedContent.TabActivated)
    def _activated(self) -> None:
        """Draw the tab, and again when its size is known."""
        self._draw()
        self.call_after_refresh(self._draw)

    @on(events.Show)
    def _draw(self) -> None:
        """Draw the visible tab. The screen is laid out again only if the tab's height changes."""
        tab = self.active
        if not self.display:
            return
        self.set_class(tab == "log", "-log")
        self.set_class(tab == LEARNING, "-learning")
        self.set_class(tab not in (SERIES, LEARNING) and SERIES in self._tabs, "-score")
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
