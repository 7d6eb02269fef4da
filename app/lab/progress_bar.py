"""A progress bar on the terminal."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from agents.training.session import TrainingSession


@contextmanager
def progress_bar(
    title: str, total: int, first: int = 0, seconds: float | None = None
) -> Iterator[Callable[[TrainingSession], None]]:
    """Show a bar with rate and time left, and yield a function that updates it.

    total     matches of the course
    first     matches that were played before
    seconds   after which the session stops; the bar then counts seconds instead of matches
    """
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeRemainingColumn,
    )

    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("{task.fields[rate]}"),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=Console(file=sys.stderr), transient=True) as progress:
        if seconds is not None:
            total, before = round(seconds), 0
        else:
            before = first
        task = progress.add_task(title, total=total, completed=before, rate="")

        def update(session: TrainingSession) -> None:
            rate = "measuring"
            if session.seconds:
                rate = f"{(session.played - first) / session.seconds:.1f} games/s"
            done = session.played if seconds is None else min(total, round(session.seconds))
            progress.update(task, completed=done, rate=rate)

        yield update
