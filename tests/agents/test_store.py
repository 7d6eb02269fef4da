"""Learned values on disk: nothing is lost, nothing hostile is loaded, problems are reported."""

import errno
import os
import pickle
import subprocess
import sys
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path

import pytest

from agents.agent import Learner, LearningStats, Sides
from agents.storage.store import Store, StoreError, read_log
from agents.storage.values_file import decode, encode
from agents.training_log import CurvePoint, TrainingLog
from engine.game import Event
from tests.agents.hostile_files import FINGERPRINT, hostile_pickles, sealed


class Counting(Learner):
    """Learns a single number and tracks how much of it is unsaved."""

    name = "q"
    game = "snap"

    def __init__(self) -> None:
        self.count = 0
        self.saved = 0

    def learn(self) -> None:
        self.count += 1
        self.unsaved += 1

    def observe(self, seat: int, sides: Sides, events: Sequence[Event]) -> None:
        raise AssertionError("The store plays no matches.")

    def stats(self) -> LearningStats:
        return LearningStats()

    def fingerprint(self) -> str:
        return FINGERPRINT

    def dump(self) -> dict[str, object]:
        return {"count": self.count, "note": ["plain", b"values", 1.5, None, True]}

    def restore(self, data: dict[str, object]) -> None:
        count = data["count"]
        if not isinstance(count, int):
            raise ValueError("the count is not a number")
        self.count = self.saved = count

    def merge(self, data: dict[str, object]) -> None:
        new = self.count - self.saved
        self.restore(data)
        self.count += new


def clock() -> datetime:
    return datetime(2025, 3, 1, 12, 30, 15, tzinfo=UTC)


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(tmp_path / "qtables", clock)


@pytest.fixture
def file(store: Store) -> Path:
    """The file of a learner that has learned three times."""
    learner = Counting()
    for _ in range(3):
        learner.learn()
    store.save(learner)
    return store.path("snap", "q")


def names(folder: Path) -> set[str]:
    return {each.name for each in folder.iterdir() if not each.name.endswith(".lock")}


def test_load_restores_what_was_saved(store: Store, file: Path) -> None:
    learner = Counting()
    assert store.load(learner)
    assert learner.count == 3
    assert store.notices == []


def test_file_name_has_game_and_agent(file: Path) -> None:
    assert file.name == "snap.q.pkl"
    assert names(file.parent) == {"snap.q.pkl"}


def test_load_without_a_file_creates_no_folder(store: Store) -> None:
    assert not store.load(Counting())
    assert not store.folder.exists()


def test_folder_is_readable_by_its_owner_only(file: Path) -> None:
    assert file.parent.stat().st_mode & 0o777 == 0o700


def test_save_resets_the_unsaved_count(store: Store) -> None:
    learner = Counting()
    learner.learn()
    assert learner.unsaved == 1
    store.save(learner)
    assert learner.unsaved == 0


def test_set_aside_keeps_the_file_under_another_name(store: Store, file: Path) -> None:
    contents = file.read_bytes()
    aside = store.set_aside("snap", "q")
    assert aside is not None
    assert aside.read_bytes() == contents
    assert not file.exists()
    assert not store.load(Counting())
    assert store.set_aside("snap", "q") is None


def test_set_aside_leaves_other_agents_alone(store: Store, file: Path) -> None:
    assert store.set_aside("snap", "mc") is None
    assert file.exists()


def test_set_aside_reports_a_file_that_cannot_be_moved(
    store: Store, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "rename", refuse(errno.EROFS))
    with pytest.raises(StoreError, match=r"snap\.q\.pkl cannot be moved aside: read-only"):
        store.set_aside("snap", "q")
    assert file.exists()


def test_two_windows_saving_in_turn_lose_nothing(store: Store, tmp_path: Path) -> None:
    other_store = Store(tmp_path / "qtables", clock)
    one, other = Counting(), Counting()
    for _ in range(5):
        one.learn()
        store.save(one)
        other.learn()
        other.learn()
        other_store.save(other)
    late = Counting()
    store.load(late)
    assert late.count == 15


