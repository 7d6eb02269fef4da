"""What a learner on the stage starts from, and how it is saved under a name."""

from collections.abc import Mapping
from pathlib import Path

from agents.agent import Learner
from agents.named_learners import check_new
from agents.names import generation_name, kind_of, own_name
from agents.registry import create, make, roster
from agents.storage.store import Store, StoreError, values_of
from agents.storage.values_file import encode
from agents.training.course import Course, new_learner
from app.lab.learner_store import resolved
from app.lab.stage.reports import Save, Subject

UNLIMITED = 1_000_000_000


def course_of(subject: Subject) -> Course:
    """The course of a new learner: opponents and settings as for the shipped one. A named learner
    has its own settings."""
    plan = roster(subject.game).pretraining.get(kind_of(subject.agent))
    opponents = plan.opponents if plan else ()
    settings = dict(plan.settings) if plan and not own_name(subject.agent) else {}
    return Course(
        subject.game,
        subject.agent,
        UNLIMITED,
        subject.seed,
        opponents=opponents,
        settings=settings,
    )


def begin_on_stage(subject: Subject) -> tuple[Course, Learner]:
    """The course and the learner, which knows nothing unless it is a named one.

    Raises ValueError if there is no such named learner.
    """
    course = course_of(subject)
    if not own_name(subject.agent):
        return course, new_learner(course)
    learner = make(subject.game, subject.agent, Store(subject.qtables), learning=True)
    assert isinstance(learner, Learner)
    return resolved(course, learner), learner


def save_under_name(learner: Learner, save: Save, earlier: Mapping[int, bytes]) -> Path:
    """Save a learner with its generations under the name in `save`, which must be its own or new.
    It has this name from now on.

    earlier   the files of its generations on this stage, by their matches of training

    Raises ValueError or StoreError.
    """
    store = Store(save.folder)
    game = learner.game
    if learner.name != save.name:
        check_new(game, save.name, store)
        for matches in store.generations(game, learner.name) if own_name(learner.name) else ():
            path = store.path(game, generation_name(learner.name, matches))
            store.add_generation(game, save.name, matches, path)
    for matches, contents in earlier.items():
        store.write_generation(game, save.name, matches, contents)
    before, learner.name = learner.name, save.name
    try:
        store.save(learner)
    except StoreError:
        learner.name = before
        raise
    return store.path(game, save.name)


def fork(learner: Learner, settings: Mapping[str, float], rewards: Mapping[str, float]) -> Learner:
    """A learner that knows the same, with changed settings and rewards.

    Raises ValueError for changes that the learner does not know.
    """
    other = create(learner.game, learner.name)
    assert isinstance(other, Learner)
    other.adjust(*learner.setup())
    other.restore(learner.dump())
    other.log = learner.log
    other.adjust(settings, rewards)
    return other


def contents_of(learner: Learner) -> bytes:
    """The contents of the file of a learner."""
    return encode(values_of(learner), learner.fingerprint())
