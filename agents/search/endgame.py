"""Solves the last tricks of a hand with open cards."""

from collections.abc import Callable
from typing import Final

from engine.game import OVER, State

Outlook = Callable[[int, State], float]
"""The value of a state after a hand for a seat; higher is better."""

WORST: Final = float("-inf")
BEST: Final = float("inf")


def solve(state: State, seat: int, outlook: Outlook) -> float:
    """The value of the hand for a seat if both sides know all cards and play their best. Changes
    the state."""
    ours = next(side for side in state.sides if seat in side)
    return _two_sides(state, state.hand_no, ours, outlook, WORST, BEST)


def _two_sides(
    state: State, hand_no: int, ours: tuple[int, ...], outlook: Outlook, low: float, high: float
) -> float:
    """The value for our side of a game between two sides: alpha-beta search within `low` and
    `high`."""
    legal = _play_forced(state, hand_no)
    if not legal:
        return outlook(ours[0], state)
    our_choice = state.turn in ours
    best = WORST if our_choice else BEST
    for action in legal:
        after = state.clone()
        after.apply(action)
        worth = _two_sides(after, hand_no, ours, outlook, low, high)
        if our_choice:
            best = max(best, worth)
            low = max(low, best)
        else:
            best = min(best, worth)
            high = min(high, best)
        if low >= high:
            break
    return best


def _play_forced(state: State, hand_no: int) -> list[int]:
    """Plays forced actions. Returns the next choices; none if the hand is over."""
    while state.hand_no == hand_no and state.turn != OVER:
        legal = state.legal()
        if len(legal) > 1:
            return legal
        state.apply(legal[0])
    return []
