"""`kibitz train`: a learner goes through a course."""

import json
import sys
from pathlib import Path
from typing import Annotated

import typer

from app.commands import completion
from app.commands.common import (
    ClusterAddress,
    GameName,
    Home,
    Json,
    OptionTexts,
    Seed,
    Workers,
    at_least_one,
    option_texts,
    worker_pool,
)
from app.home.locations import locate


def train(
    context: typer.Context,
    game: GameName,
    agent: Annotated[
        str | None,
        typer.Option(help="Who learns (default q).", autocompletion=completion.agents),
    ] = None,
    matches: Annotated[int | None, typer.Option("--games", help="How many matches.")] = None,
    seed: Seed = None,
    opponents: Annotated[
        str | None,
        typer.Option(
            help="Who it plays, such as hard,easy; self: itself, as it does if nobody is named; "
            "pool: its earlier selves.",
            autocompletion=completion.opponents,
        ),
    ] = None,
    checkpoint: Annotated[
        int | None,
        typer.Option(help="Save after so many matches; it is saved every minute in any case."),
    ] = None,
    option: OptionTexts = None,
    workers: Workers = None,
    cluster: ClusterAddress = None,
    config: Annotated[Path | None, typer.Option(help="A YAML file; flags come before it.")] = None,
    as_json: Json = False,
    home: Home = None,
) -> None:
    """Let a learner play and keep what it learns. Ctrl+C stops and keeps it too; the same
    command given again goes on where it stopped, also after the program was killed."""
    from agents.training.course import Course
    from app.lab.course_file import CourseFile, read_course
    from app.lab.training import run_course, summary
    from app.match.seating import find_game

    found = find_game(game)
    file = read_course(config) if config else CourseFile()
    at_least_one("--games", file.episodes if matches is None else matches)
    if workers == 1 and cluster:
        raise ValueError(
            "One worker learns match after match, which no cluster makes faster; "
            "give --workers 2 or more, or none for all that the cluster has."
        )
    if checkpoint is not None:
        at_least_one("--checkpoint", checkpoint)
    texts = {name: str(value) for name, value in file.options.items()}
    course = Course(
        found.name,
        agent or file.agent_type,
        file.episodes if matches is None else matches,
        file.seed if seed is None else seed,
        found.parse_options(texts | option_texts(option or [])),
        tuple(
            file.opponents if opponents is None else [name.strip() for name in opponents.split(",")]
        ),
        file.settings(),
        file.rewards,
    )
    with worker_pool(workers, cluster) as (at_once, executor):
        report = run_course(
            course,
            locate(home or context.obj),
            at_once,
            file.evaluation,
            file.out,
            show_bar=not as_json and sys.stderr.isatty(),
            checkpoint=checkpoint or file.checkpoint,
            executor=executor,
        )
    print(json.dumps(report, indent=2) if as_json else summary(report))
