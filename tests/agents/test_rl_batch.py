"""The batched environment and the Gymnasium environment."""

import copy
import pickle
from random import Random

import cloudpickle
import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

from agents.rl.batch import _OF_TABLES, BatchEnv
from agents.rl.observations import observe
from agents.rl.single import register_all
from engine import GAMES
from engine.game import IllegalAction, OptionValue

every_game = pytest.mark.parametrize("game", GAMES)
register_all()


def title(game: str) -> str:
    return f"kibitz/{game.title()}-v0"


@every_game
def test_a_batch_shows_what_the_states_show(game: str) -> None:
    tables = BatchEnv(game, 5, seed=3)
    rng = np.random.default_rng(1)
    for _ in range(40):
        for number, state in enumerate(tables.states):
            assert tables.seats[number] == state.turn
            expected = observe(state.view(state.turn))
            assert np.array_equal(tables.observations[number], expected)
            assert np.flatnonzero(tables.masks[number]).tolist() == state.legal()
        tables.step(tables.sample(rng))


@every_game
def test_a_batch_gives_the_rewards_of_its_hands(game: str) -> None:
    options: dict[str, OptionValue] = {"turn_limit": 15} if game == "notty" else {}
    tables = BatchEnv(game, 4, reward="hand", episode="hand", seed=5, **options)
    rng = np.random.default_rng(2)
    episodes = 0
    for _ in range(150):
        before = [(state, state.hand_no) for state in tables.states]
        rewards, dones = tables.step(tables.sample(rng))
        for number, (state, hand_no) in enumerate(before):
            ended = state.turn < 0 or state.hand_no != hand_no
            assert dones[number] == ended
            expected = [0.0] * state.seats
            for side, points in zip(state.sides, state.hand_returns(), strict=True):
                for seat in side:
                    expected[seat] = points * ended
            assert rewards[number].tolist() == expected
        episodes += dones.sum()
    assert episodes


def test_a_batch_repeats_itself_with_its_seed() -> None:
    def seen(seed: int) -> list[object]:
        tables = BatchEnv("truco", 3, seed=seed, opponent="easy", episode="hand")
        rng = np.random.default_rng(0)
        rows = []
        for _ in range(20):
            rewards, _ = tables.step(tables.sample(rng))
            rows.append((rewards.tolist(), tables.observations.sum()))
        return rows

    assert seen(1) == seen(1)
    assert seen(1) != seen(2)


@every_game
def test_a_batch_against_opponents_waits_for_the_own_side_only(game: str) -> None:
    tables = BatchEnv(game, 6, opponent="random", side=0, episode="hand", seed=1)
    own = tables.states[0].sides[0]
    rng = np.random.default_rng(3)
    for _ in range(60):
        assert np.isin(tables.seats, own).all()
        rewards, dones = tables.step(tables.sample(rng))
        assert rewards.shape == dones.shape == (6,)


def test_an_own_side_wins_its_share_against_its_equal() -> None:
    tables = BatchEnv("truco", 64, opponent="random", target=5, seed=2)
    rng = np.random.default_rng(4)
    won = played = 0.0
    for _ in range(300):
        rewards, dones = tables.step(tables.sample(rng))
        won += rewards[dones].sum()
        played += dones.sum()
    assert played > 200
    assert won / played == pytest.approx(0.5, abs=0.1)


