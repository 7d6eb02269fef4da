"""Weights of facts and of pairs of facts: the value of an action is the sum of all that apply.

A linear learner that sees a game as its network does, and learns from the same self-play. What it
lacks is anything between the facts and the value: no hidden layer finds facts of its own.
"""

from collections.abc import Callable, Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from agents.learners.encoding import Encoding
from agents.learners.network import Floats, Network
from agents.learners.neural import NeuralLearner
from agents.learners.rewards import HandRewards
from agents.learners.settings import NeuralSettings

PAIR_SETTINGS: Final = NeuralSettings(alpha=0.0003)


class PairWeights(Network):
    """A matrix of weights. Its rows are the inputs. Its columns are the number 1, the inputs that
    describe the action and, with `positions`, those that describe the situation. An output is the
    sum of the weights, each multiplied by the inputs of its row and of its column.

    inputs     that describe the situation
    choices    that describe the action, after these
    positions  whether there are weights for pairs of inputs of the situation. They matter only if
               actions differ by the situations they lead to
    """

    def __init__(self, inputs: int, choices: int, positions: bool, seed: int) -> None:
        self._inputs = inputs
        self._first_position = 1 + choices
        columns = 1 + choices + (inputs if positions else 0)
        super().__init__((inputs + choices, columns), seed)

    def outputs_of_choices(
        self, rows: Floats, places: NDArray[np.int64], choices: NDArray[np.int64]
    ) -> Floats:
        layers = self._layers if self.mean is None else self._split(self.mean)
        ((matrix, biases),) = layers
        sums: Floats = (rows @ matrix[: self._inputs] + biases)[places]
        for column in choices.T:
            sums += matrix[self._inputs :][column]
        outputs: Floats = sums[:, 0] + np.take_along_axis(sums, 1 + choices, axis=1).sum(axis=1)
        of_positions = sums[:, self._first_position :]
        if of_positions.shape[1]:
            outputs += (of_positions * rows[places]).sum(axis=1)
        return outputs

    def outputs(self, rows: Floats) -> Floats:
        ((matrix, biases),) = self._layers
        outputs: Floats = ((rows @ matrix + biases) * self._columns(rows)).sum(
            axis=1, keepdims=True
        )
        return outputs

    def _columns(self, rows: Floats) -> Floats:
        """The inputs of the columns."""
        one = np.ones((len(rows), 1), dtype=np.float32)
        parts = [one, rows[:, self._inputs :], rows[:, : self._inputs]]
        columns: Floats = np.hstack(parts)[:, : self.sizes[1]]
        return columns

    def learn(
        self,
        rows: Floats,
        errors_of: Callable[[Floats], Floats],
        pace: float,
        fade: float = 0.0,
    ) -> None:
        ((matrix, biases),) = self._layers
        columns = self._columns(rows)
        outputs = ((rows @ matrix + biases) * columns).sum(axis=1, keepdims=True)
        columns *= errors_of(outputs) / np.float32(len(rows))
        gradient = np.empty_like(self.weights)
        ((of_matrix, of_biases),) = self._split(gradient)
        np.matmul(rows.T, columns, out=of_matrix)
        np.sum(columns, axis=0, out=of_biases)
        self._descend(gradient, pace)
        if fade:
            self.weights *= np.float32(1 - fade * pace)


class PairLearner(NeuralLearner):
    """Learns as `neural` does, with such weights in place of a network."""

    name = "pairs"

    def __init__(
        self,
        encoding: Encoding,
        rewards: HandRewards,
        settings: NeuralSettings = PAIR_SETTINGS,
        name: str = "",
        learning: bool = True,
    ) -> None:
        super().__init__(encoding, rewards, settings, (), name, learning)

    def _new_network(self, sizes: Sequence[int], seed: int) -> Network:
        # Where nothing describes the actions, their positions do.
        choices = sum(self.encoding.moves)
        positions = choices == 1
        return PairWeights(self.encoding.size, choices, positions, seed)
