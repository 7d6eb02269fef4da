"""Look-ahead with the learned network: every card that an action may bring, and the best reply.

Hands are open and the deck is known except for its order, so the outcomes of an exchange, a theft
and a draw of one card can be listed. Draws of several cards are sampled.
"""

from collections.abc import Iterator, Sequence
from random import Random
from typing import Final

import numpy as np

from agents.learners.neural import NeuralLearner
from agents.notty.encoding import Position
from agents.notty.rules import Hand, Scores, with_card, without
from engine.cards import cards_in
from engine.games.notty import DRAW, EXCHANGE, PASS, STEAL, NottyView

_WON: Final = 1.0
_LOST: Final = -1.0

Outcome = tuple[float, Position]
"""A possible next decision of the same seat, and its weight."""


class Lookahead:
    """Scores actions by the chance to win.

    learner   whose network values positions from -1, lost, to 1, won
    draws     samples of each draw of several cards
    """

    def __init__(self, learner: NeuralLearner, draws: int) -> None:
        self._learner = learner
        self._draws = draws

    def scores(self, view: NottyView, legal: Sequence[int], rng: Random) -> Scores:
        position = Position.of(view)
        seats = len(view.hands)
        rows: list[list[int]] = []
        starts: list[int] = []
        weights: list[float] = []
        owners: list[int] = []
        lost: list[float] = [0.0] * len(legal)
        for number, action in enumerate(legal):
            if action >= PASS:
                starts.append(len(rows))
                weights.append(1.0)
                owners.append(number)
                rows += position.rows([action])
                continue
            relative = action
            if STEAL <= action < EXCHANGE:
                relative = STEAL + (action - STEAL - view.seat) % seats
            for weight, after in self._outcomes(position, relative, rng):
                if not all(ones for ones, _ in after.rivals):
                    lost[number] += weight * _LOST
                    continue
                starts.append(len(rows))
                weights.append(weight)
                owners.append(number)
                rows += after.rows(after.legal())
        codes = np.array(rows, dtype=np.int64)
        places = np.arange(len(codes))
        values = self._learner.values(0, codes, places, np.zeros((len(codes), 1), dtype=np.int64))
        values = np.where(codes[:, 0] == 0, _WON, np.clip(values, _LOST, _WON))
        best = np.maximum.reduceat(values, starts) * weights
        totals = np.bincount(owners, best, len(legal)) + lost
        return {action: (float(total) + 1) / 2 for action, total in zip(legal, totals, strict=True)}

    def _outcomes(self, now: Position, action: int, rng: Random) -> Iterator[Outcome]:
        if action == EXCHANGE:
            for weight, card in _cards(now.deck()):
                own = with_card(now.own, card)
                yield weight, now._replace(own=own, exchanged=True, exchanging=True)
        elif action >= STEAL:
            place = action - STEAL - 1
            for weight, card in _cards(now.rivals[place]):
                rivals = list(now.rivals)
                rivals[place] = without(rivals[place], 1 << card)
                own = with_card(now.own, card)
                yield weight, now._replace(own=own, rivals=tuple(rivals), stole=True)
        elif action == DRAW:
            for weight, card in _cards(now.deck()):
                yield weight, now._replace(own=with_card(now.own, card), drew=True)
        else:
            ones, twos = now.deck()
            deck = cards_in(ones) + cards_in(twos)
            for _ in range(self._draws):
                own = now.own
                for card in rng.sample(deck, action - DRAW + 1):
                    own = with_card(own, card)
                yield 1 / self._draws, now._replace(own=own, drew=True)


def _cards(cards: Hand) -> list[tuple[float, int]]:
    """The kinds among some cards with the chance to meet each."""
    ones, twos = cards
    count = ones.bit_count() + twos.bit_count()
    return [((1 + (twos >> card & 1)) / count, card) for card in cards_in(ones)]
