"""Network inputs for Notty: how far each hand is from going out after an action."""

from collections.abc import Sequence
from math import log1p
from typing import Final

import numpy as np

from agents.learners.encoding import Encoding, Part, Seen
from agents.notty.rules import Hand, Outlook, hand_of, size_of, with_card, without
from engine.games.notty import (
    DISCARD,
    DRAW,
    EXCHANGE,
    GROUP,
    GROUP_MASKS,
    PASS,
    STEAL,
    NottyView,
)

_KINDS: Final = 8
"""Kinds of actions: three draws, theft, exchange, pass, discard and group."""
_MOST_LEFT: Final = 9
_HAND: Final = _MOST_LEFT + 1 + 4
_RIVALS: Final = 2
_CLOSING: Final = 20
"""The turn limit is visible for this many turns."""
_TRIED: Final = 5
"""A theft is averaged over about this many cards of the victim."""
_SIZE: Final = _KINDS + 3 + 2 + _HAND * (1 + _RIVALS)

Row = list[float]


class NottyEncoding(Encoding[NottyView]):
    """Each action is described by the hands after it, or by an average over random cards."""

    game = "notty"
    version = 1
    parts = (Part("turn", _SIZE),)

    def encode(self, view: NottyView, legal: Sequence[int]) -> Seen:
        """Leaves out the theft of a last card, which would make its owner the winner."""
        position = _Position(view)
        actions = [
            action
            for action in legal
            if not STEAL <= action < EXCHANGE or len(view.hands[action - STEAL]) > 1
        ] or list(legal)
        rows = np.array([position.after(action) for action in actions], dtype=np.float32)
        return Seen(0, actions, rows)


class _Position:
    """The position at one decision, and the effect of each action."""

    def __init__(self, view: NottyView) -> None:
        seats = len(view.hands)
        self._view = view
        self._hand = hand_of(view.hands[view.seat])
        self._outlook = Outlook(view.deck)
        self._known: dict[Hand, Row] = {}
        self._others = [(view.seat + step) % seats for step in range(1, seats)]
        self._rivals = {seat: self._row(hand_of(view.hands[seat])) for seat in self._others}
        left = max(view.turn_limit() - view.turns, 0)
        self._limit = [min(left, _CLOSING) / _CLOSING, float(left <= seats)]

    def after(self, action: int) -> Row:
        view = self._view
        free = [not view.drew, not view.stole, not view.exchanged]
        mine = self._hand
        own: Row | None = None
        rivals = self._rivals
        if action < STEAL:
            kind = action - DRAW
            free[0] = False
        elif action < EXCHANGE:
            kind = 3
            free[1] = False
            own, rivals = self._steal(action - STEAL)
        elif action == EXCHANGE:
            kind = 4
            free[2] = False
        elif action == PASS:
            kind = 5
            free = [False] * 3
        elif action < GROUP:
            kind = 6
            mine = without(mine, 1 << action - DISCARD)
        else:
            kind = 7
            mine = without(mine, GROUP_MASKS[action - GROUP])
        row = [0.0] * _KINDS
        row[kind] = 1.0
        row += map(float, free)
        row += self._limit
        row += own or self._row(mine)
        for seat in self._others:
            row += rivals[seat]
        return row + [0.0] * (_SIZE - len(row))

    def _steal(self, victim: int) -> tuple[Row, dict[int, Row]]:
        """Both hands after a theft, on average."""
        cards = self._view.hands[victim]
        tried = cards[:: -(-len(cards) // _TRIED)]
        theirs = hand_of(cards)
        own = _mean([self._row(with_card(self._hand, card)) for card in tried])
        rest = _mean([self._row(without(theirs, 1 << card)) for card in tried])
        return own, {**self._rivals, victim: rest}

    def _row(self, hand: Hand) -> Row:
        row = self._known.get(hand)
        if row is None:
            prospect = self._outlook.prospect(hand)
            row = [0.0] * (_MOST_LEFT + 1)
            row[min(prospect.left, _MOST_LEFT)] = 1.0
            row += [
                prospect.left / 5,
                size_of(hand) / 10,
                log1p(prospect.turns) / 3,
                1 / max(prospect.turns, 1.0),
            ]
            self._known[hand] = row
        return row


def _mean(rows: list[Row]) -> Row:
    return [sum(column) / len(rows) for column in zip(*rows, strict=True)]
