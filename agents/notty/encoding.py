"""Network inputs of Notty: the position that each action leads to.

Hands are open, so an action is described by the hands after it and by what is still to come:
cards from the deck or from a rival, or the next player's turn. The names of the colours do not
matter.
"""

from collections.abc import Sequence
from functools import cache
from typing import Final, NamedTuple

import numpy as np

from agents.learners.encoding import Encoding, Floats, Integers, Reading
from agents.notty.hand_facts import MOST_GAIN, HandFacts, Small, counts_of
from agents.notty.rules import Hand, hand_of, without
from engine.game import View
from engine.games.notty import (
    DISCARD,
    DRAW,
    EXCHANGE,
    GROUP,
    GROUP_MASKS,
    KINDS,
    MOST_HELD,
    PACK,
    PASS,
    STEAL,
    NottyView,
)

_RIVALS: Final = 2
_ALL: Final = (1 << KINDS) - 1

# What is still to come after an action.
_NOTHING, _ONE, _TWO, _THREE, _THEFT, _, _CARD, _RIVALS_TURN = range(8)
_COMING: Final = 8

# Columns of a row of codes: masks of the own hand after the action, of the rivals' hands in turn,
# and of the deck before the action.
_OWN: Final = 0
_FIRST_RIVAL: Final = 2
_DECK: Final = _FIRST_RIVAL + 2 * _RIVALS
_COME, _HAS_DRAWN, _HAS_STOLEN, _HAS_EXCHANGED, _TURNS, _PLAYERS = range(_DECK + 2, _DECK + 8)

_MOST_LEFT: Final = 12
"""More cards left over are not told apart one by one."""
_LAST_TURNS: Final = 7
_LONG: Final = 60
_WHOLE: Final = 300

_OUTLOOK: Final = MOST_GAIN + 3
_OF_HAND: Final = MOST_HELD + 1 + _MOST_LEFT + 1 + 5
_OF_RIVAL: Final = _OF_HAND + 3 * _OUTLOOK
_OF_CARDS: Final = _OF_HAND + _OUTLOOK + _RIVALS * _OF_RIVAL
_OF_TURN: Final = _COMING + 3 + _LAST_TURNS + 3


class Position(NamedTuple):
    """A decision of a seat.

    own     its hand
    rivals  the hands of the others, in turn
    turns   that can still be passed
    """

    own: Hand
    rivals: tuple[Hand, ...]
    drew: bool
    stole: bool
    exchanged: bool
    exchanging: bool
    turns: int

    @classmethod
    def of(cls, view: NottyView) -> "Position":
        """The decision of the seat that looks."""
        first, *rivals = [*view.hands[view.seat :], *view.hands[: view.seat]]
        return Position(
            hand_of(first),
            tuple([hand_of(cards) for cards in rivals]),
            view.drew,
            view.stole,
            view.exchanged,
            view.exchanging,
            view.turn_limit() - view.turns,
        )

    def deck(self) -> Hand:
        """The kinds in the deck, as for a hand."""
        held, twice = self.own
        for ones, twos in self.rivals:
            twice |= twos | held & ones
            held |= ones
        return _ALL & ~twice, _ALL & ~held

    def rows(self, legal: Sequence[int], seat: int = 0) -> list[list[int]]:
        """A row of codes for each legal action.

        seat   of the own hand, by which thefts are numbered
        """
        own, rivals, drew, stole, exchanged, _, turns = self
        seats = len(rivals) + 1
        table = [mask for hand in rivals for mask in hand]
        table += [0] * (2 * _RIVALS - len(table))
        table += self.deck()
        after = [*table, _NOTHING, drew, stole, exchanged, turns, seats]
        rows: list[list[int]] = []
        for action in legal:
            if action >= DISCARD:
                mask = 1 << action - DISCARD if action < GROUP else GROUP_MASKS[action - GROUP]
                rows.append([*without(own, mask), *after])
            elif action == PASS:
                rows.append([*own, *table, _RIVALS_TURN, 0, 0, 0, turns - 1, seats])
            elif action == EXCHANGE:
                rows.append([*own, *table, _CARD, drew, stole, 1, turns, seats])
            elif action >= STEAL:
                theft = _THEFT + (action - STEAL - seat) % seats - 1
                rows.append([*own, *table, theft, drew, 1, exchanged, turns, seats])
            else:
                drawn = _ONE + action - DRAW
                rows.append([*own, *table, drawn, 1, stole, exchanged, turns, seats])
        return rows


