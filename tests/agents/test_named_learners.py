"""Named learners: their names, settings and files."""

import pickle
from pathlib import Path

import pytest

from agents import named_learners
from agents.agent import Learner
from agents.evaluation.evaluation import evaluate
from agents.evaluation.series import Conditions
from agents.learners.tabular import TabularLearner
from agents.named_learners import NOTHING, SHIPPED, begin, copy, delete, pack, rename, unpack
from agents.names import AgentName, learner_name
from agents.registry import (
    agents_for,
    check_name,
    create,
    generations,
    known_agents,
    make,
    portable_name,
    spec_of,
)
from agents.storage.store import Store, StoreError, setup_of
from agents.storage.values_file import encode
from agents.training.course import Course
from agents.training.rounds import train
from agents.training_log import CurvePoint
from tests.agents.hostile_files import hostile_pickles, sealed

TINY = {"target": 2}
POINT = CurvePoint(10, "hard", 0.2, 0.1, 0.3, 1.0, 40)


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(tmp_path / "qtables")


def rosa(store: Store, name: str = "q:rosa", **settings: float) -> Learner:
    """A named learner after 10 matches, with a generation and a curve."""
    learner = begin("truco", name, NOTHING, store, settings)
    for _ in train(Course("truco", name, 10, options=dict(TINY), settings=settings), learner):
        pass
    learner.log = learner.log.measured([POINT])
    store.save_generation(learner)
    store.save(learner)
    return learner


@pytest.mark.parametrize("own", ["rosa", "r", "a-b_9", "x" * 20])
def test_names(own: str) -> None:
    name = learner_name("q", own)
    assert AgentName.parse(name) == AgentName(f"q:{own}")
    assert AgentName.parse(name).kind == "q"
    assert AgentName.parse(f"{name}@1000") == AgentName(f"q:{own}", 1000)
    assert AgentName.parse(name).own == own


@pytest.mark.parametrize("own", ["", "Rosa", "9a", "-a", "x" * 21, "a b", "a.b", "a/b", "ä", "a:b"])
def test_bad_names_are_refused(own: str) -> None:
    with pytest.raises(ValueError, match="use 1 to 20 of a-z, 0-9, - and _"):
        spec_of("truco", f"q:{own}")


def test_a_name_has_no_file_and_needs_a_learner() -> None:
    with pytest.raises(ValueError, match="give q@FILE"):
        AgentName.parse("q:rosa@old.pkl")
    with pytest.raises(ValueError, match="hard does not learn, so there is no hard:rosa"):
        spec_of("truco", "hard:rosa")


@pytest.mark.parametrize("name", ["q:rosa", "q:rosa@0", "q:rosa@10"])
def test_unknown_learner_is_one_sentence(name: str, store: Store) -> None:
    for look in (check_name, make):
        with pytest.raises(ValueError, match=r"no learner q:rosa for truco; create it with"):
            look("truco", name, store)  # type: ignore[operator]


@pytest.mark.parametrize("kind", [n for n, spec in agents_for("truco").items() if spec.learns])
def test_every_kind_can_be_named(kind: str, store: Store) -> None:
    name = f"{kind}:rosa"
    store.save(begin("truco", name, NOTHING, store, {"alpha": 0.5}))
    learner = make("truco", name, store)
    assert isinstance(learner, Learner)
    assert learner.name == name
    assert learner.setup()[0]["alpha"] == 0.5
    assert type(learner) is type(create("truco", kind))
    assert generations("truco", name, store) == [0]


def test_named_learner_keeps_its_settings_and_rewards(store: Store) -> None:
    learner = begin("truco", "q:rosa", NOTHING, store, {"gamma": 0.5}, {"match_won": 3})
    store.save(learner)
    found = make("truco", "q:rosa", store)
    assert isinstance(found, TabularLearner)
    assert found.settings.gamma == 0.5
    assert found.rewards.match_won == 3  # type: ignore[attr-defined]
    assert found.source == "home"
    usual = make("truco", "q", store)
    assert isinstance(usual, TabularLearner)
    assert usual.settings.gamma != 0.5


