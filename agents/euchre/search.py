"""Search for Euchre: the chance to win the match, and beliefs about the other hands."""

from collections.abc import Sequence
from functools import cache
from random import Random
from typing import Final

from agents.euchre.rules import HardEuchre
from agents.search.agent import BeliefModel, Budget, SearchPlayer
from agents.search.match_odds import HandEnds, MatchOdds, uneven_odds
from engine.cards import cards_in
from engine.compiling import mypyc_attr
from engine.game import OVER, State, View
from engine.games.euchre import (
    DISCARD,
    PLAYING,
    SOLOIST,
    TARGET,
    TRICKS,
    EuchreState,
    EuchreView,
)

ENDS_OF_THREE: Final[tuple[HandEnds, ...]] = (
    {(0, 1): 0.476, (0, 2): 0.03, (0, 4): 0.01, (1, 0): 0.033, (2, 0): 0.441, (4, 0): 0.01},
    {(0, 1): 0.586, (0, 2): 0.314, (0, 4): 0.012, (2, 0): 0.088},
    {(0, 2): 0.567, (1, 0): 0.357, (2, 0): 0.074, (4, 0): 0.002},
)
"""For each dealer: how often hands between `hard` players end with these points for soloist and
pair."""

ENDS_OF_FOUR: Final[tuple[HandEnds, ...]] = (
    {(0, 1): 0.16, (0, 2): 0.13, (0, 4): 0.01, (1, 0): 0.52, (2, 0): 0.14, (4, 0): 0.04},
    {(1, 0): 0.16, (2, 0): 0.13, (4, 0): 0.01, (0, 1): 0.52, (0, 2): 0.14, (0, 4): 0.04},
)
"""The same with four players, by the dealer's side."""

EXACT: Final = 3
"""With at most this many cards in hand the rest is solved exactly."""


@cache
def match_odds(seats: int, edge: float = 0.0) -> MatchOdds:
    """edge: the strength of side 0 minus that of side 1"""
    return uneven_odds(ENDS_OF_THREE if seats == 3 else ENDS_OF_FOUR, TARGET, edge=edge)


def odds_by_score(view: EuchreView, strengths: Sequence[float]) -> float:
    """The seat's chance to win the match by the score alone. See `agents.roster.GameAgents`."""
    seats = sum(map(len, view.sides))
    dealer = view.dealer if seats == 3 else view.dealer % 2
    left = min(view.hand.bit_count() / TRICKS, 1.0)
    odds = match_odds(seats, strengths[0] - strengths[1])
    chance = odds.chance_during(view.scores, dealer, left)
    return chance if view.seat in view.sides[0] else 1 - chance


def chance_to_win(seat: int, after: State) -> float:
    """The seat's chance to win the match once the hand is over."""
    assert isinstance(after, EuchreState)
    ours = after.side_of[seat]
    if after.turn == OVER:
        return float(ours in after.winners)
    dealer = after.dealer if after.seats == 3 else after.dealer % 2
    chance = match_odds(after.seats).chance(after.points, dealer)
    return chance if ours == 0 else 1 - chance


@mypyc_attr(native_class=False)
class EuchreBeliefs(BeliefModel):
    def start_of_hand(self, world: State) -> State:
        assert isinstance(world, EuchreState)
        start = world.clone()
        dealt = [hand | pile for hand, pile in zip(world.hands, world.discards, strict=True)]
        for seat, action in world.history:
            if action < DISCARD:
                dealt[seat] |= 1 << action
        if world.ordered_up:
            dealt[world.dealer] &= ~(1 << world.up_card)
        if world.dummy_taken:
            dealt[SOLOIST] &= ~world.dummy
        order = []
        for place in range(1, world.seats + 1):
            order += cards_in(dealt[(world.dealer + place) % world.seats])
        order += [*cards_in(world.dummy), world.up_card, *cards_in(world.kitty)]
        start.deal([1 << card for card in order])
        return start

    def unseen_move(self, view: View, past: State, at: int, rng: Random) -> int:
        """A discard. It is no card that was played later, and preferably one of a suit that the
        seat turned out not to hold."""
        assert isinstance(view, EuchreView)
        seat = past.turn
        kept = {action for who, action in view.history[at:] if who == seat}
        legal = [action for action in past.legal() if action - DISCARD not in kept]
        not_held = [action for action in legal if view.voids[seat] >> (action - DISCARD) & 1]
        return self.model.act(past.view(seat), not_held or legal, rng).action


@mypyc_attr(native_class=False)
class EuchreSearch(SearchPlayer):
    """Plays out the first tricks with the rule player and solves the last ones with open cards."""

    def is_endgame(self, state: State) -> bool:
        assert isinstance(state, EuchreState)
        return state.phase == PLAYING and state.hands[state.turn].bit_count() <= EXACT


def euchre_search(budget: Budget | None = None) -> SearchPlayer:
    hard = HardEuchre()
    return EuchreSearch(
        hard,
        chance_to_win,
        budget or Budget(worlds=80),
        "chance to win the match",
        EuchreBeliefs(hard, sharp=60.0, slips=0.05),
    )
