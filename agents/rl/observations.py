"""Observations for reinforcement learning: a view as numbers, equally long for a whole match.

`observe` has every declared field of the view (`agents.learners.view_encoding`). `information`
adds what it leaves out of the hand: every action in order, and the exact counts.
"""

from typing import Any

import numpy as np

from agents.learners.view_encoding import Floats, encoder
from engine import fields
from engine.game import Game, View
from engine.view_numbers import shown_in

COUNTED: float = 100.0
"""A count without a limit is divided by this in the information state."""


def observe(view: View) -> Floats:
    """What a seat knows, in numbers. It need not be the seat to act."""
    return encoder(view).encode(view)


def layout(view: View) -> dict[str, range]:
    """The place of each field in the observations of a match."""
    return dict(encoder(view).places)


def entry_size(game: Game, seats: int) -> int:
    """The numbers of one entry of the history: its seat, its action, or that it was hidden."""
    return seats + (game.history_actions or game.num_actions) + 1


def information_size(game: Game, view: View) -> int:
    counts = len(_counts(view))
    return encoder(view).size + counts + 1 + game.longest_history * entry_size(game, view.seats)


def information(game: Game, view: View) -> Floats:
    """The information state: the observation, the number of the hand and all other counts, and
    the history of the hand. Each entry of the history has a 1 for its seat, counted from the own
    one, and a 1 for its action; the last number of an entry stands for a hidden action.

    Nothing that the seat knows of the hand is lost: different hands have different rows.
    """
    if len(view.history) > game.longest_history:
        raise ValueError(
            f"{game.title} has a hand of {len(view.history)} actions; set longest_history of the "
            "game to the most there can be."
        )
    row = observe(view)
    size = entry_size(game, view.seats)
    history = np.zeros((game.longest_history, size), np.float32)
    for number, (seat, action) in enumerate(view.history):
        history[number, (seat - view.seat) % view.seats] = 1
        history[number, view.seats + action if action >= 0 else -1] = 1
    counts = np.array([view.hand_no, *_counts(view)], np.float32) / np.float32(COUNTED)
    return np.concatenate([row, counts, history.reshape(-1)])


def _counts(view: View) -> list[int]:
    """The counts without a limit, of which observations show only whether they are 0."""
    counts: list[int] = []
    for name, kind in shown_in(type(view)):
        value: Any = getattr(view, name)
        if isinstance(kind, fields.Count):
            counts.append(value)
        elif isinstance(kind, fields.PerSeat) and isinstance(kind.each, fields.Count):
            counts += [value[(view.seat + step) % view.seats] for step in range(view.seats)]
    return counts
