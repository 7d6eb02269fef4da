"""Look-ahead for full Truco: every choice is tried in many deals that fit all that was said."""

from random import Random
from typing import Final

from agents.agent import Decision
from agents.search.agent import Budget, SearchPlayer
from agents.truco_full.judgement import match_chance
from agents.truco_full.rules import CHANCE, HardFullTruco
from engine.compiling import mypyc_attr
from engine.game import OVER, State, View
from engine.games.truco_full import MAZO, FullState

WORLDS: Final = 40


def chance_to_win(seat: int, after: State) -> float:
    """The chance of a seat to win the match after a round."""
    assert isinstance(after, FullState)
    side = seat & 1
    if after.turn == OVER:
        return float(side in after.winners)
    target = after.options.target
    return match_chance(target - after.points[side], target - after.points[1 - side])


@mypyc_attr(native_class=False)
class FullTrucoSearch(SearchPlayer):
    """Tries each choice and lets `hard` play the round out. The deals agree with the values told
    and the flores announced. It never leaves a round: that gains nothing but time."""

    def act(self, view: View, legal: list[int], rng: Random) -> Decision:
        return super().act(view, [action for action in legal if action != MAZO] or legal, rng)


def full_truco_search(budget: Budget | None = None) -> SearchPlayer:
    return FullTrucoSearch(HardFullTruco(), chance_to_win, budget or Budget(WORLDS), CHANCE)
