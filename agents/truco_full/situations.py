"""What the expert at full Truco distinguishes: public situations, and buckets of what a seat knows.

Seat 0 is the mano and seat 1 the other player. A situation is public and seen by the seat to act;
its row is the number of what this seat alone can see. Many rounds are processed together, as the
columns of arrays.
"""

import zlib
from bisect import bisect_right
from functools import cache
from itertools import accumulate
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from agents.truco.odds import ME, THEM, strengths
from agents.truco.situations import COMPARED, COMPARISONS, numbered, unpacked
from agents.truco_full.judgement import usual_values
from engine.games.truco import HAND, NOBODY, NUM_VALUES, VALUES
from engine.games.truco_full import (
    ANSWERING_ENVIDO,
    ANSWERING_FLOR,
    ANSWERING_TRUCO,
    NO_FLOR,
    OPEN,
    PLAYING,
    SON_BUENAS,
    FullView,
)

Index = NDArray[np.intp]
Hands = NDArray[np.intp]
"""A row for each round: the values of its cards, weakest first."""

# What a seat distinguishes besides its cards.
ENVIDO_OPEN: Final = 0
ENVIDO_ANSWER: Final = 1
FLOR_ANSWER: Final = 2
NOTHING_TOLD: Final = 3
TOLD: Final = 4

OPEN_ENVIDOS: Final = 8
ENVIDOS: Final = 12
FLORES: Final = 8
TOLD_LIMITS: Final = (27, 31)
TOLD_VALUES: Final = len(TOLD_LIMITS) + 2
STRENGTHS: Final = 4
SIZES: Final = 3
SCORES: Final = 6
ENDS: Final = 4

FEW: Final = 4
"""Points to go from which a side is near its end."""
SMALL_FALTA: Final = 5
LARGE_FALTA: Final = 10

_THREE: Final = np.array([0, 0, 0, 1, 1, 1, 2, 2, 3, 4, 5, 5, 5, 5, 6, 6, 7, 7, 7])
_TWO: Final = np.array([0, 0, 0, 1, 1, 2, 3, 3, 4, 5, 6, 6, 7, 7, 8, 8, 9, 10, 10])
_LED: Final = np.array([0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 3, 3, 3, 3, 4, 4, 4, 5, 5])
_LEDS: Final = int(_LED[-1]) + 1


_HANDS: Final = (
    (1, np.zeros((), dtype=np.intp)),
    numbered(np.arange(NUM_VALUES), 1),
    numbered(_TWO, 2),
    numbered(_THREE, 3),
)
"""By the number of cards held. The classes are finer if there are fewer cards."""


class Situation(NamedTuple):
    """A public situation, seen by the seat to act.

    seat      0 if it is the mano
    phase     of the engine
    results   the winner of each finished trick: + own, - other, = tied
    on_table  the card in the trick: 0 none, 1 own, 2 the other's
    stake     the accepted stake, and `bid` the one proposed, or 0
    raiser    of the last truco bid: 0 nobody, 1 this seat, 2 the other
    envite    the last call for envido or flor, and `pot` what it is worth
    past      how the envido ended: r+ the other refused, r- this seat did, t told, f+ f- f± by the
              flores announced; ! if this seat has to announce one
    """

    seat: int
    phase: int
    results: str
    on_table: int
    stake: int
    bid: int
    raiser: int
    envite: int
    pot: int
    past: str

    @classmethod
    def of(cls, view: FullView) -> "Situation":
        me = view.seat
        on_table = 0
        if len(view.tricks) > len(view.results):
            on_table = 1 if view.tricks[-1][0][0] == me else 2
        return cls(
            int(view.mano != me),
            view.phase,
            "".join(["=" if who == NOBODY else "+" if who == me else "-" for who in view.results]),
            on_table,
            view.stake,
            view.bid,
            0 if view.raiser == NOBODY else 1 if view.raiser == me else 2,
            view.envite,
            view.pot,
            _past(view),
        )

    def name(self) -> str:
        """Its key in a stored policy."""
        return " ".join([str(each) for each in self])

    @classmethod
    def named(cls, name: str) -> "Situation":
        """The situation with this name. Raises ValueError if there is none."""
        parts = name.split(" ")
        if len(parts) != len(cls._fields):
            raise ValueError(f"{name!r} is no situation")
        on_table, stake, bid, raiser, envite, pot = [int(each) for each in parts[3:-1]]
        found = cls(
            int(parts[0]), int(parts[1]), parts[2], on_table, stake, bid, raiser, envite, pot,
            parts[-1],
        )  # fmt: skip
        fits = (
            found.on_table in (0, 1, 2)
            and len(found.results) <= HAND - (found.on_table == 1)
            and found.phase in (PLAYING, ANSWERING_ENVIDO, ANSWERING_FLOR, ANSWERING_TRUCO)
        )
        if not fits:
            raise ValueError(f"{name!r} is no situation")
        return found

    def sees(self) -> int:
        """What a seat distinguishes here besides its cards."""
        if self.phase == ANSWERING_ENVIDO:
            return ENVIDO_ANSWER
        if self.phase == ANSWERING_FLOR:
            return FLOR_ANSWER
        if self.envite == OPEN and not self.past and self.stake == 1 and self.bid in (0, 2):
            return ENVIDO_OPEN
        return TOLD if self.past == "t" else NOTHING_TOLD

    def known_size(self) -> int:
        """The number of rows that differ in what is known besides the cards held."""
        return _KNOWN_SIZE[self.sees()]

    def cards(self) -> int:
        """The number of cards this seat holds."""
        return HAND - len(self.results) - (self.on_table == 1)

    def size(self) -> int:
        """The number of its rows."""
        sees = self.sees()
        if sees in (ENVIDO_ANSWER, FLOR_ANSWER):
            return _KNOWN_SIZE[sees]
        return card_size(self.cards(), self.on_table) * _KNOWN_SIZE[sees]


