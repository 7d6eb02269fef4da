"""`kibitz train`: trains a learner."""

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
        typer.Option(help="The learner to train (default q).", autocompletion=completion.agents),
    ] = None,
    matches: Annotated[int | None, typer.Option("--games", help="How many matches.")] = None,
    seed: Seed = None,
    opponents: Annotated[
        str | None,
        typer.Option(
            help="Its opponents, such as hard,easy; self: itself (default); pool: its earlier "
            "selves.",
            autocompletion=completion.opponents,
        ),
    ] = None,
    checkpoint: Annotated[
        int | None,
        typer.Option(help="Save after so many matches, besides every minute."),
    ] = None,
    option: OptionTexts = None,
    workers: Workers = None,
    cluster: ClusterAddress = None,
    config: Annotated[Path | None, typer.Option(help="A YAML file; flags take precedence.")] = None,
    as_json: Json = False,
    home: Home = None,
) -> None:
    """Train a learner and save what it learns. Ctrl+C stops and saves too. The same command
    then continues where it stopped, also after the program was killed."""
    from agents.training.course import Course
    from app.lab.course_file import CourseFile, read_course
    from app.lab.training import run_course, summary
    from app.match.seating import find_game

    found = find_game(game)
    file = read_course(config) if config else CourseFile()
    at_least_one("--games", file.episodes if matches is None else matches)
    if workers == 1 and cluster:
        raise ValueError(
            "A cluster does not speed up training with one worker; give --workers 2 or more, "
            "or leave it out to use all workers of the cluster."
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
    with worker_pool(workers, cluster) as (count, executor):
        report = run_course(
            course,
            locate(home or context.obj),
            count,
            file.evaluation,
            file.out,
            show_bar=not as_json and sys.stderr.isatty(),
            checkpoint=checkpoint or file.checkpoint,
            executor=executor,
        )
    print(json.dumps(report, indent=2) if as_json else summary(report))
