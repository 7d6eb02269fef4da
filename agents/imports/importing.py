"""Gives imported values to one of our learners, and saves it."""

from pathlib import Path

from agents.imports.imported import ImportedValues
from agents.learners.tabular import TabularLearner
from agents.registry import create, make
from agents.storage.store import Store


def import_values(
    imported: ImportedValues, store: Store, replace: bool
) -> tuple[TabularLearner, Path | None]:
    """Return the learner with the imported values, and where its old file was moved, if it was.

    replace   whether the learner starts from the imported values alone; else they are averaged
              with its own, weighted by visits

    Raises StoreError if the learner cannot be saved.
    """
    aside = store.set_aside(imported.game, imported.agent) if replace else None
    learner = (
        create(imported.game, imported.agent)
        if replace
        else make(imported.game, imported.agent, store, learning=True)
    )
    assert isinstance(learner, TabularLearner)
    counts = {"total_actions": imported.actions, "exploration_actions": imported.explored}
    learner.take_over(imported.values, imported.visits, counts)
    store.save(learner)
    return learner, aside
