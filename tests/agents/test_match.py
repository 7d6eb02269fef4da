"""Resumed matches get the same random numbers, and nothing is learned twice."""

from collections.abc import Callable, Sequence

import pytest

from agents.agent import Learner, Sides
from agents.learners.q import QLearner
from agents.match import Match
from agents.random_player import RandomPlayer
from agents.registry import create
from agents.truco.features import TrucoAbstraction
from agents.truco.rewards import TrucoRewards
from engine import GAMES
from engine.game import OVER, Event


@pytest.mark.parametrize("game", GAMES)
def test_resumed_match_continues_the_same_way(game: str) -> None:
    state = GAMES[game].new(seed=3)
    whole = Match(state, [RandomPlayer()] * state.seats, seed=9, played=0)
    actions = []
    while state.turn != OVER and len(actions) < 60:
        actions.append(whole.decide().action)
        whole.step(actions[-1])
    again = GAMES[game].new(seed=3)
    for action in actions[:20]:
        again.apply(action)
    rest = Match(again, [RandomPlayer()] * again.seats, seed=9, played=20)
    for action in actions[20:]:
        assert rest.decide().action == action
        rest.step(action)


def test_deciding_twice_gives_the_same_action() -> None:
    match = Match(GAMES["smear"].new(seed=3), [RandomPlayer()] * 4, seed=9, played=0)
    assert len({match.decide().action for _ in range(5)}) == 1


def test_replayed_actions_are_not_learned_again() -> None:
    learner = create("truco", "q")
    assert isinstance(learner, Learner)
    learner.learning = True
    state = GAMES["truco"].new(seed=3, target=4)
    match = Match(state, [learner, learner], seed=9, played=0)
    actions = []
    while state.turn != OVER:
        actions.append(match.decide().action)
        match.step(actions[-1])
    learned = learner.stats()
    assert learned.games > 0
    again = Match(GAMES["truco"].new(seed=3, target=4), [learner, learner], seed=9, played=0)
    for action in actions:
        again.replay(action)
    assert again.state.turn == OVER
    assert learner.stats() == learned


class Confused(QLearner):
    """Raises an error at the end of a hand."""

    def observe(self, seat: int, sides: Sides, events: Sequence[Event]) -> None:
        if any(event.kind == "hand" for event in events):
            raise RuntimeError("what happened?")


def test_error_of_a_learner_is_reported_by_seat_or_propagates() -> None:
    def play(failed: Callable[[int], None] | None) -> None:
        learner = Confused(TrucoAbstraction(), TrucoRewards())
        state = GAMES["truco"].new(seed=3, target=4)
        match = Match(state, [RandomPlayer(), learner], seed=9)
        while state.hand_no == 1:
            match.step(match.decide().action, failed)

    seats: list[int] = []
    play(seats.append)
    assert seats == [1]
    with pytest.raises(RuntimeError, match=r"what happened\?"):
        play(None)
