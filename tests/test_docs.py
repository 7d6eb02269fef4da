"""The pages in docs/: what they show works."""

import importlib.util
from pathlib import Path
from random import Random
from types import ModuleType

from agents.agent import Agent
from agents.match import Match
from agents.random_player import RandomPlayer
from engine.game import OVER

DOCS = Path(__file__).parents[1] / "docs"


def load(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, DOCS / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_sixth_game_keeps_the_contract() -> None:
    game = load("high_card").HighCard()
    for seed in range(20):
        state, again = game.new(seed=seed), game.new(seed=seed)
        chance = Random(seed)
        while state.turn != OVER:
            for seat in range(2):
                view = state.view(seat)
                assert view.sample(chance).view(seat) == view
            action = chance.choice(state.legal())
            assert state.parse(state.label(action)) == action
            copy = state.clone()
            state.apply(action)
            again.apply(action)
            assert copy.view(0) != state.view(0)
        assert again.returns() == state.returns()
        assert sorted(state.returns()) == [0.0, 1.0]
        assert max(state.scores()) == 3


def test_agents_play_the_sixth_game() -> None:
    state = load("high_card").HighCard().new(seed=1, target=5)
    players: list[Agent | None] = [RandomPlayer(), RandomPlayer()]
    Match(state, players, 1).play_out()
    assert max(state.scores()) == 5


def test_somebody_elses_agent_learns_against_hard() -> None:
    """A few hands are enough to lose by less than at random, with this seed."""
    example = load("train_elsewhere")
    (matches, rate, points), after = example.train(hands=400, measured=150, seed=2)
    assert matches > 10
    assert 0 <= rate <= 1
    assert points < after[2] < 4
    assert example.train(hands=400, measured=150, seed=2)[1] == after
