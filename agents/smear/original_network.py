"""The network of the original Smear program: 120 inputs, 80 hidden units, 6 outputs.

It sees the cards in its hand, in the trick and played, but neither trump nor bet nor score. Each
output is a card in hand. A second network with the same inputs bets and names trump, which the
original program left to its rules. It is a baseline for comparison.
"""

from collections.abc import Sequence
from random import Random
from typing import Final

import numpy as np

from agents.agent import Agent, Decision
from agents.learners.features import Perception
from agents.learners.imitation import Imitator
from agents.learners.network import Floats
from agents.learners.network_learner import ReplayLearner
from agents.learners.settings import LearningSettings
from agents.smear.rules import HardSmear
from engine.cards import cards_in
from engine.game import View
from engine.games.smear import CARDS, HAND_SIZE, PLAYING, SmearView
from engine.games.smear import GAME as SMEAR

SHAPE: Final = (3 * CARDS, 80, HAND_SIZE)
BID_SHAPE: Final = (3 * CARDS, 80, SMEAR.num_actions - CARDS)
IMITATION: Final = LearningSettings(alpha=0.001, settle=500_000.0, epsilon=0.0, least=0.0)

_PLAYS, _BIDS = range(2)


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


class OriginalNetwork(Imitator, ReplayLearner):
    """Learns what its teacher would do. It asks the teacher only while learning."""

    name = "neural-original"

    def __init__(
        self,
        teacher: Agent | None = None,
        settings: LearningSettings = IMITATION,
        learning: bool = True,
    ) -> None:
        self._cards = CardsInPlaces()
        super().__init__(self._cards, [SHAPE, BID_SHAPE], settings, learning=learning)
        self.teacher = teacher or HardSmear()
        for network in self._networks:
            # Without output weights all actions are equal at first.
            _, hidden, outputs = network.sizes
            network.weights[-(hidden + 1) * outputs :] = 0
        self._mark_saved()

    def act(self, view: View, legal: list[int], rng: Random) -> Decision:
        if not isinstance(view, SmearView):
            raise TypeError("This agent plays Smear only.")
        part = _PLAYS if view.phase == PLAYING else _BIDS
        places = _places(view, legal)
        row = self._cards.row(view)
        chances = _chances(self._networks[part].outputs(row[None]))[0].tolist()
        scores = {action: chances[place] for action, place in places.items()}
        best = max(scores.values())
        action = rng.choice([each for each, chance in scores.items() if chance == best])
        if self.learning:
            advice = self.teacher.act(view, legal, rng).action
            self._count_action(explored=False)
            if len(legal) > 1:
                self._learn(part, row, places[advice], scores[advice])
        return Decision(action, scores, f"probability that {self.teacher.name} does this")

    def _learn(self, part: int, row: Floats, place: int, before: float) -> None:
        network = self._networks[part]
        target: Floats = np.zeros(network.sizes[-1], dtype=np.float32)
        target[place] = 1
        self._sample(part, row, target)
        now = float(_chances(network.outputs(row[None]))[0, place])
        reason = f"{self.teacher.name} would do something else"
        self._count_update(1 - before, now - before, 0.0, (reason,))

    def _errors(self, outputs: Floats, targets: Floats) -> Floats:
        """The gradient of the cross-entropy."""
        return _chances(outputs) - targets

    def fingerprint(self) -> str:
        return f"{super().fingerprint()} | cards of {self.teacher.name}"


def _places(view: SmearView, legal: Sequence[int]) -> dict[int, int]:
    """The output of each legal action."""
    if view.phase != PLAYING:
        return {action: action - CARDS for action in legal}
    hand = cards_in(view.hand)
    return {card: hand.index(card) for card in legal}


def _chances(outputs: Floats) -> Floats:
    """The softmax of each row."""
    powers = np.exp(outputs - outputs.max(axis=1, keepdims=True))
    chances: Floats = powers / powers.sum(axis=1, keepdims=True)
    return chances
