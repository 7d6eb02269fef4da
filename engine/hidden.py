"""Dealing hidden cards at random so that everything known about them holds."""

from bisect import bisect_right
from collections.abc import Iterator
from itertools import accumulate
from math import factorial
from random import Random


class Hidden:
    """Cards whose place is unknown, and the places they may be in.

    Every deal that fits is equally likely. Cards that may be in the same places are
    counted as one group; for each group we count, once, the deals that follow from
    each way of spreading it, and draw the spreads with these weights.
    """

    __slots__ = ("_cards", "_choices", "_groups", "_room")

    def __init__(self, allowed: dict[int, int], room: list[int]) -> None:
        """allowed: for each card the mask of places it may be in; room: cards per place."""
        if sum(room) != len(allowed):
            raise ValueError("The hidden cards do not fill their places.")
        groups: dict[int, list[int]] = {}
        for card, places in allowed.items():
            groups.setdefault(places, []).append(card)
        self._groups: list[int] = sorted(groups, key=lambda places: places.bit_count())
        self._cards: list[list[int]] = [groups[places] for places in self._groups]
        self._room: tuple[int, ...] = tuple(room)
        self._choices: dict[
            tuple[int, tuple[int, ...]], tuple[list[tuple[int, ...]], list[int]]
        ] = {}
        if not self._ways(0, self._room):
            raise ValueError("No deal fits what is known.")

    def deal(self, rng: Random) -> list[list[int]]:
        """The cards of each place."""
        places: list[list[int]] = [[] for _ in self._room]
        room = self._room
        random = rng.random
        for group, cards in enumerate(self._cards):
            spreads, weights = self._spreads(group, room)
            pick = 0
            if len(spreads) > 1:
                pick = bisect_right(weights, rng.randrange(weights[-1]))
            keys = {card: random() for card in cards}
            order = sorted(cards, key=keys.__getitem__)
            start = 0
            for place, count in enumerate(spreads[pick]):
                if count:
                    places[place] += order[start : start + count]
                    start += count
            room = tuple([free - count for free, count in zip(room, spreads[pick], strict=True)])
        return places

    def _ways(self, group: int, room: tuple[int, ...]) -> int:
        """How many deals there are of the groups from this one on."""
        if group == len(self._groups):
            return 1
        _, weights = self._spreads(group, room)
        return weights[-1] if weights else 0

    def _spreads(
        self, group: int, room: tuple[int, ...]
    ) -> tuple[list[tuple[int, ...]], list[int]]:
        """The ways to spread a group over the places, with their summed-up weights."""
        known = self._choices.get((group, room))
        if known is not None:
            return known
        spreads: list[tuple[int, ...]] = []
        weights: list[int] = []
        count = len(self._cards[group])
        candidates: Iterator[tuple[int, ...]]
        if group == len(self._groups) - 1:
            candidates = iter([room])
        else:
            candidates = _splits(count, room, self._groups[group])
        for spread in candidates:
            if any(
                used and not self._groups[group] >> place & 1 for place, used in enumerate(spread)
            ):
                continue
            left = tuple([free - used for free, used in zip(room, spread, strict=True)])
            ways = self._ways(group + 1, left)
            if ways:
                arrangements = factorial(count)
                for used in spread:
                    arrangements //= factorial(used)
                spreads.append(spread)
                weights.append(ways * arrangements)
        result = (spreads, list(accumulate(weights)))
        self._choices[group, room] = result
        return result


def _splits(count: int, room: tuple[int, ...], allowed: int) -> Iterator[tuple[int, ...]]:
    """All ways to split a number of cards over the allowed places with room."""
    if not room:
        if not count:
            yield ()
        return
    most = min(count, room[0]) if allowed & 1 else 0
    for here in range(most + 1):
        for rest in _splits(count - here, room[1:], allowed >> 1):
            yield (here, *rest)
