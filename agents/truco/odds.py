"""Odds of Truco: the chance to win a round with given cards, and the value of points at a score.

Cards are values from 0 to 18. The two players are ME and THEM; a tied trick belongs to NOBODY.
"""

from collections.abc import Sequence
from functools import cache
from itertools import combinations_with_replacement, permutations
from math import exp, factorial
from typing import Final

import numpy as np
from numpy.typing import NDArray

from engine.games.truco import (
    CARDS,
    FLOR_POINTS,
    HAND,
    NOBODY,
    NUM_VALUES,
    VALUES,
    TrucoView,
    round_winner,
)

Chances = NDArray[np.float64]
Hands = NDArray[np.intp]
"""Several hands: a row for each card, a column for each hand."""

ME: Final = 0
THEM: Final = 1

TRITS: Final = np.sign(np.subtract.outer(np.arange(NUM_VALUES), np.arange(NUM_VALUES))) + 1
"""For each pair of values: 0, 1 or 2 if the first is lower, equal or higher."""


def side_of(seat: int, me: int) -> int:
    """A seat from the point of view of another: ME, THEM or NOBODY."""
    if seat == NOBODY:
        return NOBODY
    return ME if seat == me else THEM


def _leader(mano: int, results: tuple[int, ...]) -> int:
    """The player who leads after these tricks: the winner of the last trick that was not tied."""
    for winner in reversed(results):
        if winner != NOBODY:
            return winner
    return mano


