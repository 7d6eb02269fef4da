"""Reads the pickle of the original Notty:
`{"q_table": {(hand, deck, can discard, rivals): {action: value}}, "total_actions": …}`.

The original did not count how often it tried a move, so all its values get the same visits.
"""

from pathlib import Path
from typing import Final

from agents.imports.imported import MAX_SITUATIONS, MAX_SIZE, ImportedValues, Values, finite_value
from agents.imports.plain_pickle import read_plain
from agents.learners.features import Situation
from agents.notty.features import FourFeatures
from agents.storage.bounded import read_bounded

_ACTIONS: Final = {
    "draw_multiple": ("draw 1", "draw 2", "draw 3"),
    "steal": ("steal from the largest hand", "steal from another hand"),
    "draw_discard_draw": ("exchange",),
    "draw_discard_discard": ("discard the most isolated card",),
    "discard_group": ("discard a group on the way out", "discard the best group"),
    "next_turn": ("pass",),
}
"""The moves that each action of the original stands for. It did not distinguish how many cards
to draw, from whom to steal and which group to discard."""

_MOVES: Final = {
    action: tuple([FourFeatures.move_names.index(name) for name in names])
    for action, names in _ACTIONS.items()
}
_MAX_ACTIONS: Final = 1 << 40


def read(path: Path) -> ImportedValues:
    """Raises ValueError with the reason as the end of a sentence."""
    data = read_plain(read_bounded(path, MAX_SIZE))
    states = data.get("q_table") if isinstance(data, dict) else None
    if not isinstance(data, dict) or not isinstance(states, dict):
        raise ValueError("it does not hold the values of Notty")
    if len(states) > MAX_SITUATIONS:
        raise ValueError("it holds too many situations")
    values: Values = {}
    for state, actions in states.items():
        situation = _situation(state)
        if not isinstance(actions, dict):
            raise ValueError("it does not hold the values of Notty")
        moves = _moves(actions)
        if moves:
            values[situation] = moves
    done, explored = _count(data, "total_actions"), _count(data, "exploration_actions")
    tried = sum([len(moves) for moves in values.values()])
    return ImportedValues(
        "notty",
        "q-original",
        values,
        found=len(states),
        taken=len(values),
        visits=max(1, done // tried) if tried else 1,
        actions=done,
        explored=min(explored, done),
        left_out="" if len(values) == len(states) else "nothing was tried in the others",
    )


def _situation(state: object) -> Situation:
    if isinstance(state, tuple) and all(type(value) in (int, bool) for value in state):
        situation = (0, *[int(value) for value in state])
        if FourFeatures().knows(situation):
            return situation
    raise ValueError("its situations are not those of Notty")


def _moves(actions: dict[object, object]) -> dict[int, float]:
    """Leave out values of 0: the original stores 0 for every move it looks up but never tried."""
    moves = {}
    for action, value in actions.items():
        if not isinstance(action, str) or action not in _MOVES:
            raise ValueError("its actions are not those of Notty")
        worth = finite_value(value)
        if worth:
            moves.update(dict.fromkeys(_MOVES[action], worth))
    return moves


def _count(data: dict[object, object], name: str) -> int:
    count = data.get(name, 0)
    if type(count) is not int or not 0 <= count < _MAX_ACTIONS:
        raise ValueError("its counts are wrong")
    return count
