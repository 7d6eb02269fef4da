"""Gives suits and cards new numbers, because many deals differ only in the names of suits."""

from collections.abc import Sequence
from itertools import permutations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from agents.learners.encoding import Floats, Integers
from engine.cards import Pack


class Relabelling:
    """Gives cards and actions new numbers, so that equivalent positions look the same.

    places  for each relabelling and each card its place; several cards may share one
    suits   for each relabelling the new number of each suit; empty if fields with suits keep
            theirs
    moves   for each relabelling and each action its move; several actions may share one
    """

    def __init__(
        self,
        places: Sequence[Sequence[int]],
        moves: Sequence[Sequence[int]],
        suits: Sequence[Sequence[int]] = (),
    ) -> None:
        self.places: NDArray[np.intp] = np.array(places, dtype=np.intp)
        self.size = int(self.places.max()) + 1
        self.moves = [list(each) for each in moves]
        self.move_count = max([max(each) for each in self.moves]) + 1
        self.suits: Integers | None = (
            np.array([[0, *[suit + 1 for suit in each]] for each in suits]) if suits else None
        )
        self._pools = self._make_pools()

    def _make_pools(self) -> Floats:
        """For each relabelling a matrix that adds up the cards of each place."""
        cards = self.places.shape[1]
        pools: Floats = np.zeros((len(self.places), cards, self.size), dtype=np.float32)
        for number, each in enumerate(self.places):
            pools[number, np.arange(cards), each] = 1
        return pools

    def of_masks(self, masks: Integers, numbers: Integers) -> NDArray[Any]:
        """For each mask the number of its cards at each place: (rows, masks, places)."""
        counts: NDArray[Any] = np.matmul(
            card_bits(masks, self.places.shape[1]).astype(np.float32), self._pools[numbers]
        )
        return counts

    def number(self, view: Any) -> int:
        """The relabelling for a view."""
        return 0

    def numbers(self, view: Any, legal: Sequence[int]) -> list[int]:
        """The relabelling for each legal action, if they differ; empty if that of the view
        serves for all."""
        return []


def card_bits(masks: Integers, cards: int) -> NDArray[Any]:
    """The bits of each mask: (rows, masks, cards)."""
    raw = np.ascontiguousarray(masks, dtype="<i8").view(np.uint8)
    bits = np.unpackbits(raw, axis=1, bitorder="little")
    return bits.reshape(*masks.shape, 64)[:, :, :cards]


def suit_moves(
    pack: Pack, order: Sequence[int], suit_names: Sequence[str], labels: Sequence[str]
) -> list[int]:
    """For each action its number after the suits changed places.

    order    for each new suit the old one
    labels   of all actions. They name cards by code and suits by name
    """
    renamed = {
        pack.codes[old * pack.ranks + rank]: pack.codes[new * pack.ranks + rank]
        for new, old in enumerate(order)
        for rank in range(pack.ranks)
    } | {suit_names[old]: suit_names[new] for new, old in enumerate(order)}
    numbers = {label: action for action, label in enumerate(labels)}
    return [
        numbers[" ".join([renamed.get(word, word) for word in label.split()])] for label in labels
    ]


class SuitOrder(Relabelling):
    """Sorts the suits of a pack. A subclass implements `number` with `index`, which has the
    number of each order of the suits."""

    def __init__(self, pack: Pack, suit_names: Sequence[str], labels: Sequence[str]) -> None:
        orders = list(permutations(range(pack.suits)))
        self.index = {order: number for number, order in enumerate(orders)}
        new_suits = [[order.index(suit) for suit in range(pack.suits)] for order in orders]
        self._shifts: Integers = np.array(new_suits) * pack.ranks
        self._suit = (1 << pack.ranks) - 1
        self._ranks = pack.ranks
        super().__init__(
            [
                [each[pack.suit(card)] * pack.ranks + pack.rank(card) for card in range(len(pack))]
                for each in new_suits
            ],
            [suit_moves(pack, order, suit_names, labels) for order in orders],
            new_suits,
        )

    def of_masks(self, masks: Integers, numbers: Integers) -> NDArray[Any]:
        """Whole suits change places, which is faster than single cards."""
        shifts = self._shifts[numbers]
        sorted_masks = np.zeros_like(masks)
        for suit in range(shifts.shape[1]):
            cards = masks >> suit * self._ranks & self._suit
            sorted_masks |= cards << shifts[:, suit, None]
        return card_bits(sorted_masks, self.size)
