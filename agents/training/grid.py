"""Compares settings of a learner: each combination is trained from nothing with several seeds."""

from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, replace
from itertools import product
from time import process_time
from typing import Final

from agents.evaluation.intervals import clustered_interval, wilson
from agents.learners.settings import SETTING_LIMITS
from agents.parallel.parts import executor_for, run_parts
from agents.training.course import Course, new_learner
from agents.training.measurement import measure, reference_agents
from agents.training.rounds import train

MOST_TRAININGS: Final = 64
"""The largest number of trainings in one comparison."""


@dataclass(frozen=True, slots=True)
class Result:
    """How one combination did against the strongest reference agent.

    values   of the combination, by name
    rates    the win rate of each training, in the order of the seeds
    low, high
             the 95 % interval of their mean. It covers the luck of matches and that of trainings
    """

    values: dict[str, float]
    against: str
    rates: list[float]
    win_rate: float
    low: float
    high: float
    matches: int


def courses_of(course: Course, grid: Mapping[str, Sequence[float]], seeds: int) -> list[Course]:
    """The courses to compare: one for each combination and seed, the seeds of a combination
    together.

    grid    the values to try, by the name of the setting or reward

    Raises ValueError for more than MOST_TRAININGS, and for values that the learner refuses.
    """
    courses = []
    for values in _combinations(grid):
        settings = {name: value for name, value in values.items() if name in SETTING_LIMITS}
        rewards = {name: value for name, value in values.items() if name not in SETTING_LIMITS}
        changed = replace(
            course,
            settings={**course.settings, **settings},
            rewards={**course.rewards, **rewards},
        )
        courses += [replace(changed, seed=course.seed + number) for number in range(seeds)]
        if len(courses) > MOST_TRAININGS:
            raise ValueError(
                f"The grid needs more than {MOST_TRAININGS} trainings; give fewer values or seeds."
            )
        new_learner(courses[-1])
    return courses


def _combinations(grid: Mapping[str, Sequence[float]]) -> Iterator[dict[str, float]]:
    for values in product(*grid.values()):
        yield dict(zip(grid, values, strict=True))


def compare(
    course: Course,
    grid: Mapping[str, Sequence[float]],
    seeds: int,
    seconds: float,
    measured_games: int,
    workers: int = 1,
    executor: Executor | None = None,
) -> Iterator[Result]:
    """Train and measure all combinations of a grid, and yield their results in order.

    seconds   of processor time after which a training ends before its course does
    """
    courses = courses_of(course, grid, seeds)
    parts = [(each, seconds, measured_games) for each in courses]
    rates: dict[int, float] = {}
    combinations = list(_combinations(grid))
    reported = 0
    with executor_for(workers, executor) as pool:
        for number, rate in run_parts(pool, _trained_rate, iter(parts), workers):
            rates[number] = rate
            while reported < len(combinations):
                own = range(reported * seeds, (reported + 1) * seeds)
                if not all(each in rates for each in own):
                    break
                found = [rates[each] for each in own]
                yield _result(course, combinations[reported], found, measured_games)
                reported += 1


def _trained_rate(course: Course, seconds: float, measured_games: int) -> float:
    """The win rate of a learner after a training from nothing."""
    learner = new_learner(course)
    started = process_time()
    for _ in train(course, learner):
        if process_time() - started >= seconds:
            break
    rivals = reference_agents(course.game)[-1:]
    return measure(course, learner, measured_games, 0, rivals)[0].win_rate


def _result(course: Course, values: dict[str, float], rates: list[float], games: int) -> Result:
    matches = games * len(rates)
    mean = sum(rates) / len(rates)
    intervals = [wilson(mean, matches), clustered_interval([(games, games * r) for r in rates])]
    low, high = max(intervals, key=lambda each: each[1] - each[0])
    against = reference_agents(course.game)[-1]
    return Result(values, against, rates, mean, low, high, matches)
