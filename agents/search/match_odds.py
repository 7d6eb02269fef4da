"""The chance to win a match from a score, worked out from how hands usually end."""

from collections.abc import Mapping, Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

HandEnds = Mapping[tuple[int, int], float]
"""How often a hand brings the two sides these points."""

ENOUGH: Final = 1e-4
"""Chances that change less than this are settled."""


class MatchOdds:
    """What side 0 may hope for at every score, by who deals the next hand.

    A match goes on until a side has `target` points. Scores below `lowest` count as
    `lowest`; if a hand takes both sides to the target, the one with more points wins.
    """

    def __init__(self, ends: Sequence[HandEnds], target: int, lowest: int = 0) -> None:
        """ends: for each dealer how hands end; the deal goes round in this order."""
        self.target = target
        self.lowest = lowest
        self._chances = self._settle(ends)

    def chance(self, scores: Sequence[int], dealer: int) -> float:
        """The chance of side 0 while the match goes on."""
        first, second = [
            min(max(score, self.lowest), self.target - 1) - self.lowest for score in scores
        ]
        return float(self._chances[dealer, first, second])

    def chances(self, scores: NDArray[np.int64], dealer: int) -> NDArray[np.float64]:
        """The same for many scores at once, one in each row."""
        rows = np.clip(scores, self.lowest, self.target - 1) - self.lowest
        return np.asarray(self._chances[dealer, rows[:, 0], rows[:, 1]])

    def _settle(self, ends: Sequence[HandEnds]) -> NDArray[np.float64]:
        """Hand after hand, until a further hand changes nothing."""
        scores = np.arange(self.lowest, self.target)
        chances = np.full((len(ends), len(scores), len(scores)), 0.5)
        while True:
            before = chances.copy()
            for dealer, hand_ends in enumerate(ends):
                following = before[(dealer + 1) % len(ends)]
                chances[dealer] = self._after_hand(hand_ends, scores, following)
            if float(np.abs(chances - before).max()) < ENOUGH:
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
