"""Imitation learning from recorded matches.

    kibitz evaluate truco hard random --games 400 --record matches.npz
    python docs/imitate.py matches.npz

A softmax regression learns to predict the moves of the first agent, from what it saw.
"""

import sys
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]


class Data(NamedTuple):
    seen: Floats
    masks: NDArray[np.bool_]
    actions: NDArray[np.int16]


def load(path: Path, agent: int = 0) -> tuple[Data, Data]:
    """The decisions of an agent: four matches in five to learn from, the others to test."""
    with np.load(path) as file:
        own = file["agents"] == agent
        tested = file["matches"] % 5 == 4
        parts = [own & ~tested, own & tested]
        first, second = [
            Data(file["observations"][rows], file["masks"][rows], file["actions"][rows])
            for rows in parts
        ]
    return first, second


def chances(weights: Floats, data: Data) -> Floats:
    """How likely each action is. Illegal actions are impossible."""
    scores = np.where(data.masks, data.seen @ weights, -np.inf)
    scores = np.exp(scores - scores.max(1, keepdims=True))
    return scores / scores.sum(1, keepdims=True)


def train(data: Data, steps: int = 300, rate: float = 2.0) -> Floats:
    weights = np.zeros((data.seen.shape[1], data.masks.shape[1]), np.float32)
    wanted = np.zeros(data.masks.shape, np.float32)
    wanted[np.arange(len(wanted)), data.actions] = 1
    for _ in range(steps):
        weights += rate * data.seen.T @ (wanted - chances(weights, data)) / len(wanted)
    return weights


def accuracy(weights: Floats, data: Data) -> float:
    return float((chances(weights, data).argmax(1) == data.actions).mean())


def main(path: Path) -> tuple[float, float]:
    """Print and return how often the moves are guessed, and predicted after learning."""
    learned, tested = load(path)
    guessed = float((1 / tested.masks.sum(1)).mean())
    predicted = accuracy(train(learned), tested)
    print(f"{len(learned.actions):,} decisions: {predicted:.1%} of the moves in other matches are")
    print(f"predicted; guessing among the legal ones gives {guessed:.1%}.")
    return guessed, predicted


if __name__ == "__main__":
    main(Path(sys.argv[1]))
