"""Letting a learner play many matches, on one core or on several, and watching it improve."""

from collections.abc import Iterator, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, field
from typing import Any, Final

from agents.agent import Agent, Learner
from agents.crew import Crew
from agents.evaluation import Series, play_matches, standing
from agents.match import Match
from agents.registry import create, make, sit_down
from agents.seeds import seed_of
from agents.store import Store
from engine import GAMES
from engine.game import OptionValue

ROUND: Final = 32
"""Matches a worker plays before what all have learned is put together."""

YARDSTICKS: Final = ("random", "hard")
"""Who a learner is measured against while it trains. They do not learn."""


@dataclass(frozen=True, slots=True)
class Course:
    """What is trained and how.

    opponents   agents for the other sides, taken in turn; nobody: the learner plays itself
    settings, rewards
                what to change about the learner, by name
    """

    game: str
    agent: str
    games: int
    seed: int = 0
    options: dict[str, OptionValue] = field(default_factory=dict)
    opponents: tuple[str, ...] = ()
    settings: dict[str, float] = field(default_factory=dict)
    rewards: dict[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class CurvePoint:
    """How a learner did after so many matches of training: win rate with its 95 % interval."""

    games: int
    against: str
    win_rate: float
    low: float
    high: float


def new_learner(course: Course, store: Store | None = None) -> Learner:
    """The learner of a course; with a store, it goes on from what it knows. Raises ValueError."""
    agent = create(course.game, course.agent)
    if not isinstance(agent, Learner):
        raise ValueError(f"{course.agent} does not learn; train an agent that does, such as q.")
    agent.learning = True
    if course.settings or course.rewards:
        agent.adjust(course.settings, course.rewards)
    if store is not None:
        store.notices += sit_down(agent, store)
    return agent


def play_lessons(course: Course, learner: Learner, first: int, count: int) -> None:
    """Matches number `first` and following of a course."""
    rivals = {name: make(course.game, name) for name in set(course.opponents)}
    for number in range(first, first + count):
        seed = seed_of("train", course.seed, number)
        state = GAMES[course.game].new(seed, None, None, **course.options)
        players: list[Agent | None] = [learner] * state.seats
        if rivals:
            own = number % len(state.sides)
            for step in range(1, len(state.sides)):
                side = (own + step) % len(state.sides)
                name = course.opponents[(number + step) % len(course.opponents)]
                for seat in state.sides[side]:
                    players[seat] = rivals[name]
        Match(state, players, seed).play_out()
        learner.forget_match()


def _round_of_helper(learner: Learner, course: Course, first: int, count: int) -> None:
    play_lessons(course, learner, first, count)


def _lessons_of_worker(
    course: Course, known: dict[str, object], first: int, count: int
) -> dict[str, Any]:
    learner = new_learner(course)
    learner.restore(known)
    play_lessons(course, learner, first, count)
    return learner.lessons()


def train(
    course: Course, learner: Learner, workers: int = 1, executor: Executor | None = None
) -> Iterator[int]:
    """Train, and say after each round how many matches have been played.

    executor   plays the matches in place of processes of our own; everything the learner
               knows goes to it with every round

    Whoever iterates may stop between rounds; the learner then knows what it has learned so
    far. The same course and number of workers teach the same.
    """
    if workers == 1 and executor is None:
        for first in range(0, course.games, ROUND):
            count = min(ROUND, course.games - first)
            play_lessons(course, learner, first, count)
            yield first + count
        return
    if executor is None:
        with Crew(learner, _round_of_helper, workers) as crew:
            for first in range(0, course.games, ROUND * workers):
                last = min(first + ROUND * workers, course.games)
                crew.play_round(
                    [
                        (course, start, min(ROUND, last - start))
                        for start in range(first, last, ROUND)
                    ]
                )
                yield last
        return
    for first in range(0, course.games, ROUND * workers):
        last = min(first + ROUND * workers, course.games)
        known = learner.dump()
        learner.restore(known)
        jobs = [
            executor.submit(_lessons_of_worker, course, known, start, min(ROUND, last - start))
            for start in range(first, last, ROUND)
        ]
        for job in jobs:
            learner.learn_from(job.result())
        yield last


def measure(
    course: Course,
    learner: Learner,
    games: int,
    played: int,
    rivals: Sequence[str] = YARDSTICKS,
) -> list[CurvePoint]:
    """How the learner does now against those who do not learn."""
    frozen = new_learner(course)
    frozen.restore(learner.dump())
    frozen.learning = False
    sides = len(GAMES[course.game].new(0, None, None, **course.options).sides)
    points = []
    for name in rivals:
        others = [make(course.game, name) for _ in range(sides - 1)]
        names = (course.agent, *[name] * (sides - 1))
        series = Series(course.game, names, course.seed, course.options, None)
        outcomes = play_matches(series, 0, games, [frozen, *others])
        points.append(_point(played, name, standing(course.agent, 0, outcomes)))
    return points


def _point(played: int, rival: str, entry: dict[str, Any]) -> CurvePoint:
    low, high = entry["ci95"]
    return CurvePoint(played, rival, entry["win_rate"], low, high)


def checkpoints(games: int, count: int) -> Sequence[int]:
    """After how many matches to measure: evenly spread, the last one at the end."""
    return sorted({max(1, games * number // count) for number in range(1, count + 1)})
