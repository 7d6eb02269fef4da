"""The RL environments: PettingZoo's own tests, rewards, and observations without hidden cards."""

import copy
import pickle
from collections.abc import Iterator
from random import Random
from types import SimpleNamespace
from typing import Any

import cloudpickle
import numpy as np
import pytest
from pettingzoo.test import api_test, performance_benchmark, seed_test

from agents.rl.environment import env
from agents.rl.observations import information, information_size, layout, observe
from agents.rl.rewards import REWARDS
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
    table = env(game)
    earned = play(table, 3)
    assert list(earned.values()) == pytest.approx(table.state_of_match.returns())
    assert max(earned.values()) > 0


def test_hand_rewards_add_up_to_the_score() -> None:
    table = env("smear", reward="hand")
    earned = play(table, 3)
    scores = table.state_of_match.scores()
    assert [earned[f"player_{seat}"] for seat in range(4)] == [*scores, *scores]


def test_margin_rewards_add_up_to_the_lead() -> None:
    table = env("smear", reward="margin")
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


@every_game
def test_a_hand_is_an_episode_and_the_match_goes_on(game: str) -> None:
    table = env(game, reward="hand", episode="hand")
    earned = play(table, 3)
    state = table.state_of_match
    assert state.hand_no == 2 or state.turn == OVER
    assert sorted(earned) == sorted(table.possible_agents)
    hand_no = state.hand_no
    table.reset()
    if game != "notty":
        assert table.state_of_match is state
        assert table.state_of_match.hand_no == hand_no
    table.reset(seed=4)
    assert table.state_of_match is not state
    assert table.state_of_match.hand_no == 1


def test_an_unfinished_hand_is_not_continued_by_reset() -> None:
    table = env("truco", episode="hand")
    table.reset(seed=1)
    table.step(0)
    before = table.state_of_match
    table.reset()
    assert table.state_of_match is not before


@every_game
@pytest.mark.parametrize("reward", REWARDS)
def test_zero_sum_rewards_add_up_to_nothing(game: str, reward: str) -> None:
    earned = play(env(game, reward=reward, episode="hand", zero_sum=True), 5)
    assert sum(earned.values()) == pytest.approx(0)


def test_an_episode_is_truncated_after_its_steps() -> None:
    table = env("smear", max_steps=7)
    table.reset(seed=1)
    for _ in range(7):
        assert not any(table.truncations.values())
        table.step(table.state_of_match.legal()[0])
    assert all(table.truncations.values())
    assert not any(table.terminations.values())


def test_a_step_before_reset_and_an_unknown_action_are_errors() -> None:
    table = env("truco")
    with pytest.raises(AttributeError):
        table.step(0)
    table.reset(seed=1)
    with pytest.raises(ValueError, match="actions go from 0 to 6"):
        table.step(99)


@every_game
def test_information_states_are_lossless_and_reveal_nothing(game: str) -> None:
    """Rows differ exactly if what the seat knows of the hand and the score differs."""
    rules = GAMES[game]
    rng = Random(4)
    known: dict[bytes, tuple[object, ...]] = {}
    for seed in range(3):
        state = rules.new(seed=seed)
        for _ in range(60):
            if state.turn == OVER:
                break
            view = state.view(state.turn)
            row = information(rules, view)
            assert len(row) == information_size(rules, view)
            assert np.abs(row).max() <= 2
            shown = (view.seat, view.scores, view.history, view.hand)
            assert known.setdefault(row.tobytes(), shown)[1:] == shown[1:]
            redealt = view.sample(rng).view(view.seat)
            assert np.array_equal(information(rules, redealt), row)
            state.apply(rng.choice(state.legal()))
    assert len(known) > 50


def test_environments_can_observe_the_information_state() -> None:
    table = env("euchre", information=True)
    table.reset(seed=1)
    state = table.state_of_match
    row = table.observe(table.agent_selection)["observation"]
    assert np.array_equal(row, information(GAMES["euchre"], state.view(state.turn)))
    assert table.observation_space("player_0")["observation"].shape == row.shape


@every_game
def test_environments_survive_pickles_and_copies(game: str) -> None:
    table = env(game)
    table.reset(seed=2)
    table.step(table.state_of_match.legal()[0])
    copies = (
        pickle.loads(pickle.dumps(table)),
        copy.deepcopy(table),
        pickle.loads(cloudpickle.dumps(table)),
    )
    for again in copies:
        name = table.agent_selection
        assert again.agent_selection == name
        for part in ("observation", "action_mask"):
            assert np.array_equal(again.observe(name)[part], table.observe(name)[part])
