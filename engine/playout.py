"""Playing on at random: the cheapest way to see how a hand may end."""

from collections.abc import Callable

from engine.game import OVER, State


def finish_hand_at_random(state: State, random: Callable[[], float]) -> int:
    """Play to the end of the hand, any legal action at a time; the number of decisions.

    random   gives numbers from 0 up to 1, such as the method of that name of a generator
    """
    hand_no = state.hand_no
    decisions = 0
    while state.hand_no == hand_no and state.turn != OVER:
        legal = state.legal()
        state.apply(legal[int(random() * float(len(legal)))])
        decisions += 1
    return decisions
