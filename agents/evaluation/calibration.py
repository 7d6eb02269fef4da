"""Corrections of the chances that agents state, fitted to results.

A chance is corrected on the scale of log-odds: their distance from a fair share counts `slope`
times, and the strengths of the players at the table `strengths` times. Both are positive, so that
a better move stays better. `app.study.calibration` fits them and writes the file.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from math import log
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np

FILE: Final = Path(__file__).with_name("calibration.json")

_STEPS: Final = 25
"""Of Newton's method, which converges in fewer."""


@dataclass(frozen=True, slots=True)
class Calibration:
    """How much of a chance is believed, and of the strengths of the players."""

    slope: float = 1.0
    strengths: float = 1.0


class Fitted(NamedTuple):
    """A stated chance and its result.

    match    its number; results of one match belong together
    stated   log-odds of the chance between equal players, above those of a fair share
    by       what the players at the table add to them
    won      the share of the matches that were won
    """

    match: int
    stated: float
    by: float
    won: float


@cache
def calibrations() -> dict[str, Calibration]:
    found = json.loads(FILE.read_text(encoding="utf-8"))
    return {game: Calibration(row["slope"], row["strengths"]) for game, row in found.items()}


def calibration(game: str) -> Calibration:
    """Of games in which no gap was found, the chances stay as they are."""
    return calibrations().get(game, Calibration())


def fair(sides: int) -> float:
    """The log-odds of a fair share."""
    return -log(sides - 1)


def fit(rows: Sequence[Fitted], sides: int) -> Calibration:
    """The calibration with the largest likelihood. With equal players only the slope is fitted."""
    _, stated, by, won = [np.array(column) for column in zip(*rows, strict=True)]
    terms = np.stack([stated, by], axis=1) if by.any() else stated[:, None]
    weights = np.ones(terms.shape[1])
    for _ in range(_STEPS):
        chances = 1 / (1 + np.exp(-(fair(sides) + terms @ weights)))
        slope = terms.T @ (won - chances)
        curvature = (terms * (chances * (1 - chances))[:, None]).T @ terms
        weights += np.linalg.solve(curvature, slope)
    return Calibration(*[round(float(weight), 3) for weight in weights])
