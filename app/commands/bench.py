"""`kibitz bench`: measures speed and memory."""

from importlib.util import find_spec
from pathlib import Path
from typing import Annotated

import typer

from app.commands.common import Home, Json
from app.home.output import say


def bench(
    peers: Annotated[bool, typer.Option("--peers", help="Also measure other programs.")] = False,
    training: Annotated[
        bool,
        typer.Option("--training", help="Only the training speed of each learner at each game."),
    ] = False,
    environments: Annotated[
        bool,
        typer.Option(
            "--rl", help="Only the environments for learning programs, and OpenSpiel if installed."
        ),
    ] = False,
    only: Annotated[str, typer.Option(help="Only figures with this in their name.")] = "",
    keep_in: Annotated[
        Path | None, typer.Option("--keep", help="Save the figures to this file.")
    ] = None,
    compare: Annotated[
        Path | None, typer.Option(help="Compare with figures saved earlier.")
    ] = None,
    as_json: Json = False,
    home: Home = None,
) -> None:
    """Measure speed and memory, in about two minutes."""
    from app.bench import environments as rl
    from app.bench import learning, play, screen
    from app.bench import training as training_speed
    from app.bench.figures import as_json as in_json
    from app.bench.figures import in_words, keep, read_kept, run
    from engine import COMPILED

    earlier = read_kept(compare) if compare else {}
    if environments:
        measured = rl.tasks()
    elif training:
        measured = training_speed.tasks()
    else:
        measured = [*play.tasks(peers), *learning.tasks(peers), *screen.tasks()]
    tasks = [task for task in measured if only.lower() in task.name.lower()]
    if not tasks:
        raise ValueError(f"No figure has {only!r} in its name; leave out --only to see all names.")
    for task in tasks:
        if task.peer and task.peer.needs and find_spec(task.peer.needs) is None:
            raise ValueError(f"{task.peer.name} is not installed; make bench installs it.")
    figures = []
    if not as_json:
        say(f"The engine runs {'compiled' if COMPILED else 'in plain Python'}.")
    for figure in run(tasks):
        figures.append(figure)
        if not as_json:
            say(in_words(figure, earlier.get(figure.name)))
    if keep_in:
        keep(figures, keep_in)
    if as_json:
        say(in_json(figures))
