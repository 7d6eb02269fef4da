"""Search for Fodinha: possible deals, played out by fast rules.

A round only changes lives. Their value is the chance to be the last one alive, so a rival's lives
count too, most of all if the rival has few.
"""

from collections.abc import Sequence
from math import exp, sqrt
from random import Random
from typing import Final

from agents.agent import Decision
from agents.fodinha.rules import (
    DONE_YIELDS,
    STRENGTHS,
    HardFodinha,
    Trick,
    unseen_by_strength,
    win_chances,
)
from agents.search.agent import Budget, SearchPlayer
from engine.compiling import mypyc_attr
from engine.game import OVER, State, View
from engine.games.fodinha import (
    CALL,
    CALLING,
    CARDS,
    DECKS,
    NO_CALL,
    PLAYING,
    STRENGTH,
    TURNING,
    FodinhaState,
    FodinhaView,
    stand_or_void,
)

CALLS_TRIED: Final = 3
"""Only this many calls are tried, those nearest to the expected wins."""

DRAWS_PER_WORLD: Final = 5
"""Deals sampled at most for one that fits the other players' calls."""

CALL_SPREAD: Final = 0.5
"""Assumed variance of the difference between a call and the expected wins of its hand."""

LIVES_POWER: Final = 1.5
"""The chance to win the match is proportional to this power of the lives."""

CAUTION: Final = 1.0
"""See `SearchPlayer.caution`."""

EXACT: Final = 2
SOLVED_CARDS: Final = 8
"""With at most EXACT cards in every hand and SOLVED_CARDS in total the rest is solved exactly."""

SQUARED_MEAN_DISTANCE: Final = 0.637
"""The square of the mean absolute deviation of a standard normal variable."""


def last_one_alive(seat: int, after: State) -> float:
    """The chance to win the match, by the lives after a round."""
    assert isinstance(after, FodinhaState)
    if after.turn == OVER or after.out_in[seat]:
        return float(seat in after.winners)
    shares = [max(lives, 0) ** LIVES_POWER for lives in after.lives]
    return float(shares[seat] / sum(shares, 0.0))


@mypyc_attr(native_class=False)
class FodinhaSearch(SearchPlayer):
    """Tries calls and cards in deals that fit the other players' calls.

    It leaves the choice of the power card and blind rounds to the rule player, because there is
    nothing to play out.
    """

    _round: "Round"

    def act(self, view: View, legal: list[int], rng: Random) -> Decision:
        assert isinstance(view, FodinhaView)
        if len(legal) == 1 or view.phase == TURNING or view.blind:
            return self.rollout.act(view, legal, rng)
        self._round = Round(view)
        decision = super().act(view, legal, rng)
        if view.phase != CALLING:
            decision.scores = self._spread(view, legal, decision.scores)
        return decision

    def moves(self, view: View, legal: list[int]) -> list[int]:
        """One card of each strength, because they are equivalent."""
        assert isinstance(view, FodinhaView)
        if view.phase == CALLING:
            return legal if self.thorough else self._round.likely_calls(legal)
        strength = STRENGTH[view.power]
        return list({strength[card]: card for card in reversed(legal)}.values())

    def _spread(
        self, view: FodinhaView, legal: list[int], scores: dict[int, float]
    ) -> dict[int, float]:
        """Copy the score of a card to all cards of its strength."""
        strength = STRENGTH[view.power]
        found = {strength[card]: score for card, score in scores.items()}
        return {card: found[strength[card]] for card in legal if strength[card] in found}

    def caution(self, view: View) -> float:
        return CAUTION

    def worlds(self, view: View, rng: Random) -> list[tuple[State, int]]:
        return [(self._round.likely_world(rng), 1) for _ in range(self.budget.worlds)]

    def is_endgame(self, state: State) -> bool:
        assert isinstance(state, FodinhaState)
        if state.phase != PLAYING:
            return False
        left = [len(hand) for hand in state.hands]
        return max(left) <= EXACT and sum(left) <= SOLVED_CARDS

    def play_out(self, state: State, hand_no: int, rng: Random) -> None:
        assert isinstance(state, FodinhaState)
        call, card = self._round.call, self._round.card
        while state.hand_no == hand_no and state.turn != OVER:
            state.apply(call(state) if state.phase == CALLING else card(state))


