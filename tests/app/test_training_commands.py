"""`kibitz train` and `kibitz arena`, as a person and as a script would use them."""

import json
from dataclasses import asdict
from pathlib import Path

import pytest

from agents.parallel.parts import WorkError
from agents.registry import make
from agents.search.agent import Budget, SearchPlayer
from agents.storage.store import Store
from agents.training.rounds import ROUND, train
from app.cli import run
from app.lab.course_file import read_course
from app.lab.learner_store import APART
from app.records.history import History

SHORT = ["truco", "--option", "target=2", "--games", "40", "--seed", "3"]


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
    assert runs[0].settings["options"] == {"target": 2}


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


def test_other_rewards_make_an_experiment_of_it(home, capsys, tmp_path):
    """What the learner at the tables knows stays as it is."""
    usual, other = tmp_path / "usual.yaml", tmp_path / "other.yaml"
    usual.write_text("{episodes: 2, evaluation: {points: 0}}", encoding="utf-8")
    other.write_text(
        "{episodes: 2, evaluation: {points: 0}, rewards: {match_won: 7}}", encoding="utf-8"
    )
    folder = Path(home[1])
    assert run(["train", "truco", "--config", str(usual), *home]) == 0
    known = (folder / "qtables" / "truco.q.pkl").read_bytes()
    capsys.readouterr()
    for _ in range(2):
        assert run(["train", "truco", "--config", str(other), *home]) == 0
        assert APART in capsys.readouterr().out
    assert [path.name for path in (folder / "qtables").glob("truco*")] == ["truco.q.pkl"]
    assert (folder / "qtables" / "truco.q.pkl").read_bytes() == known
    assert (folder / "experiments" / "truco.q.pkl").exists()


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
        (["truco", "--checkpoint", "0"], "--checkpoint is 0"),
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


def stop_after(matches, how, monkeypatch):
    """Let every course end that way once it has played so many matches."""
    from app.lab import training

    def stopping(course, learner, workers, executor, first):
        for played in train(course, learner, workers, executor, first):
            yield played
            if played >= matches:
                raise how

    monkeypatch.setattr(training, "train", stopping)


LONG = ["truco", "--option", "target=4", "--games", str(4 * ROUND), "--seed", "3"]


@pytest.fixture
def course(tmp_path):
    """Nothing measured on the way."""
    path = tmp_path / "course.yaml"
    path.write_text("evaluation: {points: 0}", encoding="utf-8")
    return [*LONG, "--config", str(path)]


