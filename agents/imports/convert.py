"""Gives a foreign table to one of our learners, and keeps what comes of it."""

from pathlib import Path

from agents.imports.originals import ForeignTable
from agents.learners.tabular import TabularLearner
from agents.registry import create, make
from agents.storage.store import Store


def take_over(
    table: ForeignTable, store: Store, replace: bool
) -> tuple[TabularLearner, Path | None]:
    """The learner that knows it now, and where the table is kept that it knew before.

    replace   whether it forgets what it knew, instead of putting both together by the visits
              behind them

    Raises StoreError if it cannot be saved.
    """
    aside = store.set_aside(table.game, table.agent) if replace else None
    learner = (
        create(table.game, table.agent)
        if replace
        else make(table.game, table.agent, store, learning=True)
    )
    assert isinstance(learner, TabularLearner)
    counts = {"total_actions": table.actions, "exploration_actions": table.explored}
    learner.take_over(table.values, table.visits, counts)
    store.save(learner)
    return learner, aside
