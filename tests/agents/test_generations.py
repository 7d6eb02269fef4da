"""Generations of learners, and learners with values from a file: their names and what they know."""

from pathlib import Path

import pytest

from agents.agent import Learner
from agents.evaluation.arena import arena
from agents.evaluation.evaluation import evaluate
from agents.evaluation.series import Conditions
from agents.match import Match
from agents.names import AgentName
from agents.registry import (
    agents_for,
    check_name,
    create,
    generations,
    make,
    portable_name,
    spec_of,
    title_of,
)
from agents.storage import store as store_module
from agents.storage.store import Store, values_of, write_shipped, write_values
from agents.training.course import Course, new_learner
from agents.training.rounds import train
from engine import GAMES
from engine.games import register, unregister
from engine.manifest import GameRow
from tests.agents.hostile_files import hostile_pickles, sealed

TINY = {"target": 2}


def trained(matches: int) -> Learner:
    course = Course("truco", "q", matches, options=dict(TINY))
    learner = new_learner(course)
    for _ in train(course, learner):
        pass
    return learner


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Store:
    """A home folder with q@10, and q@100 and q as shipped."""
    monkeypatch.setattr(store_module, "SHIPPED", tmp_path / "pretrained")
    store = Store(tmp_path / "qtables")
    store.save_generation(trained(10))
    learner = trained(100)
    for name in ("q", "q@100"):
        write_shipped("truco", name, values_of(learner), learner.fingerprint())
    return store


def test_names_have_parts() -> None:
    assert AgentName.parse("q") == AgentName("q")
    assert AgentName.parse("q@0") == AgentName("q", 0)
    assert AgentName.parse("neural@10000") == AgentName("neural", 10_000)
    assert AgentName.parse("q@old/q.pkl") == AgentName("q", file=Path("old/q.pkl"))
    assert AgentName.parse("q@~/q.pkl") == AgentName("q", file=Path.home() / "q.pkl")
    assert AgentName.parse("q@" + "9" * 99) == AgentName("q", file=Path("9" * 99))
    assert not AgentName.parse("q").frozen
    assert AgentName.parse("q@0").frozen


@pytest.mark.parametrize("game", GAMES)
def test_agents_say_whether_they_learn(game: str) -> None:
    for name, spec in agents_for(game).items():
        assert spec.learns == isinstance(create(game, name), Learner)


@pytest.mark.parametrize("game", GAMES)
def test_every_learner_has_a_generation_that_has_learned_nothing(game: str, home: Store) -> None:
    for name, spec in agents_for(game).items():
        if spec.learns:
            learner = make(game, f"{name}@0", home, learning=True)
            assert isinstance(learner, Learner)
            assert learner.dump() == create(game, name).dump()  # type: ignore[attr-defined]
            assert learner.name == f"{name}@0"
            assert not learner.learning
            assert learner.source == "nothing learned"


def test_new_game_has_untrained_learners() -> None:
    register(GameRow("plain", "Plain", "", rules="engine.games.truco:GAME"))
    try:
        assert make("plain", "linear@0").name == "linear@0"
        assert generations("plain", "linear") == [0]
    finally:
        unregister("plain")


def test_generations_are_in_the_home_folder_or_shipped(home: Store) -> None:
    assert generations("truco", "q", home) == [0, 10, 100]
    assert generations("truco", "mc", home) == [0]
    for name, source, matches in (
        ("q@10", "generation 10, home", 10),
        ("q@100", "generation 100, shipped", 100),
        ("q", "shipped", 100),
    ):
        learner = make("truco", name, home)
        assert isinstance(learner, Learner)
        assert (learner.name, learner.source) == (name, source)
        assert learner.log.matches == matches
        assert learner.stats().games == 2 * matches


def test_generation_in_the_home_folder_comes_first(home: Store) -> None:
    home.save_generation(trained(100))
    learner = make("truco", "q@100", home)
    assert isinstance(learner, Learner)
    assert learner.source == "generation 100, home"


def test_generation_never_learns(home: Store) -> None:
    learner = make("truco", "q@10", home, learning=True)
    assert isinstance(learner, Learner)
    before = learner.dump()
    Match(GAMES["truco"].new(1, **TINY), [learner] * 2, 1).play_out()
    assert learner.dump() == before


