"""`kibitz train`: trains a learner."""

import json
import sys
from pathlib import Path
from typing import Annotated, Final

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
    amounts,
    at_least_one,
    option_texts,
    worker_pool,
)
from app.home.locations import locate
from app.home.output import say

_MAX_SECONDS: Final = 30 * 24 * 3600
_UNLIMITED: Final = 1_000_000_000
"""Matches of a course that ends by time."""


def train(
    context: typer.Context,
    game: GameName,
    agent: Annotated[
        str | None,
        typer.Option(
            help="The learner to train (default q). A name such as q:rosa, with --from, creates a "
            "learner of its own.",
            autocompletion=completion.agents,
        ),
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
    start: Annotated[
        str | None,
        typer.Option(
            "--from",
            metavar="nothing|shipped|NAME",
            help="What a new learner starts from: nothing, the shipped values, or what another "
            "learner knows (default: continue with yours).",
            autocompletion=completion.starts,
        ),
    ] = None,
    seconds: Annotated[
        float | None,
        typer.Option(
            help="Stop after so many seconds of playing, without a limit of matches unless "
            "--games gives one."
        ),
    ] = None,
    setting: Annotated[
        list[str] | None,
        typer.Option(
            metavar="KEY=VALUE", help="Change a setting of the learner, such as alpha; repeatable."
        ),
    ] = None,
    reward: Annotated[
        list[str] | None,
        typer.Option(
            metavar="KEY=VALUE",
            help="Change a reward, such as match_won. This needs a learner with its own name.",
        ),
    ] = None,
    option: OptionTexts = None,
    workers: Workers = None,
    cluster: ClusterAddress = None,
    config: Annotated[Path | None, typer.Option(help="A YAML file; flags take precedence.")] = None,
    curve: Annotated[
        Path | None,
        typer.Option(help="Write the whole learning curve to this file: .csv, .json or .svg."),
    ] = None,
    allow_programs: Annotated[
        bool,
        typer.Option("--allow-programs", help="Let the file of --config name programs (cmd:…)."),
    ] = False,
    as_json: Json = False,
    home: Home = None,
) -> None:
    """Train a learner and save what it learns. Ctrl+C stops and saves too. The same command
    then continues where it stopped, also after the program was killed."""
    from agents.plain_text import sentence
    from agents.protocols.program import is_program
    from agents.storage.values_file import check_replaceable
    from agents.training.course import Course
    from app.lab.comparison import compare_settings
    from app.lab.course_file import CourseFile, read_course
    from app.lab.learner_store import CONTINUE
    from app.lab.training import run_course, summary
    from app.match.seating import find_game

    file = read_course(config) if config else CourseFile()
    texts = {name: str(value) for name, value in file.options.items()}
    texts |= option_texts(option or [])
    found = find_game(game, texts)
    if seconds is not None and not 0 < seconds <= _MAX_SECONDS:
        raise ValueError(f"--seconds is {seconds:g}; give more than 0, up to {_MAX_SECONDS:,}.")
    if matches is None:
        limited = seconds is None or "episodes" in file.model_fields_set
        matches = file.episodes if limited else _UNLIMITED
    at_least_one("--games", matches)
    if workers == 1 and cluster:
        raise ValueError(
            "A cluster does not speed up training with one worker; give --workers 2 or more, "
            "or leave it out to use all workers of the cluster."
        )
    if checkpoint is not None:
        at_least_one("--checkpoint", checkpoint)
    course = Course(
        found.name,
        agent or file.agent_type,
        matches,
        file.seed if seed is None else seed,
        found.parse_options(texts),
        tuple(
            file.opponents if opponents is None else [name.strip() for name in opponents.split(",")]
        ),
        file.settings() | amounts("--setting", setting or []),
        file.rewards | amounts("--reward", reward or []),
        programs=opponents is not None or allow_programs,
    )
    if file.opponents and not course.programs:
        for name in course.opponents:
            if is_program(name):
                raise ValueError(
                    f"{config} names the program {sentence(name, 100)}; add --allow-programs if "
                    "you want to start it."
                )
    if file.out is not None:
        check_replaceable(file.out)
    with worker_pool(workers, cluster) as (count, executor):
        if file.grid is not None:
            compare_settings(course, file.grid, seconds, file.evaluation, count, executor, as_json)
            return
        report = run_course(
            course,
            locate(home or context.obj),
            count,
            file.evaluation,
            file.out,
            show_bar=not as_json and sys.stderr.isatty(),
            checkpoint=checkpoint or file.checkpoint,
            executor=executor,
            start=start or CONTINUE,
            seconds=seconds,
            curve=curve,
        )
    say(json.dumps(report, indent=2) if as_json else summary(report))
