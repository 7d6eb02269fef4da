"""Writes learning curves to files: CSV for tables, JSON for programs, SVG to look at."""

import csv
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, astuple, fields
from html import escape
from io import StringIO
from math import ceil, log10
from pathlib import Path
from typing import Final

from agents.storage.bounded import read_bounded
from agents.storage.files import reason_of, write_atomic
from agents.training_log import CurvePoint
from app.records.history import RunRecord

SUFFIXES: Final = (".csv", ".json", ".svg")

_KIND: Final = "kibitz learning curve"
_SVG_HEAD: Final = f'<svg xmlns="http://www.w3.org/2000/svg" data-kind="{_KIND}"'
_COLUMNS: Final = [each.name for each in fields(CurvePoint)]
_RUN_COLUMNS: Final = ["run", "started", "kept", "seed"]
_HEAD_BYTES: Final = 200
"""The start of a file shows whether Kibitz wrote it."""

_COLOURS: Final = {"random": "#3a78c8", "easy": "#3a9050", "hard": "#d07a10"}
_WIDTH, _HEIGHT = 720, 420
_LEFT, _RIGHT, _TOP, _BOTTOM = 60, 20, 50, 50


def check_curve_file(path: Path) -> None:
    """Raise ValueError with a sentence unless a curve can be written there.

    A file is replaced only if it is a curve that Kibitz wrote.
    """
    if path.suffix.lower() not in SUFFIXES:
        raise ValueError(
            f"{path.name} is not a name for a learning curve; end it with .csv, .json or .svg."
        )
    try:
        head = read_bounded(path, _HEAD_BYTES, head=True).decode("utf-8", "replace")
    except FileNotFoundError:
        return
    except OSError as error:
        raise ValueError(f"{path} cannot be written: {reason_of(error)}.") from error
    if head and not _is_ours(head):
        raise ValueError(f"{path} exists and is not a learning curve of Kibitz; give another name.")


def _is_ours(head: str) -> bool:
    starts = (",".join(_COLUMNS), ",".join(_RUN_COLUMNS), f'{{\n  "kind": "{_KIND}"', _SVG_HEAD)
    return head.startswith(starts)


def write_curve(
    path: Path,
    title: str,
    points: Sequence[CurvePoint],
    about: Mapping[str, object] | None = None,
) -> None:
    """Write a curve in the format of the file's suffix. Raises ValueError with a sentence.

    about   more facts for JSON
    """
    check_curve_file(path)
    _write(path, _WRITERS[path.suffix.lower()](title, points, about or {}))


def write_runs(path: Path, runs: Sequence[tuple[RunRecord, Sequence[CurvePoint]]]) -> None:
    """Write the measurements of several runs as CSV. Raises ValueError with a sentence."""
    check_curve_file(path)
    rows = [
        (run.id, run.started, run.kept, run.seed, *astuple(point))
        for run, points in runs
        for point in points
    ]
    _write(path, _lines([*_RUN_COLUMNS, *_COLUMNS], rows))


def _write(path: Path, text: str) -> None:
    try:
        write_atomic(path, text.encode(), private=False)
    except OSError as error:
        raise ValueError(f"{path} cannot be written: {reason_of(error)}.") from error


def _lines(columns: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    text = StringIO()
    writer = csv.writer(text)
    writer.writerow(columns)
    writer.writerows(rows)
    return text.getvalue()


Facts = Mapping[str, object]


def _csv(_title: str, points: Sequence[CurvePoint], _about: Facts) -> str:
    """One line for each measurement and rival."""
    return _lines(_COLUMNS, [astuple(point) for point in points])


def _json(title: str, points: Sequence[CurvePoint], about: Facts) -> str:
    curve = [asdict(point) for point in points]
    return json.dumps({"kind": _KIND, "title": title, **about, "points": curve}, indent=2) + "\n"


def _svg(title: str, points: Sequence[CurvePoint], _about: Facts) -> str:
    """Win rates with their 95 % bands. The axis of matches is logarithmic."""
    last = max([point.games for point in points], default=1)

    def across(games: int) -> float:
        room = _WIDTH - _LEFT - _RIGHT
        return round(_LEFT + room * log10(1 + games) / max(log10(1 + last), 1e-9), 1)

    def down(rate: float) -> float:
        return round(_TOP + (_HEIGHT - _TOP - _BOTTOM) * (1 - rate), 1)

    parts = [
        f'{_SVG_HEAD} viewBox="0 0 {_WIDTH} {_HEIGHT}" font-family="sans-serif" font-size="13">',
        f'<rect width="{_WIDTH}" height="{_HEIGHT}" fill="white"/>',
        f'<text x="{_LEFT}" y="24" font-size="17">{escape(title)}</text>',
    ]
    for quarter in range(5):
        y = down(quarter / 4)
        parts += [
            f'<line x1="{_LEFT}" x2="{_WIDTH - _RIGHT}" y1="{y}" y2="{y}" stroke="#ddd"/>',
            f'<text x="{_LEFT - 8}" y="{y + 4}" text-anchor="end">{25 * quarter} %</text>',
        ]
    for games in [0, *[10**power for power in range(ceil(log10(1 + last)))]]:
        parts.append(
            f'<text x="{across(games)}" y="{_HEIGHT - 28}" text-anchor="middle">{games:,}</text>'
        )
    middle = (_LEFT + _WIDTH - _RIGHT) / 2
    parts.append(
        f'<text x="{middle}" y="{_HEIGHT - 8}" text-anchor="middle">matches of training</text>'
    )
    for number, rival in enumerate(dict.fromkeys([point.against for point in points])):
        colour = _COLOURS.get(rival, "#777")
        measured = [point for point in points if point.against == rival]
        upper = [f"{across(point.games)},{down(point.high)}" for point in measured]
        lower = [f"{across(point.games)},{down(point.low)}" for point in reversed(measured)]
        line = [f"{across(point.games)},{down(point.win_rate)}" for point in measured]
        parts += [
            f'<polygon points="{" ".join(upper + lower)}" fill="{colour}" fill-opacity="0.15"/>',
            f'<polyline points="{" ".join(line)}" fill="none" stroke="{colour}" stroke-width="2"/>',
            f'<text x="{_LEFT + 130 * number}" y="42" fill="{colour}">'
            f"against {escape(rival)}</text>",
        ]
    return "\n".join([*parts, "</svg>"]) + "\n"


_WRITERS: Final[dict[str, Callable[[str, Sequence[CurvePoint], Facts], str]]] = {
    ".csv": _csv,
    ".json": _json,
    ".svg": _svg,
}
