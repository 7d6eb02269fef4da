"""Dealing hidden cards at random so that everything known about them holds."""

from bisect import bisect_right
from collections.abc import Iterator
from math import factorial
from random import Random


class Spreads:
    """The ways to spread a group of cards over the places with room.

    weights   how many deals follow from each way, summed up
    cuts      for each way (place, from, to): which of the shuffled cards go where
    rooms     for each way the room it leaves
    """

    __slots__ = ("cuts", "rooms", "weights")

    def __init__(self) -> None:
        self.weights: list[int] = []
        self.cuts: list[list[tuple[int, int, int]]] = []
        self.rooms: list[tuple[int, ...]] = []

    def add(self, spread: tuple[int, ...], left: tuple[int, ...], deals: int) -> None:
        cuts = []
        start = 0
        for place, count in enumerate(spread):
            if count:
                cuts.append((place, start, start + count))
                start += count
        self.cuts.append(cuts)
        self.rooms.append(left)
        self.weights.append(deals + (self.weights[-1] if self.weights else 0))


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
        self._choices: dict[tuple[int, tuple[int, ...]], Spreads] = {}
        if not self._ways(0, self._room):
            raise ValueError("No deal fits what is known.")

    def deal(self, rng: Random) -> list[list[int]]:
        """The cards of each place."""
        places: list[list[int]] = [[] for _ in self._room]
        room = self._room
        random = rng.random
        for group, cards in enumerate(self._cards):
            spreads = self._spreads(group, room)
            weights = spreads.weights
            pick = 0
            if len(weights) > 1:
                pick = bisect_right(weights, rng.randrange(weights[-1]))
            keys = {card: random() for card in cards}
            order = sorted(cards, key=keys.__getitem__)
            for place, start, end in spreads.cuts[pick]:
                places[place] += order[start:end]
            room = spreads.rooms[pick]
        return places

    def _ways(self, group: int, room: tuple[int, ...]) -> int:
        """How many deals there are of the groups from this one on."""
        if group == len(self._groups):
            return 1
        weights = self._spreads(group, room).weights
        return weights[-1] if weights else 0

    def _spreads(self, group: int, room: tuple[int, ...]) -> Spreads:
        """The ways to spread a group that leave a deal for the groups to come."""
        known = self._choices.get((group, room))
        if known is not None:
            return known
        spreads = Spreads()
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
                spreads.add(spread, left, ways * arrangements)
        self._choices[group, room] = spreads
        return spreads


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
