"""Truco in numbers: who wins with which cards, and what points are worth at a score.

Cards are values from 0 to 18 here, the two players ME and THEM, tied tricks NOBODY's.
"""

from collections.abc import Sequence
from functools import cache
from itertools import combinations_with_replacement, permutations
from math import factorial
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
"""Many hands at once: a row for each card, a column for each hand."""

ME: Final = 0
THEM: Final = 1

TRITS: Final = np.sign(np.subtract.outer(np.arange(NUM_VALUES), np.arange(NUM_VALUES))) + 1
"""For each two values 0, 1 or 2: the first is lower, equal or higher."""


def side_of(seat: int, me: int) -> int:
    """A seat as seen from another: ME, THEM or NOBODY."""
    if seat == NOBODY:
        return NOBODY
    return ME if seat == me else THEM


def _leader(mano: int, results: tuple[int, ...]) -> int:
    """Who leads after these tricks: whoever took the last one that was not tied."""
    for winner in reversed(results):
        if winner != NOBODY:
            return winner
    return mano


class Stage:
    """The rest of a round, if both played it seeing each other's hands.

    Only comparisons matter: a trit for each pair of my and their cards makes a code, so
    that each way two hands can compare is played out once and then looked up. A card on
    the table is the first of its owner's cards.
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
        """For each of my choices, and each of their hands, whether I win the round.

        There is one row if I have nothing to choose. My cards may be columns of values,
        to look at many hands of mine at once.
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
            """Whether I win the round once my card i and their card j make a trick."""
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
    """Every hand of a size, and how likely it is over all muestras."""
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
"""Of the hands of three that may stand against a hand, every fourth is tried."""


@cache
def strengths(mano: int, results: tuple[int, ...], table: int, owner: int) -> Chances:
    """My chance to win the round with each hand, knowing nothing of theirs.

    Indexed by the values of my cards in any order. `table` is the value of the card on
    the table, `owner` who played it (NOBODY: there is none).
    """
    here = stage(mano, results, owner != NOBODY)
    own, _ = _usual_hands(here.size - (owner == ME))
    theirs, weights = _usual_hands(here.size - (owner == THEM))
    if len(theirs) == HAND:
        theirs, weights = theirs[:, ::EVERY], weights[::EVERY] / weights[::EVERY].sum()
    mine: list[int | Hands] = [cards[:, np.newaxis] for cards in own]
    if owner == ME:
        mine.insert(0, table)
    elif owner == THEM:
        theirs = np.concatenate([np.full((1, len(weights)), table), theirs])
    chance = (here.wins(mine, theirs) @ weights).max(axis=0)
    chances = np.zeros((NUM_VALUES,) * len(own))
    for order in permutations(range(len(own))):
        chances[tuple(own[list(order)])] = chance
    return chances


FAR: Final = 40
STAKE_CHANCES: Final = ((1, 0.55), (2, 0.27), (3, 0.11), (4, 0.07))
FLOR_CHANCE: Final = 0.14


@cache
def _match_chances() -> list[list[float]]:
    """The chance to win the match by the points missing to me and to them, between equals."""
    outcomes: list[tuple[int, int, float]] = []
    for stake, stake_chance in STAKE_CHANCES:
        for my_flor in (0, 1):
            for their_flor in (0, 1):
                chance = stake_chance / 2
                chance *= FLOR_CHANCE if my_flor else 1 - FLOR_CHANCE
                chance *= FLOR_CHANCE if their_flor else 1 - FLOR_CHANCE
                mine, theirs = my_flor * FLOR_POINTS, their_flor * FLOR_POINTS
                outcomes += [(mine + stake, theirs, chance), (mine, theirs + stake, chance)]
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


class Worth:
    """What winning or losing a round is worth, in points as they count at this score.

    A point counts by how much it changes the chance to win the match: with the other at
    39, losing one point or four is the same.
    """

    def __init__(self, view: TrucoView, own_flor: bool, their_flor: float) -> None:
        """own_flor: I have called a real one; their_flor: the chance that a called one is."""
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

    def fatal(self, stake: int) -> bool:
        """Whether losing the round at this stake loses the match."""
        return self._chance(THEM, stake) == 0

    def _chance(self, winner: int, stake: int) -> float:
        """My chance to win the match if the round ends so."""
        if self._their_flor is None:
            return self._settle(winner, stake, NOBODY)
        real, false = self._settle(winner, stake, THEM), self._settle(winner, stake, ME)
        return self._their_flor * real + (1 - self._their_flor) * false

    def _settle(self, winner: int, stake: int, flor_to: int) -> float:
        """The same, with the points of their flor going to that side."""
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
