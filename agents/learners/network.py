"""A small feed-forward network in numpy, trained with Adam."""

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]

PRECISE: Final = "<f4"
SHORT: Final = "<f2"
_LARGEST: Final = 1e4
"""Larger weights are rejected when loading: the file is damaged."""

# Parameters of Adam.
_MOMENTUM: Final = np.float32(0.9)
_SCALE_MEMORY: Final = np.float32(0.999)
_LEAST_SCALE: Final = np.float32(1e-6)


class Network:
    """Hidden layers of rectified linear units and a linear output layer. The weights of the
    output layer start at 0, so a new network finds all inputs equal.

    sizes    the widths of the inputs, each hidden layer and the outputs
    weights  all weights in one array: for each layer its matrix, then its biases
    """

    def __init__(self, sizes: Sequence[int], seed: int) -> None:
        self.sizes = tuple(sizes)
        chance = np.random.default_rng(seed)
        count = sum([(ins + 1) * outs for ins, outs in pairwise(self.sizes)])
        self.weights: Floats = np.zeros(count, dtype=np.float32)
        self._layers = self._split(self.weights)
        for matrix, _ in self._layers[:-1]:
            matrix[:] = chance.normal(0, np.sqrt(2 / len(matrix)), matrix.shape)
        self.start_descent()

    def start_descent(self) -> None:
        """Reset the optimiser, as if these weights were the initial ones."""
        self._momentum: Floats = np.zeros_like(self.weights)
        self._scale: Floats = np.zeros_like(self.weights)
        self._steps = 0

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in self.__dict__.items() if name != "_layers"}

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Rebuild the layers: they are views of `weights`, which pickling would copy."""
        self.__dict__.update(state)
        self._layers = self._split(self.weights)

    def _split(self, weights: Floats) -> list[tuple[Floats, Floats]]:
        layers = []
        at = 0
        for ins, outs in pairwise(self.sizes):
            matrix = weights[at : at + ins * outs].reshape(ins, outs)
            at += ins * outs
            layers.append((matrix, weights[at : at + outs]))
            at += outs
        return layers

    def outputs(self, rows: Floats) -> Floats:
        """A row of outputs for each row of inputs."""
        return self.activations(rows)[-1]

    def outputs_of_choices(
        self, rows: Floats, counts: NDArray[np.int64], choices: NDArray[np.int64]
    ) -> Floats:
        """The output for each choice of each row, one after the other.

        counts    for each row the number of its choices
        choices   the numbers of all choices. The last inputs of the network stand for them

        The first layer is computed once for each row, whatever the number of its choices.
        """
        matrix, biases = self._layers[0]
        inputs = rows.shape[1]
        first: Floats = rows @ matrix[:inputs]
        first += biases
        hidden: Floats = first[np.repeat(np.arange(len(counts)), counts)]
        hidden += matrix[inputs:][choices]
        np.maximum(hidden, 0, out=hidden)
        for matrix, biases in self._layers[1:-1]:
            hidden = hidden @ matrix
            hidden += biases
            np.maximum(hidden, 0, out=hidden)
        matrix, biases = self._layers[-1]
        outputs: Floats = (hidden @ matrix + biases)[:, 0]
        return outputs

    def activations(self, rows: Floats) -> list[Floats]:
        """The inputs, then the output of each layer."""
        activations = [rows]
        for matrix, biases in self._layers[:-1]:
            rows = np.maximum(rows @ matrix + biases, 0)
            activations.append(rows)
        matrix, biases = self._layers[-1]
        activations.append(rows @ matrix + biases)
        return activations

    def gradient(self, activations: Sequence[Floats], errors: Floats) -> Floats:
        """The gradient of the mean loss with respect to the weights.

        errors   the gradient of each row's loss with respect to its outputs
        """
        gradient = np.empty_like(self.weights)
        parts = self._split(gradient)
        back = errors / np.float32(len(errors))
        for at in range(len(parts) - 1, -1, -1):
            of_matrix, of_biases = parts[at]
            np.matmul(activations[at].T, back, out=of_matrix)
            np.sum(back, axis=0, out=of_biases)
            if at:
                back = (back @ self._layers[at][0].T) * (activations[at] > 0)
        return gradient

    def learn(
        self,
        rows: Floats,
        errors_of: Callable[[Floats], Floats],
        pace: float,
        fade: float = 0.0,
    ) -> None:
        """One optimiser step on these rows.

        errors_of   the gradient of each row's loss with respect to its outputs, given these
        pace        the learning rate
        fade        the weight decay, as a share of `pace`
        """
        activations = self.activations(rows)
        self._descend(self.gradient(activations, errors_of(activations[-1])), pace)
        if fade:
            self.weights *= np.float32(1 - fade * pace)

    def _descend(self, gradient: Floats, pace: float) -> None:
        """One step of Adam."""
        self._steps += 1
        self._momentum += (1 - _MOMENTUM) * (gradient - self._momentum)
        self._scale += (1 - _SCALE_MEMORY) * (gradient * gradient - self._scale)
        unbiased = pace / (1 - float(_MOMENTUM) ** self._steps)
        spread = np.sqrt(self._scale / np.float32(1 - float(_SCALE_MEMORY) ** self._steps))
        self.weights -= np.float32(unbiased) * self._momentum / (spread + _LEAST_SCALE)

    # Saving and loading

    def shorten(self) -> None:
        """Round all weights to half precision."""
        self.weights[:] = self.weights.astype(SHORT)

    def dump(self) -> dict[str, object]:
        """The weights as plain data, in half precision if that loses nothing."""
        short = self.weights.astype(SHORT)
        kind = SHORT if np.array_equal(short.astype(np.float32), self.weights) else PRECISE
        return {
            "shape": list(self.sizes),
            "type": kind,
            "weights": self.weights.astype(kind).tobytes(),
        }

    def read(self, data: object) -> Floats:
        """The weights that `dump` returned. Raises ValueError for anything else."""
        if not isinstance(data, dict) or data.get("shape") != list(self.sizes):
            raise ValueError("a network has another shape")
        kind, raw = data.get("type"), data.get("weights")
        if kind not in (PRECISE, SHORT) or not isinstance(raw, bytes):
            raise ValueError("the weights of a network are missing")
        if len(raw) != len(self.weights) * np.dtype(kind).itemsize:
            raise ValueError("a network has too few or too many weights")
        weights = np.frombuffer(raw, dtype=kind).astype(np.float32)
        if not (np.abs(weights) < _LARGEST).all():
            raise ValueError("some weights are not plausible numbers")
        return weights
