"""Measures a learner against agents that do not learn, to draw its learning curve."""

from collections.abc import Callable, Sequence
from concurrent.futures import Executor
from typing import Final

from agents.agent import Learner
from agents.evaluation.series import Conditions, Prepared, play_series, summarize
from agents.registry import agents_for
from agents.seeds import Purpose
from agents.training.course import Course, frozen_learner
from agents.training_log import FIRST_GENERATION, CurvePoint

REFERENCE_AGENTS: Final = ("random", "easy", "hard")
"""The opponents of measurements, as far as a game has them. They do not learn."""


def reference_agents(game: str) -> tuple[str, ...]:
    """Return the opponents that a learner of this game is measured against."""
    return tuple([name for name in REFERENCE_AGENTS if name in agents_for(game)])


def measure(
    course: Course,
    learner: Learner,
    games: int,
    played: int,
    rivals: Sequence[str] | None = None,
    executor: Executor | None = None,
    workers: int = 1,
    progress: Callable[[int, int], None] | None = None,
) -> list[CurvePoint]:
    """Measure the learner against each rival. It does not learn from these matches.

    games      matches against each rival
    played     matches of training before this measurement
    rivals     by default the reference agents of the game
    progress   called with the matches done and in total; an exception ends the measurement
    """
    rivals = reference_agents(course.game) if rivals is None else rivals
    conditions = Conditions(
        course.seed,
        course.options,
        workers,
        executor=executor,
        purpose=Purpose.TUNING,
        progress=progress,
    )
    known = conditions.prepared_agents(course.game, rivals)
    known[course.agent] = Prepared.of(frozen_learner(course, learner.dump()))
    others = conditions.sides(course.game) - 1
    rows = [
        conditions.series(course.game, (course.agent, *[name] * others), known) for name in rivals
    ]
    points = []
    for name, outcomes in zip(rivals, play_series(rows, games, conditions), strict=True):
        result = summarize(course.agent, 0, outcomes)
        low, high = result["ci95"]
        seconds = learner.log.seconds
        points.append(CurvePoint(played, name, result["win_rate"], low, high, seconds, games))
    return points


def milestones(games: int, count: int) -> Sequence[int]:
    """Return after how many matches to measure: evenly spread, the last one at the end."""
    return sorted({max(1, games * number // count) for number in range(1, count + 1)})


def growing_marks(games: int) -> Sequence[int]:
    """Return after how many matches to measure: 0, then each power of ten, from 1,000 on also
    three times each. The end is not included."""
    found = [0]
    mark = FIRST_GENERATION
    while mark < games:
        found.append(mark)
        if mark >= 1000 and 3 * mark < games:
            found.append(3 * mark)
        mark *= 10
    return found
