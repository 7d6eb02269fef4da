"""How a network sees a game: a row of numbers for each action."""

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
    """One kind of decision with its own network, and the length of its rows."""

    title: str
    size: int


class Seen(NamedTuple):
    """A decision as numbers.

    part     the index of its part
    actions  the actions to evaluate; the first of equal ones is preferred
    rows     one for each of these actions: the seat's knowledge and the effect of the action
    """

    part: int
    actions: Sequence[int]
    rows: Floats


class Encoding(Perception, ABC, Generic[V]):
    """Turns a view into numbers, most of them 0 or 1, all of that magnitude.

    version  increases when a number changes its meaning
    """

    version: int
    parts: tuple[Part, ...]

    @abstractmethod
    def encode(self, view: V, legal: Sequence[int]) -> Seen:
        """The decision of the seat to act, as numbers."""

    def fingerprint(self) -> str:
        parts = ", ".join([f"{part.title}[{part.size}]" for part in self.parts])
        return f"{self.game} in numbers {self.version}: {parts}"