def save_counts(store: Store, *counts: int) -> Path:
    """Save a learner once for each of these counts."""
    learner = Counting()
    for count in counts:
        while learner.count < count:
            learner.learn()
        store.save(learner)
    return store.path("snap", "q")


def test_last_three_good_versions_are_kept(store: Store) -> None:
    path = save_counts(store, 1, 2, 3, 4, 5, 6)
    kept = [decode(version.read_bytes(), FINGERPRINT)["count"] for version in store.versions(path)]
    assert kept == [5, 4, 3]
    assert names(path.parent) == {path.name, *[f"{path.name}.{number}" for number in (1, 2, 3)]}


def test_damaged_file_is_replaced_by_the_newest_good_version(store: Store) -> None:
    path = save_counts(store, 1, 2, 3)
    path.write_bytes(b"garbage")
    store.versions(path)[0].write_bytes(b"garbage too")
    learner = Counting()
    assert store.load(learner)
    assert learner.count == 1
    assert "snap.q.pkl was replaced by an earlier version." in store.notices
    again = Counting()
    assert Store(store.folder).load(again)
    assert again.count == 1


def test_deleted_file_stays_deleted(store: Store) -> None:
    save_counts(store, 1, 2, 3).unlink()
    assert not store.load(Counting())


def test_versions_are_copied_where_links_are_not_possible(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*paths: Path) -> None:
        raise OSError(errno.EPERM, "Operation not permitted")

    monkeypatch.setattr(os, "link", refuse)
    path = save_counts(store, 1, 2)
    assert decode(store.versions(path)[0].read_bytes(), FINGERPRINT)["count"] == 1


DAMAGE: dict[str, Callable[[bytes], bytes]] = {
    "is cut short": lambda whole: whole[:40],
    "does not hold learned values of this program": lambda whole: b"garbage!" * 20,
    "its length is wrong": lambda whole: whole[:-1],
    "its checksum is wrong": lambda whole: whole[:-1] + bytes([whole[-1] ^ 1]),
}


@pytest.mark.parametrize("reason", DAMAGE)
def test_damaged_file_is_moved_aside_and_reported(store: Store, file: Path, reason: str) -> None:
    damaged = DAMAGE[reason](file.read_bytes())
    file.write_bytes(damaged)
    assert not store.load(Counting())
    aside = file.with_name("snap.q.pkl.damaged-20250301T123015Z")
    assert aside.read_bytes() == damaged
    assert names(file.parent) == {aside.name}
    assert len(store.notices) == 1
    assert reason in store.notices[0]
    assert aside.name in store.notices[0]


def test_save_moves_a_damaged_file_aside(store: Store, file: Path) -> None:
    file.write_bytes(b"garbage")
    learner = Counting()
    learner.learn()
    store.save(learner)
    assert names(file.parent) == {"snap.q.pkl", "snap.q.pkl.damaged-20250301T123015Z"}
    fresh = Counting()
    store.load(fresh)
    assert fresh.count == 1


def test_second_damaged_file_does_not_replace_the_first(store: Store, file: Path) -> None:
    for contents in (b"first", b"second"):
        file.write_bytes(contents)
        store.load(Counting())
    aside = "snap.q.pkl.damaged-20250301T123015Z"
    assert names(file.parent) == {aside, f"{aside}-2"}
    assert (file.parent / aside).read_bytes() == b"first"


def test_file_with_other_features_or_format_is_outdated(store: Store, file: Path) -> None:
    file.write_bytes(encode({"count": 1}, "snap 2"))
    assert not store.load(Counting())
    file.write_bytes(sealed(pickle.dumps({"count": 1}), version=2))
    assert not store.load(Counting())
    aside = "snap.q.pkl.outdated-20250301T123015Z"
    assert names(file.parent) == {aside, f"{aside}-2"}
    assert "other rules or features" in store.notices[0]
    assert "format 2" in store.notices[1]


