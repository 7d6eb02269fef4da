"""A table with a person at it."""

from textual.binding import Binding, BindingsMap

from agents.store import Store
from app.loop import Clock
from app.moment import NOBODY
from app.screens.table import (
    FASTER,
    LAST_TRICK,
    LEARNING,
    LEAVE,
    LOG,
    NEW,
    RULES,
    SCORES,
    SLOWER,
    TableScreen,
    place_bindings,
)
from app.seating import TablePlan


class PlayScreen(TableScreen):
    BINDINGS = [
        *place_bindings(show=True),
        LEAVE,
        LAST_TRICK,
        SCORES,
        RULES,
        LOG,
        LEARNING,
        FASTER,
        SLOWER,
        NEW,
        Binding("space", "mark", "Mark", show=False, id="play.mark"),
        Binding("p", "pause", "Pause", show=False, id="play.pause"),
    ]

    def __init__(
        self, plan: TablePlan, store: Store, ascii_only: bool, clock: Clock | None = None
    ) -> None:
        super().__init__(plan, store, ascii_only, clock)
        replaced = {binding.id for binding in self.table.bindings}
        others = [binding for _, binding in self._bindings if binding.id not in replaced]
        self._bindings = BindingsMap([*self.table.bindings, *others])

    def action_mark(self) -> None:
        if self.cursor >= 0:
            self.toggle_mark(self.cursor)
        else:
            self.action_move(1)

    def action_mark_group(self) -> None:
        """Mark the cards of a group, or of the next one if a group is marked."""
        moment = self.moment
        if moment is None or moment.asked == NOBODY:
            self.remark("It is not your turn yet.")
            return
        groups = self.table.groups(moment)
        if not groups:
            self.remark("There is no group to mark now.")
            return
        marked = tuple(sorted(self.marked_cards()))
        following = groups.index(marked) + 1 if marked in groups else 0
        held = [card.card for card in self.cards()]
        self.mark(frozenset([held.index(card) for card in groups[following % len(groups)]]))

    def action_back(self) -> None:
        """Leaving gives up an unfinished match, so it is asked for twice."""
        panel_open = self.has_class("-panel") and self.has_class("-narrow")
        over = self.moment is None or (
            self.moment.ending is not None and self.moment.ending.match_over
        )
        question = "Leave this match? Press Esc once more to leave it unfinished."
        if over or panel_open or self.remarked == question:
            super().action_back()
        else:
            self.remark(question)
