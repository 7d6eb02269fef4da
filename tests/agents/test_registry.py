"""Which agents play a game, and what a learner knows when it is made."""

import subprocess
import sys
from pathlib import Path

import pytest

from agents.learners.q import QLearner
from agents.match import Match
from agents.registry import agents_for, make, roster, strongest
from agents.storage.store import Store
from engine import GAMES
from engine.games import register, unregister
from engine.manifest import GameRow

SEATS = [(game, name) for game in GAMES for name in agents_for(game)]


@pytest.mark.parametrize("game", GAMES)
def test_every_game_has_easy_and_hard_agents(game: str):
    agents = agents_for(game)
    players = ["easy", "hard", "search"] if roster(game).players else []
    assert list(agents)[: 1 + len(players)] == ["random", *players]
    assert {"q", "sarsa", "mc", "linear", "neural"} <= set(agents)


def test_listing_agents_loads_neither_numpy_nor_rules():
    script = (
        "import sys\n"
        "from agents.registry import agents_for\n"
        "from engine.manifest import GAME_ROWS\n"
        "print([list(agents_for(game)) for game in GAME_ROWS])\n"
        "sys.exit(' '.join(set(sys.modules) & {'numpy', 'engine.games', 'agents.euchre.rules'}))"
    )
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert run.stderr.strip() == ""
    assert "q-original" in run.stdout


def test_game_without_agents_of_its_own_is_offered_random_and_learners():
    register(GameRow("plain", "Plain", "", rules="engine.games.truco:GAME"))
    try:
        assert list(agents_for("plain")) == ["random", "q", "sarsa", "mc", "linear", "neural"]
        assert strongest("plain") == "linear"
        assert make("plain", "random").name == "random"
    finally:
        unregister("plain")


@pytest.mark.parametrize("game", GAMES)
def test_strongest_agent_is_an_expert_or_else_learns(game: str):
    level = "Expert" if roster(game).players else "Learning"
    assert agents_for(game)[strongest(game)].level == level


@pytest.mark.parametrize(("game", "name"), SEATS)
def test_agents_have_a_title_level_and_summary(game: str, name: str):
    spec = agents_for(game)[name]
    assert spec.name == name == make(game, name).name
    assert spec.title
    assert spec.level
    assert spec.summary


def test_unknown_name_raises_an_error_that_lists_the_known_ones():
    with pytest.raises(ValueError, match=r"no agent 'wizard'; choose one of: random, .*q.*\."):
        make("euchre", "wizard")
    with pytest.raises(ValueError, match=r"There is no game 'bridge'; choose one of: euchre"):
        agents_for("bridge")


def test_learners_are_made_learning_or_not():
    for learning in (False, True):
        agent = make("euchre", "q", learning=learning)
        assert isinstance(agent, QLearner)
        assert agent.learning is learning


@pytest.mark.parametrize("game", GAMES)
def test_learner_is_made_with_what_it_saved(game: str, tmp_path: Path):
    store = Store(tmp_path)
    agent = make(game, "q", store, learning=True)
    assert isinstance(agent, QLearner)
    state = GAMES[game].new(seed=1)
    Match(state, [agent] * state.seats, seed=1).play_out()
    store.save(agent)
    again = make(game, "q", store)
    assert isinstance(again, QLearner)
    assert again.dump() == agent.dump()
    assert again.stats().games == make(game, "q").stats().games + len(state.sides)


def test_damaged_file_is_reported_and_shipped_values_are_used(tmp_path: Path):
    store = Store(tmp_path)
    store.path("euchre", "q").write_bytes(b"garbage")
    agent = make("euchre", "q", store)
    assert isinstance(agent, QLearner)
    assert agent.dump() == make("euchre", "q").dump()
    assert len(store.notices) == 1


def test_unreadable_file_is_reported(tmp_path: Path):
    (tmp_path / "qtables").write_text("in the way")
    store = Store(tmp_path / "qtables")
    make("euchre", "q", store)
    assert "cannot be read" in store.notices[0]
