"""The commands for training: where to start, when to stop, generations and curves."""

import json
import re
from pathlib import Path
from xml.etree import ElementTree

import pytest

from agents.registry import make
from agents.storage.store import Store, values_of, write_shipped
from app.cli import run
from app.records.history import History
from tests.quick import quick_with

QUICK = ["truco", "--option", "target=2", "--seed", "3", "--config"]


@pytest.fixture
def quick(tmp_path):
    """The arguments of a training that is not measured."""
    config = tmp_path / "quick.yaml"
    config.write_text("{episodes: 12, evaluation: {points: 0}}", encoding="utf-8")
    return [*QUICK, str(config)]


def trained_matches(home, name="q"):
    learner = make("truco", name, Store(Path(home[1]) / "qtables"))
    return learner.log.matches


def test_training_keeps_generations(home, quick, capsys):
    assert run(["train", *quick, "--from", "nothing", *home]) == 0
    assert trained_matches(home, "q@10") == 10
    assert run(["train", *quick, "--games", "90", *home]) == 0
    store = Store(Path(home[1]) / "qtables")
    assert store.generations("truco", "q") == [10, 100]
    assert trained_matches(home) == 102


def test_training_from_nothing_replaces_what_was_learned(home, quick, capsys):
    """The earlier values and generations are kept under other names."""
    for _ in range(2):
        assert run(["train", *quick, "--from", "nothing", "--json", *home]) == 0
        report = json.loads(capsys.readouterr().out)
        assert (report["from"], report["first"], report["trained"]) == ("nothing", 0, 12)
    assert trained_matches(home) == 12
    (notice,) = report["notices"]
    assert notice.startswith("What q had learned before is kept as truco.q.pkl.reset-")
    folder = Path(home[1]) / "qtables"
    assert len(list(folder.glob("truco.q.pkl.reset-*"))) == 1
    assert len(list(folder.glob("truco.q@10.pkl.reset-*"))) == 1
    history = History(Path(home[1]) / "history.db")
    assert len(history.runs("truco", "q")) == 1


def test_training_from_nothing_is_measured_from_match_0(home, capsys):
    command = ["truco", "--option", "target=2", "--games", "2", "--from", "nothing"]
    assert run(["train", *command, "--json", *home]) == 0
    report = json.loads(capsys.readouterr().out)
    assert {point["games"] for point in report["curve"]} == {0, 2}
    learner = make("truco", "q", Store(Path(home[1]) / "qtables"))
    assert [point.games for point in learner.log.points][::3] == [0, 2]


def test_training_from_shipped_values(home, quick, capsys):
    assert run(["train", *quick, "--from", "shipped", *home]) == 2
    assert "q comes without learned values" in capsys.readouterr().err
    assert run(["train", *quick, "--from", "nothing", *home]) == 0
    learner = make("truco", "q", Store(Path(home[1]) / "qtables"))
    write_shipped("truco", "q", values_of(learner), learner.fingerprint())
    for _ in range(2):
        assert run(["train", *quick, "--from", "shipped", *home]) == 0
        assert trained_matches(home) == 24


def test_training_stops_after_some_seconds(home, tmp_path, capsys):
    config = tmp_path / "unmeasured.yaml"
    config.write_text("{evaluation: {points: 0}}", encoding="utf-8")
    command = ["train", *QUICK, str(config), "--seconds", "0.001", *home]
    assert run([*command, "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert report["stopped"]
    assert report["games"] == 10
    assert report["training_seconds"] > 0
    assert run(command) == 0
    out = capsys.readouterr().out
    assert "the same command continues." in out
    assert "It continued after match 10" in out


def test_time_limit_of_a_course_with_few_matches(home, quick, capsys):
    assert run(["train", *quick, "--seconds", "600", "--json", *home]) == 0
    report = json.loads(capsys.readouterr().out)
    assert (report["stopped"], report["games"]) == (False, 12)


def test_curve_is_written_as_csv(home, capsys, tmp_path):
    path = tmp_path / "curve.csv"
    command = ["truco", "--option", "target=2", "--games", "2", "--from", "nothing"]
    assert run(["train", *command, "--curve", str(path), *home]) == 0
    lines = path.read_text(encoding="utf-8").splitlines()
    assert lines[0] == "games,against,win_rate,low,high,seconds,measured"
    assert [line.split(",")[:2] for line in lines[1:4]] == [
        ["0", "random"],
        ["0", "easy"],
        ["0", "hard"],
    ]
    before = path.read_bytes()
    assert run(["train", *command, "--curve", str(path), *home]) == 0
    assert path.read_bytes() != before


@pytest.mark.parametrize("suffix", quick_with(["json", "svg"], "json"))
def test_suffix_decides_the_format_of_a_curve(home, tmp_path, suffix):
    path = tmp_path / f"curve.{suffix}"
    command = ["truco", "--option", "target=2", "--games", "2", "--from", "nothing"]
    for _ in range(2):
        assert run(["train", *command, "--curve", str(path), *home]) == 0
    text = path.read_text(encoding="utf-8")
    if suffix == "json":
        assert {point["against"] for point in json.loads(text)["points"]} == {
            "random",
            "easy",
            "hard",
        }
    else:
        assert ElementTree.fromstring(text).tag.endswith("svg")


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("curve.png", "end it with .csv, .json or .svg"),
        ("mine.csv", "is not a learning curve of Kibitz; give another name"),
        ("folder.csv", "cannot be written"),
    ],
)
def test_curve_is_refused_before_training(home, capsys, tmp_path, name, sentence):
    """A file of somebody else stays as it is."""
    (tmp_path / "mine.csv").write_text("my,own\nfigures,1\n")
    (tmp_path / "folder.csv").mkdir()
    assert run(["train", "truco", "--games", "2", "--curve", str(tmp_path / name), *home]) == 2
    assert sentence in capsys.readouterr().err
    assert (tmp_path / "mine.csv").read_text() == "my,own\nfigures,1\n"
    assert not (tmp_path / "home" / "qtables").exists()


