"""Chances to win a match, estimated from the score alone."""

from collections.abc import Sequence
from math import sqrt
from statistics import NormalDist


def race(to_go: Sequence[int]) -> list[float]:
    """The chances of two sides, given the points each still needs.

    Each point to come is equally likely for either side: the problem of points of Pascal and
    Fermat. The normal distribution approximates it, since a match may go to thousands.
    """
    ours, theirs = to_go
    if min(ours, theirs) <= 0:
        return [float(ours < theirs), float(theirs < ours)]
    chance = NormalDist().cdf((theirs - ours) / sqrt(ours + theirs - 1))
    return [chance, 1 - chance]


def shares(strengths: Sequence[float]) -> list[float]:
    """Chances in proportion to the squares of the strengths, equal if all strengths are 0."""
    squares = [strength * strength for strength in strengths]
    total = sum(squares)
    return [square / total if total else 1 / len(squares) for square in squares]