_KNOWN_SIZE: Final = {
    ENVIDO_OPEN: OPEN_ENVIDOS * SIZES,
    ENVIDO_ANSWER: STRENGTHS * ENVIDOS * SCORES,
    FLOR_ANSWER: FLORES * SCORES,
    NOTHING_TOLD: ENDS,
    TOLD: TOLD_VALUES * ENDS,
}


def _past(view: FullView) -> str:
    me = view.seat
    if view.envite == OPEN and view.flor != NO_FLOR and len(view.hand) == HAND:
        return "!"
    if any(view.announced):
        own, other = view.announced[me], view.announced[1 - me]
        return "f±" if own and other else "f+" if own else "f-"
    if view.told:
        return "t"
    for step in view.steps:
        if step.reason == "envido refused":
            return "r+" if step.seat == me else "r-"
    return ""


def card_size(cards: int, on_table: int) -> int:
    """How many situations the cards make."""
    return _HANDS[cards][0] * (1, _LEDS, COMPARISONS[cards])[on_table]


def card_index(hands: Hands, on_table: int, led: Index) -> Index:
    """The number of the own cards and the card in the trick, for each round."""
    cards = hands.shape[1]
    number = _HANDS[cards][1][tuple(hands.T)] if cards else np.zeros(len(hands), dtype=np.intp)
    if on_table == 1:
        return np.asarray(number * _LEDS + _LED[led])
    if on_table == 2:
        below, equal = (hands < led[:, None]).sum(axis=1), (hands == led[:, None]).sum(axis=1)
        return np.asarray(number * COMPARISONS[cards] + COMPARED[below, equal])
    return np.asarray(number)


class Knowledge(NamedTuple):
    """What a seat knows in a round, for the score and the cards dealt to it.

    hand    the values of the cards dealt, weakest first
    missing the points that this seat and the other still need
    falta   what a falta envido brings this seat and the other
    told    the envido that the other seat told; SON_BUENAS if it could not beat the own
    """

    seat: int
    hand: tuple[int, ...]
    envido: int
    flor: int
    missing: tuple[int, int]
    falta: tuple[int, int]
    told: int

    def row(self, sees: int) -> int:
        """The number of what is known besides the cards held."""
        if sees == ENVIDO_OPEN:
            return _share(self.envido, 0, OPEN_ENVIDOS) * SIZES + self._falta_size()
        if sees == ENVIDO_ANSWER:
            strength = strengths(ME if self.seat == 0 else THEM, (), 0, NOBODY)[self.hand]
            coarse = min(int(strength * STRENGTHS), STRENGTHS - 1)
            return (coarse * ENVIDOS + _share(self.envido, 0, ENVIDOS)) * SCORES + self._score()
        if sees == FLOR_ANSWER:
            return _share(self.flor, 1, FLORES) * SCORES + self._score()
        if sees == NOTHING_TOLD:
            return self._end()
        told = 0 if self.told == SON_BUENAS else 1 + bisect_right(TOLD_LIMITS, self.told)
        return told * ENDS + self._end()

    def _falta_size(self) -> int:
        size = max(self.falta)
        return 0 if size < SMALL_FALTA else 1 if size < LARGE_FALTA else 2

    def _end(self) -> int:
        own, other = self.missing
        return (own <= FEW) + 2 * (other <= FEW)

    def _score(self) -> int:
        end, size = self._end(), self._falta_size()
        return 2 + end if end else size