def test_damaged_generation_is_replaced_by_the_shipped_one(home: Store) -> None:
    home.path("truco", "q@100").write_bytes(b"nonsense")
    learner = make("truco", "q@100", home)
    assert isinstance(learner, Learner)
    assert learner.source == "generation 100, shipped"
    assert "truco.q@100.pkl was not loaded" in home.notices[0]


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("q@5", r"^q has no generation 5; there are: q@0, q@10, q@100\.$"),
        ("mc@10", r"^mc has no generation 10; there are: mc@0\.$"),
        ("hard@0", r"^hard does not learn, so there is no hard@0\.$"),
        ("wizard@0", r"^There is no agent 'wizard@0'; choose one of: random, "),
        ("q@", r"^'q@' names no generation; give its matches after @, such as q@0\.$"),
        ("q@no/such.pkl", r"^There is no file no/such\.pkl for q@no/such\.pkl\.$"),
    ],
)
def test_unknown_generations_are_explained(name: str, sentence: str, home: Store) -> None:
    with pytest.raises(ValueError, match=sentence):
        make("truco", name, home)
    with pytest.raises(ValueError, match=sentence):
        check_name("truco", name, home)


def test_known_names_are_accepted(home: Store) -> None:
    for name in ("hard", "q", "q@0", "q@10", "q@100", "cmd:./bot.py"):
        check_name("truco", name, home)


@pytest.mark.parametrize("suffix", [".pkl", ".pkl.gz"])
def test_learner_can_have_the_values_of_a_file(suffix: str, home: Store, tmp_path: Path) -> None:
    path = tmp_path / f"Mine{suffix}"
    if suffix == ".pkl":
        write_values(path, trained(10))
    else:
        path.write_bytes(store_module.shipped("truco", "q").read_bytes())
    before = path.read_bytes()
    learner = make("truco", f"q@{path}", home, learning=True)
    assert isinstance(learner, Learner)
    assert learner.stats().table_size > 0
    assert not learner.learning
    assert learner.source == f"file {path}"
    assert path.read_bytes() == before


def test_file_of_another_learner_is_refused(home: Store, tmp_path: Path) -> None:
    path = tmp_path / "q.pkl"
    write_values(path, trained(10))
    with pytest.raises(ValueError, match=r"was not loaded because it was learned with other"):
        make("euchre", f"q@{path}", home)
    assert path.exists()


def test_hostile_files_are_refused(home: Store, tmp_path: Path) -> None:
    touched = tmp_path / "touched"
    for number, pickled in enumerate(hostile_pickles(f"touch {touched}").values()):
        path = tmp_path / f"{number}.pkl"
        path.write_bytes(sealed(pickled))
        with pytest.raises(ValueError, match="was not loaded because"):
            make("truco", f"q@{path}", home)
    assert not touched.exists()


def test_compressed_file_that_is_too_large_is_refused(
    home: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = store_module.shipped("truco", "q")
    monkeypatch.setattr(store_module, "MAX_SIZE", 1000)
    with pytest.raises(ValueError, match="it is too large"):
        make("truco", f"q@{path}")


def test_names_have_titles_for_people() -> None:
    assert title_of("truco", "q") == "Q"
    assert title_of("truco", "q@1000") == "Q @1,000"
    assert title_of("truco", "q@old/q.pkl") == "Q @q.pkl"
    assert title_of("truco", "cmd:./bot.py") == "cmd:./bot.py"
    spec = spec_of("truco", "q@0")
    assert spec is not None
    assert (spec.name, spec.summary) == ("q@0", "has learned nothing")
    assert spec.make().name == "q@0"


def test_evaluation_reports_which_learner_played(home: Store) -> None:
    conditions = Conditions(1, dict(TINY), qtables=home.folder)
    for name, source in (
        ("q", "shipped"),
        ("q@0", "nothing learned"),
        ("q@10", "generation 10, home"),
        ("mc", "nothing learned"),
    ):
        report = evaluate("truco", [name, "random"], 2, conditions)
        played, other = [each["source"] for each in report["agents"]]  # type: ignore[attr-defined]
        assert (played.partition(", saved ")[0], other) == (source, None)


def test_generations_meet_in_an_arena(home: Store) -> None:
    conditions = Conditions(1, dict(TINY), qtables=home.folder)
    _, ladder = arena("truco", ["q@0", "q@10", "q"], 2, conditions)
    assert {each.agent for each in ladder} == {"q@0", "q@10", "q"}


def test_learner_trains_against_generations(home: Store) -> None:
    opponents = tuple([portable_name("truco", name, home) for name in ("q@10", "q@100", "hard")])
    assert opponents == (f"q@{home.path('truco', 'q@10')}", "q@100", "hard")
    course = Course("truco", "q", 6, options=dict(TINY), opponents=opponents)
    learner = new_learner(course)
    assert list(train(course, learner)) == [6]
    assert learner.stats().games == 6


def test_generation_cannot_be_trained() -> None:
    with pytest.raises(ValueError, match=r"^q@10 never learns; train q\.$"):
        new_learner(Course("truco", "q@10", 1))
