"""Small plots in a line of text."""

from collections.abc import Sequence
from typing import Final

_HEIGHTS: Final = "▁▂▃▄▅▆▇█"


def spark(
    values: Sequence[float], width: int, low: float | None = None, high: float | None = None
) -> str:
    """A plot of so many characters; shorter if there are fewer values.

    low, high   the limits of the scale; by default those of the values
    """
    if not values or width < 1:
        return ""
    shown = _resampled(values, width)
    bottom = min(shown) if low is None else low
    top = max(shown) if high is None else high
    if top <= bottom:
        return _HEIGHTS[0] * len(shown)
    steps = len(_HEIGHTS) - 1
    heights = [round((value - bottom) / (top - bottom) * steps) for value in shown]
    return "".join([_HEIGHTS[min(steps, max(0, height))] for height in heights])


def blocks(
    values: Sequence[float],
    width: int,
    height: int,
    low: float | None = None,
    high: float | None = None,
) -> list[str]:
    """The lines of a plot that is several lines high; otherwise as `spark`."""
    if not values or width < 1:
        return [""] * height
    shown = _resampled(values, width)
    bottom = min(shown) if low is None else low
    top = max(shown) if high is None else high
    steps = height * len(_HEIGHTS)
    share = 1 / (top - bottom) if top > bottom else 0.0
    filled = [max(1, min(steps, round((value - bottom) * share * steps))) for value in shown]
    wide = width // len(shown)
    lines = []
    for row in reversed(range(height)):
        rest = [min(len(_HEIGHTS), max(0, each - row * len(_HEIGHTS))) for each in filled]
        lines.append("".join([wide * (_HEIGHTS[each - 1] if each else " ") for each in rest]))
    return lines


def stretched(values: Sequence[float], width: int) -> Sequence[float]:
    """At least `width` values if there are any: each is repeated, so that a plot of a short time
    is as wide as one of a long time."""
    count = len(values)
    if not count or count >= width:
        return values
    return [values[at * count // width] for at in range(width)]


def _resampled(values: Sequence[float], width: int) -> list[float]:
    """At most `width` values, each the mean of its neighbours."""
    count = len(values)
    if count <= width:
        return list(values)
    parts = [values[at * count // width : (at + 1) * count // width] for at in range(width)]
    return [sum(part) / len(part) for part in parts]
