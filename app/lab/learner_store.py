"""Where the learner of a course loads and saves its values."""

from enum import StrEnum
from typing import Final

from agents.agent import Learner
from agents.registry import create, restore_learner
from agents.storage.store import Store, StoreError, load_shipped
from agents.training.course import Course, new_learner
from app.home.locations import Locations

SEPARATE: Final = (
    "With other rewards or patience it learns separately from the agent that plays at the table."
)


class Start(StrEnum):
    """What a training starts from.

    CONTINUE   the values in the home folder, or else the shipped ones
    NOTHING    no values: the learner has learned nothing
    SHIPPED    the values that come with the program
    """

    CONTINUE = "home"
    NOTHING = "nothing"
    SHIPPED = "shipped"


def store_for(learner: Learner, locations: Locations) -> Store:
    """Return the store of a learner: the usual one, or the one for experiments.

    Values learned for other rewards mean something else than those of the agent that plays at
    the table, so such a learner is an experiment.
    """
    usual = create(learner.game, learner.name)
    same = isinstance(usual, Learner) and usual.fingerprint() == learner.fingerprint()
    return Store(locations.qtables if same else locations.experiments)


def learner_and_store(
    course: Course, locations: Locations, start: Start = Start.CONTINUE
) -> tuple[Learner, Store]:
    """Return the learner of a course and its store, whose notices are for the person.

    An experiment continues the last experiment with the same rewards, or starts from nothing.
    Raises ValueError for an agent that does not learn or has no values to start from.
    """
    learner = new_learner(course)
    store = store_for(learner, locations)
    if store.folder != locations.qtables:
        store.notices.append(SEPARATE)
    if start is Start.SHIPPED:
        _start_from_shipped(learner)
    elif start is Start.CONTINUE:
        if store.folder == locations.qtables:
            store.notices += restore_learner(learner, store)
        elif store.folder.exists():
            store.load(learner)
    return learner, store


def _start_from_shipped(learner: Learner) -> None:
    try:
        found = load_shipped(learner)
    except StoreError as error:
        raise ValueError(str(error)) from error
    if not found:
        raise ValueError(
            f"{learner.name} comes without learned values for {learner.game}; start --from nothing."
        )
