"""Values that an original program has learned, in a form that our learners can take over."""

from dataclasses import dataclass
from typing import Final

from agents.learners.features import Situation

MAX_SITUATIONS: Final = 200_000
"""More would not fit into a file of learned values."""

_MAX_VALUE: Final = 2.0**53

MAX_SIZE: Final = 64 << 20
"""Bytes of a file."""

Values = dict[Situation, dict[int, float]]
"""The value of each move in a situation, by the number of the move."""


@dataclass(frozen=True, slots=True)
class ImportedValues:
    """What a file holds for one of our learners.

    found     the number of situations in the file, useful or not
    taken     how many of them are among `values`
    visits    how many visits each value counts for
    actions, explored
              all actions of the original program, and how many of them were random
    left_out  why situations were left out, if any were; as the end of a sentence
    """

    game: str
    agent: str
    values: Values
    found: int
    taken: int
    visits: int = 1
    actions: int = 0
    explored: int = 0
    left_out: str = ""


def finite_value(value: object) -> float:
    """Return a value as a float. Raises ValueError if it is not a number, or a huge one."""
    if type(value) not in (int, float) or not -_MAX_VALUE < value < _MAX_VALUE:  # type: ignore[operator]
        raise ValueError("some of its values are not numbers")
    return float(value)  # type: ignore[arg-type]
