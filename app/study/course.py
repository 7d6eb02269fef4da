"""The course of a match in chances to win, and what of it was luck."""

from collections.abc import Sequence
from dataclasses import dataclass

from app.records.journal import MatchSetup
from app.study.luck import Luck, Odds, Until
from app.study.summary import Stage


@dataclass(frozen=True, slots=True)
class Course:
    """One entry for each stage, for one side.

    chances   to win, after the stage
    luck      how much the cards of the stage raised the chance
    """

    chances: tuple[float, ...]
    luck: tuple[float, ...]

    @property
    def fair(self) -> list[float]:
        """The chances without what the cards gave. At the end: the luck-adjusted result."""
        total, found = 0.0, []
        for chance, luck in zip(self.chances, self.luck, strict=True):
            total += luck
            found.append(chance - total)
        return found

    def extremes(self) -> tuple[int, int]:
        """The indexes of the luckiest and the unluckiest stage."""
        stages = range(1, len(self.luck))
        return max(stages, key=self.luck.__getitem__), min(stages, key=self.luck.__getitem__)


def chances_of(
    setup: MatchSetup, stages: Sequence[Stage], actions: Sequence[int], side: int
) -> list[float]:
    """The chance of a side after each stage: by the score and the strength of the players, or by
    the standing alone if the game has no such odds."""
    odds = Odds(setup.game, setup.players)
    if odds.until is not Until.HAND:
        return [stage.chances[side] for stage in stages]
    state, done, found = setup.deal(), 0, []
    for stage in stages:
        for action in actions[done : stage.played]:
            state.apply(action)
        done = stage.played
        found.append(odds.of(state)[side])
    return found


def course_of(
    stages: Sequence[Stage], chances: Sequence[float], lucks: Sequence[Luck], side: int, turns: bool
) -> Course:
    """
    turns   whether the stages are turns of one hand: the luck of a turn then counts in the turn,
            while the luck of a deal counts in the hand that it begins
    """
    found = [0.0] * len(stages)
    for luck in lucks:
        if turns:
            past = [at for at, stage in enumerate(stages) if stage.played >= luck.number]
        else:
            past = [at for at, stage in enumerate(stages) if stage.number >= luck.hand_no]
        if past:
            found[max(1, past[0])] += luck.changes[side]
    return Course(tuple(chances), tuple(found))
