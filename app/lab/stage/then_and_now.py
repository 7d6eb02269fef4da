"""Then and now: the same deal, played by a learner that knew nothing and by the current one."""

from collections.abc import Sequence
from typing import Final

from agents.agent import Agent
from agents.match import Match
from app.lab.stage.reports import Comparison, Played
from engine import GAMES
from engine.game import OVER, State

_MOST_ACTIONS: Final = 80
"""Longer hands are cut off."""

_FEWEST_CARDS: Final = 3


def play_hand(
    game: str,
    seed: int,
    prelude: Sequence[int],
    own: Sequence[int],
    learner: Agent,
    rival: Agent,
    most: int = _MOST_ACTIONS,
) -> Played:
    """Play one hand of a match. Every decision has its own random numbers, so that two players
    see the same positions until they decide differently."""
    state = GAMES[game].new(seed, None, None)
    players = [learner if seat in own else rival for seat in range(state.seats)]
    match = Match(state, players, seed, played=0)
    for action in prelude:
        match.step(action)
    hand_no = state.hand_no
    actions: list[int] = []
    while state.turn != OVER and state.hand_no == hand_no:
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
    prelude = _to_a_full_hand(game, seed, own[0], rival)
    then = play_hand(game, seed, prelude, own, novice, rival)
    now = play_hand(game, seed, prelude, own, learner, rival)
    return Comparison(seed, prelude, own, side, matches, then, now)


def _to_a_full_hand(game: str, seed: int, seat: int, player: Agent) -> tuple[int, ...]:
    """The actions until a seat has been dealt several cards; none if that does not happen soon.
    A match of Fodinha begins with a single card."""
    state = GAMES[game].new(seed, None, None)
    match = Match(state, [player] * state.seats, seed, played=0)
    actions: list[int] = []
    while _cards(state, seat) < _FEWEST_CARDS:
        if state.turn == OVER or len(actions) == _MOST_ACTIONS:
            return ()
        actions.append(match.decide().action)
        match.step(actions[-1])
    return tuple(actions)


def _cards(state: State, seat: int) -> int:
    """The number of cards that a seat holds."""
    hand: int | Sequence[int] = getattr(state.view(seat), "hand", 0)
    return hand.bit_count() if isinstance(hand, int) else len(hand)
