"""How a learner sees a game: a few named features, and moves that stand for many actions."""

from abc import ABC, abstractmethod
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Generic, NamedTuple, TypeVar, cast

from engine.game import View

Situation = tuple[int, ...]
"""The number of a layout, then the value of each of its features."""

V = TypeVar("V", bound=View)


class Known(NamedTuple):
    """What a learner has come to know: the value of every move, and how many times it has
    learned about it."""

    values: Sequence[float]
    visits: Sequence[float]


@dataclass(frozen=True, slots=True)
class Feature:
    """One thing a learner looks at, and the words for each of its values.

    A value without words (an empty string) goes without saying.
    """

    name: str
    values: tuple[str, ...]

    def words(self, value: int) -> str:
        """A value by itself, where even what goes without saying must be said."""
        return self.values[value] or f"{self.name}: nothing special"


@dataclass(frozen=True, slots=True)
class Layout:
    """The features that matter in one kind of decision."""

    title: str
    features: tuple[Feature, ...]


class Perception(ABC):
    """What a learner makes of a game before it learns."""

    game: str

    @abstractmethod
    def fingerprint(self) -> str:
        """Changes whenever values learned before would mean something else."""

    def describe(self, view: View) -> str:
        """What it notices of a view, in words; empty for what cannot be put into words."""
        return ""


class Abstraction(Perception, Generic[V]):
    """What a learner notices in a view, and the moves it chooses from.

    move_names  the more sensible a move seems without experience, the earlier its name
    version     goes up when a feature or a move changes its meaning but not its name
    """

    version: int
    layouts: tuple[Layout, ...]
    move_names: tuple[str, ...]

    def describe(self, view: View) -> str:
        return self.words(self.situation(cast(V, view)))

    @abstractmethod
    def situation(self, view: V) -> Situation:
        """What the seat to act sees."""

    @abstractmethod
    def moves(self, view: V, legal: Sequence[int]) -> dict[int, int]:
        """The move that each legal action makes. Of the actions that make the same move,
        the one to take stands first."""

    def look(self, view: V, legal: Sequence[int]) -> tuple[Situation, dict[int, int]]:
        """Both, for games in which they are found out together."""
        return self.situation(view), self.moves(view, legal)

    def prior(self, situation: Situation) -> list[float]:
        """What each move is taken to be worth before there is any experience of it."""
        return _falling(len(self.move_names))[:]

    def knows(self, situation: Sequence[int]) -> bool:
        """Whether the numbers are a situation of this game."""
        if not situation or not 0 <= situation[0] < len(self.layouts):
            return False
        features = self.layouts[situation[0]].features
        return len(features) == len(situation) - 1 and all(
            0 <= value < len(feature.values)
            for feature, value in zip(features, situation[1:], strict=True)
        )

    def words(self, situation: Situation) -> str:
        """A situation as a person would put it."""
        layout = self.layouts[situation[0]]
        said = [
            feature.values[value]
            for feature, value in zip(layout.features, situation[1:], strict=True)
        ]
        return f"{layout.title}: {', '.join([words for words in said if words])}"

    def move_words(self, move: int) -> str:
        return self.move_names[move]

    def fingerprint(self) -> str:
        layouts = "; ".join(
            f"{layout.title}({', '.join(_described(each) for each in layout.features)})"
            for layout in self.layouts
        )
        return f"{self.game} {self.version}: {layouts} -> {', '.join(self.move_names)}"


def among(moves: dict[int, int], legal: Sequence[int]) -> dict[int, int]:
    """Only the moves of the legal actions, in the same order. `moves` covers all of them."""
    if len(moves) == len(legal):
        return moves
    return {action: move for action, move in moves.items() if action in legal}


@cache
def _falling(moves: int) -> list[float]:
    return [-0.001 * place for place in range(moves)]


def _described(feature: Feature) -> str:
    return f"{feature.name}[{len(feature.values)}]"


def bucket(value: float, limits: Sequence[float]) -> int:
    """How many of the ascending limits the value reaches."""
    return bisect_right(limits, value)
