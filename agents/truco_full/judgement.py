"""Chances at full Truco: to win the round, an envido or a flor, and what points are worth."""

from collections.abc import Sequence
from functools import cache
from math import exp, sqrt
from random import Random
from typing import Final

from agents.odds import shifted
from agents.truco.odds import ME, THEM, strengths
from engine.games.truco import CARDS, HAND, NOBODY, VALUES, has_flor, round_winner
from engine.games.truco_full import (
    HIGHEST_FLOR,
    FullView,
    envido_of,
    flor_of,
)

Distribution = tuple[float, ...]
"""For each value from 0 how likely it is."""

SAMPLES: Final = 6000
"""Random hands from which the usual envidos and flores are counted."""
NOISE: Final = 1.1
"""How far apart two equal players end, in points, for the square root of the points to go."""


BLUFFS: Final = 0.08
"""How often envido is called with a hand that cannot win it."""


@cache
def usual_values() -> tuple[Distribution, Distribution]:
    """How likely each envido is without a flor, and each flor."""
    envidos, flores = [0.0] * (HIGHEST_FLOR + 1), [0.0] * (HIGHEST_FLOR + 1)
    rng = Random(1)
    for _ in range(SAMPLES):
        *cards, muestra = rng.sample(range(CARDS), HAND + 1)
        if has_flor(cards, muestra):
            flores[flor_of(cards, muestra)] += 1
        else:
            envidos[envido_of(cards, muestra)] += 1
    return _normal(envidos), _normal(flores)


def _normal(weights: list[float]) -> Distribution:
    total = sum(weights)
    return tuple([weight / total for weight in weights])


def beats(value: int, against: Distribution, tie_wins: bool) -> float:
    """The chance that a value wins against one opponent."""
    return sum(against[:value]) + (against[value] if tie_wins else 0.0)


@cache
def envido_chance(value: int, mano: bool, opponents: int) -> float:
    """The chance that a side wins the envido if nobody has said anything about it.

    value       of the own hand; partners hold usual hands
    mano        ties are won
    opponents   how many; the own side has as many players
    """
    usual, _ = usual_values()
    total = 0.0
    # The distribution of the best of the own side.
    for best in range(value, HIGHEST_FLOR + 1):
        share = _at_most(best, opponents - 1) - (
            _at_most(best - 1, opponents - 1) if best > value else 0.0
        )
        if share > 0:
            total += share * beats(best, usual, mano) ** opponents
    return total


def _at_most(value: int, players: int) -> float:
    """The chance that none of some players has more."""
    usual, _ = usual_values()
    return sum(usual[: value + 1]) ** players


def rises(value: float, middle: float, width: float) -> float:
    """A number from 0 to 1 that is one half in the middle."""
    return 1 / (1 + exp(min(max((middle - value) / width, -50.0), 50.0)))


@cache
def callers(mano: bool, opponents: int, raised: int) -> Distribution:
    """How likely each envido is for a player who called it, and for one who raised it."""
    usual, _ = usual_values()
    return _normal(
        [share * call_rate(value, mano, opponents, raised) for value, share in enumerate(usual)]
    )


@cache
def call_rate(value: int, mano: bool, opponents: int, raised: int = 0) -> float:
    """How often a good player calls envido with a value, or raises one."""
    middle = 0.56 + 0.12 * min(raised, 3)
    return BLUFFS + (1 - BLUFFS) * rises(envido_chance(value, mano, opponents), middle, 0.05)


@cache
def chance_against_caller(value: int, mano: bool, opponents: int, raised: int) -> float:
    """The chance to win an envido that an opponent has called."""
    known = callers(not mano, opponents, raised)
    alone = beats(value, known, mano)
    if opponents == 1:
        return alone
    usual, _ = usual_values()
    others = beats(value, usual, mano) ** (opponents - 1)
    helped = 1 - (1 - alone * others) * beats(value, usual, True) ** (opponents - 1)
    return (alone * others + helped) / 2


@cache
def flor_chance(value: int, mano: bool) -> float:
    """The chance that a flor is higher than another."""
    _, usual = usual_values()
    return beats(value, usual, mano)


