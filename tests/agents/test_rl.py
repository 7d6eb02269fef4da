"""The games as environments: PettingZoo's own tests, and that nobody sees too much."""

from collections.abc import Iterator
from random import Random
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from pettingzoo.test import api_test, performance_benchmark, seed_test

from agents.protocols.rl.environment import REWARDS, CardTable, env
from agents.protocols.rl.observations import observe
from engine import GAMES
from engine.game import OVER

every_game = pytest.mark.parametrize("game", GAMES)


@every_game
@pytest.mark.parametrize("reward", REWARDS)
@pytest.mark.filterwarnings("ignore:Observation")
def test_the_api(game: str, reward: str) -> None:
    api_test(env(game, reward=reward), num_cycles=300)


@every_game
def test_seeds(game: str) -> None:
    seed_test(lambda: env(game), num_cycles=60)


@every_game
def test_the_performance_test_runs(game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def ticks() -> Iterator[float]:
        now = 0.0
        while True:
            yield now
            now += 0.01

    clock = ticks()
    module = __import__("sys").modules[performance_benchmark.__module__]
    monkeypatch.setattr(module, "time", SimpleNamespace(time=lambda: next(clock)))
    performance_benchmark(env(game))


def play(table: Any, seed: int, steps: int = 100_000) -> dict[str, float]:
    """Random play to the end; what everybody was rewarded with."""
    table.reset(seed=seed)
    chance = Random(seed)
    earned = dict.fromkeys(table.possible_agents, 0.0)
    for name in table.agent_iter(steps):
        observation, reward, terminated, truncated, _ = table.last()
        earned[name] += reward
        if terminated or truncated:
            table.step(None)
        else:
            table.step(chance.choice(np.flatnonzero(observation["action_mask"]).tolist()))
    return earned


@every_game
def test_match_rewards_are_shares_of_one_win_for_each_winner(game: str) -> None:
    table = CardTable(game, "match", None, {})
    earned = play(table, 3)
    assert list(earned.values()) == pytest.approx(table.state_of_match.returns())
    assert max(earned.values()) > 0


def test_hand_rewards_add_up_to_the_score() -> None:
    table = CardTable("smear", "hand", None, {})
    earned = play(table, 3)
    scores = table.state_of_match.scores()
    assert [earned[f"player_{seat}"] for seat in range(4)] == [*scores, *scores]


def test_margins_are_what_one_side_is_ahead() -> None:
    table = CardTable("smear", "margin", None, {})
    earned = play(table, 3)
    ours, theirs = table.state_of_match.scores()
    assert earned["player_0"] == earned["player_2"] == ours - theirs
    assert earned["player_1"] == earned["player_3"] == theirs - ours


@every_game
def test_an_observation_holds_what_the_seat_knows_and_nothing_else(game: str) -> None:
    state = GAMES[game].new(seed=9)
    chance = Random(9)
    for _ in range(60):
        if state.turn == OVER:
            break
        for seat in range(state.seats):
            view = state.view(seat)
            redealt = view.sample(chance).view(seat)
            assert np.array_equal(observe(game, view), observe(game, redealt))
        state.apply(chance.choice(state.legal()))


def test_an_illegal_action_ends_the_match_for_who_took_it() -> None:
    table = env("euchre")
    table.reset(seed=1)
    observation, *_ = table.last()
    table.step(int(np.flatnonzero(observation["action_mask"] == 0)[0]))
    assert all(table.unwrapped.terminations.values())
    assert min(table.unwrapped.rewards.values()) == -1


def test_it_can_be_read() -> None:
    table = env("truco", render_mode="ansi")
    table.reset(seed=1)
    text = str(table.render())
    assert text.startswith("Truco Uruguayo, hand 1, 0 : 0, dealt, player_")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({"game": "bridge"}, "choose one of"),
        ({"game": "truco", "reward": "trick"}, "match or by hand"),
        ({"game": "truco", "target": 0}, "target"),
    ],
)
def test_what_cannot_be_is_said(arguments: dict[str, Any], said: str) -> None:
    with pytest.raises(ValueError, match=said):
        env(**arguments)
