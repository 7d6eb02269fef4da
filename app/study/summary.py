"""The course of a finished match: the score after every hand, and the turning point."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Protocol

from app.match.narration import Narration, Narrator
from engine.game import OVER, State


class Scorer(Narrator, Protocol):
    """A narrator that also knows the score (see `app.ui.tables.base.Table`)."""

    def stage(self, view: Any) -> int: ...

    def standing(self, view: Any) -> list[int]: ...

    def chances(self, view: Any) -> list[float]: ...

    def score_told(self, view: Any) -> str: ...


@dataclass(frozen=True, slots=True)
class Stage:
    """A match after one of its hands; after one of its turns if it has a single hand.

    number     the number of the hand or turn, 0 for the deal
    standing   a number for each side, such as its score
    chances    the chance of each side to win, estimated from the standing alone
    sentence   what happened, without the score
    played     how many actions came before
    """

    number: int
    standing: tuple[int, ...]
    chances: tuple[float, ...]
    sentence: str = ""
    played: int = 0


def stages_of(scorer: Scorer, state: State, actions: Sequence[int]) -> list[Stage]:
    """The stages of a match from the deal to its end. Plays the actions on the state."""
    state.record_events()
    narration = Narration(state, scorer)
    before = narration.views()
    stages = [Stage(0, tuple(scorer.standing(before[0])), tuple(scorer.chances(before[0])))]
    sentences: list[str] = []
    for played, action in enumerate(actions, 1):
        seat, number, hands = state.turn, scorer.stage(before[0]), len(narration.results)
        state.apply(action)
        narration.add(seat, action, state.take_events(), before)
        sentences.append(narration.latest)
        before = narration.views()
        view = before[0]
        if state.turn == OVER or scorer.stage(view) != number:
            counted = len(narration.results) > hands and not scorer.one_hand
            sentence = narration.results[-1].sentence if counted else " ".join(sentences)
            chances = scorer.chances(view)
            if state.turn == OVER:
                results = state.returns()
                chances = [results[side[0]] for side in state.sides]
            sentence = sentence.removesuffix(scorer.score_told(view)).strip()
            stages.append(
                Stage(number, tuple(scorer.standing(view)), tuple(chances), sentence, played)
            )
            sentences = []
        narration.dismiss_ending()
    return stages


def turning_point(stages: Sequence[Stage]) -> int:
    """The index of the stage at which the winner, who had been behind, took the lead for good. If
    the winner was never behind, or until the end, the stage that raised the winner's chance most.

    0 if there is none: the end itself is no turning point.
    """
    end = stages[-1].chances
    winner = end.index(max(end))
    last = len(stages) - 1
    behind = [at for at in range(last) if stages[at].chances[winner] < max(stages[at].chances)]
    after = behind[-1] + 1 if behind else last
    ahead = [at for at in range(after, last) if _leads(stages[at].chances, winner)]
    if ahead:
        return ahead[0]
    course = [stage.chances[winner] for stage in stages[:last]]
    gains = [0.0, *[after - before for before, after in pairwise(course)]]
    return gains.index(max(gains))


def _leads(chances: Sequence[float], side: int) -> bool:
    """Whether a side has the best chance alone."""
    return all(chances[side] > chance for at, chance in enumerate(chances) if at != side)
