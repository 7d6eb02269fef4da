"""`kibitz train`, `kibitz evaluate` and `kibitz arena`."""

import json
from dataclasses import asdict

import pytest

from agents.parallel.parts import WorkError
from agents.registry import make
from agents.search.agent import Budget, SearchPlayer
from agents.storage.store import Store
from agents.training import session
from agents.training.rounds import ROUND, train
from app.cli import run
from app.lab.course_file import read_course
from app.records.history import History
from tests.quick import quick_with

SHORT = ["truco", "--option", "target=2", "--games", "40", "--seed", "3"]


def test_training_reports_and_saves_what_was_learned(home, capsys, tmp_path):
    assert run(["train", *SHORT, *home, "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert (report["game"], report["agent"], report["games"]) == ("truco", "q", 40)
    assert report["updates"] > 0
    assert {point["against"] for point in report["curve"]} == {"random", "easy", "hard"}
    assert (tmp_path / "home" / "qtables" / "truco.q.pkl").exists()
    history = History(tmp_path / "home" / "history.db")
    recorded = [asdict(point) for point in history.curve("truco", "q")]
    assert recorded == [each | {"seconds": 0.0, "measured": 0} for each in report["curve"]]

    assert run(["train", *SHORT, *home, "--json"]) == 0
    again = json.loads(capsys.readouterr().out)
    assert again["updates"] > report["updates"]
    runs = history.runs("truco", "q")
    assert [(each.games, each.seed, each.kept) for each in runs] == [(40, 3, True)] * 2
    assert runs[0].settings["options"] == {"target": 2}


@pytest.mark.slow
def test_unwritable_history_stops_no_training(home, capsys, tmp_path):
    (tmp_path / "home" / "history.db").mkdir(parents=True)
    assert run(["train", *SHORT, *home, "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert report["updates"] > 0
    assert len(report["notices"]) == 1
    assert "history.db cannot be written" in report["notices"][0]


def test_evaluation_is_recorded(home, capsys, tmp_path):
    command = ["evaluate", "truco", "q", "random", "--games", "6", "--option", "target=4"]
    assert run([*command, *home, "--json"]) == 0
    first = json.loads(capsys.readouterr().out)["agents"][0]
    standing = History(tmp_path / "home" / "history.db").standing("truco", "q", "random")
    assert standing == (first["win_rate"], *first["ci95"], 6)


def test_unwritable_history_stops_no_evaluation(home, capsys, tmp_path):
    (tmp_path / "home" / "history.db").mkdir(parents=True)
    command = ["evaluate", "truco", "q", "random", "--games", "2", "--option", "target=4"]
    assert run([*command, *home, "--json"]) == 0
    captured = capsys.readouterr()
    assert json.loads(captured.out)["games"] == 2
    assert "history.db cannot be written" in captured.err


@pytest.mark.slow
def test_training_prints_a_summary(home, capsys):
    assert run(["train", *SHORT, "--agent", "mc", *home]) == 0
    out = capsys.readouterr().out
    assert out.startswith("truco mc: 40 matches in ")
    assert "against hard (" in out


def test_course_file_is_read_and_flags_take_precedence(home, capsys, tmp_path):
    course = tmp_path / "course.yaml"
    copy = tmp_path / "copy.pkl"
    course.write_text(
        f"""
agent_type: sarsa:bold
episodes: 30
seed: 9
out: {copy}
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
    assert run([*command, "--from", "nothing"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert (report["agent"], report["games"], report["seed"]) == ("sarsa:bold", 10, 9)
    assert report["opponents"] == ["random"]
    assert report["options"] == {"target": 4}
    assert report["curve"] == []
    assert 0.01 < report["epsilon"] < 0.3
    assert copy.exists()


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("episodes: many", "episodes is 'many', but input should be a valid integer"),
        ("q_params: {alpha: 3}", "q_params.alpha is 3; the largest possible is 1."),
        ("epsilon_params: {min: .nan}", "epsilon_params.min is nan; the smallest possible is 0."),
        (
            "epsilon_params: {decay: 0.9, familiar: 3}",
            "epsilon_params.decay has no effect together with familiar; give one of them.",
        ),
        ("grid: {values: {trace: []}}", "grid.values.trace is [], but list should have at least"),
        ("grid: {seeds: 40, values: {trace: [0, 1]}}", "needs more than 64 trainings"),
        ("grid: {values: {trace: [2]}}", "The setting trace is 2; the largest possible is 1."),
        ("grid: {values: {smile: [2]}}", "There is no reward 'smile'; there are: "),
        ("episodes: 0", "course.yaml: episodes is 0; the smallest possible is 1."),
        ("evaluation: {games: 1}", "evaluation.games is 1; the smallest possible is 2."),
        ("rewards: {match_won: .inf}", "The reward match_won is inf; the largest possible is"),
        ("rewards: {smile: 1}", "There is no reward 'smile'; there are: "),
        ("options: {target: many}", "Option target is 'many'; it takes a whole number."),
        ("speed: 9", "there is no setting 'speed'"),
        ("- 1", "holds no settings"),
        ("a: [", "is not YAML"),
    ],
)
def test_wrong_course_file_is_reported(text, sentence, home, capsys, tmp_path):
    course = tmp_path / "course.yaml"
    course.write_text(text, encoding="utf-8")
    assert run(["train", "truco", "--config", str(course), *home]) == 2
    complaint = capsys.readouterr().err
    assert sentence in complaint
    assert complaint.count("\n") == 1


GRID = """
episodes: 4
options: {target: 2}
evaluation: {games: 4}
grid: {seeds: 2, values: {trace: [0.8, 1], match_won: [0]}}
"""


@pytest.mark.parametrize("workers", ["1", "2"])
def test_grid_compares_settings_and_saves_nothing(workers, home, capsys, tmp_path):
    course = tmp_path / "course.yaml"
    course.write_text(GRID, encoding="utf-8")
    command = ["train", "truco", "--config", str(course), "--workers", workers, *home]
    assert run([*command, "--json"]) == 0
    results = json.loads(capsys.readouterr().out)["results"]
    assert [each["values"]["trace"] for each in results] == [0.8, 1]
    for each in results:
        assert each["matches"] == 8
        assert each["win_rate"] == sum(each["rates"]) / 2
        assert each["low"] <= each["win_rate"] <= each["high"]
    assert run(command) == 0
    out = capsys.readouterr().out
    assert out.startswith("trace 0.8, match_won 0: ")
    assert out.count("against hard (") == 2
    assert not list((tmp_path / "home").rglob("*.pkl"))


def test_decay_of_a_course_file_replaces_familiarity(tmp_path):
    course = tmp_path / "course.yaml"
    course.write_text("epsilon_params: {start: 0.3, decay: 0.99}", encoding="utf-8")
    assert read_course(course).settings() == {"epsilon": 0.3, "decay": 0.99, "familiar": 0}


def test_empty_course_file_changes_nothing(tmp_path):
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
        (["truco", "--opponents", "genius"], "genius"),
    ],
)
def test_impossible_courses_are_refused(arguments, sentence, home, capsys):
    assert run(["train", *arguments, *home]) == 2
    complaint = capsys.readouterr().err
    assert sentence in complaint
    assert complaint.count("\n") == 1


def stop_after(matches, how, monkeypatch):
    """Raise an exception in every training that has played so many matches."""

    def stopping(course, learner, workers, executor, first, interrupt):
        for played in train(course, learner, workers, executor, first, interrupt=interrupt):
            yield played
            if played >= matches:
                raise how

    monkeypatch.setattr(session, "train", stopping)


LONG = ["truco", "--option", "target=4", "--games", str(4 * ROUND), "--seed", "3"]


@pytest.fixture
def course(tmp_path):
    """The arguments of a course without measurements."""
    path = tmp_path / "course.yaml"
    path.write_text("evaluation: {points: 0}", encoding="utf-8")
    return [*LONG, "--config", str(path)]


def test_stopped_course_continues_where_it_stopped(course, home, capsys, monkeypatch):
    with monkeypatch.context() as patch:
        stop_after(2 * ROUND, KeyboardInterrupt, patch)
        assert run(["train", *course, *home]) == 0
        assert "Stopped early" in capsys.readouterr().out
    assert run(["train", *course, *home, "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert (report["first"], report["games"], report["stopped"]) == (2 * ROUND, 2 * ROUND, False)

    assert run(["train", *course, *home, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["first"] == 0


@pytest.mark.slow
def test_stopping_does_not_change_what_is_learned(course, tmp_path, monkeypatch, capsys):
    for home in ("one", "two"):
        with monkeypatch.context() as patch:
            if home == "two":
                stop_after(2 * ROUND, KeyboardInterrupt, patch)
                assert run(["train", *course, "--home", str(tmp_path / home)]) == 0
        assert run(["train", *course, "--home", str(tmp_path / home)]) == 0
    one, two = [make("truco", "q", Store(tmp_path / home / "qtables")) for home in ("one", "two")]
    assert one.dump() == two.dump()


@pytest.mark.parametrize("given_as", ["flag", "file"])
def test_killed_course_continues_from_its_checkpoint(
    given_as, home, course, tmp_path, capsys, monkeypatch
):
    command = ["train", *course, *home]
    if given_as == "file":
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


def test_curve_continues_after_a_stop(home, tmp_path, capsys, monkeypatch):
    """The history adds up the matches of both runs."""
    config = tmp_path / "course.yaml"
    config.write_text("evaluation: {points: 4, games: 2}", encoding="utf-8")
    command = ["train", *LONG, "--config", str(config), *home]
    with monkeypatch.context() as patch:
        stop_after(2 * ROUND, KeyboardInterrupt, patch)
        assert run(command) == 0
    assert run(command) == 0
    curve = History(tmp_path / "home" / "history.db").curve("truco", "q")
    assert sorted({point.games for point in curve}) == [ROUND * count for count in range(5)]


def test_another_course_starts_from_its_first_match(course, home, tmp_path, capsys, monkeypatch):
    with monkeypatch.context() as patch:
        stop_after(2 * ROUND, KeyboardInterrupt, patch)
        assert run(["train", *course, *home]) == 0
    capsys.readouterr()
    for change in (["--seed", "4"], ["--opponents", "hard"]):
        assert run(["train", *course, *change, "--games", str(ROUND), *home, "--json"]) == 0
        report = json.loads(capsys.readouterr().out)
        assert report["first"] == 0


@pytest.mark.parametrize(
    "damage", quick_with(["", "[]", "null", "{}", "-3", "1000000", "1.5"], "", "{}", "-3")
)
def test_damaged_bookmark_is_ignored(damage, course, home, tmp_path, capsys, monkeypatch):
    """A number replaces the matches played, anything else the whole file."""
    with monkeypatch.context() as patch:
        stop_after(2 * ROUND, KeyboardInterrupt, patch)
        assert run(["train", *course, *home]) == 0
    path = tmp_path / "home" / "courses" / "truco.q.json"
    bookmark = json.loads(path.read_text(encoding="utf-8"))
    assert bookmark["played"] == 2 * ROUND
    if damage.strip("-.0123456789") or not damage:
        path.write_text(damage, encoding="utf-8")
    else:
        path.write_text(json.dumps(bookmark | {"played": json.loads(damage)}), encoding="utf-8")
    capsys.readouterr()
    assert run(["train", *course, *home, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["first"] == 0


def test_earlier_selves_can_be_opponents(course, home, capsys):
    command = ["train", *course, "--games", "8", "--opponents", "pool, hard", *home, "--json"]
    assert run(command) == 0
    assert json.loads(capsys.readouterr().out)["opponents"] == ["pool", "hard"]


def test_budget_limits_the_search(home, capsys, monkeypatch):
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
        (["train", "truco", "--workers", "1"], "give --workers 2 or more, or leave it out"),
        (["evaluate", "truco", "q", "hard", "--workers", "0"], "--workers is 0"),
    ],
)
def test_wrong_cluster_address_is_reported(arguments, sentence, home, capsys):
    assert run([*arguments, "--cluster", "nowhere", *home]) == 2
    complaint = capsys.readouterr().err
    assert sentence in complaint
    assert complaint.count("\n") == 1


def test_lost_workers_lose_nothing(course, home, capsys, monkeypatch):
    with monkeypatch.context() as patch:
        stop_after(2 * ROUND, WorkError("The workers are gone."), patch)
        assert run(["train", *course, *home]) == 2
    assert capsys.readouterr().err == "The workers are gone.\n"
    assert run(["train", *course, *home, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["first"] == 2 * ROUND


def test_arena_ranks_its_agents(home, capsys):
    command = ["arena", "smear", "random", "hard", "--games", "10", *home]
    assert run([*command, "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert [each["agent"] for each in report["ladder"]] == ["hard", "random"]
    assert report["pairings"][0]["first"] == "random"
    assert run(command) == 0
    assert capsys.readouterr().out.splitlines()[2].startswith("hard")


def test_stats_of_a_game_show_what_learners_learned(home, capsys):
    command = ["truco", "--option", "target=2", "--games", "2", "--from", "nothing"]
    assert run(["train", *command, *home]) == 0
    capsys.readouterr()
    assert run(["stats", "truco", "--json", *home]) == 0
    report = json.loads(capsys.readouterr().out)
    assert [each["game"] for each in report["games"]] == ["truco"]
    learner = next(each for each in report["learners"] if each["agent"] == "q")
    assert (learner["source"], learner["matches"]) == ("home", 2)
    assert [each["games"] for each in learner["curve"]] == [0] * 3 + [2] * 3
    assert run(["stats", "truco", *home]) == 0
    line = next(line for line in capsys.readouterr().out.splitlines() if "q, home" in line)
    assert "random" in line
    assert "→" in line
    assert run(["stats", "bridge", *home]) == 2