class NottyPositions(Encoding):
    game = "notty"
    version = 1
    columns = _PLAYERS + 1
    size = _OF_CARDS + _OF_TURN
    moves = (1,)

    def __reduce__(self) -> tuple[object, ...]:
        return notty_encoding, ()

    def read(self, view: View, legal: Sequence[int]) -> Reading:
        assert isinstance(view, NottyView)
        rows = Position.of(view).rows(legal, view.seat)
        return Reading(rows, list(range(len(legal))), [(0,)] * len(legal))

    def expand(self, codes: Integers) -> Floats:
        inputs: Floats = np.zeros((len(codes), self.size), dtype=np.float32)
        # Most actions of a decision lead to the same cards.
        heads, place = _distinct(codes[:, :_COME])
        inputs[:, :_OF_CARDS] = _cards(codes[heads])[place]
        rows = np.arange(len(codes))
        column = _OF_CARDS
        inputs[rows, column + codes[:, _COME]] = 1
        column += _COMING
        inputs[:, column : column + 3] = codes[:, _HAS_DRAWN : _HAS_EXCHANGED + 1]
        column += 3
        turns = codes[:, _TURNS]
        inputs[rows, column + np.minimum(turns, _LAST_TURNS - 1)] = 1
        column += _LAST_TURNS
        inputs[:, column] = np.minimum(turns / _LONG, 1)
        inputs[:, column + 1] = np.minimum(turns / _WHOLE, 1)
        inputs[:, column + 2] = codes[:, _PLAYERS] - 2
        return inputs


def _distinct(rows: Integers) -> tuple[Integers, Integers]:
    """The numbers of the rows that differ from the one before, and for each row the place of its
    equal among these."""
    differs = np.ones(len(rows), dtype=bool)
    differs[1:] = (rows[1:] != rows[:-1]).any(axis=1)
    return np.flatnonzero(differs), np.cumsum(differs) - 1


def _cards(codes: Integers) -> Floats:
    """The inputs for the hands and the deck. Those of an absent rival are 0."""
    inputs: Floats = np.zeros((len(codes), _OF_CARDS), dtype=np.float32)
    own = HandFacts(codes[:, _OWN], codes[:, _OWN + 1])
    own_counts = counts_of(codes[:, _OWN], codes[:, _OWN + 1])
    deck = PACK.copies - own_counts
    for rival in range(_RIVALS):
        ones = codes[:, _FIRST_RIVAL + 2 * rival]
        twos = codes[:, _FIRST_RIVAL + 2 * rival + 1]
        present = np.flatnonzero(ones)
        if not len(present):
            continue
        heads, place = _distinct(codes[present][:, _FIRST_RIVAL:_COME])
        first = present[heads]
        facts = HandFacts(ones[first], twos[first])
        counts = counts_of(ones[first], twos[first])
        deck[present] -= counts[place]
        deck_before = counts_of(codes[first, _DECK], codes[first, _DECK + 1])
        described = [
            np.hstack([_hand(facts), _outlook(facts.gains, facts.left, deck_before)])[place],
            _outlook(facts.gains[place], facts.left[place], own_counts[present]),
            _outlook(own.gains[present], own.left[present], counts[place]),
        ]
        start = _OF_HAND + _OUTLOOK + rival * _OF_RIVAL
        inputs[present, start : start + _OF_RIVAL] = np.hstack(described)
    inputs[:, :_OF_HAND] = _hand(own)
    inputs[:, _OF_HAND : _OF_HAND + _OUTLOOK] = _outlook(own.gains, own.left, deck)
    return inputs


def _hand(facts: HandFacts) -> Floats:
    """What each hand is like."""
    inputs: Floats = np.zeros((len(facts.size), _OF_HAND), dtype=np.float32)
    rows = np.arange(len(inputs))
    inputs[rows, facts.size] = 1
    inputs[rows, MOST_HELD + 1 + np.minimum(facts.left, _MOST_LEFT)] = 1
    inputs[:, -5] = facts.size / MOST_HELD
    inputs[:, -4] = facts.left / _MOST_LEFT
    inputs[:, -3] = facts.breach
    inputs[:, -2] = facts.near / 10
    inputs[:, -1] = facts.thirds / 3
    return inputs


def _outlook(gains: Small, left: Integers, supply: Small) -> Floats:
    """How a random card of a supply would help each hand: the chances of each gain, that no more
    than one card remains, that none does, and the mean gain."""
    rows = len(gains)
    cards = supply.reshape(rows, KINDS).astype(np.float32)
    cards /= np.maximum(cards.sum(axis=1, keepdims=True), 1)
    helps = gains.reshape(rows, KINDS)
    inputs: Floats = np.zeros((rows, _OUTLOOK), dtype=np.float32)
    chances: Floats = np.zeros((rows, MOST_GAIN + 2), dtype=np.float32)
    chances[:, 0] = 1
    for gain in range(1, MOST_GAIN + 1):
        chances[:, gain] = (cards * (helps >= gain)).sum(axis=1)
    inputs[:, :MOST_GAIN] = chances[:, 1:-1]
    every = np.arange(rows)
    inputs[:, MOST_GAIN] = chances[every, np.minimum(left, MOST_GAIN + 1)]
    inputs[:, MOST_GAIN + 1] = chances[every, np.minimum(left + 1, MOST_GAIN + 1)]
    useful = np.arange(1, MOST_GAIN + 1) <= left[:, None]
    inputs[:, MOST_GAIN + 2] = (chances[:, 1:-1] * useful).sum(axis=1)
    return inputs


@cache
def notty_encoding() -> NottyPositions:
    return NottyPositions()
