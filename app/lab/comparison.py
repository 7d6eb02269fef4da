"""Comparing settings from the command line: a grid in a course file."""

import json
from concurrent.futures import Executor
from dataclasses import asdict
from math import inf

from agents.training.course import Course
from agents.training.grid import Result, compare
from app.home.output import say
from app.lab.course_file import Grid, Measuring


def compare_settings(
    course: Course,
    grid: Grid,
    seconds: float | None,
    measuring: Measuring,
    workers: int,
    executor: Executor | None,
    as_json: bool,
) -> None:
    """Train all combinations of a grid from nothing and print how they did. Nothing is saved.

    seconds   of processor time for each training
    """
    results = compare(
        course,
        grid.values,
        grid.seeds,
        inf if seconds is None else seconds,
        measuring.games,
        workers,
        executor,
    )
    if as_json:
        found = {
            "game": course.game,
            "agent": course.agent,
            "games": course.games,
            "seconds": seconds,
            "seed": course.seed,
            "results": [asdict(result) for result in results],
        }
        say(json.dumps(found, indent=2))
        return
    for result in results:
        say(_line(result))


def _line(result: Result) -> str:
    values = ", ".join([f"{name} {value:g}" for name, value in result.values.items()])
    each = ", ".join([f"{rate:.1%}" for rate in result.rates])
    return (
        f"{values}: {result.win_rate:.1%} against {result.against} "
        f"({result.low:.1%} – {result.high:.1%}); by seed {each}"
    )