class Round:
    """The round at one decision, and the fast rules that play it out.

    odds      by the number of cards to come: each strength's chance to win the trick
    promise   by the number of players who still need wins: the expected wins of each card in a
              trick of its own
    at_first  the expected wins of each card before any card was seen
    """

    __slots__ = ("at_first", "odds", "others", "promise", "shown", "strength", "view")

    def __init__(self, view: FodinhaView) -> None:
        self.view = view
        self.strength = STRENGTH[view.power]
        self.others = others = view.out_in.count(0) - 1
        self.odds = _odds(view, unseen_by_strength(view), others)
        self.promise = []
        for rivals in range(others + 1):
            chances = [
                all_play + DONE_YIELDS * (contested - all_play)
                for all_play, contested in zip(self.odds[others], self.odds[rivals], strict=True)
            ]
            self.promise.append([chances[own] for own in self.strength])
        in_play = [0] * STRENGTHS
        for card in DECKS[view.rules.range]:
            if card not in view.turned:
                in_play[self.strength[card]] += 1
        at_first = _odds(view, in_play, others)[others]
        self.at_first = [at_first[own] for own in self.strength]
        self.shown: list[list[int]] = [[] for _ in view.calls]
        for seat, action in view.history:
            if action < CARDS:
                self.shown[seat].append(action)

    def likely_world(self, rng: Random) -> FodinhaState:
        """A deal that fits the other players' calls."""
        for _ in range(DRAWS_PER_WORLD - 1):
            world = self.view.sample(rng)
            if rng.random() < self._likelihood(world):
                return world
        return self.view.sample(rng)

    def _likelihood(self, world: FodinhaState) -> float:
        off = 0.0
        for seat, call in enumerate(self.view.calls):
            if call != NO_CALL and seat != self.view.seat:
                hand = world.hands[seat] + self.shown[seat]
                off += (call - sum([self.at_first[card] for card in hand], 0.0)) ** 2
        return exp(-off / (2 * CALL_SPREAD))

    def likely_calls(self, legal: list[int]) -> list[int]:
        promised = self._promised(self.view.hand)
        return sorted(sorted(legal, key=lambda call: abs(call - promised))[:CALLS_TRIED])

    def call(self, state: FodinhaState) -> int:
        promised = self._promised(state.hands[state.turn])
        return min(state.legal(), key=lambda call: abs(call - promised))

    def _promised(self, hand: Sequence[int]) -> float:
        promise = self.promise[self.others]
        return CALL + sum([promise[card] for card in hand], 0.0)

    def card(self, state: FodinhaState) -> int:
        """The card after which the expected wins are nearest to the call."""
        seat = state.turn
        hand = state.hands[seat]
        strength = self.strength
        on_table = state.in_trick
        highest, void = -1, 0
        if on_table:
            played = [strength[card] for _, card in state.history[-on_table:]]
            stand, void = stand_or_void(played, state.pairs)
            highest = stand.bit_length() - 1
        rivals = 0
        for call, won in zip(state.calls, state.wins, strict=True):
            if call > won:
                rivals += 1
        need = state.calls[seat] - state.wins[seat]
        if need > 0:
            rivals -= 1
        promise = self.promise[rivals]
        odds = self.odds[self.others - on_table]
        after_win = need - 1 - state.carry
        promised = spread = 0.0
        for card in hand:
            chance = promise[card]
            promised += chance
            spread += chance - chance * chance
        best, least, last = hand[0], 1e9, -1
        for card in hand:
            own = strength[card]
            if own == last:
                continue
            last = own
            chance = promise[card]
            rest = promised - chance
            doubt = SQUARED_MEAN_DISTANCE * (spread - chance + chance * chance)
            if doubt < 0.0:
                doubt = 0.0
            off = need - rest
            miss = sqrt(off * off + doubt)
            if own > highest and not void >> own & 1:
                off = after_win - rest
                miss += odds[own] * (sqrt(off * off + doubt) - miss)
            if miss < least:
                best, least = card, miss
        return best


def _odds(view: FodinhaView, unseen: Sequence[int], most: int) -> list[list[float]]:
    """By the number of cards to come, from 0 to `most`: the chances to win a trick."""
    empty = Trick((), view.rules.pairs)
    return [win_chances(unseen, empty, count) for count in range(most + 1)]


def fodinha_search(budget: Budget | None = None) -> SearchPlayer:
    return FodinhaSearch(
        HardFodinha(),
        last_one_alive,
        budget or Budget(worlds=60),
        "estimated chance to be the last one alive",
    )
