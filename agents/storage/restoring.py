"""Checks that a learner can be restored from what is about to be saved."""

import pickle
from copy import copy

from agents.agent import Learner


def check_restorable(data: dict[str, object], learner: Learner) -> None:
    """Restore a copy of a learner from its own data. Values that could not be read back never
    replace good ones.

    Raises ValueError with the reason as the end of a sentence.
    """
    try:
        _twin(learner).restore(data)
    except ValueError as error:
        reason = str(error).rstrip(".")
        raise ValueError(f"what was learned makes no sense ({reason})") from error


def _twin(learner: Learner) -> Learner:
    """A copy of a learner that shares nothing with it, without what is not saved."""
    twin = copy(learner)
    kept = {name: value for name, value in vars(learner).items() if name not in learner.TRANSIENT}
    twin.__dict__.update(dict.fromkeys(learner.TRANSIENT))
    twin.__dict__.update(pickle.loads(pickle.dumps(kept)))
    return twin
