"""Where the learner of a course loads and saves its values."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from agents.agent import Learner
from agents.named_learners import NOTHING, begin, check_new
from agents.names import kind_of, own_name
from agents.registry import make, restore_learner, unknown_learner
from agents.storage.store import Store, StoreError
from agents.training.course import Course, new_learner
from app.home.locations import Locations

CONTINUE: Final = "home"
"""A training starts from the values in the home folder, or else from the shipped ones. Other
starts are NOTHING, SHIPPED and names of learners, see `agents.named_learners.begin`."""


def starting_learner(
    course: Course, locations: Locations, start: str = CONTINUE
) -> tuple[Learner, Store, str]:
    """Return the learner of a course, its store, whose notices are for the person, and what it
    really starts from: a named learner that exists always continues.

    Raises ValueError for an agent that does not learn or has no values to start from, and for
    changes that would take the meaning from what it has learned.
    """
    store = Store(locations.qtables)
    game, agent = course.game, course.agent
    new_learner(course)  # Checks the course.
    try:
        if not own_name(agent):
            return _usual(course, store, start), store, start
        if store.exists(game, agent):
            learner = make(game, agent, store, learning=True)
            assert isinstance(learner, Learner)
            _check_meaning(course, learner)
            if start not in (CONTINUE, NOTHING):
                store.notices.append(f"{agent} exists already, so it continued from where it was.")
            return learner, store, CONTINUE
        if start == CONTINUE:
            raise unknown_learner(game, agent, store)
        check_new(game, agent, store)
        return begin(game, agent, start, store, course.settings, course.rewards), store, start
    except StoreError as error:
        raise ValueError(str(error)) from error


def _usual(course: Course, store: Store, start: str) -> Learner:
    learner = new_learner(replace(course, settings={}, rewards={}))
    _check_meaning(course, learner)
    if start == CONTINUE:
        store.notices += restore_learner(learner, store)
    elif start != NOTHING:
        learner = begin(course.game, course.agent, start, store, course.settings, course.rewards)
    return learner


def _check_meaning(course: Course, learner: Learner) -> None:
    """Change the settings and rewards of a learner as the course says."""
    if adjust_changes_meaning(learner, course.settings, course.rewards):
        kind = kind_of(course.agent)
        raise ValueError(
            f"With other rewards or another gamma, what {course.agent} has learned would lose its "
            f"meaning; train a new learner under its own name with the same changes: "
            f"kibitz train {course.game} --agent {kind}:NAME --from nothing."
        )


def adjust_changes_meaning(
    learner: Learner, settings: Mapping[str, float], rewards: Mapping[str, float]
) -> bool:
    """Change a learner, and return whether what it has learned has lost its meaning."""
    before = learner.fingerprint()
    learner.adjust(settings, rewards)
    return learner.fingerprint() != before


def resolved(course: Course, learner: Learner) -> Course:
    """The course with all settings and rewards of a named learner, for processes that do not read
    its file."""
    if not own_name(course.agent):
        return course
    settings, rewards = learner.setup()
    return replace(course, settings=settings, rewards=rewards)
