"""What learners share whose knowledge is in networks: how they remember samples, learn from
them, and keep and put together what they know."""

from collections.abc import Sequence
from typing import Any, Final, NamedTuple

import numpy as np

from agents.learners.feature_learner import FeatureLearner
from agents.learners.features import Perception
from agents.learners.network import Floats, Network
from agents.learners.settings import LearningSettings

BATCH: Final = 128
"""Samples of one step of learning."""

EVERY: Final = 32
"""How many new samples make it learn once."""

MEMORY: Final = 100_000
"""The latest samples that are kept, for each network."""

_FIRST_SEED: Final = 1


class Fresh(NamedTuple):
    """By how much the weights of each network have changed, in so many steps of learning."""

    changes: list[Floats]
    steps: list[int]


class Replay:
    """The latest samples: rows of inputs with the outputs that would have been right."""

    def __init__(self, inputs: int, outputs: int) -> None:
        self._rows = np.empty((0, inputs), dtype=np.float16)
        self._targets: Floats = np.empty((0, outputs), dtype=np.float32)
        self._seen = 0

    def add(self, row: Floats, target: Floats | float) -> None:
        place = self._seen % MEMORY
        if place == len(self._rows):
            more = min(MEMORY, max(BATCH, 2 * place))
            self._rows = np.resize(self._rows, (more, self._rows.shape[1]))
            self._targets = np.resize(self._targets, (more, self._targets.shape[1]))
        self._rows[place] = row
        self._targets[place] = target
        self._seen += 1

    def draw(self, chance: np.random.Generator) -> tuple[Floats, Floats]:
        """Some of the samples at random."""
        places = chance.integers(0, min(self._seen, MEMORY), BATCH)
        return self._rows[places].astype(np.float32), self._targets[places]


class NetworkLearner(FeatureLearner):
    """Has a network for each part of a game, and learns from samples in small batches."""

    def __init__(
        self,
        perception: Perception,
        shapes: Sequence[Sequence[int]],
        settings: LearningSettings,
        name: str = "",
        learning: bool = True,
    ) -> None:
        """shapes: the sizes of each network's layers."""
        super().__init__(perception, settings, name, learning)
        self._networks = [Network(sizes, _FIRST_SEED + at) for at, sizes in enumerate(shapes)]
        self._forget_the_way()
        self._begin_count()

    def _forget_the_way(self) -> None:
        """Know nothing but the weights: no samples, and no direction they were moving in."""
        for network in self._networks:
            network.start_descent()
        self._replays = [Replay(each.sizes[0], each.sizes[-1]) for each in self._networks]
        self._waiting = [0] * len(self._networks)
        self._chance = np.random.default_rng(_FIRST_SEED)

    def _begin_count(self) -> None:
        """What is known now counts as saved, and as known to those who learn along."""
        self._saved = [network.weights.copy() for network in self._networks]
        self._unsaved_steps = [0] * len(self._networks)
        self._known = self._saved
        self._steps = [0] * len(self._networks)

    def _count_step(self, part: int) -> None:
        self._steps[part] += 1
        self._unsaved_steps[part] += 1

    def _sample(self, part: int, row: Floats, target: Floats | float) -> None:
        """Remember a sample, and learn when enough are new."""
        self._replays[part].add(row, target)
        self._waiting[part] += 1
        if self._waiting[part] >= EVERY:
            self._waiting[part] = 0
            self._count_step(part)
            rows, targets = self._replays[part].draw(self._chance)
            pace = self.settings.alpha_after(self._counts.updates)
            self._networks[part].learn(rows, lambda outputs: self._errors(outputs, targets), pace)

    def _errors(self, outputs: Floats, targets: Floats) -> Floats:
        """How the loss of each sample changes with each of its outputs: as squares do."""
        return outputs - targets

    # Keeping

    def fingerprint(self) -> str:
        shapes = ", ".join(["-".join(map(str, network.sizes)) for network in self._networks])
        return f"{super().fingerprint()} | networks {shapes}"

    def compact(self, least: int) -> None:
        for network in self._networks:
            network.shorten()

    def _size(self) -> int:
        if not self._counts.updates:
            return 0
        return sum([len(network.weights) for network in self._networks])

    def _knowledge(self) -> dict[str, object]:
        return {"networks": [network.dump() for network in self._networks]}

    def _know(self, data: dict[str, object]) -> None:
        stored = data.get("networks")
        if not isinstance(stored, list) or len(stored) != len(self._networks):
            raise ValueError("networks are missing")
        known = [network.read(each) for network, each in zip(self._networks, stored, strict=True)]
        for network, weights in zip(self._networks, known, strict=True):
            network.weights[:] = weights
        self._begin_count()

    def take_delta(self) -> dict[str, Any]:
        """Everything, since every weight changes. What is not saved yet stays so."""
        self._known = [network.weights.copy() for network in self._networks]
        self._steps = [0] * len(self._networks)
        return self.dump()

    def apply_delta(self, delta: dict[str, Any]) -> None:
        """What is learned from here on depends on nothing but what the other one knows,
        whatever this one has played before."""
        super().apply_delta(delta)
        self._forget_the_way()

    def _fresh_knowledge(self) -> Fresh:
        changes = [
            network.weights - saved
            for network, saved in zip(self._networks, self._saved, strict=True)
        ]
        return Fresh(changes, list(self._unsaved_steps))

    def _add_knowledge(self, fresh: Fresh) -> None:
        """Two changes of the same weights become their mean, by the steps behind each."""
        for part, (theirs, steps) in enumerate(zip(fresh.changes, fresh.steps, strict=True)):
            if not steps:
                continue
            known, network = self._known[part], self._networks[part]
            both = self._steps[part] + steps
            ours = network.weights - known
            network.weights[:] = known + (ours * self._steps[part] + theirs * steps) / both
            self._steps[part] = both
            self._unsaved_steps[part] += steps
