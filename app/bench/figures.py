"""Figures: what is measured, how often, and what is reported."""

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import median
from time import process_time
from typing import Final

ROUNDS: Final = 27
SLICE: Final = 0.05
"""Seconds of one measurement. Ours and the peer's take turns, so that a busy moment of the
machine meets both."""

Measure = Callable[[], float]
"""Measures once."""


@dataclass(slots=True)
class Figure:
    """A measured figure, as scripts read it; the peer's fields are None without a peer.

    ratio   value by peer value: above 1 is faster for rates, slower for times. The median of
            the rounds, each of which measured both within moments of each other
    """

    name: str
    value: float
    unit: str
    peer: str | None = None
    peer_value: float | None = None
    ratio: float | None = None


@dataclass(frozen=True, slots=True)
class Peer:
    """Somebody else's program that does the same.

    needs     the module it comes as, `` if it is there anyway
    measure   measures it once, after it has been set up
    """

    name: str
    needs: str
    set_up: Callable[[], Measure]


@dataclass(frozen=True, slots=True)
class Task:
    """Something to measure: `set_up` prepares it and returns what measures it once."""

    name: str
    unit: str
    set_up: Callable[[], Measure]
    peer: Peer | None = None
    rounds: int = ROUNDS


def rate(work: Callable[[], int], seconds: float = SLICE) -> float:
    """How often per second of processor time something is done.

    work   does some of it and says how often
    """
    done = 0
    start = process_time()
    while (spent := process_time() - start) < seconds:
        done += work()
    return done / spent


def rating(work: Callable[[], int]) -> Measure:
    return lambda: rate(work)


def run(tasks: Sequence[Task]) -> Iterator[Figure]:
    """Measure, a figure at a time."""
    for task in tasks:
        ours = task.set_up()
        theirs = task.peer.set_up() if task.peer else None
        values, peer_values = [], []
        for _ in range(task.rounds):
            values.append(ours())
            if theirs:
                peer_values.append(theirs())
        figure = Figure(task.name, median(values), task.unit)
        if task.peer:
            figure.peer = task.peer.name
            figure.peer_value = median(peer_values)
            ratios = [own / other for own, other in zip(values, peer_values, strict=True)]
            figure.ratio = median(ratios)
        yield figure


def as_json(figures: Sequence[Figure]) -> str:
    return json.dumps({"figures": [asdict(figure) for figure in figures]}, indent=2)


def keep(figures: Sequence[Figure], file: Path) -> None:
    """Write figures down for a later `read_kept`. Raises ValueError if that cannot be done."""
    try:
        file.write_text(as_json(figures) + "\n", encoding="utf-8")
    except OSError as error:
        raise ValueError(f"{file} cannot be written ({error.strerror}).") from error


def read_kept(file: Path) -> dict[str, Figure]:
    """The figures of an earlier run by name. Raises ValueError for anything else."""
    try:
        kept = json.loads(file.read_text(encoding="utf-8"))
        return {each["name"]: Figure(**each) for each in kept["figures"]}
    except OSError as error:
        raise ValueError(f"{file} cannot be read ({error.strerror}).") from error
    except (ValueError, TypeError, KeyError) as error:
        raise ValueError(f"{file} holds no figures; make it with kibitz bench --keep.") from error


def in_words(figure: Figure, earlier: Figure | None) -> str:
    """A figure on one line, with the peer and the earlier run where there are any."""
    line = f"{figure.name:<44} {_number(figure.value):>10} {figure.unit}"
    if figure.peer_value is not None and figure.ratio is not None:
        line += f"   {figure.ratio:.2f} × {figure.peer} ({_number(figure.peer_value)})"
    if earlier is not None and earlier.value:
        line += f"   {figure.value / earlier.value - 1:+.0%} since"
    return line


def _number(value: float) -> str:
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"
