"""Measures tasks and their peers in turn, and reports figures."""

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import median
from time import process_time
from typing import Final

from agents.storage.bounded import check_ours, read_bounded
from agents.storage.files import reason_of, write_atomic

_LARGEST: Final = 1 << 20

ROUNDS: Final = 27
SLICE: Final = 0.05
"""Seconds of one measurement. Ours and the peer's alternate, so a busy moment affects both."""

Measure = Callable[[], float]
"""Takes one measurement."""


@dataclass(slots=True)
class Figure:
    """A measured figure, as scripts read it; the peer's fields are None without a peer.

    ratio   value / peer value, above 1 if we are faster (rates) or slower (times). The median over
            the rounds, each of which measured both one after the other
    """

    name: str
    value: float
    unit: str
    peer: str | None = None
    peer_value: float | None = None
    ratio: float | None = None


@dataclass(frozen=True, slots=True)
class Peer:
    """Another system that does the same work.

    needs     the module to install; empty if nothing has to be installed
    set_up    prepares it and returns the measurement
    """

    name: str
    needs: str
    set_up: Callable[[], Measure]


@dataclass(frozen=True, slots=True)
class Task:
    """Work to measure. `set_up` prepares it and returns the measurement."""

    name: str
    unit: str
    set_up: Callable[[], Measure]
    peer: Peer | None = None
    rounds: int = ROUNDS


def rate(work: Callable[[], int], seconds: float = SLICE) -> float:
    """Units of work per second of processor time.

    work   does some work and returns how many units
    """
    done = 0
    start = process_time()
    while (spent := process_time() - start) < seconds:
        done += work()
    return done / spent


def rating(work: Callable[[], int]) -> Measure:
    return lambda: rate(work)


def run(tasks: Sequence[Task]) -> Iterator[Figure]:
    """Measure the tasks one after the other."""
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
    """Write figures to a file for `read_kept`. Raises ValueError if that fails."""
    check_ours(file, (b'{\n  "figures"',))
    try:
        write_atomic(file, f"{as_json(figures)}\n".encode(), private=False)
    except OSError as error:
        raise ValueError(f"{file} cannot be written ({error.strerror}).") from error


def read_kept(file: Path) -> dict[str, Figure]:
    """The figures of an earlier run by name. Raises ValueError for a file without figures."""
    try:
        kept = json.loads(read_bounded(file, _LARGEST))
        return {each["name"]: Figure(**each) for each in kept["figures"]}
    except OSError as error:
        raise ValueError(f"{file} cannot be read ({reason_of(error)}).") from error
    except (ValueError, TypeError, KeyError, RecursionError) as error:
        raise ValueError(f"{file} holds no figures; create it with kibitz bench --keep.") from error


def in_words(figure: Figure, earlier: Figure | None) -> str:
    """A figure on one line, with the peer and the earlier run if present."""
    line = f"{figure.name:<44} {_number(figure.value):>10} {figure.unit}"
    if figure.peer_value is not None and figure.ratio is not None:
        line += f"   {figure.ratio:.2f} × {figure.peer} ({_number(figure.peer_value)})"
    if earlier is not None and earlier.value:
        line += f"   {figure.value / earlier.value - 1:+.0%} since"
    return line


def _number(value: float) -> str:
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"
