"""Many rounds of two players at once: how they are dealt, and which cards are held where.

A place of a round is a number of finished tricks, their winners, and whether a card is on the
table. There a column is a round and the cards played in it so far.
"""

from functools import cache
from math import sqrt
from random import Random
from typing import Final

import numpy as np
from numpy.typing import NDArray

from agents.truco_full.graph import HIGHER_ENVIDO, HIGHER_FLOR, Node, Pay
from agents.truco_full.judgement import match_chance
from agents.truco_full.situations import (
    ENVIDO_ANSWER,
    FLOR_ANSWER,
    Index,
    Knowledge,
    Situation,
    card_index,
)
from engine.games.truco import CARDS, HAND, NOBODY, VALUES, has_flor, round_winner
from engine.games.truco_full import SON_BUENAS, envido_of, falta_points, flor_of

Numbers = NDArray[np.float32]

TARGET: Final = 40
APART: Final = 8.0
"""How far apart the scores of a round usually are."""
MOST: Final = 60
"""More points than a round can bring."""
CLIP: Final = 25.0


class Deals:
    """Rounds in which the same seats hold a flor, each at a score of its own.

    values   per seat a row of card values for each round, weakest first
    known    per seat what it knows of each round
    worth    for each round what points are worth to seat 0: entry MOST + points
    falta    per seat what a falta envido brings it
    better   the winner of a comparison: of envidos, of flores
    """

    def __init__(self, flores: int) -> None:
        self.flores = flores
        self._values: tuple[list[list[int]], list[list[int]]] = ([], [])
        self.known: tuple[list[Knowledge], list[Knowledge]] = ([], [])
        self._worth: list[Numbers] = []
        self._arrays: tuple[Index, Index, Numbers] | None = None
        self._falta: list[tuple[int, int]] = []
        self._better: list[tuple[int, int]] = []
        self._rows: dict[tuple[int, int], Index] = {}

    def __len__(self) -> int:
        return len(self._worth)

    def add(self, hands: tuple[list[int], list[int]], muestra: int, scores: list[int]) -> None:
        envidos = [envido_of(cards, muestra) for cards in hands]
        flores = [flor_of(cards, muestra) for cards in hands]
        falta = falta_points(scores, TARGET, 0), falta_points(scores, TARGET, 1)
        missing = TARGET - scores[0], TARGET - scores[1]
        # The mano tells its envido, and the other one only if it is higher.
        told = envidos[0], envidos[1] if envidos[1] > envidos[0] else SON_BUENAS
        strength = VALUES[muestra]
        for seat in (0, 1):
            values = sorted([strength[card] for card in hands[seat]])
            self._values[seat].append(values)
            other = 1 - seat
            self.known[seat].append(
                Knowledge(
                    seat,
                    tuple(values),
                    envidos[seat],
                    flores[seat],
                    (missing[seat], missing[other]),
                    (falta[seat], falta[other]),
                    told[other],
                )
            )
        self._falta.append(falta)
        self._better.append((int(envidos[1] > envidos[0]), int(flores[1] > flores[0])))
        self._worth.append(worth(missing))

    def values(self, seat: int) -> Index:
        return np.array(self._values[seat], dtype=np.intp)

    def rows(self, seat: int, sees: int) -> Index:
        """For each round the row of what a seat knows besides its cards."""
        rows = self._rows.get((seat, sees))
        if rows is None:
            rows = np.array([known.row(sees) for known in self.known[seat]], dtype=np.intp)
            self._rows[seat, sees] = rows
        return rows

    def value(self, pay: Pay) -> Numbers:
        """What a payment is worth to seat 0 in each round."""
        if self._arrays is None:
            self._arrays = (
                np.array(self._better, dtype=np.intp),
                np.array(self._falta, dtype=np.intp),
                np.stack(self._worth),
            )
        better, falta, worth_of = self._arrays
        if pay.winner == HIGHER_ENVIDO:
            winner = better[:, 0]
        elif pay.winner == HIGHER_FLOR:
            winner = better[:, 1]
        else:
            winner = np.full(len(self), pay.winner)
        points = np.full(len(self), pay.points)
        rounds = np.arange(len(self))
        if pay.falta:
            points = points + falta[rounds, winner]
        signed = np.where(winner == 0, points, -points)
        return np.asarray(worth_of[rounds, MOST + signed])


@cache
def worth(missing: tuple[int, int]) -> Numbers:
    """What points are worth at a score: the change of the chance to win, in points."""
    own, other = missing
    now = match_chance(own, other)
    changes = [
        match_chance(own - points, other) - now
        if points >= 0
        else match_chance(own, other + points) - now
        for points in range(-MOST, MOST + 1)
    ]
    unit = (changes[MOST + 1] - changes[MOST - 1]) / 2
    return np.asarray(np.clip(np.array(changes, dtype=np.float32) / unit, -CLIP, CLIP))


