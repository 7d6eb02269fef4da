"""What the Truco expert distinguishes: public situations of a round, and classes of cards.

Seat 0 is the mano and seat 1 the other player. Cards are values from 0 to 18. Many rounds are
processed together, as the columns of an array.
"""

import zlib
from collections.abc import Sequence
from itertools import combinations_with_replacement
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.games.truco import (
    ACCEPT,
    FLOR,
    HAND,
    HIGHEST_STAKE,
    NOBODY,
    NUM_VALUES,
    PLAYED,
    RAISE,
    REJECT,
    VALUES,
    TrucoView,
    round_winner,
)

Rounds = NDArray[np.signedinteger[Any]]
"""A column for each round. Its rows: each seat's cards, weakest first and without gaps; the card
in the trick; the heights of each seat's cards in finished tricks; a bit for each seat's flor."""
ROWS: Final = 10
LED_ROW: Final = 6
PLAYED_ROW: Final = 7
FLOR_ROW: Final = 9

MINE: Final = 1
THEIRS: Final = 2
"""The owner of the card in the trick or of the last raise; 0 for none."""

_CLASSES: Final = np.array([0, 0, 0, 0, 1, 1, 1, 2, 3, 4, 5, 5, 6, 6, 7, 7, 8, 8, 9])
_FINER: Final = np.array([0, 0, 1, 1, 2, 3, 3, 4, 5, 6, 7, 7, 8, 8, 9, 9, 10, 10, 11])
_HEIGHTS: Final = np.array([0] * 7 + [1] * 3 + [2] * 4 + [3] * 5)
"""The coarsest classes of cards: low, up to a three, mata, pieza."""
HEIGHTS: Final = 4
NUM_CLASSES: Final = 10


def numbered(classes: NDArray[np.intp], cards: int) -> tuple[int, NDArray[np.intp]]:
    """The number of hands that differ in the classes of their cards, and the index of each."""
    kinds = list(combinations_with_replacement(range(int(classes[-1]) + 1), cards))
    number = {kind: count for count, kind in enumerate(kinds)}
    numbers = np.zeros((NUM_VALUES,) * cards, dtype=np.intp)
    for hand in combinations_with_replacement(range(NUM_VALUES), cards):
        numbers[hand] = number[tuple([int(classes[value]) for value in hand])]
    return len(kinds), numbers


_HANDS: Final = (
    (1, np.zeros((), dtype=np.intp)),
    numbered(np.arange(NUM_VALUES), 1),
    numbered(_FINER, 2),
    numbered(_CLASSES, 3),
)
"""By the number of cards held. The classes are finer if there are fewer cards."""


def hand_class(hands: Sequence[Sequence[int]] | Rounds) -> NDArray[np.intp]:
    """The class of each hand of three. A hand is a row of values, weakest first."""
    return np.asarray(_HANDS[HAND][1][tuple(np.asarray(hands).T)])


COMPARED: Final = np.array([[0, 1, 3, 6], [2, 4, 7, 0], [5, 8, 0, 0], [9, 0, 0, 0]])
"""A number for each pair (own cards below the card in the trick, own cards equal to it)."""
COMPARISONS: Final = (1, 3, 6, 10)
"""The count of these numbers, by the number of cards held."""


class Node(NamedTuple):
    """A public situation of a round, without the cards played.

    results   the winner of each finished trick
    leader    the seat that led the card in the trick, NOBODY if there is none
    to_play   the seat that plays the next card
    stake     the accepted stake
    bid       the stake of an open bid; 0 if there is none
    raiser    the seat that made the last raise
    raised    the trick of the last raise
    """

    results: tuple[int, ...] = ()
    leader: int = NOBODY
    to_play: int = 0
    stake: int = 1
    bid: int = 0
    raiser: int = NOBODY
    raised: int = 0

    def turn(self) -> int:
        return 1 - self.raiser if self.bid else self.to_play

    def cards(self, seat: int) -> int:
        """The number of cards the seat holds."""
        return HAND - len(self.results) - (self.leader == seat)

    def actions(self) -> list[int]:
        """The actions of the seat to act, except flor."""
        if self.bid:
            return [ACCEPT, REJECT, RAISE] if self.bid < HIGHEST_STAKE else [ACCEPT, REJECT]
        cards = list(range(self.cards(self.to_play)))
        if self.raiser != self.to_play and self.stake < HIGHEST_STAKE:
            cards.append(RAISE)
        return cards

    def raises(self) -> "Node":
        stake = self.bid or self.stake
        return self._replace(
            stake=stake, bid=stake + 1, raiser=self.turn(), raised=len(self.results)
        )

    def accepts(self) -> "Node":
        return self._replace(stake=self.bid, bid=0)

    def leads(self) -> "Node":
        return self._replace(leader=self.to_play, to_play=1 - self.to_play)

    def takes(self, winner: int) -> "Node":
        """The node after this seat takes the trick."""
        to_play = self.leader if winner == NOBODY else winner
        return self._replace(results=(*self.results, winner), leader=NOBODY, to_play=to_play)

    def opening(self) -> bool:
        """True at the mano's first decision, when nothing is known about the opponent."""
        return self == Node()


