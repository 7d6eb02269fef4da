"""How a network sees a game: each decision as a row of integers, expanded to inputs in batches.

`read` runs once for each decision in plain Python and has to be cheap. `expand` turns the rows
of many decisions into network inputs with a few numpy calls.
"""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from random import Random
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from agents.learners.features import Perception
from engine import GAMES
from engine.game import OVER, View

_LOOKED_AT: Final = 60
"""Positions that show which fields differ from seat to seat."""

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
    most_seats
             the number of seats that are told apart
    """

    version: int = 1
    most_seats: int = 0
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

    def row(self, view: View, number: int) -> list[int]:
        """What a seat sees as a row of codes; number: of the names of the cards, the first code."""
        raise NotImplementedError

    def hidden(self) -> "Encoding | None":
        """An encoding of what each seat alone sees, such as its hand; None if that is unknown or
        if there is nothing."""
        return None

    @abstractmethod
    def expand(self, codes: Integers) -> Floats:
        """The inputs of many decisions: a row for each row of codes."""

    def fingerprint(self) -> str:
        moves = ", ".join(map(str, self.moves))
        return f"{self.game} in numbers {self.version}: {self.size} inputs, moves {moves}"


def seen_by_one(game: str) -> set[str]:
    """The fields that differ from seat to seat, in a little random play."""
    state = GAMES[game].new(seed=1)
    chance = Random(1)
    found = set()
    for _ in range(_LOOKED_AT):
        if state.turn == OVER:
            break
        first, *others = [state.view(seat) for seat in range(state.seats)]
        for name in type(first).kinds():
            if [view for view in others if getattr(view, name) != getattr(first, name)]:
                found.add(name)
        state.apply(chance.choice(state.legal()))
    return found
