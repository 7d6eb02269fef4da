"""A judge sees all hands while a network learns, and reckons how much was the luck of the deal.

The result of a hand depends more on the cards than on the choice that a network learns from. The
judge is a second network, which knows from all hands what the side to act may expect. What it
expects more or less than the player, who sees one hand, is luck: no choice could change it, so
taking it out of the result leaves the best choice the same, and far less noise around it.

The judge exists only in self-play. It learns from the same results, starts knowing nothing, and
players never see what it sees.
"""

from collections.abc import Sequence
from typing import Final

import numpy as np

from agents.learners.encoding import Encoding, Floats, Integers
from agents.learners.network import Network
from agents.learners.neural import Samples
from agents.learners.settings import NeuralSettings
from engine.game import State, View

_HIDDEN: Final = (128, 64)
_FIRST_SEED: Final = 101
_MEMORY: Final = 20_000
"""How many of the latest decisions say how much the judge is to be believed, about."""


class OpenHands:
    """All hands as numbers: the row of the seat to act, then what each other seat alone sees."""

    def __init__(self, encoding: Encoding, hidden: Encoding) -> None:
        """hidden: the encoding of what each seat alone sees."""
        self._own = encoding
        self._hidden = hidden
        self._others = encoding.most_seats - 1
        self.columns = encoding.columns + self._others * hidden.columns
        self.size = encoding.size + self._others * hidden.size

    def read(self, state: State, view: View, row: Sequence[int]) -> list[int]:
        """row: of the seat to act, as its encoding reads its view."""
        codes = list(row)
        for step in range(1, self._others + 1):
            if step < state.seats:
                other = state.view((view.seat + step) % state.seats)
                codes += self._hidden.row(other, row[0])
            else:
                codes += [0] * self._hidden.columns
        return codes

    def expand(self, codes: Integers) -> Floats:
        own = self._own.columns
        hidden = codes[:, own:].reshape(len(codes) * self._others, -1)
        others = self._hidden.expand(hidden).reshape(len(codes), -1)
        return np.concatenate([self._own.expand(codes[:, :own]), others], axis=1)


def judge_for(encoding: Encoding, settings: NeuralSettings) -> "Judge | None":
    """A judge that knows nothing yet; None if the settings want none, or if seats hide nothing
    from each other."""
    hidden = encoding.hidden() if settings.hindsight else None
    if hidden is None:
        return None
    return Judge(OpenHands(encoding, hidden), encoding.networks, settings)


class Judge:
    """One network for each of the learner's."""

    def __init__(self, hands: OpenHands, networks: int, settings: NeuralSettings) -> None:
        self.hands = hands
        self._settings = settings
        self._networks = [
            Network((self.hands.size, *_HIDDEN, 1), _FIRST_SEED + at) for at in range(networks)
        ]
        self._samples = [Samples(self.hands.columns, 0, settings.replay) for _ in self._networks]
        self._waiting = [0 for _ in self._networks]
        self._moments = [np.zeros(2) for _ in self._networks]
        self._chance = np.random.default_rng(_FIRST_SEED)
        self._updates = 0

    def values(self, network: int, codes: Integers) -> Floats:
        """What the side to act may expect from the hand, for each row."""
        rows = self.hands.expand(codes)
        none = np.empty((len(codes), 0), dtype=np.int64)
        return self._networks[network].outputs_of_choices(rows, np.arange(len(codes)), none)

    def without_luck(
        self, network: int, targets: Floats, expected: Floats, judged: Floats
    ) -> Floats:
        """The targets of decisions without the luck that the judge has seen.

        expected   by the player, who took the best move
        judged     by the judge
        """
        luck = judged - expected
        # The share that leaves the least noise. A judge that knows nothing takes nothing out.
        moments = self._moments[network]
        moments *= max(0.0, 1 - len(luck) / _MEMORY)
        moments += (float(luck @ (targets - expected)), float(luck @ luck))
        share = min(max(moments[0] / max(moments[1], 1e-9), 0.0), self._settings.hindsight)
        left: Floats = targets - np.float32(share) * luck
        return left

    def learn(self, network: int, codes: Integers, targets: Floats) -> None:
        """Store positions with their outcomes, and train once for each batch of new ones."""
        self._samples[network].add(codes, np.empty((len(codes), 0), dtype=np.int64), targets)
        self._waiting[network] += len(codes)
        self._updates += len(codes)
        while True:
            batch = self._settings.batch_after(self._updates)
            if self._waiting[network] < batch:
                return
            self._waiting[network] -= batch
            rows, _, outcomes = self._samples[network].draw(batch, self._chance)
            self._networks[network].learn(
                self.hands.expand(rows),
                lambda outputs, known=outcomes: outputs - known[:, None],  # type: ignore[misc]
                self._settings.alpha_after(self._updates),
            )