def test_named_learner_starts_from_knowledge_with_other_settings(store: Store) -> None:
    shipped = make("truco", "q")
    assert isinstance(shipped, Learner)
    learner = begin("truco", "q:rosa", SHIPPED, store, {"gamma": 0.5, "alpha": 0.25})
    assert learner.stats().table_size == shipped.stats().table_size
    assert learner.log == shipped.log
    assert learner.setup()[0]["gamma"] == 0.5
    store.save(learner)
    second = begin("truco", "sarsa:anna", "q:rosa", store, {"alpha": 0.125})
    assert second.stats().table_size == shipped.stats().table_size
    assert second.setup()[0]["gamma"] == 0.5
    assert second.setup()[0]["alpha"] == 0.125
    third = begin("truco", "q", "q:rosa", store)
    assert third.setup() == shipped.setup()
    with pytest.raises(ValueError, match=r"linear:x cannot use what q:rosa has learned"):
        begin("truco", "linear:x", "q:rosa", store)
    with pytest.raises(ValueError, match="hard does not learn"):
        begin("truco", "q:x", "hard", store)


def test_it_is_known_wherever_agents_are_named(store: Store) -> None:
    rosa(store)
    assert store.named("truco") == ["q:rosa"]
    assert generations("truco", "q:rosa", store) == [0, 10]
    names = list(known_agents("truco", store))
    assert names.index("q:rosa") == names.index("q") + 1
    conditions = Conditions(options=dict(TINY), qtables=store.folder)
    report = evaluate("truco", ["q:rosa", "q:rosa@10"], 4, conditions)
    sources = [each["source"] for each in report["agents"]]  # type: ignore[attr-defined]
    assert [each.partition(", saved ")[0] for each in sources] == ["home", "generation 10, home"]
    for name in ("q:rosa", "q:rosa@10", "q:rosa@0"):
        assert isinstance(make("truco", portable_name("truco", name, store)), Learner)


def test_file_of_an_unknown_kind_is_left_out(store: Store) -> None:
    store.folder.mkdir()
    (store.folder / "truco.deep:rosa.pkl").write_bytes(b"")
    (store.folder / "truco.q:Not a name.pkl").write_bytes(b"")
    assert list(known_agents("truco", store)) == list(agents_for("truco"))


def test_damaged_learner_goes_back_to_an_earlier_version(store: Store) -> None:
    learner = rosa(store)
    store.save(learner)
    path = store.path("truco", "q:rosa")
    path.write_bytes(b"damaged")
    assert isinstance(make("truco", "q:rosa", store), Learner)
    assert "was replaced by an earlier version" in store.notices[-1]
    for each in (path, *store.versions(path)):
        each.write_bytes(b"damaged")
    with pytest.raises(ValueError, match=r"q:rosa cannot be read. .* is kept as"):
        make("truco", "q:rosa", store)


def test_two_windows_lose_nothing(store: Store) -> None:
    rosa(store)
    first, second = make("truco", "q:rosa", store), make("truco", "q:rosa", store)
    for number, learner in enumerate((first, second), 1):
        assert isinstance(learner, Learner)
        learner.learning = True
        course = Course("truco", "q:rosa", 5 * number, options=dict(TINY))
        for _ in train(course, learner):
            pass
        store.save(learner)
    both = make("truco", "q:rosa", store)
    assert isinstance(both, Learner)
    assert both.log.matches == 25


def test_rename(store: Store) -> None:
    learner = rosa(store, gamma=0.5)
    store.save(learner)
    rename("truco", "q:rosa", "q:anna", store)
    found = make("truco", "q:anna", store)
    assert isinstance(found, Learner)
    assert found.log.points == (POINT,)
    assert found.setup()[0]["gamma"] == 0.5
    assert generations("truco", "q:anna", store) == [0, 10]
    assert [path.name for path in store.folder.glob("truco.q:rosa*")] == []
    assert (store.folder / "truco.q:anna.pkl.1").exists()
    with pytest.raises(ValueError, match=r"no learner q:rosa for truco; .* one of: q:anna"):
        rename("truco", "q:rosa", "q:eva", store)


