"""A view as a row of numbers between -1 and 1 or so, the same length for a whole match.

Seats are counted from the one that looks, so that every seat sees the table alike. A row
is made of the view and of nothing else.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from engine.cards import cards_in
from engine.game import Played, View
from engine.games import euchre, fodinha, notty, smear, truco
from engine.games.euchre import EuchreView
from engine.games.fodinha import FodinhaView
from engine.games.notty import NottyView
from engine.games.smear import SmearView
from engine.games.truco import TrucoView

Floats = NDArray[np.float32]


class _Row:
    """Numbers in the order they are added."""

    def __init__(self, view: View, seats: int) -> None:
        self.numbers: list[float] = []
        self._from = view.seat
        self._seats = seats

    def number(self, value: float, scale: float = 1.0) -> None:
        self.numbers.append(value / scale)

    def one_of(self, value: int, count: int) -> None:
        """One of so many is on; none for what is not settled."""
        self.numbers += [float(value == each) for each in range(count)]

    def seat(self, seat: int) -> None:
        around = (seat - self._from) % self._seats if seat >= 0 else -1
        self.one_of(around, self._seats)

    def cards(self, cards: Iterable[int], count: int) -> None:
        held = [0.0] * count
        for card in cards:
            held[card] += 1.0
        self.numbers += held

    def around(self, values: Sequence[float], scale: float = 1.0) -> None:
        """A number for each seat, the own one first."""
        for step in range(self._seats):
            self.number(values[(self._from + step) % self._seats], scale)

    def by_seat(self, played: Iterable[Played], count: int) -> None:
        """For each seat the cards it played."""
        plays = list(played)
        for step in range(self._seats):
            seat = (self._from + step) % self._seats
            self.cards([card for who, card in plays if who == seat], count)

    def own_side_first(self, view: View, values: Sequence[float], scale: float) -> None:
        own = next(number for number, side in enumerate(view.sides) if view.seat in side)
        for step in range(len(values)):
            self.number(values[(own + step) % len(values)], scale)


def _euchre(view: EuchreView) -> list[float]:
    row = _Row(view, len(view.hand_sizes))
    row.one_of(view.phase, euchre.FINISHED + 1)
    row.seat(view.dealer)
    row.seat(view.maker)
    row.seat(view.sits_out)
    row.seat(view.winner)
    row.one_of(view.trump, 4)
    row.one_of(view.up_card, euchre.CARDS)
    for flag in (view.ordered_up, view.alone, view.dummy_taken):
        row.number(flag)
    for mask in (view.hand, view.dummy, view.own_discards, view.played):
        row.cards(cards_in(mask), euchre.CARDS)
    row.by_seat(view.trick, euchre.CARDS)
    row.around(view.hand_sizes, euchre.TRICKS)
    row.own_side_first(view, view.tricks, euchre.TRICKS)
    row.own_side_first(view, view.scores, euchre.TARGET)
    return row.numbers


def _smear(view: SmearView) -> list[float]:
    row = _Row(view, smear.SEATS)
    row.one_of(view.phase, smear.FINISHED + 1)
    row.seat(view.dealer)
    row.seat(view.bettor)
    row.seat(view.winner)
    row.around(view.bets, smear.MAX_BET)
    row.number(view.bet, smear.MAX_BET)
    row.one_of(view.trump, 4)
    for mask in (view.hand, view.follows, view.played):
        row.cards(cards_in(mask), smear.CARDS)
    row.by_seat(view.trick, smear.CARDS)
    own = next(number for number, side in enumerate(view.sides) if view.seat in side)
    for side in (own, 1 - own):
        row.cards(cards_in(view.taken[side]), smear.CARDS)
    row.own_side_first(view, view.scores, smear.TARGET)
    return row.numbers


def _truco(view: TrucoView) -> list[float]:
    row = _Row(view, 2)
    row.one_of(view.phase, truco.FINISHED + 1)
    for seat in (view.mano, view.raiser, view.to_play):
        row.seat(seat)
    row.one_of(view.muestra, truco.CARDS)
    for place in range(truco.HAND):
        held = view.hand[place] if place < len(view.hand) else -1
        row.one_of(held, truco.CARDS)
    for number in range(truco.HAND):
        trick = view.tricks[number] if number < len(view.tricks) else ()
        row.by_seat(trick, truco.CARDS)
        row.seat(view.results[number] if number < len(view.results) else -1)
    row.number(view.stake, truco.HIGHEST_STAKE)
    row.number(view.bid, truco.HIGHEST_STAKE)
    row.around(view.flor_called)
    row.number(view.flor_open)
    row.own_side_first(view, view.scores, view.target())
    return row.numbers


def _fodinha(view: FodinhaView) -> list[float]:
    seats = len(view.hand_sizes)
    row = _Row(view, seats)
    row.one_of(view.phase, fodinha.FINISHED + 1)
    row.seat(view.dealer)
    row.seat(view.leader)
    row.one_of(view.power, fodinha.RANKS)
    row.number(view.size, fodinha.LARGEST_ROUND)
    row.number(view.rising)
    row.number(view.blind)
    row.number(view.carry, fodinha.LARGEST_ROUND)
    row.cards(view.hand, fodinha.CARDS)
    for step in range(1, seats):
        row.cards(view.hands[(view.seat + step) % seats], fodinha.CARDS)
    row.cards(view.turned, fodinha.CARDS)
    played = [(who, card) for who, card in view.history if 0 <= card < fodinha.CARDS]
    row.by_seat(played, fodinha.CARDS)
    row.by_seat(view.trick, fodinha.CARDS)
    row.around(view.calls, fodinha.LARGEST_ROUND)
    row.around(view.wins, fodinha.LARGEST_ROUND)
    row.around(view.hand_sizes, fodinha.LARGEST_ROUND)
    row.around([out > 0 for out in view.out_in])
    row.around(view.scores, view.rules.lives)
    return row.numbers


def _notty(view: NottyView) -> list[float]:
    seats = len(view.hands)
    row = _Row(view, seats)
    for step in range(seats):
        row.cards(view.hands[(view.seat + step) % seats], notty.KINDS)
    row.cards([kind for kind, count in enumerate(view.deck) for _ in range(count)], notty.KINDS)
    for flag in (view.drew, view.stole, view.exchanged, view.exchanging):
        row.number(flag)
    row.number(view.turns, max(1, view.turn_limit()))
    return row.numbers


_OBSERVERS: Final[dict[str, Callable[[Any], list[float]]]] = {
    "euchre": _euchre,
    "smear": _smear,
    "truco": _truco,
    "fodinha": _fodinha,
    "notty": _notty,
}


def observe(game: str, view: View) -> Floats:
    """What a seat knows, in numbers, whoever is to act."""
    return np.array(_OBSERVERS[game](view), dtype=np.float32)
