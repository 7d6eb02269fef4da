"""`kibitz train` and `kibitz arena`, as a person and as a script would use them."""

import json
from dataclasses import asdict

import pytest

from app.cli import run
from app.course_file import read_course
from app.history import History

SHORT = ["truco", "--option", "target=6", "--games", "40", "--seed", "3"]


@pytest.fixture
def home(tmp_path):
    return ["--home", str(tmp_path / "home")]


def test_training_reports_and_keeps_what_was_learned(home, capsys, tmp_path):
    assert run(["train", *SHORT, *home, "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert (report["game"], report["agent"], report["games"]) == ("truco", "q", 40)
    assert report["updates"] > 0
    assert {point["against"] for point in report["curve"]} == {"random", "hard"}
    assert (tmp_path / "home" / "qtables" / "truco.q.pkl").exists()
    history = History(tmp_path / "home" / "history.db")
    assert [asdict(point) for point in history.curve("truco", "q")] == report["curve"]

    assert run(["train", *SHORT, *home, "--json"]) == 0
    again = json.loads(capsys.readouterr().out)
    assert again["updates"] > report["updates"]
    runs = history.runs("truco", "q")
    assert [(each.games, each.seed, each.kept) for each in runs] == [(40, 3, True)] * 2
    assert runs[0].settings["options"] == {"target": 6}


def test_a_history_that_cannot_be_written_stops_no_training(home, capsys, tmp_path):
    (tmp_path / "home" / "history.db").mkdir(parents=True)
    assert run(["train", *SHORT, *home, "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert report["updates"] > 0
    assert len(report["notices"]) == 1
    assert "history.db cannot be written" in report["notices"][0]


def test_an_evaluation_is_remembered(home, capsys, tmp_path):
    command = ["evaluate", "truco", "q", "random", "--games", "6", "--option", "target=4"]
    assert run([*command, *home, "--json"]) == 0
    first = json.loads(capsys.readouterr().out)["agents"][0]
    standing = History(tmp_path / "home" / "history.db").standing("truco", "q", "random")
    assert standing == (first["win_rate"], *first["ci95"], 6)


def test_an_evaluation_that_cannot_be_remembered_is_reported_all_the_same(home, capsys, tmp_path):
    (tmp_path / "home" / "history.db").mkdir(parents=True)
    command = ["evaluate", "truco", "q", "random", "--games", "2", "--option", "target=4"]
    assert run([*command, *home, "--json"]) == 0
    captured = capsys.readouterr()
    assert json.loads(captured.out)["games"] == 2
    assert "history.db cannot be written" in captured.err


def test_training_is_told_in_words(home, capsys):
    assert run(["train", *SHORT, "--agent", "mc", *home]) == 0
    out = capsys.readouterr().out
    assert out.startswith("truco mc: 40 matches in ")
    assert "against hard (" in out


def test_a_file_says_what_to_train_and_flags_come_first(home, capsys, tmp_path):
    course = tmp_path / "course.yaml"
    table = tmp_path / "table.pkl"
    course.write_text(
        f"""
agent_type: sarsa
episodes: 30
seed: 9
out: {table}
opponents: [random]
options: {{target: 4}}
q_params: {{alpha: 0.2, gamma: 0.9}}
epsilon_params: {{start: 0.3, decay: 0.99, min: 0.01}}
rewards: {{match_won: 7}}
evaluation: {{points: 0}}
""",
        encoding="utf-8",
    )
    command = ["train", "truco", "--config", str(course), "--games", "10", *home, "--json"]
    assert run(command) == 0
    report = json.loads(capsys.readouterr().out)
    assert (report["agent"], report["games"], report["seed"]) == ("sarsa", 10, 9)
    assert report["opponents"] == ["random"]
    assert report["options"] == {"target": 4}
    assert report["curve"] == []
    assert report["epsilon"] < 0.3
    assert table.exists()


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("episodes: many", "episodes is 'many', but input should be a valid integer"),
        ("q_params: {alpha: 3}", "q_params.alpha is 3, but input should be less than"),
        ("speed: 9", "there is no setting 'speed'"),
        ("- 1", "holds no settings"),
        ("a: [", "is not YAML"),
    ],
)
def test_a_wrong_file_is_explained(text, sentence, home, capsys, tmp_path):
    course = tmp_path / "course.yaml"
    course.write_text(text, encoding="utf-8")
    assert run(["train", "truco", "--config", str(course), *home]) == 2
    complaint = capsys.readouterr().err
    assert sentence in complaint
    assert complaint.count("\n") == 1


def test_an_empty_file_changes_nothing(tmp_path):
    course = tmp_path / "course.yaml"
    course.write_text("", encoding="utf-8")
    assert read_course(course).episodes == 1000
    assert read_course(course).settings() == {}


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["truco", "--agent", "hard"], "hard does not learn"),
        (["truco", "--agent", "genius"], "genius"),
        (["truco", "--games", "0"], "--games is 0"),
        (["chess"], "There is no game 'chess'"),
        (["truco", "--config", "nowhere.yaml"], "cannot be read"),
        (["truco", "--opponents", "nobody"], "nobody"),
    ],
)
def test_impossible_courses_are_explained(arguments, sentence, home, capsys):
    assert run(["train", *arguments, *home]) == 2
    complaint = capsys.readouterr().err
    assert sentence in complaint
    assert complaint.count("\n") == 1


def test_an_interrupted_course_keeps_what_was_learned(home, capsys, monkeypatch):
    from app import training

    def interrupted(course, learner, workers):
        yield from [8]
        raise KeyboardInterrupt

    monkeypatch.setattr(training, "train", interrupted)
    assert run(["train", *SHORT, *home]) == 0
    assert "Stopped early" in capsys.readouterr().out


def test_an_arena_ranks_its_agents(home, capsys):
    command = ["arena", "smear", "random", "hard", "--games", "10", *home]
    assert run([*command, "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert [each["agent"] for each in report["ladder"]] == ["hard", "random"]
    assert report["pairings"][0]["first"] == "random"
    assert run(command) == 0
    assert capsys.readouterr().out.splitlines()[2].startswith("hard")
