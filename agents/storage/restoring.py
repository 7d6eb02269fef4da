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
    """A copy of a learner that shares nothing with it, without what is not saved. Methods that
    were replaced in this object, such as by a stopwatch, are those of its class again."""
    twin = copy(learner)
    replaced = [name for name in vars(learner) if callable(getattr(type(learner), name, None))]
    for name in replaced:
        del twin.__dict__[name]
    left_out = {*learner.TRANSIENT, *replaced}
    kept = {name: value for name, value in vars(learner).items() if name not in left_out}
    twin.__dict__.update(dict.fromkeys(learner.TRANSIENT))
    twin.__dict__.update(pickle.loads(pickle.dumps(kept)))
    return twin
