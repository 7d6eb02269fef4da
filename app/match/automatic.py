"""Moves that are made for a person, if the settings say so."""

from dataclasses import dataclass
from typing import Final

from engine.game import OVER, State

_MOST_MOVES: Final = 4000
"""How many moves are looked at before a hand counts as open. This takes about 50 ms, in a
thread."""


@dataclass(frozen=True, slots=True)
class Automatic:
    """Which moves a person is not asked for.

    only_card   the only legal card is played
    decided     a hand whose points no move can change any more is played out
    """

    only_card: bool = False
    decided: bool = False


NOTHING_AUTOMATIC: Final = Automatic()


def plays_only(state: State) -> bool:
    """Whether the seat to act can only play cards: it has nothing to bid or answer."""
    return all(state.label(action).startswith("play ") for action in state.legal())


def is_decided(state: State) -> bool:
    """Whether every way to go on gives the same points for this hand.

    All hands are known here. That reveals nothing that could still help a player, since no move
    matters any more.
    """
    results = set()
    left = [state.clone()]
    moves = 0
    while left:
        position = left.pop()
        for action in position.legal():
            moves += 1
            if moves > _MOST_MOVES:
                return False
            after = position.clone()
            after.deals_on = False
            after.apply(action)
            if after.turn != OVER and after.hand_no == state.hand_no:
                left.append(after)
                continue
            results.add((tuple(after.hand_returns()), tuple(after.scores())))
            if len(results) > 1:
                return False
    return True
