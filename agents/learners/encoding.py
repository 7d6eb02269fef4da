"""How a network sees a game: a row of numbers for each action that could be taken."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Generic, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from agents.learners.features import Perception
from engine.game import View

Floats = NDArray[np.float32]

V = TypeVar("V", bound=View)


@dataclass(frozen=True, slots=True)
class Part:
    """One kind of decision, which gets a network of its own, and how long its rows are."""

    title: str
    size: int


class Seen(NamedTuple):
    """A decision as numbers.

    part     the number of its part
    actions  those worth weighing, the more sensible of equals first
    rows     for each of them what the seat knows together with what the action would do
    """

    part: int
    actions: Sequence[int]
    rows: Floats


class Encoding(Perception, ABC, Generic[V]):
    """Numbers made of a view and of nothing else; most are 0 or 1, all of that order.

    version  goes up when a number changes its meaning
    """

    version: int
    parts: tuple[Part, ...]

    @abstractmethod
    def encode(self, view: V, legal: Sequence[int]) -> Seen:
        """What the seat to act sees."""

    def fingerprint(self) -> str:
        parts = ", ".join([f"{part.title}[{part.size}]" for part in self.parts])
        return f"{self.game} in numbers {self.version}: {parts}"