class Situation(NamedTuple):
    """A node from the point of view of the seat to act."""

    seat: int
    results: str
    on_table: int
    stake: int
    bid: int
    raiser: int
    raised: int
    actions: int
    cards: int

    @classmethod
    def at(cls, node: Node) -> "Situation":
        seat = node.turn()
        return cls(
            seat,
            "".join(
                ["=" if who == NOBODY else "+" if who == seat else "-" for who in node.results]
            ),
            _side(node.leader, seat),
            node.stake,
            node.bid,
            _side(node.raiser, seat),
            node.raised,
            len(node.actions()),
            node.cards(seat),
        )

    def name(self) -> str:
        """Its key in a stored policy."""
        return " ".join([str(field) for field in self])

    def size(self) -> int:
        """The number of situations that differ in the own cards."""
        size: int = _HANDS[self.cards][0] * HEIGHTS ** len(self.results) * 4
        if self.on_table == MINE:
            return size * NUM_CLASSES
        if self.on_table == THEIRS:
            size *= COMPARISONS[self.cards]
            return size * HEIGHTS if self.cards == HAND else size
        return size

    def numbers(self, rounds: Rounds, opening: bool) -> NDArray[np.intp]:
        """The index of the situation of each round."""
        own = rounds[3 * self.seat : 3 * self.seat + self.cards]
        led = rounds[LED_ROW]
        number = np.broadcast_to(_HANDS[self.cards][1][tuple(own)], led.shape)
        if self.on_table == MINE:
            number = number * NUM_CLASSES + _CLASSES[led]
        elif self.on_table == THEIRS:
            compared = COMPARED[(own < led).sum(axis=0), (own == led).sum(axis=0)]
            number = number * COMPARISONS[self.cards] + compared
            if self.cards == HAND:
                number = number * HEIGHTS + _HEIGHTS[led]
        number = number * HEIGHTS ** len(self.results) + rounds[PLAYED_ROW + 1 - self.seat]
        flors = rounds[FLOR_ROW] & 1 if opening else rounds[FLOR_ROW]
        return np.asarray(number * 4 + flors)


def _side(who: int, seat: int) -> int:
    if who == NOBODY:
        return 0
    return MINE if who == seat else THEIRS


def remember(rounds: Rounds, seat: int, value: Rounds | int) -> None:
    """Keep only the height of the seat's card of a finished trick."""
    row = rounds[PLAYED_ROW + seat]
    row[:] = row * HEIGHTS + _HEIGHTS[value]


def follow(view: TrucoView) -> tuple[Node, Rounds]:
    """The node and the column of a round for the seat to act. The column contains its own cards
    and the opponent's open cards. Seats that called a flor count as having one."""
    node = Node()
    rounds = np.zeros((ROWS, 1), dtype=np.intp)
    values = VALUES[view.muestra]
    for who, action in view.history:
        seat = who ^ view.mano
        if action == RAISE:
            node = node.raises()
        elif action == ACCEPT:
            node = node.accepts()
        elif action == FLOR:
            rounds[FLOR_ROW] |= 1 << seat
        elif action >= PLAYED:
            value = values[action - PLAYED]
            if node.leader == NOBODY:
                rounds[LED_ROW] = value
                node = node.leads()
            else:
                led = int(rounds[LED_ROW, 0])
                remember(rounds, node.leader, led)
                remember(rounds, seat, value)
                winner = node.leader if led > value else seat if led < value else NOBODY
                node = node.takes(winner)
    first = 3 * (view.seat ^ view.mano)
    rounds[first : first + len(view.hand), 0] = [values[card] for card in view.hand]
    return node, rounds


