"""What a finished match came to: the score after every hand, and where it turned."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Protocol

from app.match.telling import Narrator, Telling
from engine.game import OVER, State


class Scorer(Narrator, Protocol):
    """Also knows how a match is counted (see `app.ui.tables.base.Table`)."""

    def stage(self, view: Any) -> int: ...

    def standing(self, view: Any) -> list[int]: ...

    def chances(self, view: Any) -> list[float]: ...

    def score_told(self, view: Any) -> str: ...


@dataclass(frozen=True, slots=True)
class Stage:
    """How a match stood after a hand, or after a turn where a match is a single hand.

    number     of the hand or turn, 0 for the deal
    standing   a number for each side, such as its score
    chances    of each side to win, by the standing alone
    sentence   what happened in it, without the score
    """

    number: int
    standing: tuple[int, ...]
    chances: tuple[float, ...]
    sentence: str = ""


def stages_of(scorer: Scorer, state: State, actions: Sequence[int]) -> list[Stage]:
    """The match from the deal to its end. Plays the state on from where it is."""
    state.record_events()
    telling = Telling(state, scorer)
    before = telling.views()
    opening = before[0]
    stages = [Stage(0, tuple(scorer.standing(opening)), tuple(scorer.chances(opening)))]
    told: list[str] = []
    for action in actions:
        seat, number, hands = state.turn, scorer.stage(before[0]), len(telling.results)
        state.apply(action)
        telling.tell(seat, action, state.take_events(), before)
        told.append(telling.latest)
        before = telling.views()
        view = before[0]
        if state.turn == OVER or scorer.stage(view) != number:
            counted = len(telling.results) > hands and not scorer.one_hand
            sentence = telling.results[-1].sentence if counted else " ".join(told)
            chances = scorer.chances(view)
            if state.turn == OVER:
                results = state.returns()
                chances = [results[side[0]] for side in state.sides]
            sentence = sentence.removesuffix(scorer.score_told(view)).strip()
            stages.append(Stage(number, tuple(scorer.standing(view)), tuple(chances), sentence))
            told = []
        telling.put_away()
    return stages


def turning_point(stages: Sequence[Stage]) -> int:
    """Which stage brought the winner nearest to the win, the first of several; 0 if nothing
    was played."""
    end = stages[-1].chances
    winner = end.index(max(end))
    course = [stage.chances[winner] for stage in stages]
    gains = [0.0, *[after - before for before, after in pairwise(course)]]
    return gains.index(max(gains))
