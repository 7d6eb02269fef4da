"""Courses: what is trained and how."""

from dataclasses import dataclass, field
from typing import Final

from agents.agent import Learner
from agents.names import MARK
from agents.registry import create, restore_learner
from agents.storage.store import Store
from engine.game import OptionValue

SELF: Final = "self"
"""The opponent that is the learner itself, learning on that side as well."""

POOL: Final = "pool"
"""The opponent that is one of the learner's earlier selves. They do not learn."""


@dataclass(frozen=True, slots=True)
class Course:
    """What is trained and how.

    games       how many matches are played
    options     of the game
    opponents   for the other sides, in turn: names of agents, SELF or POOL. Without any, the
                learner plays against itself
    settings, rewards
                changes to the learner, by name
    variants    options that take turns, such as one for each number of players
    programs    whether opponents may be other programs
    """

    game: str
    agent: str
    games: int
    seed: int = 0
    options: dict[str, OptionValue] = field(default_factory=dict)
    opponents: tuple[str, ...] = ()
    settings: dict[str, float] = field(default_factory=dict)
    rewards: dict[str, float] = field(default_factory=dict)
    variants: tuple[dict[str, OptionValue], ...] = ()
    programs: bool = False

    def options_of(self, number: int) -> dict[str, OptionValue]:
        """The options of match `number`."""
        if not self.variants:
            return self.options
        return {**self.options, **self.variants[number % len(self.variants)]}


def new_learner(course: Course, store: Store | None = None) -> Learner:
    """Return the learner of a course. With a store, it continues from its saved values.

    Raises ValueError for an agent that does not learn, and for unknown settings and rewards.
    """
    if MARK in course.agent:
        learner = course.agent.partition(MARK)[0]
        raise ValueError(f"{course.agent} never learns; train {learner}.")
    agent = create(course.game, course.agent)
    if not isinstance(agent, Learner):
        raise ValueError(f"{course.agent} does not learn; train an agent that does, such as q.")
    agent.learning = True
    if course.settings or course.rewards:
        agent.adjust(course.settings, course.rewards)
    if store is not None:
        store.notices += restore_learner(agent, store)
    return agent


def frozen_learner(course: Course, values: dict[str, object]) -> Learner:
    """Return the learner of a course with these values, which no longer learns."""
    learner = new_learner(course)
    learner.restore(values)
    learner.learning = False
    return learner
