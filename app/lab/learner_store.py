"""Where the learner of a course loads and saves its values."""

from typing import Final

from agents.agent import Learner
from agents.registry import create, restore_learner
from agents.storage.store import Store
from agents.training.course import Course, new_learner
from app.home.locations import Locations

SEPARATE: Final = (
    "With other rewards or patience it learns separately from the agent that plays at the table."
)


def store_for(learner: Learner, locations: Locations) -> Store:
    """Return the store of a learner: the usual one, or the one for experiments.

    Values learned for other rewards mean something else than those of the agent that plays at
    the table, so such a learner is an experiment.
    """
    usual = create(learner.game, learner.name)
    same = isinstance(usual, Learner) and usual.fingerprint() == learner.fingerprint()
    return Store(locations.qtables if same else locations.experiments)


def learner_and_store(course: Course, locations: Locations) -> tuple[Learner, Store]:
    """Return the learner of a course and its store, whose notices are for the person.

    An experiment starts from the last experiment with the same rewards, or from nothing.
    Raises ValueError for an agent that does not learn.
    """
    learner = new_learner(course)
    store = store_for(learner, locations)
    if store.folder == locations.qtables:
        store.notices += restore_learner(learner, store)
    else:
        store.notices.append(SEPARATE)
        if store.folder.exists():
            store.load(learner)
    return learner, store