def match_chance(own: int, other: int) -> float:
    """The chance to win the match by the points that the two sides still need."""
    if own <= 0:
        return 1.0
    if other <= 0:
        return 0.0
    return 1 / (1 + exp((own - other) / (NOISE * sqrt(own + other))))


def odds_by_score(view: FullView, strengths: Sequence[float]) -> float:
    """The seat's chance to win the match by the score alone. See `agents.roster.GameAgents`."""
    side, target = view.side(), view.target()
    chance = match_chance(target - view.scores[side], target - view.scores[1 - side])
    return shifted(chance, strengths[side] - strengths[1 - side])


class Stakes:
    """What points change at this score."""

    __slots__ = ("_other", "_own")

    def __init__(self, view: FullView) -> None:
        side, target = view.side(), view.target()
        self._own = target - view.scores[side]
        self._other = target - view.scores[1 - side]

    def after(self, points: int) -> float:
        """The chance to win the match after points for the own side, or, below 0, for the
        other side."""
        if points >= 0:
            return match_chance(self._own - points, self._other)
        return match_chance(self._own, self._other + points)

    def bet(self, chance: float, won: int, lost: int) -> float:
        """The value of winning or losing points."""
        return chance * self.after(won) + (1 - chance) * self.after(-lost)

    def desperate(self, stake: int) -> bool:
        """Whether losing this stake loses the match."""
        return self._other <= stake


TEAM_SHARE: Final = {2: 1.0, 4: 0.65, 6: 0.5}
"""How much the own cards count for the round, by the number of players."""


class Round:
    """The tricks as a side sees them.

    values    of the own cards, weakest first
    led       the value of the card to beat, 0 if there is none, and `owner` whose it is
    """

    __slots__ = ("_played", "_share", "led", "mano", "owner", "results", "values")

    def __init__(self, view: FullView) -> None:
        side = view.side()
        strength = VALUES[view.muestra]
        self.values = [strength[card] for card in view.hand]
        self.mano = ME if view.mano & 1 == side else THEM
        self.results = tuple(
            [NOBODY if who == NOBODY else ME if who & 1 == side else THEM for who in view.results]
        )
        self._share = TEAM_SHARE[view.seats]
        trick = view.tricks[-1] if len(view.tricks) > len(view.results) else ()
        best = [-1, -1]
        self._played = False
        for who, card in trick:
            place = ME if who & 1 == side else THEM
            best[place] = max(best[place], strength[card])
            self._played = self._played or who == view.seat
        if best[THEM] > best[ME]:
            self.led, self.owner = best[THEM], THEM
        elif best[ME] >= 0:
            self.led, self.owner = best[ME], ME
        else:
            self.led, self.owner = 0, NOBODY

    def chance(self) -> float:
        """The chance to win the round with the own cards, if nobody gives up."""
        if self._played:
            led, owner = (self.led, ME) if self.owner == ME else (0, ME)
        else:
            led, owner = (self.led, THEM) if self.owner == THEM else (0, NOBODY)
        table = strengths(self.mano, self.results, led, owner)
        alone = float(table[tuple(self.values)])
        if self.owner == ME and not self._played:
            alone = max(alone, 0.5 + alone / 2 * rises(self.led, 9, 3))
        return 0.5 + (alone - 0.5) * self._share

    def after_card(self, place: int) -> float:
        """The chance to win the round after playing a card, if the other cards are usual."""
        value = self.values[place]
        rest = tuple(self.values[:place] + self.values[place + 1 :])
        if self.owner != THEM:
            # Lead, or play over a partner's card.
            led = max(value, self.led) if self.owner == ME else value
            return float(strengths(self.mano, self.results, led, ME)[rest])
        winner = ME if value > self.led else NOBODY if value == self.led else THEM
        results = (*self.results, winner)
        decided = round_winner(results, self.mano)
        if decided != NOBODY:
            return 1.0 if decided == ME else 0.0
        return float(strengths(self.mano, results, 0, NOBODY)[rest])
