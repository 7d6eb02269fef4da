"""How a network sees a game: each decision as a row of integers, expanded to inputs in batches.

`read` runs once for each decision in plain Python and has to be cheap. `expand` turns the rows
of many decisions into network inputs with a few numpy calls.
"""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from agents.learners.features import Perception
from engine.game import View

Floats = NDArray[np.float32]
Integers = NDArray[np.int64]


class Reading(NamedTuple):
    """A decision as integers.

    rows    what the seat knows, in rows of `Encoding.columns` numbers. Usually one; several if
            actions are seen differently, such as each call with its suit as trump
    places  for each legal action, in order: the number of its row
    moves   for each legal action, in order: its move, then more facts about it, as numbers below
            `Encoding.moves`
    """

    rows: list[list[int]]
    places: list[int]
    moves: list[tuple[int, ...]]


class Encoding(Perception, ABC):
    """Turns the decisions of a game into network inputs. It describes and never prefers.

    version  increases when an input changes its meaning
    networks the number of networks that share the work, such as one for each number of players
    columns  the length of a row of codes
    size     the number of inputs of a decision
    moves    the number of different moves, then of the values of each other fact about an action
    """

    version: int = 1
    networks: int = 1
    columns: int
    size: int
    moves: tuple[int, ...]

    def network(self, view: View) -> int:
        """The number of the network that decides."""
        return 0

    @abstractmethod
    def read(self, view: View, legal: Sequence[int]) -> Reading:
        """The decision of the seat to act."""

    @abstractmethod
    def expand(self, codes: Integers) -> Floats:
        """The inputs of many decisions: a row for each row of codes."""

    def fingerprint(self) -> str:
        moves = ", ".join(map(str, self.moves))
        return f"{self.game} in numbers {self.version}: {self.size} inputs, moves {moves}"
