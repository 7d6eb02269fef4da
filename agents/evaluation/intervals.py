"""95 % intervals of win rates."""

from collections.abc import Sequence
from math import sqrt


def wilson(rate: float, trials: float) -> tuple[float, float]:
    """Return the 95 % interval of a rate observed in independent trials (Wilson score)."""
    if trials <= 0:
        return 0.0, 1.0
    z = 1.959964
    middle = (rate + z * z / (2 * trials)) / (1 + z * z / trials)
    spread = (
        z * sqrt(rate * (1 - rate) / trials + z * z / (4 * trials * trials)) / (1 + z * z / trials)
    )
    return max(0.0, middle - spread), min(1.0, middle + spread)


def clustered_interval(by_deal: Sequence[tuple[int, float]]) -> tuple[float, float]:
    """Return the 95 % interval of a win rate from (matches, wins) per deal.

    Matches of one deal resemble each other, so the deals count as the independent trials.
    The variance between deals gives the number of independent matches the series is worth.
    """
    matches = sum([played for played, _ in by_deal])
    rate = sum([won for _, won in by_deal]) / matches
    effective = float(matches)
    deals = len(by_deal)
    if deals > 1 and 0 < rate < 1:
        spread = sum([(won - rate * played) ** 2 for played, won in by_deal])
        variance = spread * deals / (deals - 1) / matches**2
        if variance > 0:
            effective = rate * (1 - rate) / variance
    return wilson(rate, effective)