def test_values_that_make_no_sense_are_refused(store: Store, file: Path) -> None:
    file.write_bytes(encode({"count": "many"}, FINGERPRINT))
    learner = Counting()
    assert not store.load(learner)
    assert learner.count == 0
    assert "the count is not a number" in store.notices[0]


def test_folder_in_place_of_the_file_is_moved_aside(store: Store, file: Path) -> None:
    file.unlink()
    file.mkdir()
    assert not store.load(Counting())
    assert "not a regular file" in store.notices[0]


def test_symbolic_link_is_not_followed(store: Store, file: Path, tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    file.rename(elsewhere)
    file.symlink_to(elsewhere)
    assert not store.load(Counting())
    assert elsewhere.exists()


def test_huge_file_is_refused_before_it_is_read(
    store: Store, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with file.open("r+b") as file:
        file.truncate(1 << 40)
    monkeypatch.setattr(Path, "open", None)
    assert not store.load(Counting())
    assert "larger than" in store.notices[0]


@pytest.mark.parametrize("kind", hostile_pickles(""))
def test_hostile_file_is_refused_and_runs_nothing(
    store: Store, file: Path, tmp_path: Path, kind: str
) -> None:
    witness = tmp_path / "witness"
    contents = sealed(hostile_pickles(f"touch {witness}")[kind])
    file.write_bytes(contents)
    learner = Counting()
    assert not store.load(learner)
    assert learner.count == 0
    assert not witness.exists()
    aside = file.with_name("snap.q.pkl.damaged-20250301T123015Z")
    assert names(file.parent) == {aside.name}
    assert aside.read_bytes() == contents
    assert len(store.notices) == 1


def refuse(number: int) -> Callable[..., None]:
    def fail(*arguments: object, **more: object) -> None:
        raise OSError(number, os.strerror(number))

    return fail


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EROFS])
@pytest.mark.parametrize("call", ["fsync", "replace"])
def test_full_or_read_only_disk_is_reported_and_changes_nothing(
    store: Store, file: Path, monkeypatch: pytest.MonkeyPatch, number: int, call: str
) -> None:
    before = file.read_bytes()
    learner = Counting()
    store.load(learner)
    learner.learn()
    with monkeypatch.context() as broken:
        broken.setattr(os, call, refuse(number))
        with pytest.raises(StoreError, match=r"cannot be saved: .*\.$"):
            store.save(learner)
    assert file.read_bytes() == before
    assert names(file.parent) - {f"{file.name}.1"} == {file.name}
    assert learner.unsaved == 1
    store.save(learner)
    fresh = Counting()
    store.load(fresh)
    assert fresh.count == 4


def test_file_in_place_of_the_folder_is_reported(tmp_path: Path) -> None:
    (tmp_path / "qtables").write_text("in the way")
    store = Store(tmp_path / "qtables", clock)
    with pytest.raises(StoreError, match="cannot be used"):
        store.save(Counting())
    with pytest.raises(StoreError, match="cannot be read"):
        store.load(Counting())


