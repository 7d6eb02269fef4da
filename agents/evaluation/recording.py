"""Records the decisions of an evaluation, as data for imitation and offline learning.

A file has one row for each decision:

    observations   the view as numbers, see docs/reinforcement-learning.md
    masks          which actions were legal
    actions        the action taken
    results        the seat's share of the match: 1 for a win, 0 for a loss
    seats, agents  who decided: the seat, and the place of the agent in the command
    matches        the number of the match
"""

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from agents.evaluation.series import Outcome
from agents.storage.files import reason_of


def check_path(path: Path) -> None:
    """Raise ValueError for a file that cannot be written, before the matches are played."""
    if path.suffix != ".npz":
        raise ValueError(f"--record is {path}; name a file that ends with .npz.")
    if not path.parent.is_dir():
        raise ValueError(f"There is no folder {path.parent} for {path.name}; create it first.")


def write(path: Path, outcomes: Sequence[Outcome], num_actions: int) -> int:
    """Write the decisions of these matches and return how many there are."""
    rows = [
        (number, outcome, row) for number, outcome in enumerate(outcomes) for row in outcome.rows
    ]
    masks = np.zeros((len(rows), num_actions), np.bool_)
    for at, (_, _, (_, legal, _, _, _)) in enumerate(rows):
        masks[at, list(legal)] = True
    observations = np.frombuffer(b"".join([row[0] for _, _, row in rows]), np.float32)
    try:
        np.savez_compressed(
            path,
            observations=observations.reshape(len(rows), -1),
            masks=masks,
            actions=np.array([row[2] for _, _, row in rows], np.int16),
            results=np.array([outcome.returns[row[3]] for _, outcome, row in rows], np.float32),
            seats=np.array([row[3] for _, _, row in rows], np.int16),
            agents=np.array([row[4] for _, _, row in rows], np.int16),
            matches=np.array([number for number, _, _ in rows], np.int32),
        )
    except OSError as error:
        raise ValueError(f"{path} cannot be written: {reason_of(error)}.") from error
    return len(rows)