def test_a_batch_truncates() -> None:
    tables = BatchEnv("smear", 2, max_steps=3, seed=1)
    rng = np.random.default_rng(5)
    flags = []
    for _ in range(7):
        tables.step(tables.sample(rng))
        flags.append((tables.truncations.tolist(), tables.dones.tolist()))
    cut = ([True, True], [True, True])
    going = ([False, False], [False, False])
    assert flags == [going, going, cut, going, going, cut, going]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"game": "bridge"}, "choose one of"),
        ({"game": "truco", "episode": "trick"}, "choose one of: match, hand"),
        ({"game": "truco", "opponent": ["hard", "easy"]}, "name as many"),
        ({"game": "truco", "opponent": "hard", "side": 2}, "sides go from 0 to 1"),
        ({"game": "truco", "opponent": "nobody"}, "no agent"),
        ({"game": "truco", "tables": 0}, "1 or more"),
    ],
)
def test_bad_arguments_are_explained(arguments: dict[str, object], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        BatchEnv(**{"tables": 2, **arguments})  # type: ignore[arg-type]


def test_an_illegal_action_names_its_table() -> None:
    tables = BatchEnv("truco", 3, seed=1)
    with pytest.raises(IllegalAction, match="Table 1"):
        tables.step([0, 4, 0])
    with pytest.raises(ValueError, match="3 tables"):
        tables.step([0])


@every_game
@pytest.mark.filterwarnings("ignore")
def test_gymnasium_checker(game: str) -> None:
    check_env(gymnasium.make(title(game)).unwrapped, skip_render_check=True)


def test_an_illegal_action_ends_a_gymnasium_episode() -> None:
    table = gymnasium.make("kibitz/Truco-v0")
    table.reset(seed=1)
    _, reward, over, _, info = table.step(np.int64(4))
    assert (reward, over) == (-1, True)
    assert "no bid" in info["illegal"]


@every_game
@pytest.mark.parametrize("episode", ["match", "hand"])
def test_gymnasium_episodes(game: str, episode: str) -> None:
    table = gymnasium.make(title(game), opponent="random", episode=episode)
    rng = Random(1)
    for seed in range(3):
        _, info = table.reset(seed=seed)
        over = False
        while not over:
            mask = info["action_mask"]
            assert np.array_equal(mask, table.unwrapped.action_masks())  # type: ignore[attr-defined]
            action = rng.choice(np.flatnonzero(mask).tolist())
            observation, reward, over, truncated, info = table.step(action)
            assert observation in table.observation_space
            assert not truncated
        assert 0 <= float(reward) <= 1


def test_gymnasium_repeats_an_episode_with_its_seed() -> None:
    def rewards(seed: int) -> list[float]:
        table = gymnasium.make("kibitz/Smear-v0", opponent="easy", episode="hand", reward="margin")
        _, info = table.reset(seed=seed)
        found = []
        for _ in range(60):
            action = int(np.flatnonzero(info["action_mask"])[0])
            _, reward, over, _, info = table.step(action)
            found.append(float(reward))
            if over:
                _, info = table.reset()
        return found

    assert rewards(3) == rewards(3)
    assert rewards(3) != rewards(4)


def test_a_partner_plays_the_other_seat_of_the_side() -> None:
    options = {"opponent": "random", "side": 1, "episode": "hand"}
    for partner, seats in ((None, {1, 3}), ("easy", {1})):
        table = gymnasium.make("kibitz/Smear-v0", partner=partner, **options)
        _, info = table.reset(seed=1)
        acted = set()
        for _ in range(40):
            acted.add(table.unwrapped.table.state.turn)  # type: ignore[attr-defined]
            _, _, over, _, info = table.step(int(np.flatnonzero(info["action_mask"])[0]))
            if over:
                _, info = table.reset()
        assert acted == seats


def test_gymnasium_truncates() -> None:
    table = gymnasium.make("kibitz/Smear-v0", max_steps=2)
    _, info = table.reset(seed=1)
    flags = []
    for _ in range(2):
        _, _, over, truncated, info = table.step(int(np.flatnonzero(info["action_mask"])[0]))
        flags.append((over, truncated))
    assert flags == [(False, False), (False, True)]


def test_gymnasium_environments_survive_pickles_and_copies() -> None:
    table = gymnasium.make("kibitz/Euchre-v0", opponent="hard").unwrapped
    table.reset(seed=1)
    for again in (pickle.loads(pickle.dumps(table)), copy.deepcopy(table)):
        action = int(np.flatnonzero(table.action_masks())[0])  # type: ignore[attr-defined]
        first, second = copy.deepcopy(table).step(action), again.step(action)
        assert np.array_equal(first[0], second[0])


@every_game
@pytest.mark.parametrize("opponent", [None, "easy"])
def test_batches_survive_pickles_and_copies(game: str, opponent: str | None) -> None:
    tables = BatchEnv(game, 3, opponent=opponent, episode="hand", seed=2)
    rng = np.random.default_rng(6)
    for _ in range(7):
        tables.step(tables.sample(rng))
    copies = [
        pickle.loads(pickle.dumps(tables)),
        pickle.loads(cloudpickle.dumps(tables)),
        copy.deepcopy(tables),
    ]
    for _ in range(30):
        actions = tables.sample(rng)
        rewards = tables.step(actions)[0].tolist()
        for again in copies:
            assert again.step(actions)[0].tolist() == rewards
            assert np.array_equal(again.observations, tables.observations)


def test_pickles_of_batches_hold_everything() -> None:
    tables = BatchEnv("truco", 1)._tables
    own = {name for name in dir(tables) if not name.startswith("__")}
    assert {name for name in own if not callable(getattr(tables, name))} <= set(_OF_TABLES) <= own