def test_damaged_file_that_cannot_be_moved_is_reported(
    store: Store, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file.write_bytes(b"garbage")
    monkeypatch.setattr(os, "rename", refuse(errno.EROFS))
    with pytest.raises(StoreError, match="cannot be moved aside"):
        store.load(Counting())
    assert file.read_bytes() == b"garbage"


def test_waiting_for_another_window_ends(tmp_path: Path) -> None:
    first = Store(tmp_path, clock)
    second = Store(tmp_path, clock, patience=0)

    class Busy(Counting):
        def dump(self) -> dict[str, object]:
            with pytest.raises(StoreError, match="another window"):
                second.save(Counting())
            return super().dump()

    first.save(Busy())
    assert first.load(Counting())


def test_generations_are_kept_beside_the_learner(store: Store) -> None:
    learner = Counting()
    for matches in (10, 90):
        learner.learn()
        learner.log = learner.log.after(matches)
        store.save_generation(learner)
    assert learner.unsaved == 2
    assert store.generations("snap", "q") == [10, 100]
    assert names(store.folder) == {"snap.q@10.pkl", "snap.q@100.pkl"}
    earlier = Counting()
    earlier.name = "q@10"
    assert store.load(earlier)
    assert (earlier.count, earlier.log.matches) == (1, 10)


def test_only_proper_numbers_are_generations(store: Store, file: Path) -> None:
    for name in ("q@007", "q@x", "q@-1", "q@", "qq@10", "q@10.pkl.1"):
        store.path("snap", name).write_bytes(b"")
    assert store.generations("snap", "q") == []


def test_set_aside_moves_generations_too(store: Store, file: Path) -> None:
    learner = Counting()
    learner.log = learner.log.after(10)
    store.save_generation(learner)
    assert store.set_aside("snap", "q") is not None
    assert store.generations("snap", "q") == []
    assert names(store.folder) == {
        "snap.q.pkl.reset-20250301T123015Z",
        "snap.q@10.pkl.reset-20250301T123015Z",
    }


def test_generation_that_cannot_be_saved_or_read_is_reported(store: Store, tmp_path: Path) -> None:
    learner = Counting()
    store.folder.parent.joinpath("qtables").write_text("in the way")
    with pytest.raises(StoreError, match="cannot be used"):
        store.save_generation(learner)
    with pytest.raises(StoreError, match="cannot be read"):
        store.add_generation("snap", "q", 10, tmp_path / "missing")


def point(games: int) -> CurvePoint:
    return CurvePoint(games, "hard", 0.5, 0.4, 0.6, 1.0, 100)


def test_log_is_saved_with_the_values(store: Store) -> None:
    learner = Counting()
    learner.log = learner.log.after(30, 2.0).measured([point(0), point(30)])
    store.save(learner)
    again = Counting()
    store.load(again)
    assert again.log == again.saved_log == learner.log
    assert read_log(store.path("snap", "q")) == learner.log


def test_logs_of_two_windows_are_merged(store: Store, tmp_path: Path) -> None:
    first = Counting()
    first.log = first.log.after(10, 1.0).measured([point(0)])
    store.save(first)
    other = Counting()
    Store(tmp_path / "qtables", clock).load(other)
    first.log = first.log.after(5, 1.0).measured([point(15)])
    other.log = other.log.after(7, 1.0).measured([point(17)])
    store.save(first)
    store.save(other)
    log = read_log(store.path("snap", "q"))
    assert log is not None
    assert (log.matches, log.seconds) == (22, 3.0)
    assert [each.games for each in log.points] == [0, 15, 17]


def test_file_with_a_wrong_log_is_refused(store: Store, file: Path) -> None:
    data = {"count": 1, "training": [1, 2.0, [["x"] * 7]]}
    file.write_bytes(encode(data, FINGERPRINT))
    assert read_log(file) is None
    learner = Counting()
    assert not store.load(learner)
    assert learner.count == 0
    assert "its values make no sense (the learning curve is wrong)" in store.notices[0]


def test_file_without_a_log_can_be_read(store: Store, file: Path) -> None:
    file.write_bytes(encode({"count": 4}, FINGERPRINT))
    learner = Counting()
    assert store.load(learner)
    assert (learner.count, learner.log) == (4, TrainingLog())
    assert read_log(file) is None


def test_log_of_any_learner_can_be_read(store: Store, file: Path, tmp_path: Path) -> None:
    assert read_log(file) == TrainingLog()
    assert read_log(tmp_path / "missing") is None
    file.write_bytes(b"nonsense")
    assert read_log(file) is None


def test_reading_a_log_loads_no_numpy(file: Path) -> None:
    script = (
        "import sys; from pathlib import Path\n"
        "from agents.storage.store import read_log\n"
        "print(read_log(Path(sys.argv[1])))\n"
        "sys.exit(' '.join(set(sys.modules) & {'numpy', 'engine.games'}))"
    )
    run = subprocess.run([sys.executable, "-c", script, file], capture_output=True, text=True)
    assert (run.stderr.strip(), run.stdout[:11]) == ("", "TrainingLog")
