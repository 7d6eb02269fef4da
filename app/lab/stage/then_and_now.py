"""Then and now: the same deal, played by a learner that knew nothing and by the current one."""

from collections.abc import Sequence
from typing import Final

from agents.agent import Agent
from agents.match import Match
from app.lab.stage.reports import Comparison, Played
from engine import GAMES
from engine.game import OVER

_MOST_ACTIONS: Final = 80
"""Longer hands are cut off."""


def play_hand(
    game: str,
    seed: int,
    own: Sequence[int],
    learner: Agent,
    rival: Agent,
    most: int = _MOST_ACTIONS,
) -> Played:
    """Play the first hand of a match. Every decision has its own random numbers, so that two
    players see the same positions until they decide differently."""
    state = GAMES[game].new(seed, None, None)
    players = [learner if seat in own else rival for seat in range(state.seats)]
    match = Match(state, players, seed, played=0)
    actions: list[int] = []
    while state.turn != OVER and state.hand_no == 1:
        if len(actions) == most:
            return Played(tuple(actions), None)
        actions.append(match.decide().action)
        match.step(actions[-1])
    return Played(tuple(actions), tuple(state.hand_returns()))


def compare(
    game: str, seed: int, number: int, novice: Agent, learner: Agent, rival: Agent, matches: int
) -> Comparison:
    """Play a deal twice. The side of the learner changes with its number."""
    sides = GAMES[game].new(seed, None, None).sides
    side = number % len(sides)
    own = tuple(sides[side])
    then = play_hand(game, seed, own, novice, rival)
    now = play_hand(game, seed, own, learner, rival)
    return Comparison(seed, own, side, matches, then, now)
