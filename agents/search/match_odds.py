"""The chance to win a match from a score, computed from how hands usually end."""

from collections.abc import Mapping, Sequence
from math import exp
from typing import Final

import numpy as np
from numpy.typing import NDArray

from agents.odds import log_odds

HandEnds = Mapping[tuple[int, int], float]
"""The frequency of each pair of points that a hand gives the two sides."""

TOLERANCE: Final = 1e-4
"""The iteration stops when no chance changes by more."""

STEEPEST: Final = 2.0
"""The largest tilt: a point more is e to the power of this as frequent."""
CLOSE: Final = 0.004
"""How precisely a tilt is found."""


class MatchOdds:
    """The chance of side 0 to win the match at every score, by the dealer of the next hand.

    A match ends when a side has `target` points. If both reach it in the same hand, the side
    with more points wins. Scores below `lowest` count as `lowest`.
    """

    def __init__(
        self, ends: Sequence[HandEnds], target: int, lowest: int = 0, tilt: float = 0.0
    ) -> None:
        """
        ends   for each dealer how hands end between equal players, in the order of the deals
        tilt   how much more often a stronger side 0 gets more points, see `tilted`
        """
        self.target = target
        self.lowest = lowest
        self._ends = ends
        self._tilt = tilt
        self._chances = self._converge([tilted(each, tilt) for each in ends])

    def chance(self, scores: Sequence[int], dealer: int) -> float:
        """The chance of side 0 at scores below the target."""
        first, second = [
            min(max(score, self.lowest), self.target - 1) - self.lowest for score in scores
        ]
        return float(self._chances[dealer, first, second])

    def chance_during(self, scores: Sequence[int], dealer: int, left: float) -> float:
        """The chance of side 0 during a hand. What a stronger side gains by the cards already
        played is part of the position, so that only the rest of the hand is tilted.

        left   the share of the hand still to be played
        """
        if not self._tilt:
            return self.chance(scores, dealer)
        following = (dealer + 1) % len(self._ends)
        chance = 0.0
        for (gain, loss), share in tilted(self._ends[dealer], left * self._tilt).items():
            first, second = scores[0] + gain, scores[1] + loss
            if first < self.target and second < self.target:
                chance += share * self.chance((first, second), following)
            else:
                chance += share * (0.5 if first == second else float(first > second))
        return chance

    def log_odds(self) -> float:
        """Of side 0 at the start of a match, the mean over all dealers."""
        start = -self.lowest
        return log_odds(float(self._chances[:, start, start].mean()))

    def chances(self, scores: NDArray[np.int64], dealer: int) -> NDArray[np.float64]:
        """The same for many scores, one in each row."""
        rows = np.clip(scores, self.lowest, self.target - 1) - self.lowest
        return np.asarray(self._chances[dealer, rows[:, 0], rows[:, 1]])

    def _converge(self, ends: Sequence[HandEnds]) -> NDArray[np.float64]:
        """Iterates over hands until the chances converge."""
        scores = np.arange(self.lowest, self.target)
        chances = np.full((len(ends), len(scores), len(scores)), 0.5)
        while True:
            before = chances.copy()
            for dealer, hand_ends in enumerate(ends):
                following = before[(dealer + 1) % len(ends)]
                chances[dealer] = self._after_hand(hand_ends, scores, following)
            if float(np.abs(chances - before).max()) < TOLERANCE:
                return chances

    def _after_hand(
        self, ends: HandEnds, scores: NDArray[np.int64], following: NDArray[np.float64]
    ) -> NDArray[np.float64]:
        total = np.zeros_like(following)
        for (gain, loss), share in ends.items():
            first, second = np.meshgrid(scores + gain, scores + loss, indexing="ij")
            rows = np.clip(first, self.lowest, self.target - 1) - self.lowest
            columns = np.clip(second, self.lowest, self.target - 1) - self.lowest
            over = (first >= self.target) | (second >= self.target)
            won = 0.5 + 0.5 * np.sign(first - second)
            total += share * np.where(over, won, following[rows, columns])
        return total / sum(ends.values())


def tilted(ends: HandEnds, by: float) -> HandEnds:
    """The ends of hands, those with more points for side 0 more often: e to the power of `by`
    times as often for each point."""
    weights = {
        (gain, loss): share * exp(by * (gain - loss)) for (gain, loss), share in ends.items()
    }
    total = sum(weights.values())
    return {points: weight / total for points, weight in weights.items()}


def uneven_odds(
    ends: Sequence[HandEnds], target: int, lowest: int = 0, edge: float = 0.0
) -> MatchOdds:
    """The odds if side 0 is stronger than in these hands.

    edge   by how much its log-odds at the start of a match are higher
    """
    odds = MatchOdds(ends, target, lowest)
    if not edge:
        return odds
    wanted = odds.log_odds() + edge
    low, high = (0.0, STEEPEST) if edge > 0 else (-STEEPEST, 0.0)
    while high - low > CLOSE:
        by = (low + high) / 2
        odds = MatchOdds(ends, target, lowest, by)
        if odds.log_odds() < wanted:
            low = by
        else:
            high = by
    return odds
