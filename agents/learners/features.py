"""How a learner sees a game: named features, and moves that group similar actions."""

from abc import ABC, abstractmethod
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Generic, NamedTuple, TypeVar, cast

from engine.game import View

Situation = tuple[int, ...]
"""The index of a layout, then the value of each of its features. An outline is a situation too;
its index is that of the layout plus the number of layouts."""

V = TypeVar("V", bound=View)


class Known(NamedTuple):
    """What a learner knows about a situation: the value of every move and its visits."""

    values: Sequence[float]
    visits: Sequence[float]


@dataclass(frozen=True, slots=True)
class Feature:
    """One property of a situation, with words for each of its values.

    A value with an empty string is left out of descriptions.
    """

    name: str
    values: tuple[str, ...]

    def words(self, value: int) -> str:
        """The words of one value, never empty."""
        return self.values[value] or f"{self.name}: nothing special"


@dataclass(frozen=True, slots=True)
class Layout:
    """The features that matter in one kind of decision.

    outline   the names of those that matter most. Until a situation is familiar, a table relies on
              what it knows about all situations with the same outline
    """

    title: str
    features: tuple[Feature, ...]
    outline: tuple[str, ...] = ()

    @property
    def outline_places(self) -> list[int]:
        """Where a situation holds the features of its outline."""
        return [place for place, each in enumerate(self.features, 1) if each.name in self.outline]

    def outlined(self) -> "Layout":
        """The layout of outlines."""
        kept = tuple([self.features[place - 1] for place in self.outline_places])
        return Layout(f"{self.title}, in outline", kept)


class Perception(ABC):
    """How a learner sees a game."""

    game: str

    @abstractmethod
    def fingerprint(self) -> str:
        """Changes whenever stored values would lose their meaning."""

    def describe(self, view: View) -> str:
        """The situation in words; empty if there are none."""
        return ""


class Abstraction(Perception, Generic[V]):
    """Maps views to situations and actions to moves.

    It decides what a learner can tell apart, never what it prefers: all moves start equal, and
    a learner takes the actions of one move equally often.

    version     increases when a feature or move changes its meaning but not its name
    """

    version: int
    layouts: tuple[Layout, ...]
    move_names: tuple[str, ...]

    def describe(self, view: View) -> str:
        return self.words(self.situation(cast(V, view)))

    @abstractmethod
    def situation(self, view: V) -> Situation:
        """The situation of the seat to act."""

    @abstractmethod
    def moves(self, view: V, legal: Sequence[int]) -> dict[int, int]:
        """The move of each legal action. Several actions may have the same move."""

    def look(self, view: V, legal: Sequence[int]) -> tuple[Situation, dict[int, int]]:
        """Situation and moves together, since some games compute them in one pass."""
        return self.situation(view), self.moves(view, legal)

    def knows(self, situation: Sequence[int]) -> bool:
        """Whether these numbers are a valid situation of this game."""
        if not situation or not 0 <= situation[0] < 2 * len(self.layouts):
            return False
        features = self._layout(situation).features
        return len(features) == len(situation) - 1 and all(
            0 <= value < len(feature.values)
            for feature, value in zip(features, situation[1:], strict=True)
        )

    def words(self, situation: Situation) -> str:
        """A situation in words."""
        layout = self._layout(situation)
        described = [
            feature.values[value]
            for feature, value in zip(layout.features, situation[1:], strict=True)
        ]
        return f"{layout.title}: {', '.join([words for words in described if words])}"

    def outlines(self) -> list[list[int] | None]:
        """For each layout where its situations hold the features of their outlines; None if they
        have none."""
        return [layout.outline_places or None for layout in self.layouts]

    def _layout(self, situation: Sequence[int]) -> Layout:
        kind = situation[0]
        layouts = self.layouts
        return layouts[kind] if kind < len(layouts) else layouts[kind - len(layouts)].outlined()

    def move_words(self, move: int) -> str:
        return self.move_names[move]

    def fingerprint(self) -> str:
        layouts = "; ".join(
            f"{layout.title}({', '.join(_described(each) for each in layout.features)})"
            + "".join([f" {place}" for place in layout.outline_places])
            for layout in self.layouts
        )
        return f"{self.game} {self.version}: {layouts} -> {', '.join(self.move_names)}"


def among(moves: dict[int, int], legal: Sequence[int]) -> dict[int, int]:
    """Only the moves of the legal actions. `moves` covers all of them."""
    if len(moves) == len(legal):
        return moves
    return {action: move for action, move in moves.items() if action in legal}


def _described(feature: Feature) -> str:
    return f"{feature.name}[{len(feature.values)}]"


def bucket(value: float, limits: Sequence[float]) -> int:
    """How many of the ascending limits the value reaches."""
    return bisect_right(limits, value)
