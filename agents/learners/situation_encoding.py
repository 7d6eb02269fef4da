"""An encoding made of a game's features, its moves and the scores of an adviser."""

from collections.abc import Sequence
from random import Random
from typing import Any, Final

import numpy as np

from agents.agent import Agent
from agents.learners.encoding import Encoding, Part, Seen
from agents.learners.features import Abstraction
from engine.game import View

_OPINION: Final = 3


class SituationEncoding(Encoding[Any]):
    """One input for each value of each feature and for each move. An adviser adds its scores of
    the action, and the network learns where they are wrong."""

    version = 1

    def __init__(self, abstraction: Abstraction[Any], adviser: Agent | None = None) -> None:
        self.game = abstraction.game
        self._abstraction = abstraction
        self._adviser = adviser
        self._fixed = len(abstraction.move_names) + (_OPINION if adviser else 0)
        sizes = [
            [len(feature.values) for feature in layout.features] for layout in abstraction.layouts
        ]
        self._starts = [
            np.cumsum([self._fixed, *each], dtype=np.intp)[: len(each)] for each in sizes
        ]
        self.parts = tuple(
            [
                Part(layout.title, self._fixed + sum(each))
                for layout, each in zip(abstraction.layouts, sizes, strict=True)
            ]
        )

    def encode(self, view: View, legal: Sequence[int]) -> Seen:
        situation = self._abstraction.situation(view)
        moves = self._abstraction.moves(view, legal)
        part = situation[0]
        rows = np.zeros((len(moves), self.parts[part].size), dtype=np.float32)
        rows[:, self._starts[part] + np.array(situation[1:], dtype=np.intp)] = 1
        rows[np.arange(len(moves)), list(moves.values())] = 1
        if self._adviser:
            opinion = _opinion(self._adviser, view, legal)
            rows[:, self._fixed - _OPINION : self._fixed] = [opinion[action] for action in moves]
        return Seen(part, list(moves), rows)

    def fingerprint(self) -> str:
        advised = f", advised by {self._adviser.name}" if self._adviser else ""
        return f"one number for each value{advised} | {self._abstraction.fingerprint()}"


def _opinion(
    adviser: Agent, view: View, legal: Sequence[int]
) -> dict[int, tuple[float, float, float]]:
    """For each action: the adviser's score, how far that is below its best score, and whether
    the adviser takes it. Scores are squeezed between -1 and 1, whatever their unit."""
    decision = adviser.act(view, list(legal), Random(0))
    best = max(decision.scores.values(), default=0.0)
    opinion = {}
    for action in legal:
        score = decision.scores.get(action)
        taken = float(action == decision.action)
        if score is None:
            opinion[action] = (0.0, taken - 1, taken)
        else:
            opinion[action] = (_squeezed(score), _squeezed(score - best), taken)
    return opinion


def _squeezed(score: float) -> float:
    return score / (1 + abs(score))
