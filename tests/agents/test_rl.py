"""The RL environments: PettingZoo's own tests, rewards, and observations without hidden cards."""

from collections.abc import Iterator
from random import Random
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from pettingzoo.test import api_test, performance_benchmark, seed_test

from agents.protocols.rl.environment import REWARDS, CardGameEnv, env
from agents.protocols.rl.observations import layout, observe
from engine import GAMES
from engine.game import OVER

every_game = pytest.mark.parametrize("game", GAMES)


@every_game
@pytest.mark.parametrize("reward", REWARDS)
@pytest.mark.filterwarnings("ignore:Observation")
def test_pettingzoo_api(game: str, reward: str) -> None:
    api_test(env(game, reward=reward), num_cycles=300)


@every_game
def test_pettingzoo_seeds(game: str) -> None:
    seed_test(lambda: env(game), num_cycles=60)


@every_game
def test_pettingzoo_performance_benchmark_runs(game: str, monkeypatch: pytest.MonkeyPatch) -> None:
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
    """Play at random to the end and return the rewards of each seat."""
    table.reset(seed=seed)
    rng = Random(seed)
    earned = dict.fromkeys(table.possible_agents, 0.0)
    for name in table.agent_iter(steps):
        observation, reward, terminated, truncated, _ = table.last()
        earned[name] += reward
        if terminated or truncated:
            table.step(None)
        else:
            table.step(rng.choice(np.flatnonzero(observation["action_mask"]).tolist()))
    return earned


@every_game
def test_match_rewards_are_the_returns_of_the_match(game: str) -> None:
    table = CardGameEnv(game, "match", None, {})
    earned = play(table, 3)
    assert list(earned.values()) == pytest.approx(table.state_of_match.returns())
    assert max(earned.values()) > 0


def test_hand_rewards_add_up_to_the_score() -> None:
    table = CardGameEnv("smear", "hand", None, {})
    earned = play(table, 3)
    scores = table.state_of_match.scores()
    assert [earned[f"player_{seat}"] for seat in range(4)] == [*scores, *scores]


def test_margin_rewards_add_up_to_the_lead() -> None:
    table = CardGameEnv("smear", "margin", None, {})
    earned = play(table, 3)
    ours, theirs = table.state_of_match.scores()
    assert earned["player_0"] == earned["player_2"] == ours - theirs
    assert earned["player_1"] == earned["player_3"] == theirs - ours


@every_game
def test_an_observation_reveals_no_hidden_cards(game: str) -> None:
    state = GAMES[game].new(seed=9)
    rng = Random(9)
    for _ in range(60):
        if state.turn == OVER:
            break
        for seat in range(state.seats):
            view = state.view(seat)
            redealt = view.sample(rng).view(seat)
            assert np.array_equal(observe(view), observe(redealt))
        state.apply(rng.choice(state.legal()))


@every_game
def test_an_observation_has_a_place_for_every_field_but_the_history(game: str) -> None:
    view = GAMES[game].new(seed=1).view(0)
    places = layout(view)
    assert set(places) == set(type(view).kinds()) - {"history"}
    numbers = [number for place in places.values() for number in place]
    assert numbers == list(range(len(observe(view))))


@every_game
def test_observations_of_a_match_have_one_length_and_small_numbers(game: str) -> None:
    state = GAMES[game].new(seed=5)
    rng = Random(5)
    size = len(observe(state.view(0)))
    for _ in range(300):
        if state.turn == OVER:
            break
        for seat in range(state.seats):
            observation = observe(state.view(seat))
            assert len(observation) == size
            assert np.abs(observation).max() <= 2
        state.apply(rng.choice(state.legal()))


def test_seats_are_counted_from_the_own_one_and_sides_from_the_own_one() -> None:
    state = GAMES["smear"].new(seed=1, first=1)
    state.apply(state.parse("bet 2"))
    bettor = state.view(0).bettor
    for seat in range(4):
        view = state.view(seat)
        places, numbers = layout(view), observe(view)
        assert numbers[list(places["bettor"])].tolist() == [
            float(step == (bettor - seat) % 4) for step in range(4)
        ]
        assert numbers[places["bets"][(bettor - seat) % 4]] == 0.5
        held = np.flatnonzero(numbers[list(places["hand"])]).tolist()
        assert sum(1 << card for card in held) == view.hand


def test_an_illegal_action_ends_the_match_with_a_penalty() -> None:
    table = env("euchre")
    table.reset(seed=1)
    observation, *_ = table.last()
    table.step(int(np.flatnonzero(observation["action_mask"] == 0)[0]))
    assert all(table.unwrapped.terminations.values())
    assert min(table.unwrapped.rewards.values()) == -1


def test_rendering_as_text() -> None:
    table = env("truco", render_mode="ansi")
    table.reset(seed=1)
    text = str(table.render())
    assert text.startswith("Truco Uruguayo, hand 1, 0 : 0, dealt, player_")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"game": "bridge"}, "choose one of"),
        ({"game": "truco", "reward": "trick"}, "choose one of: match, hand, margin"),
        ({"game": "truco", "target": 0}, "target"),
    ],
)
def test_bad_arguments_are_explained(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        env(**arguments)