FINGERPRINT: Final = "truco search 1: regret minimisation over classes of cards"
"""Identifies the meaning of the stored chances. Change it if anything above changes."""
LEVELS: Final = 15
"""Chances are stored in fifteenths."""
RARELY: Final = 0.05
"""Rarer choices are never made."""
LEAST_WEIGHT: Final = 0.01
"""Situations with a smaller total weight are not stored."""


class Policy:
    """The frequency of each action: for each situation a row for each action."""

    def __init__(self, levels: dict[str, NDArray[np.uint8]]) -> None:
        self.levels = levels

    def chances(self, node: Node, rounds: Rounds) -> NDArray[np.float64]:
        """The chance of each action: a row for each action of the node, a column for each round.

        A situation with a flor that is unknown uses the chances without one. If these are unknown
        too, all chances are 0.
        """
        situation = Situation.at(node)
        levels = self.levels.get(situation.name())
        if levels is None:
            return np.zeros((situation.actions, rounds.shape[1]))
        numbers = situation.numbers(rounds, node.opening())
        chances = levels[:, numbers].astype(np.float64)
        total = chances.sum(axis=0)
        unknown = np.flatnonzero(total == 0)
        if len(unknown):
            chances[:, unknown] = levels[:, numbers[unknown] & ~3]
            total = chances.sum(axis=0)
        return np.asarray(np.divide(chances, total, out=chances, where=total > 0))

    @classmethod
    def rounded(cls, sums: dict[Situation, NDArray[np.float64]]) -> "Policy":
        """A policy from the weights with which each action was chosen."""
        all_levels = {}
        for situation, chosen in sums.items():
            total = chosen.sum(axis=0)
            chances = np.divide(
                chosen, total, out=np.zeros_like(chosen), where=total > LEAST_WEIGHT
            )
            chances[chances < RARELY] = 0
            all_levels[situation.name()] = np.rint(chances * LEVELS).astype(np.uint8)
        return cls(all_levels)

    def dump(self) -> dict[str, object]:
        """The policy as plain containers and bytes."""
        return {name: zlib.compress(levels.tobytes(), 9) for name, levels in self.levels.items()}

    @classmethod
    def restored(cls, data: dict[str, object]) -> "Policy":
        """The policy of a `dump`. Raises ValueError for anything else."""
        known = {situation.name(): situation for situation in all_situations()}
        all_levels = {}
        for name, packed in data.items():
            if name not in known or not isinstance(packed, bytes):
                raise ValueError(f"{name!r} is no situation")
            shape = known[name].actions, known[name].size()
            all_levels[name] = np.frombuffer(unpacked(packed, shape[0] * shape[1]), np.uint8)
            all_levels[name].shape = shape
        return cls(all_levels)


def unpacked(packed: bytes, size: int) -> bytes:
    """The levels of a situation. Raises ValueError if there are not so many."""
    unpacker = zlib.decompressobj()
    try:
        levels = unpacker.decompress(packed, size + 1)
    except zlib.error as error:
        raise ValueError("chances that cannot be unpacked") from error
    if len(levels) != size or not unpacker.eof or max(levels) > LEVELS:
        raise ValueError("chances that do not fit their situation")
    return levels


def all_situations() -> set[Situation]:
    """Every situation of a round with at least two actions."""
    situations = set()
    waiting = [Node()]
    while waiting:
        node = waiting.pop()
        actions = node.actions()
        if len(actions) > 1:
            situations.add(Situation.at(node))
        if RAISE in actions:
            waiting.append(node.raises())
        if node.bid:
            waiting.append(node.accepts())
        elif node.leader == NOBODY:
            waiting.append(node.leads())
        else:
            after = [node.takes(winner) for winner in (0, 1, NOBODY)]
            waiting += [each for each in after if round_winner(each.results, 0) == NOBODY]
    return situations