def test_rename_never_replaces_another_learner(store: Store) -> None:
    rosa(store)
    rosa(store, "q:anna")
    with pytest.raises(ValueError, match="already a learner q:anna"):
        rename("truco", "q:rosa", "q:anna", store)
    with pytest.raises(ValueError, match="choose a name such as q:anna"):
        rename("truco", "q:rosa", "mc:anna", store)
    with pytest.raises(ValueError, match="q is no named learner"):
        rename("truco", "q", "q:eva", store)


def test_copy(store: Store) -> None:
    rosa(store, gamma=0.5)
    copy("truco", "q:rosa", "q:anna", store)
    assert store.named("truco") == ["q:anna", "q:rosa"]
    found = make("truco", "q:anna@10", store)
    assert isinstance(found, Learner)
    assert found.setup()[0]["gamma"] == 0.5
    copy("truco", "q", "q:shipped", store)
    assert generations("truco", "q:shipped", store) == generations("truco", "q", store)
    copy("truco", "q:rosa@10", "q:young", store)
    assert generations("truco", "q:young", store) == [0]
    with pytest.raises(ValueError, match="already a learner q:anna"):
        copy("truco", "q:rosa", "q:anna", store)


def test_delete(store: Store) -> None:
    store.save(rosa(store))
    delete("truco", "q:rosa", store)
    assert [path.name for path in store.folder.glob("truco*")] == []
    with pytest.raises(ValueError, match="no learner q:rosa"):
        delete("truco", "q:rosa", store)
    with pytest.raises(ValueError, match="q is no named learner"):
        delete("truco", "q", store)


@pytest.mark.parametrize("change", ["delete", "rename"])
def test_window_that_trains_a_deleted_learner_does_not_bring_it_back(
    change: str, store: Store
) -> None:
    learner = rosa(store)
    if change == "delete":
        delete("truco", "q:rosa", store)
    else:
        rename("truco", "q:rosa", "q:anna", store)
    for save in (store.save, store.save_generation):
        with pytest.raises(StoreError, match="q:rosa was deleted or renamed in another window"):
            save(learner)
    assert [path.name for path in store.folder.glob("truco.q:rosa*")] == []
    learner.name = "q:eva"
    store.save(learner)
    assert store.exists("truco", "q:eva")


