"""The bases of learners with networks: saving and merging, and a buffer of samples."""

from collections.abc import Sequence
from typing import Any, Final, NamedTuple

import numpy as np

from agents.learners.feature_learner import FeatureLearner
from agents.learners.features import Perception
from agents.learners.network import MOST_LEVEL, Floats, Network
from agents.learners.settings import LearningSettings

BATCH: Final = 128
"""Samples in one training step."""

EVERY: Final = 32
"""New samples between two training steps."""

MEMORY: Final = 100_000
"""The number of latest samples kept for each network."""

ROUGH_LEVELS: Final = 15
"""For early generations: half the size, and hardly any difference in play."""

_FIRST_SEED: Final = 1


class NewWeights(NamedTuple):
    """The change of each network's weights, and the training steps behind it."""

    changes: list[Floats]
    steps: list[int]


class ReplayBuffer:
    """The latest samples: rows of inputs and their target outputs."""

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
        """A random batch of samples."""
        places = chance.integers(0, min(self._seen, MEMORY), BATCH)
        return self._rows[places].astype(np.float32), self._targets[places]


class NetworkLearner(FeatureLearner):
    """Has one network for each part of a game."""

    TRANSIENT = frozenset({"tables", "_samples", "_compared"})
    size_unit = "weights"

    def __init__(
        self,
        perception: Perception,
        shapes: Sequence[Sequence[int]],
        settings: LearningSettings,
        name: str = "",
        learning: bool = True,
    ) -> None:
        """shapes: the layer sizes of each network."""
        super().__init__(perception, settings, name, learning)
        self._networks = [
            self._new_network(sizes, _FIRST_SEED + at) for at, sizes in enumerate(shapes)
        ]
        self._forget_samples()
        self._mark_saved()

    def _new_network(self, sizes: Sequence[int], seed: int) -> Network:
        return Network(sizes, seed)

    def _forget_samples(self) -> None:
        """Drop all samples and the state of the optimisers. Only the weights stay."""
        for network in self._networks:
            network.start_descent()
        self._waiting = [0] * len(self._networks)
        self._chance = np.random.default_rng(_FIRST_SEED)

    def _mark_saved(self) -> None:
        """Mark the weights as saved, and as known to the workers."""
        self._saved = [network.weights.copy() for network in self._networks]
        self._unsaved_steps = [0] * len(self._networks)
        self._known = self._saved
        self._steps = [0] * len(self._networks)

    def _count_step(self, part: int) -> None:
        self._steps[part] += 1
        self._unsaved_steps[part] += 1

    # Saving, loading and merging

    def fingerprint(self) -> str:
        shapes = ", ".join(["-".join(map(str, network.sizes)) for network in self._networks])
        return f"{super().fingerprint()} | networks {shapes}"

    def compact(self, least: int, rough: bool = False) -> None:
        for network in self._networks:
            network.shorten(ROUGH_LEVELS if rough else MOST_LEVEL)

    def _size(self) -> int:
        if not self._counts.updates:
            return 0
        return sum([len(network.weights) for network in self._networks])

    def _dump_knowledge(self) -> dict[str, object]:
        return {"networks": [network.dump() for network in self._networks]}

    def _restore_knowledge(self, data: dict[str, object]) -> None:
        stored = data.get("networks")
        if not isinstance(stored, list) or len(stored) != len(self._networks):
            raise ValueError("networks are missing")
        known = [network.read(each) for network, each in zip(self._networks, stored, strict=True)]
        for network, weights in zip(self._networks, known, strict=True):
            network.weights[:] = weights
            network.mean = None
        self._mark_saved()

    def take_delta(self) -> dict[str, Any]:
        """All weights, since every one changes. Unsaved steps stay unsaved."""
        self._known = [network.weights.copy() for network in self._networks]
        self._steps = [0] * len(self._networks)
        return self.dump()

    def apply_delta(self, delta: dict[str, Any]) -> None:
        """Also drop all samples: further learning must depend on the delta alone, not on what
        this learner played before."""
        super().apply_delta(delta)
        self._forget_samples()

    def _new_knowledge(self) -> NewWeights:
        changes = [
            network.weights - saved
            for network, saved in zip(self._networks, self._saved, strict=True)
        ]
        return NewWeights(changes, list(self._unsaved_steps))

    def _merge_knowledge(self, new: NewWeights) -> None:
        """Average both changes, weighted by the training steps behind them."""
        for part, (theirs, steps) in enumerate(zip(new.changes, new.steps, strict=True)):
            if not steps:
                continue
            known, network = self._known[part], self._networks[part]
            both = self._steps[part] + steps
            ours = network.weights - known
            network.weights[:] = known + (ours * self._steps[part] + theirs * steps) / both
            network.mean = None
            self._steps[part] = both
            self._unsaved_steps[part] += steps


class ReplayLearner(NetworkLearner):
    """Trains on random batches of its latest samples."""

    def _forget_samples(self) -> None:
        super()._forget_samples()
        self._replays = [ReplayBuffer(each.sizes[0], each.sizes[-1]) for each in self._networks]

    def _sample(self, part: int, row: Floats, target: Floats | float) -> None:
        """Store a sample, and train after every `EVERY` new ones."""
        self._replays[part].add(row, target)
        self._waiting[part] += 1
        if self._waiting[part] >= EVERY:
            self._waiting[part] = 0
            self._count_step(part)
            rows, targets = self._replays[part].draw(self._chance)
            pace = self.settings.alpha_after(self._counts.updates)
            self._networks[part].learn(rows, lambda outputs: self._errors(outputs, targets), pace)

    def _errors(self, outputs: Floats, targets: Floats) -> Floats:
        """The gradient of the squared error, by sample and output."""
        return outputs - targets