@pytest.mark.parametrize(
    ("flags", "sentence"),
    [
        (["--from", "hard"], "hard does not learn, so it has no knowledge to start from."),
        (["--from", "merlin"], "There is no agent 'merlin'; choose one of:"),
        (["--from", "q:rosa"], "There is no learner q:rosa for truco; create it with"),
        (["--setting", "alpha"], "--setting is 'alpha'; write it as name=number."),
        (["--setting", "alpha=2"], "The setting alpha is 2; the largest possible is 1."),
        (["--seconds", "0"], "--seconds is 0; give more than 0, up to 2,592,000."),
        (["--seconds", "nan"], "--seconds is nan; give more than 0"),
        (["--seconds", "inf"], "--seconds is inf; give more than 0"),
        (["--agent", "q@10"], "q@10 never learns; train q."),
        (["--opponents", "q@5"], "q has no generation 5; there are: q@0"),
    ],
)
def test_impossible_starts_and_limits_are_refused(flags, sentence, home, capsys):
    assert run(["train", "truco", *flags, *home]) == 2
    assert sentence in capsys.readouterr().err


def test_opponents_may_be_generations(home, quick, capsys):
    assert run(["train", *quick, "--from", "nothing", *home]) == 0
    assert run(["train", *quick, "--opponents", "q@10,q@0", *home]) == 0
    assert trained_matches(home) == 24


def test_evaluation_names_the_source_of_each_agent(home, quick, capsys):
    assert run(["train", *quick, "--from", "nothing", *home]) == 0
    capsys.readouterr()
    command = ["evaluate", "truco", "q@10", "q", "--games", "2", "--option", "target=2"]
    assert run([*command, "--json", *home]) == 0
    agents = json.loads(capsys.readouterr().out)["agents"]
    sources = [each["source"] for each in agents]
    dates = r", saved \d{4}-\d\d-\d\d \d\d:\d\d"
    assert re.fullmatch(f"generation 10, home{dates}", sources[0])
    assert re.fullmatch(f"home{dates}", sources[1])
    assert run([*command, *home]) == 0
    assert "generation 10, home, saved 2" in capsys.readouterr().out


@pytest.mark.parametrize("change", [["--reward", "match_won=7"], ["--setting", "gamma=0.25"]])
def test_other_rewards_need_a_name(change, home, quick, capsys):
    assert run(["train", *quick, *home]) == 0
    folder = Path(home[1]) / "qtables"
    known = (folder / "truco.q.pkl").read_bytes()
    capsys.readouterr()
    for agent in ("q", "q:rosa"):
        assert run(["train", *quick, "--agent", agent, *change, *home]) == 2
        if agent == "q":
            assert "train a new learner under its own name" in capsys.readouterr().err
    assert "There is no learner q:rosa for truco; create it" in capsys.readouterr().err
    assert run(["train", *quick, "--agent", "q:rosa", "--from", "nothing", *change, *home]) == 0
    assert run(["train", *quick, "--agent", "q:rosa", *change, *home]) == 0
    capsys.readouterr()
    assert run(["train", *quick, "--agent", "q:rosa", "--setting", "gamma=0.5", *home]) == 2
    assert "what q:rosa has learned would lose its meaning" in capsys.readouterr().err
    assert (folder / "truco.q.pkl").read_bytes() == known
    assert not (Path(home[1]) / "experiments").exists()
