"""The examples in docs/ for reinforcement learning, and the commands that go with them."""

import importlib.util
import json
from pathlib import Path
from random import Random
from types import ModuleType

import numpy as np
import pytest

from agents.match import Match
from agents.random_player import RandomPlayer
from app.cli import run
from engine import GAMES

DOCS = Path(__file__).parents[1] / "docs"


def load(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, DOCS / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_cfr_finds_the_value_of_kuhn_poker() -> None:
    value, shares = load("cfr").solve(600)
    assert value == pytest.approx(-1 / 18, abs=0.01)
    assert shares["K", "b"][1] > 0.99
    assert shares["J", "b"][1] < 0.01


@pytest.mark.parametrize("game", GAMES)
def test_ismcts_plays_every_game(game: str) -> None:
    agent = load("ismcts").Ismcts(simulations=8)
    state = GAMES[game].new(seed=1)
    for _ in range(12):
        decision = agent.act(state.view(state.turn), state.legal(), Random(1))
        assert decision.action in state.legal()
        state.apply(decision.action)


def test_ismcts_beats_random_at_truco() -> None:
    agent = load("ismcts").Ismcts(simulations=40)
    won = 0.0
    for seed in range(10):
        state = GAMES["truco"].new(seed=seed, target=6)
        players = [agent, RandomPlayer()] if seed % 2 else [RandomPlayer(), agent]
        Match(state, players, seed).play_out()
        won += state.returns()[1 - seed % 2]
    assert won >= 7


def test_recorded_decisions_can_be_imitated(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "matches.npz"
    command = ["evaluate", "truco", "easy", "random", "--games", "30", "--option", "target=10"]
    home = ["--home", str(tmp_path / "home")]
    assert run([*command, "--record", str(file), "--json", *home]) == 0
    report = json.loads(capsys.readouterr().out)
    with np.load(file) as data:
        rows = len(data["actions"])
        assert report["recorded"] == rows > 300
        assert data["masks"][np.arange(rows), data["actions"]].all()
        # The recorded results are those of the report.
        won = [set(data["results"][data["agents"] == agent].tolist()) for agent in (0, 1)]
        assert won[0] | won[1] <= {0.0, 1.0}
        ends = {
            (match, agent): result
            for match, agent, result in zip(
                data["matches"].tolist(),
                data["agents"].tolist(),
                data["results"].tolist(),
                strict=True,
            )
        }
        wins = sum(result for (_, agent), result in ends.items() if agent == 0)
        assert wins == report["agents"][0]["wins"]
    guessed, predicted = load("imitate").main(file)
    assert predicted > guessed + 0.1


@pytest.mark.parametrize("name", ["matches.csv", "missing/matches.npz"])
def test_a_record_that_cannot_be_written_is_refused_first(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    command = ["evaluate", "truco", "easy", "random", "--record", str(tmp_path / name)]
    assert run([*command, "--home", str(tmp_path)]) == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_exploit_finds_how_to_beat_random(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    command = ["exploit", "truco", "random", "--learners", "q,linear", "--seconds", "3"]
    options = ["--games", "41", "--option", "target=10", "--home", str(tmp_path)]
    assert run([*command, *options, "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert report["response"] in ("q", "linear")
    assert report["games"] == 42
    assert report["training_games"] > 0
    assert report["gain"] == pytest.approx(report["win_rate"] - 0.5)
    assert report["win_rate"] > 0.5
    assert not (tmp_path / "qtables").exists()


def test_exploit_starts_from_what_a_learner_knows(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A table that plays well from the first match wins what a beginner does not."""
    command = ["exploit", "truco", "easy", "--learners", "q", "--seconds", "0.01", "--games", "40"]
    won = {}
    for start in ("nothing", "shipped"):
        assert run([*command, "--from", start, "--home", str(tmp_path), "--json"]) == 0
        report = json.loads(capsys.readouterr().out)
        assert report["start"] == start
        assert report["training_games"] < 1000
        won[start] = report["win_rate"]
    assert won["shipped"] > 0.5 > won["nothing"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["random", "--from", "nobody", "--seconds", "1"], "nobody"),
        (["random", "--seconds", "0"], "more than 0"),
        (["random", "--learners", ","], "name a learner"),
        (["random", "--learners", "hard", "--seconds", "1"], "does not learn"),
        (["nobody", "--seconds", "1"], "no agent"),
    ],
)
def test_exploit_explains_bad_arguments(
    arguments: list[str], message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["exploit", "truco", *arguments, "--home", str(tmp_path)]) == 2
    assert message in capsys.readouterr().err


def test_ppo_trains_and_plays() -> None:
    pytest.importorskip("sb3_contrib")
    example = load("ppo")
    policy = example.train("truco", "random", seconds=0.5, tables=8)
    assert 0 <= example.win_rate("truco", policy, "random", 2) <= 1
