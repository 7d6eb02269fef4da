"""Whether a course has improved a learner, as far as the measurements can tell."""

from collections.abc import Sequence
from math import hypot

from agents.training_log import CurvePoint


def difference(before: CurvePoint, after: CurvePoint) -> tuple[float, float]:
    """Return the 95 % interval of the gain, from both intervals (Newcombe's method)."""
    gain = after.win_rate - before.win_rate
    low = gain - hypot(after.win_rate - after.low, before.high - before.win_rate)
    high = gain + hypot(after.high - after.win_rate, before.win_rate - before.low)
    return low, high


def verdict(points: Sequence[CurvePoint]) -> str:
    """Compare the first and the last measurement in a sentence, the strongest rival first."""
    by_rival: dict[str, list[CurvePoint]] = {}
    for point in points:
        by_rival.setdefault(point.against, []).append(point)
    compared = [
        (rival, measured[0], measured[-1])
        for rival, measured in reversed(by_rival.items())
        if measured[-1].games > measured[0].games
    ]
    if not compared:
        return "It was not measured after training."
    gains = [difference(before, after) for _, before, after in compared]
    if any(low > 0 for low, _ in gains) and not any(high < 0 for _, high in gains):
        opening = "Better than before"
    elif any(high < 0 for _, high in gains):
        opening = "Worse than before"
    else:
        opening = "No better than before, as far as these matches can tell"
    details = [
        f"against {rival} {in_percent(after)}, before {in_percent(before)}"
        for rival, before, after in compared
    ]
    return f"{opening}: {'; '.join(details)}."


def in_percent(rate: CurvePoint) -> str:
    """Return a win rate and its 95 % interval, such as `62 % (55–68)`."""
    return percentages(rate.win_rate, rate.low, rate.high)


def percentages(win_rate: float, low: float, high: float) -> str:
    return f"{win_rate:.0%} ({100 * low:.0f}–{100 * high:.0f})".replace("%", " %", 1)
