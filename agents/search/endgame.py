"""The last tricks of a hand with all cards open, played as well as they can be."""

from collections.abc import Callable
from typing import Final

from engine.game import OVER, State

Outlook = Callable[[int, State], float]
"""What the table after a hand is worth to a seat; higher is better."""

WORST: Final = float("-inf")
BEST: Final = float("inf")


def solve(state: State, seat: int, outlook: Outlook) -> float:
    """What the hand is worth to a seat if from here on everybody plays for their own side
    and knows where every card is. The state is played on."""
    if len(state.sides) > 2:
        return _each_for_itself(state, state.hand_no, outlook)[seat]
    ours = next(side for side in state.sides if seat in side)
    return _against_each_other(state, state.hand_no, ours, outlook, WORST, BEST)


def _against_each_other(
    state: State, hand_no: int, ours: tuple[int, ...], outlook: Outlook, low: float, high: float
) -> float:
    """Two sides: what one wins the other loses, so a line is left as soon as one of them
    has something better elsewhere, between `low` and `high`."""
    legal = _to_a_choice(state, hand_no)
    if not legal:
        return outlook(ours[0], state)
    our_choice = state.turn in ours
    best = WORST if our_choice else BEST
    for action in legal:
        after = state.clone()
        after.apply(action)
        worth = _against_each_other(after, hand_no, ours, outlook, low, high)
        if our_choice:
            best = max(best, worth)
            low = max(low, best)
        else:
            best = min(best, worth)
            high = min(high, best)
        if low >= high:
            break
    return best


def _each_for_itself(state: State, hand_no: int, outlook: Outlook) -> list[float]:
    """Any number of sides: what the hand is worth to each seat."""
    legal = _to_a_choice(state, hand_no)
    if not legal:
        return [outlook(seat, state) for seat in range(state.seats)]
    seat = state.turn
    best: list[float] = []
    for action in legal:
        after = state.clone()
        after.apply(action)
        worths = _each_for_itself(after, hand_no, outlook)
        if not best or worths[seat] > best[seat]:
            best = worths
    return best


def _to_a_choice(state: State, hand_no: int) -> list[int]:
    """Play on while there is but one way to; the choices then, none once the hand is over."""
    while state.hand_no == hand_no and state.turn != OVER:
        legal = state.legal()
        if len(legal) > 1:
            return legal
        state.apply(legal[0])
    return []
