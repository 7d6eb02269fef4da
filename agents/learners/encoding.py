"""How a network sees a game: each decision as rows of integers, expanded to inputs in batches.

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

    codes  rows of `Encoding.columns` numbers with what the seat knows: one, or one for each legal
           action if the encoding is `per_action`
    moves  for each legal action, in order: the number of its move
    """

    codes: list[list[int]]
    moves: list[int]


class Encoding(Perception, ABC):
    """Turns the decisions of a game into network inputs. It describes and never prefers.

    version  increases when an input changes its meaning
    per_action
             whether each legal action has its own row of codes, which describes the position
             that it leads to. Otherwise one row describes the decision, and actions differ by
             the numbers of their moves
    networks the number of networks that share the work, such as one for each number of players
    columns  the length of a row of codes
    size     the number of inputs of a row
    moves    the number of different moves
    """

    version: int = 1
    per_action: bool = False
    networks: int = 1
    columns: int
    size: int
    moves: int

    def network(self, view: View) -> int:
        """The number of the network that decides."""
        return 0

    @abstractmethod
    def read(self, view: View, legal: Sequence[int]) -> Reading:
        """The decision of the seat to act."""

    @abstractmethod
    def expand(self, codes: Integers) -> Floats:
        """The inputs of a network: a row for each row of codes."""

    def fingerprint(self) -> str:
        return f"{self.game} in numbers {self.version}: {self.size} inputs, {self.moves} moves"