class Stage:
    """The rest of a round, played with open cards.

    The result depends only on how each of my cards compares with each of theirs. These
    comparisons (one trit each) form a code, and each code is played out once and stored. A card
    already in the trick is the first of its owner's cards.
    """

    def __init__(self, mano: int, results: tuple[int, ...], on_table: bool) -> None:
        self.mano = mano
        self.results = results
        self.on_table = on_table
        self.size = HAND - len(results)
        leader = _leader(mano, results)
        self.to_play = 1 - leader if on_table else leader
        choices = self.size if self.to_play == ME else 1
        self._wins = np.full((choices, 3**self.size**2), -1, dtype=np.int8)

    def wins(self, mine: Sequence[int | Hands], theirs: Hands) -> NDArray[np.int8]:
        """1 where I win the round, with a row for each of my choices and a column for each of
        their hands.

        There is one row if I have no choice. My cards may be columns of values, to evaluate many
        of my hands together.
        """
        codes = np.zeros(theirs.shape[1], dtype=np.intp)
        for row, own in enumerate(mine):
            for column, other in enumerate(theirs):
                codes = codes + TRITS[own, other] * 3 ** (row * self.size + column)
        wins = self._wins[:, codes]
        if wins.min() < 0:
            for code in np.unique(codes[wins[0] < 0]):
                self._wins[:, code] = self._play_out(int(code))
            wins = self._wins[:, codes]
        return wins

    def _play_out(self, code: int) -> list[bool]:
        trits = [code // 3**place % 3 for place in range(self.size**2)]
        everything = frozenset(range(self.size))

        def won(
            i: int, j: int, mine: frozenset[int], theirs: frozenset[int], results: tuple[int, ...]
        ) -> bool:
            """True if I win the round after a trick of my card i and their card j."""
            results = (*results, (THEM, NOBODY, ME)[trits[i * self.size + j]])
            decided = round_winner(results, self.mano)
            if decided != NOBODY:
                return decided == ME
            mine, theirs = mine - {i}, theirs - {j}
            if _leader(self.mano, results) == ME:
                return any(all(won(a, b, mine, theirs, results) for b in theirs) for a in mine)
            return all(any(won(a, b, mine, theirs, results) for a in mine) for b in theirs)

        def trick(i: int, j: int) -> bool:
            return won(i, j, everything, everything, self.results)

        if self.to_play == ME:
            answers = [0] if self.on_table else sorted(everything)
            return [all(trick(i, j) for j in answers) for i in sorted(everything)]
        if self.on_table:
            return [all(trick(0, j) for j in everything)]
        return [all(any(trick(i, j) for i in everything) for j in everything)]


@cache
def stage(mano: int, results: tuple[int, ...], on_table: bool) -> Stage:
    return Stage(mano, results, on_table)


@cache
def _usual_hands(size: int) -> tuple[Hands, Chances]:
    """Every hand of a size and its probability, averaged over all muestras."""
    counts = np.zeros(NUM_VALUES)
    for muestra in range(CARDS):
        for card in range(CARDS):
            if card != muestra:
                counts[VALUES[muestra][card]] += 1
    usual = counts / counts.sum()
    hands = list(combinations_with_replacement(range(NUM_VALUES), size))
    chances = []
    for hand in hands:
        ways = factorial(size)
        for value in set(hand):
            ways //= factorial(hand.count(value))
        chances.append(ways * np.prod(usual[list(hand)]))
    return np.array(hands, dtype=np.intp).reshape(len(hands), size).T, np.array(chances)


EVERY: Final = 4
"""Only every fourth of the opponent's hands of three cards is tried."""


@cache
def strengths(mano: int, results: tuple[int, ...], led: int, owner: int) -> Chances:
    """My chance to win the round with each hand, if nothing is known about their hand.

    Indexed by the values of my cards in any order. `led` is the value of the card in the
    trick, `owner` its player (NOBODY if there is none).
    """
    here = stage(mano, results, owner != NOBODY)
    own, _ = _usual_hands(here.size - (owner == ME))
    theirs, weights = _usual_hands(here.size - (owner == THEM))
    if len(theirs) == HAND:
        theirs, weights = theirs[:, ::EVERY], weights[::EVERY] / weights[::EVERY].sum()
    mine: list[int | Hands] = [cards[:, np.newaxis] for cards in own]
    if owner == ME:
        mine.insert(0, led)
    elif owner == THEM:
        theirs = np.concatenate([np.full((1, len(weights)), led), theirs])
    chance = (here.wins(mine, theirs) @ weights).max(axis=0)
    chances = np.zeros((NUM_VALUES,) * len(own))
    for order in permutations(range(len(own))):
        chances[tuple(own[list(order)])] = chance
    return chances


FAR: Final = 40
"""Points to go above which all scores count as equally far."""
STAKE_CHANCES: Final = ((1, 0.55), (2, 0.27), (3, 0.11), (4, 0.07))
FLOR_CHANCE: Final = 0.14


@cache
def _match_chances(round_odds: float = 1.0) -> list[list[float]]:
    """The chance to win the match, by my and their points to go.

    round_odds   that I win a round; 1 between equal players
    """
    outcomes: list[tuple[int, int, float]] = []
    wins = round_odds / (1 + round_odds)
    for stake, stake_chance in STAKE_CHANCES:
        for my_flor in (0, 1):
            for their_flor in (0, 1):
                chance = stake_chance
                chance *= FLOR_CHANCE if my_flor else 1 - FLOR_CHANCE
                chance *= FLOR_CHANCE if their_flor else 1 - FLOR_CHANCE
                mine, theirs = my_flor * FLOR_POINTS, their_flor * FLOR_POINTS
                outcomes += [
                    (mine + stake, theirs, chance * wins),
                    (mine, theirs + stake, chance * (1 - wins)),
                ]
    chances = [[0.5] * (FAR + 1) for _ in range(FAR + 1)]
    for own in range(1, FAR + 1):
        for other in range(1, FAR + 1):
            total = 0.0
            for mine, theirs, chance in outcomes:
                if mine >= own:
                    total += chance / 2 if theirs >= other else chance
                elif theirs < other:
                    total += chance * chances[own - mine][other - theirs]
            chances[own][other] = total
    return chances


ROUNDS: Final = 3.14
"""The log-odds of a match to FAR points are this many times those of a round."""


def odds_by_score(view: TrucoView, strengths: Sequence[float]) -> float:
    """The seat's chance to win the match by the score alone. See `agents.roster.GameAgents`."""
    mine, theirs = view.seat, 1 - view.seat
    missing = [view.target() - view.scores[seat] for seat in (mine, theirs)]
    beyond = max(0, max(missing) - FAR)
    own, other = [max(1, points - beyond) for points in missing]
    return _match_chances(exp((strengths[mine] - strengths[theirs]) / ROUNDS))[own][other]


class PointValue:
    """The value of winning or losing a round, in points at this score.

    A point counts by how much it changes the chance to win the match: if the opponent has 39,
    losing one point is as bad as losing four.
    """

    def __init__(self, view: TrucoView, own_flor: bool, their_flor: float) -> None:
        """
        own_flor     I have called a real flor
        their_flor   the chance that the flor they called is real
        """
        self._first = side_of(view.mano, view.seat)
        target = view.target()
        self._missing = [target - view.scores[view.seat], target - view.scores[1 - view.seat]]
        self._beyond = max(0, max(self._missing) - FAR)
        self._own_flor = ME if own_flor else NOBODY
        self._their_flor = their_flor if view.flor_called[1 - view.seat] else None
        self._zero = self._chance(NOBODY, 0)
        self._point = max((self._chance(ME, 1) - self._chance(THEM, 1)) / 2, 1e-6)

    def __call__(self, winner: int, stake: int) -> float:
        return (self._chance(winner, stake) - self._zero) / self._point

    def chance(self, points: float) -> float:
        """The chance to win the match that a number of points stands for."""
        return min(max(self._zero + points * self._point, 0.0), 1.0)

    def fatal(self, stake: int) -> bool:
        """True if losing the round at this stake loses the match."""
        return self._chance(THEM, stake) == 0

    def _chance(self, winner: int, stake: int) -> float:
        """My chance to win the match after a round with this winner and stake."""
        if self._their_flor is None:
            return self._chance_with_flor(winner, stake, NOBODY)
        real, false = (
            self._chance_with_flor(winner, stake, THEM),
            self._chance_with_flor(winner, stake, ME),
        )
        return self._their_flor * real + (1 - self._their_flor) * false

    def _chance_with_flor(self, winner: int, stake: int, flor_to: int) -> float:
        """The same if the points of their flor go to `flor_to`."""
        missing = self._missing[:]
        flors = [self._own_flor, flor_to]
        steps = [
            (flors[self._first], FLOR_POINTS),
            (flors[1 - self._first], FLOR_POINTS),
            (winner, stake),
        ]
        for side, points in steps:
            if side != NOBODY:
                missing[side] -= points
                if missing[side] <= 0:
                    return 1.0 if side == ME else 0.0
        own, other = [max(1, points - self._beyond) for points in missing]
        return _match_chances()[own][other]