def test_there_is_a_limit(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(named_learners, "MOST_NAMED", 1)
    rosa(store)
    with pytest.raises(ValueError, match="1 named learners, the most possible"):
        copy("truco", "q:rosa", "q:anna", store)
    rename("truco", "q:rosa", "q:anna", store)


# As one file


@pytest.mark.parametrize("kind", ["q", "linear", "logistic", "neural"])
def test_one_file_holds_everything(kind: str, store: Store, tmp_path: Path) -> None:
    name = f"{kind}:rosa"
    rosa(store, name, alpha=0.03)
    file = tmp_path / "rosa.kibitz"
    file.write_bytes(pack("truco", name, store))
    other = Store(tmp_path / "other")
    assert unpack(file, other) == ("truco", name)
    for each in (name, f"{name}@10"):
        here, there = make("truco", each, store), make("truco", each, other)
        assert isinstance(here, Learner)
        assert isinstance(there, Learner)
        assert there.dump() == here.dump()
        assert there.setup() == here.setup()
        assert there.log == here.log
    assert [path.name for path in other.folder.iterdir() if path.suffix == ".pkl"]


def test_import_never_overwrites_without_being_asked(store: Store, tmp_path: Path) -> None:
    rosa(store)
    file = tmp_path / "rosa.kibitz"
    file.write_bytes(pack("truco", "q:rosa", store))
    before = store.path("truco", "q:rosa").read_bytes()
    with pytest.raises(ValueError, match="already a learner q:rosa"):
        unpack(file, store)
    assert unpack(file, store, "anna") == ("truco", "q:anna")
    assert unpack(file, store, replace=True) == ("truco", "q:rosa")
    (aside,) = store.folder.glob("truco.q:rosa.pkl.reset-*")
    assert aside.read_bytes() == before


def test_learner_without_a_name_needs_one(store: Store, tmp_path: Path) -> None:
    file = tmp_path / "q.kibitz"
    file.write_bytes(pack("truco", "q", store))
    with pytest.raises(ValueError, match="without a name; give it one"):
        unpack(file, store)
    assert unpack(file, store, "anna") == ("truco", "q:anna")
    assert generations("truco", "q:anna", store) == generations("truco", "q", store)


def wrong_files(store: Store) -> dict[str, bytes]:
    learner = rosa(store)
    values = store.path("truco", "q:rosa").read_bytes()
    good = {"game": "truco", "kind": "q", "name": "rosa", "values": values, "generations": {}}

    def file(**changes: object) -> bytes:
        return encode({**good, **changes}, named_learners._FORMAT)

    forged = {**learner.dump(), "training": learner.log.as_plain()}
    wrong_setups: dict[str, object] = {
        "text as a setting": [{"alpha": "0.5"}, {}],
        "no number": [{"alpha": float("nan")}, {}],
        "endless": [{"settle": float("inf")}, {}],
        "huge": [{"settle": 1e300}, {}],
        "list": [1, 2, 3],
        "truth": [{"alpha": True}, {}],
    }
    return {
        "empty": b"",
        "text": b"hello" * 100,
        "cut short": file()[:-1],
        "values only": values,
        "other game": file(game="bridge"),
        "other kind": file(kind="hard"),
        "path as kind": file(kind="../../q"),
        "path as name": file(name="../../rosa"),
        "number as game": file(game=7),
        "no values": file(values=None),
        "text as values": file(values="x"),
        "values of another game": file(game="euchre"),
        "values of another kind": file(kind="linear"),
        "generations as a list": file(generations=[]),
        "path as generation": file(generations={"../1": values}),
        "zeros": file(generations={"01": values}),
        "many generations": file(generations={str(each): values for each in range(99)}),
        "wrong generation": file(generations={"10": b"x"}),
        **{
            name: file(values=encode({**forged, "setup": setup}, learner.fingerprint()))
            for name, setup in wrong_setups.items()
        },
    }


def test_wrong_files_are_refused_in_one_sentence(store: Store, tmp_path: Path) -> None:
    for name, contents in wrong_files(store).items():
        file = tmp_path / "wrong.kibitz"
        file.write_bytes(contents)
        other = Store(tmp_path / "other")
        with pytest.raises(ValueError, match=r"was not imported because .*\.$"):
            unpack(file, other)
        assert not other.folder.exists(), name


def test_hostile_files_run_nothing(store: Store, tmp_path: Path) -> None:
    touched = tmp_path / "touched"
    outer = {"game": "truco", "kind": "q", "name": "rosa", "generations": {}}
    for pickled in hostile_pickles(f"touch {touched}").values():
        for contents in (
            sealed(pickled),
            encode({**outer, "values": sealed(pickled)}, named_learners._FORMAT),
        ):
            file = tmp_path / "hostile.kibitz"
            file.write_bytes(contents)
            with pytest.raises(ValueError, match="was not imported because"):
                unpack(file, store)
            assert file.exists()
    assert not touched.exists()
    assert not store.folder.exists()


def test_only_regular_files_are_imported(store: Store, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="There is no file"):
        unpack(tmp_path / "missing.kibitz", store)
    with pytest.raises(ValueError, match="it is not a regular file"):
        unpack(tmp_path, store)
    link = tmp_path / "link.kibitz"
    link.symlink_to("/dev/zero")
    with pytest.raises(ValueError, match="it is not a regular file"):
        unpack(link, store)


def test_full_disk_leaves_no_half_learner(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rosa(store)
    file = tmp_path / "rosa.kibitz"
    file.write_bytes(pack("truco", "q:rosa", store))

    def full(handle: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    other = Store(tmp_path / "other")
    with pytest.raises(StoreError, match="no space left on device"):
        unpack(file, other)
    assert other.named("truco") == []


def test_setup_in_a_file_is_plain_data(store: Store) -> None:
    rosa(store)
    contents = store.path("truco", "q:rosa").read_bytes()
    data = pickle.loads(contents[82:])
    setup = setup_of(data)
    assert setup is not None
    assert setup[0]["alpha"] == make_setup("truco", "q")["alpha"]


def make_setup(game: str, agent: str) -> dict[str, float]:
    learner = create(game, agent)
    assert isinstance(learner, Learner)
    return learner.setup()[0]
