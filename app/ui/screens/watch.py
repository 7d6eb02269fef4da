"""Watch agents play."""

from textual.binding import Binding

from app.ui.screens.table import TableScreen
from app.ui.screens.table_keys import (
    EXPLORE,
    LAST_TRICK,
    LEARNING,
    LEAVE,
    LOG,
    NEW,
    PAGE,
    RULES,
    SCORES,
    SLOWER,
    TURN,
    WHY,
    place_bindings,
)


class WatchScreen(TableScreen):
    BINDINGS = [
        Binding("space,p", "pause", "Pause", key_display="Space", id="watch.pause"),
        Binding("full_stop", "step", "Step", key_display=".", id="watch.step"),
        Binding("plus,equals_sign", "speed(True)", "Speed", key_display="+-", id="table.faster"),
        SLOWER,
        Binding("f", "hurry", "Fast", id="watch.hurry"),
        Binding("v", "look", "Hands", id="watch.look"),
        LEAVE,
        WHY,
        EXPLORE,
        *TURN,
        *PAGE,
        SCORES,
        LEARNING,
        LOG,
        RULES,
        LAST_TRICK,
        NEW,
        *place_bindings(show=False),
    ]

    def action_step(self) -> None:
        if self.loop is not None:
            self.loop.step()

    def action_hurry(self) -> None:
        if self.loop is not None:
            self.loop.hurry()

    def action_look(self) -> None:
        self.remarked = ""
        if self.loop is not None:
            self.loop.change_viewpoint()
            self.tell_viewpoint()