def test_an_interrupted_course_goes_on_where_it_stopped(course, home, capsys, monkeypatch):
    with monkeypatch.context() as patch:
        stop_after(2 * ROUND, KeyboardInterrupt, patch)
        assert run(["train", *course, *home]) == 0
        assert "Stopped early" in capsys.readouterr().out
    assert run(["train", *course, *home, "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert (report["first"], report["games"], report["stopped"]) == (2 * ROUND, 2 * ROUND, False)

    assert run(["train", *course, *home, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["first"] == 0


def test_it_then_knows_what_it_would_have_learned_in_one_go(course, tmp_path, monkeypatch, capsys):
    for home in ("one", "two"):
        with monkeypatch.context() as patch:
            if home == "two":
                stop_after(2 * ROUND, KeyboardInterrupt, patch)
                assert run(["train", *course, "--home", str(tmp_path / home)]) == 0
        assert run(["train", *course, "--home", str(tmp_path / home)]) == 0
    one, two = [make("truco", "q", Store(tmp_path / home / "qtables")) for home in ("one", "two")]
    assert one.dump() == two.dump()


@pytest.mark.parametrize("said", ["flag", "file"])
def test_a_killed_course_loses_at_most_a_checkpoint(
    said, home, course, tmp_path, capsys, monkeypatch
):
    command = ["train", *course, *home]
    if said == "file":
        (tmp_path / "course.yaml").write_text(f"checkpoint: {2 * ROUND}\nevaluation: {{points: 0}}")
    else:
        command += ["--checkpoint", str(2 * ROUND)]
    with monkeypatch.context() as patch:
        stop_after(3 * ROUND, SystemExit, patch)
        with pytest.raises(SystemExit):
            run(command)
    games = make("truco", "q", Store(tmp_path / "home" / "qtables")).stats().games
    assert games == make("truco", "q").stats().games + 2 * 2 * ROUND
    assert run([*command, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["first"] == 2 * ROUND


def test_another_course_starts_at_its_beginning(course, home, tmp_path, capsys, monkeypatch):
    with monkeypatch.context() as patch:
        stop_after(2 * ROUND, KeyboardInterrupt, patch)
        assert run(["train", *course, *home]) == 0
    capsys.readouterr()
    for change in (["--seed", "4"], ["--opponents", "hard"]):
        assert run(["train", *course, *change, "--games", str(ROUND), *home, "--json"]) == 0
        report = json.loads(capsys.readouterr().out)
        assert report["first"] == 0


@pytest.mark.parametrize("contents", ["", "[]", "null", '{"played": 8}', '{"played": -3}'])
def test_a_bookmark_of_any_other_kind_is_not_used(contents, course, home, tmp_path, capsys):
    assert run(["train", *course, "--games", "8", *home]) == 0
    (tmp_path / "home" / "training" / "truco.q.json").parent.mkdir(exist_ok=True)
    (tmp_path / "home" / "training" / "truco.q.json").write_text(contents, encoding="utf-8")
    capsys.readouterr()
    assert run(["train", *course, "--games", "8", *home, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["first"] == 0


def test_the_pool_is_an_opponent_by_name(course, home, capsys):
    command = ["train", *course, "--games", "8", "--opponents", "pool, hard", *home, "--json"]
    assert run(command) == 0
    assert json.loads(capsys.readouterr().out)["opponents"] == ["pool", "hard"]


def test_a_budget_makes_those_think_less_who_look_ahead(home, capsys, monkeypatch):
    worlds = []
    act = SearchPlayer.act
    monkeypatch.setattr(
        SearchPlayer, "act", lambda self, *given: worlds.append(self.budget) or act(self, *given)
    )
    short = ["euchre", "search", "random", "--games", "2", "--budget", "1", *home, "--json"]
    assert run(["evaluate", *short]) == 0
    assert run(["arena", *short]) == 0
    assert set(worlds) == {Budget(1)}
    capsys.readouterr()
    assert run(["evaluate", "euchre", "search", "random", "--budget", "0", *home]) == 2
    assert "--budget is 0; give 1 or more." in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["evaluate", "truco", "q", "hard"], "'nowhere' is not the address of a cluster;"),
        (["arena", "truco"], "'nowhere' is not the address of a cluster;"),
        (["train", "truco"], "'nowhere' is not the address of a cluster;"),
        (["train", "truco", "--workers", "1"], "give --workers 2 or more, or none"),
        (["evaluate", "truco", "q", "hard", "--workers", "0"], "--workers is 0"),
    ],
)
def test_a_cluster_that_is_none_is_explained(arguments, sentence, home, capsys):
    assert run([*arguments, "--cluster", "nowhere", *home]) == 2
    complaint = capsys.readouterr().err
    assert sentence in complaint
    assert complaint.count("\n") == 1


def test_who_loses_the_helpers_keeps_what_was_learned(course, home, capsys, monkeypatch):
    with monkeypatch.context() as patch:
        stop_after(2 * ROUND, WorkError("They have all gone."), patch)
        assert run(["train", *course, *home]) == 2
    assert capsys.readouterr().err == "They have all gone.\n"
    assert run(["train", *course, *home, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["first"] == 2 * ROUND


def test_an_arena_ranks_its_agents(home, capsys):
    command = ["arena", "smear", "random", "hard", "--games", "10", *home]
    assert run([*command, "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert [each["agent"] for each in report["ladder"]] == ["hard", "random"]
    assert report["pairings"][0]["first"] == "random"
    assert run(command) == 0
    assert capsys.readouterr().out.splitlines()[2].startswith("hard")
