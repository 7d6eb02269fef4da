"""The network of the original Smear program: 120 inputs, 80 hidden units, 6 outputs.

It sees the cards in its hand, in the trick and played, but neither trump nor bet nor score. Each
output is a card in hand. It is a baseline for comparison.
"""

from random import Random
from typing import Final

import numpy as np

from agents.agent import Agent, Decision
from agents.learners.features import Perception
from agents.learners.imitation import Imitator
from agents.learners.network import Floats
from agents.learners.network_learner import NetworkLearner
from agents.learners.settings import LearningSettings
from agents.smear.rules import HardSmear, honest
from engine.cards import cards_in
from engine.game import View
from engine.games.smear import CARDS, HAND_SIZE, PLAYING, SmearView

SHAPE: Final = (3 * CARDS, 80, HAND_SIZE)
IMITATION: Final = LearningSettings(
    alpha=0.001, settle=500_000, epsilon=1.0, decay=0.99999, least=0.3
)
"""Epsilon is the share of decisions in which it plays the teacher's card."""


class CardsInPlaces(Perception):
    """One input for each card in hand, in the trick and played before."""

    game = "smear"

    def row(self, view: SmearView) -> Floats:
        trick = 0
        for _, card in view.trick:
            trick |= 1 << card
        cards = view.hand | trick << CARDS | (view.played & ~trick) << 2 * CARDS
        raw = np.frombuffer(cards.to_bytes(SHAPE[0] // 8, "little"), dtype=np.uint8)
        return np.unpackbits(raw, bitorder="little").astype(np.float32)

    def fingerprint(self) -> str:
        return f"{self.game}: cards in hand, in the trick and played"


class OriginalNetwork(Imitator, NetworkLearner):
    """Learns which card its teacher would play. Its inputs say nothing about bets and trump, so it
    leaves these to the teacher."""

    name = "neural-original"

    def __init__(
        self,
        teacher: Agent | None = None,
        settings: LearningSettings = IMITATION,
        learning: bool = True,
    ) -> None:
        self._cards = CardsInPlaces()
        super().__init__(self._cards, [SHAPE], settings, learning=learning)
        self.teacher = teacher or HardSmear()

    def act(self, view: View, legal: list[int], rng: Random) -> Decision:
        if not isinstance(view, SmearView):
            raise TypeError("This agent plays Smear only.")
        if view.phase != PLAYING:
            return self.teacher.act(view, legal, rng)
        hand = cards_in(view.hand)
        places = {card: hand.index(card) for card in honest(view, legal)}
        row = self._cards.row(view)
        chances = _chances(self._networks[0].outputs(row[None]))[0]
        action = max(places, key=lambda card: float(chances[places[card]]))
        if self.learning:
            advice = self.teacher.act(view, legal, rng).action
            if rng.random() < self._epsilon():
                action = advice
            self._count_action(explored=False)
            if len(places) > 1:
                self._learn(row, hand.index(advice), float(chances[hand.index(advice)]))
        scores = {card: float(chances[at]) for card, at in places.items()}
        return Decision(action, scores, f"probability that {self.teacher.name} plays this card")

    def _learn(self, row: Floats, place: int, before: float) -> None:
        target: Floats = np.zeros(HAND_SIZE, dtype=np.float32)
        target[place] = 1
        self._sample(0, row, target)
        now = float(_chances(self._networks[0].outputs(row[None]))[0, place])
        reason = f"{self.teacher.name} plays another card"
        self._count_update(1 - before, now - before, 0.0, (reason,))

    def _errors(self, outputs: Floats, targets: Floats) -> Floats:
        """The gradient of the cross-entropy."""
        return _chances(outputs) - targets

    def fingerprint(self) -> str:
        return f"{super().fingerprint()} | cards of {self.teacher.name}"


def _chances(outputs: Floats) -> Floats:
    """The softmax of each row."""
    powers = np.exp(outputs - outputs.max(axis=1, keepdims=True))
    chances: Floats = powers / powers.sum(axis=1, keepdims=True)
    return chances
