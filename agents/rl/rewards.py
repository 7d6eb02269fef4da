"""The rewards of the environments."""

from typing import Final

from engine.game import OVER, State

REWARDS: Final = ("match", "hand", "margin")
EPISODES: Final = ("match", "hand")
ILLEGAL_REWARD: Final = -1.0
"""For a seat whose illegal action ends an episode."""


def check(reward: str, episode: str) -> None:
    """Raise ValueError with a sentence for an unknown reward or episode."""
    for name, value, known in (("reward", reward, REWARDS), ("episode", episode, EPISODES)):
        if value not in known:
            raise ValueError(f"There is no {name} {value!r}; choose one of: {', '.join(known)}.")


def seat_rewards(state: State, reward: str, zero_sum: bool) -> list[float]:
    """For each seat its reward for the action that has just ended a hand.

    reward     `match`: 1 for a win, 0 for a loss, a share for a draw, once the match is over;
               `hand`: the points of the own side; `margin`: these points minus the best of the
               other sides
    zero_sum   subtract the mean of all seats, so that the rewards add up to 0
    """
    if reward == "match":
        found = state.returns() if state.turn == OVER else [0.0] * state.seats
    else:
        points = state.hand_returns()
        if reward == "margin":
            points = [
                own - max(points[:number] + points[number + 1 :])
                for number, own in enumerate(points)
            ]
        found = [0.0] * state.seats
        for number, side in enumerate(state.sides):
            for seat in side:
                found[seat] = float(points[number])
    if zero_sum:
        mean = sum(found) / len(found)
        found = [each - mean for each in found]
    return found
