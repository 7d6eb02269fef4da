"""A learner on its way into a course, and where it will be kept afterwards."""

from pathlib import Path
from typing import Final

from agents.agent import Learner
from agents.registry import create
from agents.storage.store import Store
from agents.training.course import Course, new_learner

APART: Final = "With other rewards or patience it learns apart from the one at the tables."


def apprentice(course: Course, tables: Path, experiments: Path) -> tuple[Learner, Store]:
    """The learner and its store, whose notices say what a person should know.

    What was learned for other rewards means something else than what the learner at the
    tables knows: it starts from nothing, or from the last experiment, and is kept apart.
    Raises ValueError for an agent that does not learn.
    """
    usual = create(course.game, course.agent)
    learner = new_learner(course)
    if isinstance(usual, Learner) and usual.fingerprint() == learner.fingerprint():
        store = Store(tables)
        return new_learner(course, store), store
    store = Store(experiments)
    store.notices.append(APART)
    if experiments.exists():
        store.load(learner)
    return learner, store
