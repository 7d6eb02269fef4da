"""What look-ahead has to know about Smear."""

from functools import cache
from typing import Final

from agents.match_odds import HandEnds, MatchOdds
from agents.rules.smear import HardSmear
from agents.search import Budget, Memory, SearchPlayer
from engine.cards import cards_in
from engine.game import OVER, State, View
from engine.smear import (
    CARDS,
    PLAYING,
    SEATS,
    TARGET,
    SmearState,
    SmearView,
)

DEALER_ENDS: Final[HandEnds] = {
    (-4, 1): 0.005, (-3, 1): 0.027, (-3, 2): 0.073, (-3, 3): 0.013, (0, 3): 0.064,
    (0, 4): 0.117, (1, -4): 0.005, (1, -3): 0.015, (1, 2): 0.047, (1, 3): 0.159,
    (2, -3): 0.036, (2, -2): 0.031, (2, 2): 0.073, (3, -3): 0.005, (3, -2): 0.032,
    (3, 0): 0.058, (3, 1): 0.126, (4, -2): 0.005, (4, 0): 0.100,
}  # fmt: skip
"""How often hands between `hard` players bring the dealer's side and the others these points."""
LOWEST: Final = -20
CAUTION: Final = 1.0
BETTING_CAUTION: Final = 1.5


@cache
def match_odds() -> MatchOdds:
    others = {(gain, loss): share for (loss, gain), share in DEALER_ENDS.items()}
    return MatchOdds((DEALER_ENDS, others), TARGET, LOWEST)


def chance_to_win(view: View, after: State) -> float:
    """The seat's chance to win the match once the hand is over."""
    assert isinstance(after, SmearState)
    ours = view.seat % 2
    if after.turn == OVER:
        return after.returns()[view.seat]
    chance = match_odds().chance(after.points, after.dealer % 2)
    return chance if ours == 0 else 1 - chance


class SmearMemory(Memory):
    def start_of_hand(self, world: State) -> State:
        assert isinstance(world, SmearState)
        start = world.clone()
        dealt = world.hands[:]
        for seat, action in world.history:
            if action < CARDS:
                dealt[seat] |= 1 << action
        order = []
        for place in range(1, SEATS + 1):
            order += cards_in(dealt[(world.dealer + place) % SEATS])
        start.deal(order)
        return start


class SmearSearch(SearchPlayer):
    """A bet decides more than a few worlds can tell: it takes much to outbid the rule player."""

    def moves(self, view: View, legal: list[int]) -> list[int]:
        """Nobody revokes on purpose."""
        assert isinstance(view, SmearView)
        if self.thorough:
            return legal
        return [action for action in legal if not view.revokes(action)]

    def caution(self, view: View) -> float:
        assert isinstance(view, SmearView)
        return CAUTION if view.phase == PLAYING else BETTING_CAUTION


def smear_search(budget: Budget | None = None) -> SearchPlayer:
    hard = HardSmear()
    return SmearSearch(
        hard,
        chance_to_win,
        budget or Budget(worlds=30),
        "chance to win the match",
        SmearMemory(hard, sharp=10.0, slips=0.3),
    )
