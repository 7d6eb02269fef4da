"""Matches that are taken up again: the same chance, and nothing learned twice."""

import pytest

from agents.agent import Learner
from agents.match import Match
from agents.random_player import RandomPlayer
from agents.registry import create
from engine import GAMES
from engine.game import OVER


@pytest.mark.parametrize("game", GAMES)
def test_a_match_taken_up_again_goes_on_the_same_way(game: str) -> None:
    state = GAMES[game].new(seed=3)
    whole = Match(state, [RandomPlayer()] * state.seats, seed=9, played=0)
    actions = []
    while state.turn != OVER and len(actions) < 60:
        actions.append(whole.decide().action)
        whole.apply(actions[-1])
    again = GAMES[game].new(seed=3)
    for action in actions[:20]:
        again.apply(action)
    rest = Match(again, [RandomPlayer()] * again.seats, seed=9, played=20)
    for action in actions[20:]:
        assert rest.decide().action == action
        rest.apply(action)


def test_thinking_twice_about_a_decision_changes_nothing() -> None:
    match = Match(GAMES["smear"].new(seed=3), [RandomPlayer()] * 4, seed=9, played=0)
    assert len({match.decide().action for _ in range(5)}) == 1


def test_what_is_recalled_is_not_learned() -> None:
    learner = create("truco", "q")
    assert isinstance(learner, Learner)
    learner.learning = True
    state = GAMES["truco"].new(seed=3, target=4)
    match = Match(state, [learner, learner], seed=9, played=0)
    actions = []
    while state.turn != OVER:
        actions.append(match.decide().action)
        match.apply(actions[-1])
    learned = learner.stats()
    assert learned.games > 0
    again = Match(GAMES["truco"].new(seed=3, target=4), [learner, learner], seed=9, played=0)
    for action in actions:
        again.recall(action)
    assert again.state.turn == OVER
    assert learner.stats() == learned
