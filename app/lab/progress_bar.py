"""A progress bar on the terminal."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import perf_counter


@contextmanager
def progress_bar(title: str, total: int, first: int = 0) -> Iterator[Callable[[int], None]]:
    """Show a bar with rate and time left, and yield a function that updates it.

    first   matches that were played before
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
    started = perf_counter()
    with Progress(*columns, console=Console(file=sys.stderr), transient=True) as progress:
        task = progress.add_task(title, total=total, completed=first, rate="")

        def update(played: int) -> None:
            rate = (played - first) / (perf_counter() - started)
            progress.update(task, completed=played, rate=f"{rate:.1f} games/s")

        yield update
