"""Flags that several commands share, and checks of their values."""

import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from app.commands import completion
from app.home.output import say

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from agents.search.agent import Budget

Home = Annotated[Path | None, typer.Option(help="Folder for your files (default ~/.kibitz).")]
Ascii = Annotated[bool, typer.Option("--ascii", help="Draw with plain ASCII characters.")]
Json = Annotated[bool, typer.Option("--json", help="Print JSON.")]
Replace = Annotated[bool, typer.Option("--replace", help="Replace what has this name.")]
GameName = Annotated[
    str,
    typer.Argument(metavar="GAME", help="See kibitz games.", autocompletion=completion.games),
]
Seed = Annotated[int | None, typer.Option(help="The same seed deals the same cards.")]
SeriesSeed = Annotated[int, typer.Option(help="The same seed gives the same result.")]
ThinkingBudget = Annotated[
    int | None,
    typer.Option("--budget", help="Sampled deals per decision of agents that search."),
]
Workers = Annotated[
    int | None,
    typer.Option(
        help="Parallel workers: processes on this machine (default 1), or workers of the cluster "
        "(default all)."
    ),
]
ClusterAddress = Annotated[
    str | None,
    typer.Option(
        "--cluster",
        metavar="ADDRESS",
        help="Use the Dask cluster with this scheduler, such as tcp://HOST:8786.",
    ),
]
Delay = Annotated[
    float | None, typer.Option(help="Seconds between the moves of agents, 0 for none.")
]
Daily = Annotated[
    bool, typer.Option("--daily", help="Play the deal of the day, the same for all players.")
]
Seats = Annotated[
    str | None,
    typer.Option(
        help="A player for each seat, such as you,hard,q.", autocompletion=completion.seats
    ),
]
Names = Annotated[
    list[str] | None,
    typer.Option(
        metavar="NAME…",
        help="A name for each seat, up to the next option. Names such as EASY_1, HARD_2 or "
        "Q_LEARN_1 select an agent, all others a person.",
    ),
]
OptionTexts = Annotated[
    list[str] | None,
    typer.Option("--option", metavar="KEY=VALUE", help="Set an option of the game; repeatable."),
]
WORKERS_PER_CORE = 4
GAME_OPTIONS = "Options of the game are flags too: --lives 3 is --option lives=3. See kibitz games."


def option_word(value: object) -> str:
    """The value of an option as it is typed: `on`, `off`, or itself."""
    return str(value) if not isinstance(value, bool) else "on" if value else "off"


def option_texts(options: Sequence[str]) -> dict[str, str]:
    """Parse options such as `players=4`."""
    texts = {}
    for option in options:
        name, equals, value = option.partition("=")
        if not name.strip() or not equals:
            raise ValueError(f"{option!r} is not an option; write it as key=value.")
        texts[name.strip()] = value.strip()
    return texts


def amounts(flag: str, texts: Sequence[str]) -> dict[str, float]:
    """Parse numbers such as `alpha=0.1`."""
    found = {}
    for text in texts:
        name, _, value = text.partition("=")
        try:
            found[name.strip()] = float(value)
        except ValueError as error:
            raise ValueError(f"{flag} is {text!r}; write it as name=number.") from error
    return found


def at_least_one(name: str, value: int) -> None:
    if value < 1:
        raise ValueError(f"{name} is {value}; give 1 or more.")


def affordable(workers: int) -> int:
    """At most four workers per core. More only cost memory; a message says so."""
    most = WORKERS_PER_CORE * (os.cpu_count() or 1)
    if workers > most:
        say(
            f"--workers is {workers}; using {most}, {WORKERS_PER_CORE} for each core.",
            file=sys.stderr,
        )
    return min(workers, most)


@contextmanager
def worker_pool(
    workers: int | None, cluster: str | None
) -> Iterator[tuple[int, "Executor | None"]]:
    """The number of workers, and the executor of the cluster if there is one."""
    if workers is not None:
        at_least_one("--workers", workers)
    if cluster is None:
        yield affordable(workers or 1), None
        return
    from agents.parallel.cluster import connected

    with connected(cluster, workers) as team:
        yield workers or len(team.workers()), team


def thinking(worlds: int | None) -> "Budget | None":
    """The budget of agents that search; None for their defaults."""
    if worlds is None:
        return None
    at_least_one("--budget", worlds)
    from agents.search.agent import Budget

    return Budget(worlds)
