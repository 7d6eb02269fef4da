"""Observations for reinforcement learning: a view as numbers, equally long for a whole match.

`agents.learners.view_encoding` turns each declared field of the view into numbers.
"""

from agents.learners.view_encoding import Floats, encoder
from engine.game import View


def observe(view: View) -> Floats:
    """What a seat knows, in numbers. It need not be the seat to act."""
    return encoder(view).encode(view)


def layout(view: View) -> dict[str, range]:
    """The place of each field in the observations of a match."""
    return {name: place for name, place, _ in encoder(view).parts}
