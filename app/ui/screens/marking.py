"""Cards that are marked to be taken together, by keyboard."""

from app.match.moment import NOBODY
from app.ui.screens.table import TableScreen


class MarkingScreen(TableScreen):
    """A table at which a person chooses cards."""

    def action_mark(self) -> None:
        if self.cursor >= 0:
            self.toggle_mark(self.cursor)
        else:
            self.action_move(1)

    def action_mark_group(self) -> None:
        """Mark the cards of a group; if one is marked, those of the next group."""
        moment = self.moment
        if moment is None or moment.asked == NOBODY:
            self.remark("It is not your turn yet.")
            return
        groups = self.table.groups(moment)
        if not groups:
            self.remark("You hold no group.")
            return
        marked = tuple(sorted(self.marked_cards()))
        following = groups.index(marked) + 1 if marked in groups else 0
        held = [card.card for card in self.cards()]
        self.mark(frozenset([held.index(card) for card in groups[following % len(groups)]]))
