"""The explorer: browse what a learner knows, or the positions of the hand at the table."""

import asyncio
from collections.abc import Sequence

from textual import on, work
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Container, Horizontal, VerticalScroll
from textual.content import Content
from textual.screen import Screen
from textual.widgets import DataTable, Input, Static

from agents.agent import Scale
from agents.learners.features import Situation
from agents.storage.store import Store
from app.match.moment import Thought
from app.study.knowledge import Entry, Knowledge, Order, read_knowledge, readable
from app.ui.widgets.cycle import Cycle
from app.ui.widgets.keys import Keys
from app.ui.widgets.knowledge_entry import entry_text
from app.ui.widgets.rows import Column, Rows
from app.ui.widgets.why import number_words
from engine import GAMES

_MOST = 200
"""Most entries in the list; a filter finds the others."""

_ORDERS = (Order.VISITS, Order.VALUE, Order.SITUATION)


class ExplorerScreen(Screen[None]):
    """A list of situations and the details of the one under the cursor.

    Opened at a table, it starts with the positions of the last hand that may be shown. Enter on one
    of them shows what the learner knows about it.
    """

    CSS_PATH = ["common.tcss", "explorer.tcss"]
    HORIZONTAL_BREAKPOINTS = [(0, "-normal"), (160, "-huge")]
    AUTO_FOCUS = "Rows"
    VERTICAL_BREAKPOINTS = [(0, "-low"), (32, "-high")]
    BINDINGS = [
        Binding("slash", "filter", "Filter", key_display="/", id="explorer.filter"),
        Binding("s", "sort", "Sort", id="explorer.sort"),
        Binding("a", "agent", "Agent", id="explorer.agent"),
        Binding("p", "positions", "This hand", id="explorer.positions"),
        Binding("escape", "back", "Back", key_display="Esc", id="explorer.back"),
    ]

    def __init__(
        self,
        game: str,
        agent: str,
        store: Store,
        thoughts: Sequence[Thought] = (),
        situation: Situation = (),
        move: str = "",
    ) -> None:
        """situation: shown first if given; move: made there, in words"""
        super().__init__()
        self._situation = situation
        self._move = move
        self._game = game
        self._agent = agent
        self._store = store
        self._thoughts = thoughts
        self._knowledge: Knowledge | None = None
        self._positions: list[Entry] = []
        self._first_agent = agent
        """The agent that knows the situation shown first."""
        self._of_hand = False
        self._position: Entry | None = None
        """The position whose entries are listed; None for all entries."""
        self._order = Order.VISITS
        self._entries: list[Entry] = []
        self._listed: Knowledge | None = None
        """The knowledge whose entries are listed; None while a newer list is on its way."""
        self._listing = self._outdated = False

    def compose(self) -> ComposeResult:
        with Horizontal(id="head", classes="heading"):
            yield Static(f"{GAMES[self._game].title} · what it knows:", id="title")
            specs = readable(self._game, self._store)
            agents = [(name, spec.title) for name, spec in specs.items()]
            yield Cycle(agents, self._agent, id="agent")
            yield Static(id="count")
        with Horizontal(id="search"):
            yield Input(placeholder="words to find", compact=True, id="filter")
            yield Static(id="order")
        with Container(id="body"):
            yield Rows(id="entries")
            with VerticalScroll(id="about", can_focus=False):
                yield Static(id="entry")
        yield Keys(palette=False)

    def on_mount(self) -> None:
        self._agent = self._first_agent = self.query_one("#agent", Cycle).value
        self._open()

    # Reading

    def _open(self) -> None:
        self._knowledge = self._listed = None
        self._say("Reading …")
        self._read()

    @work(exclusive=True, group="read")
    async def _read(self) -> None:
        store = Store(self._store.folder)
        agent, thoughts = self._agent, self._thoughts

        def read() -> tuple[Knowledge, list[Entry]]:
            knowledge = read_knowledge(self._game, agent, store)
            return knowledge, knowledge.positions(thoughts)

        try:
            knowledge, self._positions = await asyncio.to_thread(read)
        except ValueError as error:
            self._say(str(error))
            return
        for notice in store.notices:
            self.notify(notice, markup=False)
        self._knowledge = knowledge
        self._of_hand, self._position = bool(self._positions), None
        if self._situation and agent == self._first_agent:
            self._position = knowledge.position(self._situation, self._move)
        self._list_again()

    @on(Cycle.Changed)
    def _agent_changed(self, event: Cycle.Changed) -> None:
        self._agent = event.cycle.value
        self._open()

    # The list

    def _list_again(self) -> None:
        self._outdated = True
        self._listed = None
        if not self._listing:
            self._listing = True
            self._keep_listing()

    @work
    async def _keep_listing(self) -> None:
        """Search one at a time, however fast the person types."""
        while self._outdated:
            self._outdated = False
            await self._list()
        self._listing = False

    async def _list(self) -> None:
        """List the positions of the hand, the entries behind one of them, or all entries."""
        knowledge = self._knowledge
        if knowledge is None or self not in self.app.screen_stack:
            return
        position, order = self._position, self._order
        search = self.query_one("#filter", Input)
        search.display = not self._of_hand and position is None
        if self._of_hand:
            entries, said = self._positions, "positions of the last hand, in order"
        elif position is not None:
            entries = await asyncio.to_thread(knowledge.behind, position)
            said = f"what it knows about: {position.made}"
        else:
            entries, found = await asyncio.to_thread(knowledge.find, search.value, order, _MOST)
            shown = f"first {_MOST} of {found:,}" if found > _MOST else f"{found:,}"
            said = f"{shown} · sorted by {order}"
        if knowledge is not self._knowledge or self not in self.app.screen_stack:
            return
        self._entries, self._listed = entries, knowledge
        unit = "situations" if knowledge.whole else "parts of situations"
        self.query_one("#count", Static).update(f"{len(knowledge):,} {unit}")
        self.query_one("#order", Static).update(said)
        self.query_one("#about").border_title = knowledge.meaning
        self._fill(knowledge)

    def _fill(self, knowledge: Knowledge, at: int = 0) -> None:
        rows = self.query_one(Rows)
        whole = knowledge.whole
        best_width = max(14, min(34, rows.size.width // 5))
        rows.fill(
            (
                Column("Situation" if whole else "Part of a situation"),
                Column("Best move" if whole else "Speaks for", best_width),
                Column("Value" if whole else "Weight", 7, right=True),
                Column("Visits", 7, right=True),
            ),
            [
                (
                    f"{entry.made} · {entry.words}" if entry.made else entry.words,
                    knowledge.best_words(entry) or "–",
                    number_words(entry.value, Scale.VALUE) if entry.seen else "–",
                    _times(entry.seen),
                )
                for entry in self._entries
            ],
            at,
        )
        if not self._entries:
            self._say(self._nothing(knowledge))

    def _nothing(self, knowledge: Knowledge) -> str:
        if not len(knowledge):
            return f"{knowledge.agent} has learned nothing yet; train it in the Lab."
        if self._position is not None:
            return f"{knowledge.agent} has never learned about this position."
        return "No situation it knows contains all these words."

    def _say(self, sentence: str) -> None:
        self.query_one("#entry", Static).update(Content(sentence))

    @on(DataTable.RowHighlighted)
    def _highlighted(self) -> None:
        self._show_entry()

    def on_resize(self) -> None:
        if self._listed is not None:
            self._fill(self._listed, self.query_one(Rows).cursor_row)
        self.call_after_refresh(self._show_entry)

    def _show_entry(self) -> None:
        """Show the details of the entry under the cursor."""
        at = self.query_one(Rows).cursor_row
        if self._listed is not None and 0 <= at < len(self._entries):
            about = self.query_one("#about")
            width = about.content_region.width
            text = entry_text(self._listed, self._entries[at], width)
            self.query_one("#entry", Static).update(text)
            about.scroll_home(animate=False)

    # Keys and the mouse

    @on(Input.Changed, "#filter")
    def _filter_changed(self) -> None:
        self._list_again()

    @on(Input.Submitted, "#filter")
    def _filter_done(self) -> None:
        self.query_one(Rows).focus()

    @on(DataTable.RowSelected)
    def _row_selected(self, event: DataTable.RowSelected) -> None:
        """Go from a position to what is known about it."""
        if self._of_hand and self._listed is not None and event.cursor_row < len(self._entries):
            self._position = self._entries[event.cursor_row]
            self._of_hand = False
            self._list_again()

    @on(DataTable.HeaderSelected)
    def _header_selected(self, event: DataTable.HeaderSelected) -> None:
        orders = (Order.SITUATION, None, Order.VALUE, Order.VISITS)
        order = orders[event.column_index]
        if order is not None:
            self._order = order
            self._list_again()

    def action_filter(self) -> None:
        self._show_all()
        search = self.query_one("#filter")
        search.display = True
        search.focus()

    def action_sort(self) -> None:
        self._order = _ORDERS[(_ORDERS.index(self._order) + 1) % len(_ORDERS)]
        self._show_all()

    def action_agent(self) -> None:
        self.query_one("#agent", Cycle).action_turn(1)

    def action_positions(self) -> None:
        if not self._positions:
            self.notify(
                f"{self._agent} has no position to show. Open the explorer at a table, "
                "after a hand in which it moved."
            )
            return
        self._of_hand = not self._of_hand
        self._position = None
        self._list_again()

    def _show_all(self) -> None:
        self._of_hand, self._position = False, None
        self._list_again()

    def action_back(self) -> None:
        """Leave the filter, then the position, then the screen."""
        if self.query_one("#filter").has_focus:
            self.query_one(Rows).focus()
        elif self._position is not None and self._positions:
            self.action_positions()
        else:
            self.dismiss()


def _times(count: int) -> str:
    return f"{count:,}" if count < 1_000_000 else f"{count / 1_000_000:.1f}M"
