"""Agents of full Truco: their judgement, and that the option reaches everything."""

from random import Random

import numpy as np
import pytest

from agents.evaluation.arena import arena
from agents.evaluation.evaluation import evaluate
from agents.evaluation.series import Conditions
from agents.registry import create, make
from agents.rl.batch import BatchEnv
from agents.rl.environment import env
from agents.rl.single import SingleEnv
from agents.truco_full.features import FullTrucoAbstraction
from agents.truco_full.judgement import envido_chance, flor_chance, match_chance
from agents.truco_full.rules import HardFullTruco
from engine.game import OVER
from engine.games.truco_full import (
    GAME,
    MAZO,
    NUM_ACTIONS,
    FullState,
)

FULL = Conditions(seed=1, options={"rules": "full", "target": 20})


def table(deck: str, *said: str, **options: int | str) -> FullState:
    state = GAME.new(1, deck=deck.split(), first=0, **options)
    for text in said:
        state.apply(state.parse(text))
    return state


def choices(state: FullState, tries: int = 40) -> set[str]:
    """What `hard` does with different luck."""
    hard, view, legal = HardFullTruco(), state.view(state.turn), state.legal()
    return {state.label(hard.act(view, legal, Random(luck)).action) for luck in range(tries)}


def test_higher_envidos_win_more_often() -> None:
    chances = [envido_chance(value, True, 1) for value in range(38)]
    assert chances == sorted(chances)
    assert envido_chance(27, True, 1) > envido_chance(27, False, 1)
    assert envido_chance(30, True, 2) < envido_chance(30, True, 1)
    assert flor_chance(40, True) > flor_chance(20, True)


def test_points_count_more_near_the_end() -> None:
    assert match_chance(0, 5) == 1
    assert match_chance(5, 0) == 0
    assert match_chance(7, 7) == 0.5
    assert match_chance(1, 3) - match_chance(2, 3) > match_chance(31, 33) - match_chance(32, 33)


def test_hard_calls_a_strong_envido_and_refuses_a_raise_with_a_weak_one() -> None:
    assert "envido" in "".join(choices(table("6O 7O 3C 1C 4O 6B 7B")))
    weak = table("6O 7O 3C 1C 4O 10B 7E", "falta envido")
    assert choices(weak) == {"no quiero"}


def test_hard_announces_its_flor() -> None:
    assert choices(table("1O 3O 6O 1C 4E 6B 7B")) == {"flor"}


def test_hard_beats_random() -> None:
    report = evaluate("truco", ["hard", "random"], 40, FULL)
    agents = report["agents"]
    assert isinstance(agents, list)
    assert report["game"] == "truco_full"
    assert agents[0]["win_rate"] > 0.8


def test_arena_plays_the_variant() -> None:
    pairings, rated = arena("truco", ["easy", "random"], 8, FULL)
    assert (pairings[0].first, pairings[0].second) == ("easy", "random")
    assert {each.agent for each in rated} == {"easy", "random"}


def test_environment_has_the_actions_of_the_variant() -> None:
    environment = env("truco", rules="full", players=4)
    environment.reset(seed=1)
    assert environment.action_space("player_0").n == NUM_ACTIONS
    assert len(environment.possible_agents) == 4
    assert env("truco").action_space("player_0").n == 7


def test_learners_of_the_variant_have_files_of_their_own() -> None:
    assert create("truco_full", "q").game == "truco_full"
    assert create("truco", "q").game == "truco"
    assert create("truco_full", "q").fingerprint() != create("truco", "q").fingerprint()


@pytest.mark.parametrize("players", [2, 4, 6])
def test_every_situation_has_words(players: int) -> None:
    seen, features = set(), FullTrucoAbstraction()
    for seed in range(6):
        rng = Random(seed)
        state = GAME.new(seed, players=players, target=20)
        while state.turn >= 0:
            view, legal = state.view(state.turn), state.legal()
            situation = features.situation(view)
            assert features.knows(situation)
            assert features.words(situation)
            assert set(features.moves(view, legal)) == set(legal)
            seen.add(situation[0])
            state.apply(rng.choice(legal))
    assert {0, 1, 2, 3} <= seen


@pytest.mark.parametrize("players", [2, 4, 6])
def test_opponents_of_environments_are_those_of_the_variant(players: int) -> None:
    options: dict[str, int | str] = {"rules": "full", "players": players}
    rng = Random(3)
    one = SingleEnv("truco", "hard", episode="hand", **options)
    _, info = one.reset(seed=5)
    ended = False
    while not ended:
        action = rng.choice(np.flatnonzero(info["action_mask"]).tolist())
        _, _, ended, _, info = one.step(action)
    assert sum(one.table.state.hand_returns()) > 0
    many = BatchEnv("truco", 4, episode="hand", opponent="hard", side=0, seed=1, **options)
    finished = 0
    while not finished:
        _, dones = many.step([rng.choice(np.flatnonzero(row).tolist()) for row in many.masks])
        finished = dones.sum()
    assert set((many.seats % 2).tolist()) == {0}


@pytest.mark.parametrize("name", ["hard", "search", "expert"])
def test_no_chance_is_claimed_where_only_leaving_is_the_other_choice(name: str) -> None:
    """A choice without a sensible alternative was called a certain win."""
    player = make("truco_full", name)
    state, asked = GAME.new(3), 0
    while state.turn != OVER and asked < 3:
        legal = state.legal()
        sensible = [action for action in legal if action != MAZO]
        if len(sensible) == 1:
            asked += 1
            assert player.act(state.view(state.turn), sensible, Random(1)).scores == {}
        state.apply(sensible[0])
    assert asked == 3