@cache
def _share(value: int, flor: int, parts: int) -> int:
    """In which of so many parts, equally likely, a usual envido or flor is."""
    usual = usual_values()[flor]
    below = list(accumulate(usual, initial=0.0))
    return min(int((below[value] + usual[value] / 2) * parts), parts - 1)


def knowledge(view: FullView) -> Knowledge:
    """What the seat of a view knows."""
    me, target = view.seat, view.target()
    strength = VALUES[view.muestra]
    dealt = sorted([strength[card] for card in (*view.hand, *view.played_by(me))])
    return Knowledge(
        int(view.mano != me),
        tuple(dealt),
        view.envido,
        view.flor,
        (target - view.scores[me], target - view.scores[1 - me]),
        (view.falta(me), view.falta(1 - me)),
        view.told_values[1 - me],
    )


def row_of(view: FullView, situation: Situation) -> int:
    """The row of a seat to act."""
    sees = situation.sees()
    known = knowledge(view).row(sees)
    if sees in (ENVIDO_ANSWER, FLOR_ANSWER):
        return known
    strength = VALUES[view.muestra]
    hand = np.array([sorted([strength[card] for card in view.hand])], dtype=np.intp)
    led = strength[view.tricks[-1][0][1]] if situation.on_table else 0
    number = int(card_index(hand.reshape(1, -1), situation.on_table, np.array([led]))[0])
    return number * _KNOWN_SIZE[sees] + known


FINGERPRINT: Final = "truco_full expert 2: regret minimisation over classes of cards"
"""Identifies the meaning of the stored chances. Change it if anything above changes."""
LEVELS: Final = 7
"""Chances are stored in sevenths."""
KEPT: Final = 0.98
"""The share of decisions whose rows are kept. The rest are so rare that little is known."""
FINE_LEVELS: Final = 15
"""Chances that are not stored are finer."""
RARELY: Final = 0.04
"""Rarer choices are never made."""
MOST_ACTIONS: Final = 8


class Policy:
    """The frequency of each action: for each situation a row for each action."""

    def __init__(self, levels: dict[str, NDArray[np.uint8]]) -> None:
        self.levels = levels

    def chances(self, situation: Situation, rows: Index, actions: int) -> NDArray[np.float32]:
        """The chance of each action: a row for each action, a column for each of the rows.
        All are 0 where the policy knows nothing."""
        levels = self.levels.get(situation.name())
        if levels is None or len(levels) != actions:
            return np.zeros((actions, len(rows)), dtype=np.float32)
        chances = levels[:, rows].astype(np.float32)
        total = chances.sum(axis=0)
        return np.asarray(chances / np.maximum(total, 1))

    @classmethod
    def rounded(
        cls, sums: dict[Situation, NDArray[np.float32]], kept: float = KEPT, levels: int = LEVELS
    ) -> "Policy":
        """A policy from the weights with which each action was chosen."""
        least = _least_weight([chosen.sum(axis=0) for chosen in sums.values()], kept)
        all_levels = {}
        for situation, chosen in sums.items():
            total = chosen.sum(axis=0)
            known = (total >= least) & (total > 0)
            if known.any():
                chances = np.divide(chosen, total, out=np.zeros_like(chosen), where=known)
                chances[chances < RARELY] = 0
                all_levels[situation.name()] = np.rint(chances * levels).astype(np.uint8)
        return cls(all_levels)

    def dump(self) -> dict[str, object]:
        """The policy as plain containers and bytes."""
        return {
            name: [len(levels), zlib.compress(levels.tobytes(), 9)]
            for name, levels in self.levels.items()
        }

    @classmethod
    def restored(cls, data: dict[str, object]) -> "Policy":
        """The policy of a `dump`. Raises ValueError for anything else."""
        all_levels = {}
        for name, stored in data.items():
            size = Situation.named(name).size()
            match stored:
                case [int() as actions, bytes() as packed] if 1 < actions <= MOST_ACTIONS:
                    levels = np.frombuffer(unpacked(packed, actions * size), np.uint8)
                    all_levels[name] = levels.reshape(actions, size)
                case _:
                    raise ValueError(f"{name!r} has no chances")
        return cls(all_levels)


def _least_weight(totals: list[NDArray[np.float32]], kept: float) -> float:
    """The weight of the lightest rows that belong to this share of all weight."""
    if kept >= 1:
        return 0.0
    weights = np.sort(np.concatenate(totals).astype(np.float64))[::-1]
    return float(weights[np.searchsorted(np.cumsum(weights), kept * weights.sum())])
