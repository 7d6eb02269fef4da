"""A small feed-forward network in numpy, trained with Adam."""

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]

PRECISE: Final = "<f4"
SHORT: Final = "<i1"
MOST_LEVEL: Final = 127
_LARGEST: Final = 1e4
"""Larger weights are rejected when loading: the file is damaged."""

_AVERAGED_EVERY: Final = 10
_AVERAGED_FIRST: Final = 10
_AVERAGED_MOST: Final = 500
"""The mean weights count every so many steps. At first all steps count, later those of about
the last tenth of training, and at most the last so many of those counted."""

_BLOCK: Final = 128
"""Choices at a time, so that their hidden layers stay in the processor's cache."""

# Parameters of Adam.
_MOMENTUM: Final = np.float32(0.9)
_SCALE_MEMORY: Final = np.float32(0.999)
_LEAST_SCALE: Final = np.float32(1e-6)


class Network:
    """Hidden layers of rectified linear units and a linear output layer. The weights of the
    output layer start at 0, so a new network finds all inputs equal.

    sizes    the widths of the inputs, each hidden layer and the outputs
    weights  all weights in one array: for each layer its matrix, then its biases
    mean     the weights averaged over the latest training steps; None before there were any.
             They predict better than the last ones, so that outputs of choices and dumps are
             theirs. Only training uses the last ones
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
        self.mean: Floats | None = None
        self._averaged = 0

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
        self, rows: Floats, places: NDArray[np.int64], choices: NDArray[np.int64]
    ) -> Floats:
        """The output for each choice.

        places    for each choice the number of its row
        choices   for each choice a row of those of the last inputs that are 1, as numbers

        The first layer is computed once for each row, whatever the number of its choices.
        """
        layers = self._layers if self.mean is None else self._split(self.mean)
        matrix, biases = layers[0]
        inputs = rows.shape[1]
        first: Floats = rows @ matrix[:inputs]
        first += biases
        of_choices = matrix[inputs:]
        outputs: Floats = np.empty(len(places), dtype=np.float32)
        for start in range(0, len(places), _BLOCK):
            block = slice(start, start + _BLOCK)
            hidden: Floats = first[places[block]]
            for column in choices[block].T:
                hidden += of_choices[column]
            np.maximum(hidden, 0, out=hidden)
            for matrix, biases in layers[1:-1]:
                hidden = hidden @ matrix
                hidden += biases
                np.maximum(hidden, 0, out=hidden)
            matrix, biases = layers[-1]
            outputs[block] = (hidden @ matrix + biases)[:, 0]
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
        # Computed in place: a step has as many numbers as the network has weights.
        self._steps += 1
        self._momentum *= _MOMENTUM
        self._momentum += (1 - _MOMENTUM) * gradient
        np.square(gradient, out=gradient)
        gradient *= 1 - _SCALE_MEMORY
        self._scale *= _SCALE_MEMORY
        self._scale += gradient
        unbiased = pace / (1 - float(_MOMENTUM) ** self._steps)
        np.multiply(
            self._scale, np.float32(1 / (1 - float(_SCALE_MEMORY) ** self._steps)), gradient
        )
        np.sqrt(gradient, out=gradient)
        gradient += _LEAST_SCALE
        np.divide(self._momentum, gradient, out=gradient)
        gradient *= np.float32(unbiased)
        self.weights -= gradient
        if self._steps % _AVERAGED_EVERY == 0:
            self._average()

    def _average(self) -> None:
        if self.mean is None:
            self.mean = self.weights.copy()
            self._averaged = 0
        self._averaged += 1
        share = _AVERAGED_FIRST / (_AVERAGED_FIRST + self._averaged)
        self.mean += np.float32(max(share, 1 / _AVERAGED_MOST)) * (self.weights - self.mean)

    # Saving and loading

    def shorten(self, levels: int = MOST_LEVEL) -> None:
        """Round all mean weights to what `dump` can store in a byte each: for each unit so many
        levels up to its largest weight, and as many below 0. Biases stay exact. Training continues
        from these weights. A file with fewer levels compresses better."""
        if self.mean is not None:
            self.weights[:] = self.mean
            self.mean = None
        for matrix, _ in self._layers:
            rounded, steps = _levels(matrix)
            if levels < MOST_LEVEL:
                share = np.float32(levels / MOST_LEVEL)
                rounded = np.rint(np.rint(rounded * share) / share)
            matrix[:] = rounded * steps

    def dump(self) -> dict[str, object]:
        """The mean weights as plain data, in a byte each if that loses nothing."""
        shape = {"shape": list(self.sizes)}
        weights = self.weights if self.mean is None else self.mean
        layers = self._split(weights)
        parts = [_levels(matrix) for matrix, _ in layers]
        if all(
            np.array_equal(levels * steps, matrix)
            for (levels, steps), (matrix, _) in zip(parts, layers, strict=True)
        ):
            exact = [array for (_, steps), (_, biases) in zip(parts, layers, strict=True)
                     for array in (steps, biases)]  # fmt: skip
            return {
                **shape,
                "type": SHORT,
                "weights": b"".join([levels.astype(SHORT).tobytes() for levels, _ in parts]),
                "exact": np.concatenate(exact).astype(PRECISE).tobytes(),
            }
        return {**shape, "type": PRECISE, "weights": weights.astype(PRECISE).tobytes()}

    def read(self, data: object) -> Floats:
        """The weights that `dump` returned. Raises ValueError for anything else."""
        if not isinstance(data, dict) or data.get("shape") != list(self.sizes):
            raise ValueError("a network has another shape")
        kind, raw = data.get("type"), data.get("weights")
        if kind not in (PRECISE, SHORT) or not isinstance(raw, bytes):
            raise ValueError("the weights of a network are missing")
        if kind == SHORT:
            weights = self._read_short(raw, data.get("exact"))
        elif len(raw) != len(self.weights) * np.dtype(kind).itemsize:
            raise ValueError("a network has too few or too many weights")
        else:
            weights = np.frombuffer(raw, dtype=kind).astype(np.float32)
        if not (np.abs(weights) < _LARGEST).all():
            raise ValueError("some weights are not plausible numbers")
        return weights

    def _read_short(self, raw: bytes, exact: object) -> Floats:
        """Weights of a byte each. exact: for each layer the steps of its levels and its biases."""
        units = sum(self.sizes[1:])
        if not isinstance(exact, bytes) or len(exact) != 2 * units * np.dtype(PRECISE).itemsize:
            raise ValueError("the scales of a network are missing")
        if len(raw) != len(self.weights) - units:
            raise ValueError("a network has too few or too many weights")
        levels = np.frombuffer(raw, dtype=SHORT)
        numbers = np.frombuffer(exact, dtype=PRECISE)
        weights = np.empty_like(self.weights)
        at = place = 0
        for matrix, biases in self._split(weights):
            outs = len(biases)
            matrix[:] = (
                levels[at : at + matrix.size].reshape(matrix.shape) * numbers[place : place + outs]
            )
            biases[:] = numbers[place + outs : place + 2 * outs]
            at += matrix.size
            place += 2 * outs
        return weights


def _levels(matrix: Floats) -> tuple[Floats, Floats]:
    """Weights as whole numbers from -127 to 127, and for each column the step between them.

    Steps have 16 significant bits, so that their multiples are exact and give the same steps
    again.
    """
    share, exponent = np.frexp(np.abs(matrix).max(axis=0) / np.float32(MOST_LEVEL))
    steps: Floats = np.ldexp(np.ceil(np.ldexp(share, 16)), exponent - 16).astype(np.float32)
    steps[steps == 0] = 1
    levels: Floats = np.rint(matrix / steps)
    return levels, steps
