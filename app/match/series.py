"""The matches of a watched table so far: wins, win rates and their course."""

from collections.abc import Sequence
from typing import Final

from agents.evaluation.intervals import wilson
from engine.game import State

MOST_MATCHES: Final = 100_000
"""The largest limit that a person can set."""

RECORDED_MATCHES: Final = 1_000
"""So many matches of a series are recorded. A table can be left running for days, and every
recorded match is a file."""


class Series:
    """Counts the matches that were watched to their end.

    limit   after so many matches the series ends; None for no limit
    """

    def __init__(self, limit: int | None = None) -> None:
        self.limit = limit
        self.matches = 0
        self._wins: list[float] = []
        self._rates: list[list[float]] = []

    @property
    def over(self) -> bool:
        return self.over_with(0)

    def over_with(self, more: int) -> bool:
        """Whether so many more matches complete the series."""
        return self.limit is not None and self.matches + more >= self.limit

    @property
    def recorded(self) -> bool:
        """Whether the next match is recorded."""
        return self.matches < RECORDED_MATCHES

    def add(self, state: State) -> None:
        """Count a finished match. A draw counts as its share for each side."""
        results = state.returns()
        shares = [results[side[0]] for side in state.sides]
        self.matches += 1
        before = self._wins or [0.0] * len(shares)
        self._wins = [won + share for won, share in zip(before, shares, strict=True)]
        self._rates.append([won / self.matches for won in self._wins])

    def wins(self, side: int) -> float:
        return self._wins[side] if self._wins else 0.0

    def rate(self, side: int) -> float:
        return self.wins(side) / self.matches if self.matches else 0.0

    def interval(self, side: int) -> tuple[float, float]:
        """The 95 % interval of a side's win rate."""
        return wilson(self.rate(side), self.matches)

    def rates(self, side: int) -> Sequence[float]:
        """The win rate of a side after each match."""
        return [rates[side] for rates in self._rates]