def deal(count: int, rng: Random) -> list[Deals]:
    """Random rounds, by the seats that hold a flor."""
    dealt = [Deals(flores) for flores in range(4)]
    for _ in range(count):
        cards = rng.sample(range(CARDS), 2 * HAND + 1)
        hands, muestra = (cards[:HAND], cards[HAND:-1]), cards[-1]
        flores = has_flor(hands[0], muestra) + 2 * has_flor(hands[1], muestra)
        dealt[flores].add(hands, muestra, random_scores(rng))
    return [deals for deals in dealt if len(deals)]


def random_scores(rng: Random) -> list[int]:
    while True:
        first = rng.randrange(TARGET)
        second = round(first + rng.gauss(0, APART * sqrt((first + 4) / TARGET)))
        if 0 <= second < TARGET:
            return [first, second]


class Place:
    """The columns of a place.

    round    for each column its round
    hands    per seat the cards it holds, a row for each column
    led      the card on the table
    """

    def __init__(
        self,
        deals: Deals,
        results: tuple[int, ...],
        leader: int,
        rounds: Index,
        hands: list[Index],
        led: Index,
    ) -> None:
        self.deals = deals
        self.results = results
        self.leader = leader
        self.round = rounds
        self.hands = hands
        self.led = led
        self.groups: dict[int, Index] = {}
        self._rows: dict[tuple[int, int], Index] = {}
        self._paid: dict[Pay, Numbers] = {}

    def __len__(self) -> int:
        return len(self.round)

    def rows(self, situation: Situation, seat: int) -> Index:
        """For each column the row of the seat's situation."""
        sees = situation.sees()
        key = seat, sees
        rows = self._rows.get(key)
        if rows is None:
            rows = self.deals.rows(seat, sees)[self.round]
            if sees not in (ENVIDO_ANSWER, FLOR_ANSWER):
                cards = card_index(self.hands[seat], situation.on_table, self.led)
                rows = cards * situation.known_size() + rows
            self._rows[key] = rows
        return rows

    def paid(self, pays: tuple[Pay, ...]) -> Numbers | float:
        """What payments are worth to seat 0 in each column."""
        total: Numbers | float = 0.0
        for pay in pays:
            if pay not in self._paid:
                self._paid[pay] = self.deals.value(pay)[self.round]
            total = total + self._paid[pay]
        return total

    def lead(self, seat: int) -> "Place":
        """After a seat leads each of its cards in turn: columns by card within each column."""
        led, rest = _each_removed(self.hands[seat])
        cards = self.hands[seat].shape[1]
        hands = self.hands[:]
        hands[seat] = rest
        hands[1 - seat] = np.repeat(self.hands[1 - seat], cards, axis=0)
        return Place(self.deals, self.results, seat, np.repeat(self.round, cards), hands, led)

    def follow(self) -> dict[int, "Place"]:
        """After the other seat plays each of its cards in turn, by the winner of the trick.
        Sets `groups`: for each winner which of the columns, by card within each column, are its.
        Places where the round is over are left out."""
        seat = 1 - self.leader
        played, rest = _each_removed(self.hands[seat])
        cards = self.hands[seat].shape[1]
        led, rounds = np.repeat(self.led, cards), np.repeat(self.round, cards)
        other = np.repeat(self.hands[self.leader], cards, axis=0)
        places = {}
        for winner, won in (
            (self.leader, led > played),
            (seat, led < played),
            (NOBODY, led == played),
        ):
            columns = self.groups[winner] = np.flatnonzero(won)
            results = (*self.results, winner)
            if round_winner(results, 0) == NOBODY:
                hands = [other[columns], rest[columns]]
                places[winner] = Place(
                    self.deals,
                    results,
                    NOBODY,
                    rounds[columns],
                    hands if self.leader == 0 else hands[::-1],
                    np.zeros(0, dtype=np.intp),
                )
        return places


def _each_removed(hands: Index) -> tuple[Index, Index]:
    """Each card of each hand, and the hand without it."""
    count, cards = hands.shape
    rest = np.empty((count, cards, cards - 1), dtype=np.intp)
    for place in range(cards):
        rest[:, place] = np.delete(hands, place, axis=1)
    return hands.reshape(-1), rest.reshape(count * cards, cards - 1)


PlaceKey = tuple[tuple[int, ...], int]


def places(deals: Deals) -> dict[PlaceKey, Place]:
    """All places of some rounds, by the winners of the tricks and the seat that led."""
    first = Place(
        deals,
        (),
        NOBODY,
        np.arange(len(deals)),
        [deals.values(0), deals.values(1)],
        np.zeros(0, dtype=np.intp),
    )
    found: dict[PlaceKey, Place] = {}
    waiting = [(first, 0)]
    while waiting:
        place, to_play = waiting.pop()
        found[place.results, NOBODY] = place
        led = place.lead(to_play)
        found[place.results, to_play] = led
        for winner, after in led.follow().items():
            waiting.append((after, to_play if winner == NOBODY else winner))
    return found


def place_key(node: Node) -> PlaceKey:
    return node.slot.trick, node.leader
