"""`kibitz bench` as scripts use it."""

import json
import sys

import pytest

from app.bench import environments, learning, training
from app.bench.figures import Figure, Peer, Task, in_words, rate, run
from app.bench.screen import opened
from app.cli import run as kibitz
from engine import GAMES
from tests.quick import quick_with


@pytest.fixture(autouse=True)
def quick(monkeypatch):
    monkeypatch.setattr("app.bench.figures.rate.__defaults__", (0.01,))


def test_figures_as_json(capsys):
    assert kibitz(["bench", "--only", "random decisions", "--json"]) == 0
    figures = json.loads(capsys.readouterr().out)["figures"]
    assert [figure["name"].partition(":")[0] for figure in figures] == list(GAMES)
    for figure in figures:
        assert set(figure) == {"name", "value", "unit", "peer", "peer_value", "ratio"}
        assert figure["value"] > 1000
        assert figure["unit"] == "decisions/s"
        assert figure["peer"] is figure["peer_value"] is figure["ratio"] is None


@pytest.mark.slow
def test_hands_of_every_game(capsys):
    assert kibitz(["bench", "--only", "random hands", "--json"]) == 0
    figures = json.loads(capsys.readouterr().out)["figures"]
    assert {figure["unit"] for figure in figures} == {"hands/s"}
    names = [figure["name"].partition(":")[0] for figure in figures]
    assert names[-len(GAMES) :] == list(GAMES)


@pytest.mark.slow
def test_peers_are_measured_in_the_same_run(capsys):
    assert kibitz(["bench", "--only", "four players: random hands", "--peers", "--json"]) == 0
    figures = json.loads(capsys.readouterr().out)["figures"]
    assert {figure["peer"] for figure in figures} == {
        "OpenSpiel euchre",
        "OpenSpiel euchre, chance_outcomes",
    }
    for figure in figures:
        assert min(figure["value"], figure["peer_value"], figure["ratio"]) > 0


@pytest.mark.parametrize("name", ["views", "dealt", "simulations", "Q-learning", "memory"])
def test_other_figures_have_a_value(name, capsys):
    assert kibitz(["bench", "--only", name, "--json"]) == 0
    (figure,) = json.loads(capsys.readouterr().out)["figures"]
    assert figure["value"] > 0


@pytest.mark.parametrize("kind", quick_with(["batch", "PettingZoo", "Gymnasium"], "Gymnasium"))
def test_environments_of_every_game_and_openspiel(kind, capsys, monkeypatch):
    monkeypatch.setattr(environments, "TABLES", 4)
    assert kibitz(["bench", "--rl", "--only", kind, "--json"]) == 0
    figures = json.loads(capsys.readouterr().out)["figures"]
    names = [figure["name"].partition(":")[0] for figure in figures]
    assert names[-len(GAMES) :] == list(GAMES)
    assert all(figure["value"] > 0 for figure in figures)
    assert sum(figure["ratio"] is not None for figure in figures) == 2 * (kind == "batch")


def test_training_speed_of_every_learner(capsys, monkeypatch):
    monkeypatch.setattr(training, "SECONDS", 0.01)
    assert kibitz(["bench", "--training", "--only", "truco", "--json"]) == 0
    figures = json.loads(capsys.readouterr().out)["figures"]
    assert [figure["name"] for figure in figures] == [
        f"truco: training of {agent}" for agent in training.LEARNERS
    ]
    assert all(figure["value"] > 0 and figure["unit"] == "matches/s" for figure in figures)


@pytest.mark.parametrize("name", ["training by 2 workers", "evaluation by 2 workers"])
def test_two_workers_are_compared_with_one(name, capsys, monkeypatch):
    monkeypatch.setattr(learning, "TRAINED", 4)
    monkeypatch.setattr(learning, "EVALUATED", 4)
    monkeypatch.setattr(learning, "TURNS", 1)
    assert kibitz(["bench", "--only", name, "--json"]) == 0
    (figure,) = json.loads(capsys.readouterr().out)["figures"]
    assert (figure["peer"], figure["unit"]) == ("one worker", "matches/s")
    assert figure["ratio"] == figure["value"] / figure["peer_value"]


def test_run_is_kept_and_compared(tmp_path, capsys):
    file = tmp_path / "earlier.json"
    assert kibitz(["bench", "--only", "views", "--keep", str(file)]) == 0
    assert json.loads(file.read_text())["figures"][0]["unit"] == "views/s"
    assert kibitz(["bench", "--only", "views", "--compare", str(file)]) == 0
    assert "% since" in capsys.readouterr().out


def test_errors_are_explained(tmp_path, capsys, monkeypatch):
    assert kibitz(["bench", "--only", "chess"]) == 2
    assert "No figure has 'chess'" in capsys.readouterr().err
    (tmp_path / "none.json").write_text("[]")
    assert kibitz(["bench", "--compare", str(tmp_path / "none.json")]) == 2
    assert "holds no figures" in capsys.readouterr().err
    monkeypatch.setattr("app.commands.bench.find_spec", lambda name: None)
    assert kibitz(["bench", "--only", "random hands", "--peers"]) == 2
    assert "make bench installs it" in capsys.readouterr().err


def test_figures_are_medians_of_alternating_rounds():
    """The second round was slow for both, and the ratio is taken per round."""
    values = iter([4.0, 18.0, 1.0, 9.0, 3.0, 5.0])
    peer = Peer("another system", "", lambda: lambda: next(values))
    task = Task("a figure", "things/s", lambda: lambda: next(values), peer, rounds=3)
    (figure,) = run([task])
    assert (figure.value, figure.peer_value) == (3.0, 9.0)
    assert figure.ratio == pytest.approx(4 / 18)
    assert "0.22 × another system" in in_words(figure, None)
    assert "+200% since" in in_words(figure, Figure("a figure", 1.0, "things/s"))


def test_rate_counts_units_of_work():
    assert rate(lambda: 1000) > 1000


def test_screen_is_painted_with_its_last_row():
    paint = r"import time; print('\x1b[1;1H' + 'row ' + '\x1b[30;1H', end='', flush=True)"
    with opened([sys.executable, "-c", f"{paint}; input(); print('changed')"]) as terminal:
        assert terminal.until_painted() > 0
        terminal.settle()
        assert terminal.until_repainted(b"\n") > 0
