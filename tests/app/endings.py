"""The end of a hand, as a table shows it."""

from typing import Any

from app.match.moment import Moment
from app.match.narration import Narration
from app.ui.tables.base import Table
from engine.game import State


def moment_after(table: Table[Any], state: State, action: int) -> Moment:
    """Take an action and return the moment that is shown then."""
    state.record_events()
    state.take_events()
    narration = Narration(state, table)
    seat, before = state.turn, narration.views()
    state.apply(action)
    narration.add(seat, action, state.take_events(), before)
    return narration.moment()
