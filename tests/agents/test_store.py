"""Learned tables on disk: nothing is lost, nothing hostile is loaded, everything is said."""

import copyreg
import errno
import hashlib
import os
import pickle
import struct
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents.agent import Learner, LearningStats, Sides
from agents.storage import store as store_module
from agents.storage.store import Refused, Store, StoreError, decode, encode
from engine.game import Event

FINGERPRINT = "snap 1"
HEADER = struct.Struct(">8sH32sQ32s")


class Counting(Learner):
    """Knows one number, and how much of it is new since the last save."""

    name = "q"
    game = "snap"

    def __init__(self) -> None:
        self.count = 0
        self.saved = 0

    def learn(self) -> None:
        self.count += 1
        self.unsaved += 1

    def observe(self, seat: int, sides: Sides, events: Sequence[Event]) -> None:
        raise AssertionError("The store lets nobody play.")

    def stats(self) -> LearningStats:
        return LearningStats()

    def fingerprint(self) -> str:
        return FINGERPRINT

    def dump(self) -> dict[str, object]:
        return {"count": self.count, "note": ["plain", b"values", 1.5, None, True]}

    def restore(self, data: dict[str, object]) -> None:
        count = data["count"]
        if not isinstance(count, int):
            raise ValueError("the count is no number")
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
def table(store: Store) -> Path:
    """The file of a learner that has learned three things."""
    learner = Counting()
    for _ in range(3):
        learner.learn()
    store.save(learner)
    return store.path("snap", "q")


def sealed(pickled: bytes, length: int | None = None, version: int = 1) -> bytes:
    """A file whose header is right, as an attacker would make it."""
    meaning = hashlib.sha256(FINGERPRINT.encode()).digest()
    checksum = hashlib.sha256(pickled).digest()
    return HEADER.pack(b"KIBITZ-Q", version, meaning, length or len(pickled), checksum) + pickled


def names(folder: Path) -> set[str]:
    return {each.name for each in folder.iterdir() if not each.name.endswith(".lock")}


def test_what_is_saved_is_loaded(store: Store, table: Path) -> None:
    learner = Counting()
    assert store.load(learner)
    assert learner.count == 3
    assert store.notices == []


def test_the_file_is_named_after_game_and_agent(table: Path) -> None:
    assert table.name == "snap.q.pkl"
    assert names(table.parent) == {"snap.q.pkl"}


def test_nothing_saved_is_nothing_loaded_and_no_folder_is_made(store: Store) -> None:
    assert not store.load(Counting())
    assert not store.folder.exists()


def test_the_folder_is_for_its_owner_only(table: Path) -> None:
    assert table.parent.stat().st_mode & 0o777 == 0o700


def test_saving_settles_what_was_unsaved(store: Store) -> None:
    learner = Counting()
    learner.learn()
    assert learner.unsaved == 1
    store.save(learner)
    assert learner.unsaved == 0


def test_a_table_set_aside_is_out_of_use_and_kept(store: Store, table: Path) -> None:
    contents = table.read_bytes()
    aside = store.set_aside("snap", "q")
    assert aside is not None
    assert aside.read_bytes() == contents
    assert not table.exists()
    assert not store.load(Counting())
    assert store.set_aside("snap", "q") is None


def test_setting_a_table_aside_leaves_others_alone(store: Store, table: Path) -> None:
    assert store.set_aside("snap", "mc") is None
    assert table.exists()


def test_a_table_that_cannot_be_moved_is_one_sentence(
    store: Store, table: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "rename", refuse(errno.EROFS))
    with pytest.raises(StoreError, match=r"snap\.q\.pkl cannot be moved aside: read-only"):
        store.set_aside("snap", "q")
    assert table.exists()


def test_two_windows_that_save_in_turn_lose_nothing(store: Store, tmp_path: Path) -> None:
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
    """Save a learner again and again, each time knowing so much."""
    learner = Counting()
    for count in counts:
        while learner.count < count:
            learner.learn()
        store.save(learner)
    return store.path("snap", "q")


def test_the_last_three_good_versions_are_kept(store: Store) -> None:
    path = save_counts(store, 1, 2, 3, 4, 5, 6)
    kept = [decode(version.read_bytes(), FINGERPRINT)["count"] for version in store.versions(path)]
    assert kept == [5, 4, 3]
    assert names(path.parent) == {path.name, *[f"{path.name}.{number}" for number in (1, 2, 3)]}


def test_a_damaged_table_is_replaced_by_the_newest_good_version(store: Store) -> None:
    path = save_counts(store, 1, 2, 3)
    path.write_bytes(b"garbage")
    store.versions(path)[0].write_bytes(b"garbage too")
    learner = Counting()
    assert store.load(learner)
    assert learner.count == 1
    assert "An earlier version of snap.q.pkl has taken its place." in store.notices
    again = Counting()
    assert Store(store.folder).load(again)
    assert again.count == 1


def test_a_deleted_table_stays_deleted(store: Store) -> None:
    save_counts(store, 1, 2, 3).unlink()
    assert not store.load(Counting())


def test_versions_are_kept_where_files_cannot_be_linked(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*paths: Path) -> None:
        raise OSError(errno.EPERM, "Operation not permitted")

    monkeypatch.setattr(os, "link", refuse)
    path = save_counts(store, 1, 2)
    assert decode(store.versions(path)[0].read_bytes(), FINGERPRINT)["count"] == 1


DAMAGE: dict[str, Callable[[bytes], bytes]] = {
    "is cut short": lambda whole: whole[:40],
    "is not a table of this program": lambda whole: b"garbage!" * 20,
    "its length is not": lambda whole: whole[:-1],
    "its checksum is wrong": lambda whole: whole[:-1] + bytes([whole[-1] ^ 1]),
}


@pytest.mark.parametrize("reason", DAMAGE)
def test_a_damaged_file_is_moved_aside_and_said_so(store: Store, table: Path, reason: str) -> None:
    damaged = DAMAGE[reason](table.read_bytes())
    table.write_bytes(damaged)
    assert not store.load(Counting())
    aside = table.with_name("snap.q.pkl.damaged-20250301T123015Z")
    assert aside.read_bytes() == damaged
    assert names(table.parent) == {aside.name}
    assert len(store.notices) == 1
    assert reason in store.notices[0]
    assert aside.name in store.notices[0]


def test_saving_over_a_damaged_file_keeps_it_aside(store: Store, table: Path) -> None:
    table.write_bytes(b"garbage")
    learner = Counting()
    learner.learn()
    store.save(learner)
    assert names(table.parent) == {"snap.q.pkl", "snap.q.pkl.damaged-20250301T123015Z"}
    fresh = Counting()
    store.load(fresh)
    assert fresh.count == 1


def test_a_second_damaged_file_does_not_replace_the_first(store: Store, table: Path) -> None:
    for contents in (b"first", b"second"):
        table.write_bytes(contents)
        store.load(Counting())
    aside = "snap.q.pkl.damaged-20250301T123015Z"
    assert names(table.parent) == {aside, f"{aside}-2"}
    assert (table.parent / aside).read_bytes() == b"first"


def test_a_table_of_other_features_or_another_format_is_outdated(store: Store, table: Path) -> None:
    table.write_bytes(encode({"count": 1}, "snap 2"))
    assert not store.load(Counting())
    table.write_bytes(sealed(pickle.dumps({"count": 1}), version=2))
    assert not store.load(Counting())
    aside = "snap.q.pkl.outdated-20250301T123015Z"
    assert names(table.parent) == {aside, f"{aside}-2"}
    assert "other rules or features" in store.notices[0]
    assert "format 2" in store.notices[1]


def test_a_table_whose_values_make_no_sense_is_refused(store: Store, table: Path) -> None:
    table.write_bytes(encode({"count": "many"}, FINGERPRINT))
    learner = Counting()
    assert not store.load(learner)
    assert learner.count == 0
    assert "the count is no number" in store.notices[0]


def test_a_folder_in_place_of_the_file_is_moved_aside(store: Store, table: Path) -> None:
    table.unlink()
    table.mkdir()
    assert not store.load(Counting())
    assert "not a regular file" in store.notices[0]


def test_a_link_is_not_followed(store: Store, table: Path, tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    table.rename(elsewhere)
    table.symlink_to(elsewhere)
    assert not store.load(Counting())
    assert elsewhere.exists()


def test_a_huge_file_is_refused_before_it_is_read(
    store: Store, table: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with table.open("r+b") as file:
        file.truncate(1 << 40)
    monkeypatch.setattr(Path, "open", None)
    assert not store.load(Counting())
    assert "larger than" in store.notices[0]


class Loud:
    """Unpickling it runs a command, if anything lets it."""

    def __init__(self, command: str) -> None:
        self.command = command

    def __reduce__(self) -> tuple[Callable[[str], int], tuple[str]]:
        return os.system, (self.command,)


def nested_lists(levels: int) -> bytes:
    return b"\x80\x04" + b"]" * levels + b"a" * (levels - 1) + b"."


def nested_tuples_as_key(levels: int) -> bytes:
    return b"\x80\x04})" + b"\x85" * levels + b"K\x01s."


def doubling_lists(levels: int) -> bytes:
    """A list that holds the one before twice, again and again."""
    body = b"]\x94"
    for level in range(levels):
        body += b"]\x94(h" + bytes([level]) + b"h" + bytes([level]) + b"e"
    return b"\x80\x04" + body + b"."


def hostile_pickles(command: str) -> dict[str, bytes]:
    text = command.encode()
    system = b"cos\nsystem\n"
    return {
        "reduce": pickle.dumps({"count": Loud(command)}, protocol=4),
        "reduce, protocol 0": pickle.dumps({"count": Loud(command)}, protocol=0),
        "global": b"\x80\x04" + system + b"X" + struct.pack("<I", len(text)) + text + b"\x85R.",
        "stack global": b"\x80\x04\x8c\x02os\x8c\x06system\x93.",
        "inst": b"(S'" + text + b"'\nios\nsystem\n.",
        "obj": b"(" + system + b"S'" + text + b"'\no.",
        "newobj": b"\x80\x04" + system + b")\x81.",
        "build": b"\x80\x04}}(\x8c\x01ak\x01u" + b"b.",
        "extension registry": b"\x80\x04\x82\xf0.",
        "persistent id": b"\x80\x04\x8c\x01aQ.",
        "huge length": b"\x80\x04\x8e" + struct.pack("<Q", 1 << 62) + b"x.",
        "huge string": b"\x80\x04X" + struct.pack("<I", (1 << 32) - 1) + b"x.",
        "huge number": b"\x80\x04\x8b" + struct.pack("<i", 1 << 30) + b"x.",
        "huge memo": b"\x80\x04]r" + struct.pack("<I", (1 << 32) - 1) + b".",
        "unknown memo": b"\x80\x04j" + struct.pack("<I", 1 << 31) + b".",
        "deep lists": nested_lists(100_000),
        "deep key": nested_tuples_as_key(200_000),
        "doubling lists": doubling_lists(100),
        "list in itself": b"\x80\x04]\x94h\x00a.",
        "many values": b"\x80\x04](" + b"N" * 1_000_100 + b"e.",
        "something behind the end": pickle.dumps({"count": 1}, protocol=4) + b"x",
        "no end": pickle.dumps({"count": 1}, protocol=4)[:-1],
        "empty stack": b"\x80\x04.",
        "no dictionary": pickle.dumps([1, 2], protocol=4),
        "numbers as names": pickle.dumps({1: 2}, protocol=4),
        "nothing": b"",
    }


@pytest.mark.parametrize("kind", hostile_pickles(""))
def test_a_hostile_file_is_refused_and_runs_nothing(
    store: Store, table: Path, tmp_path: Path, kind: str
) -> None:
    witness = tmp_path / "witness"
    contents = sealed(hostile_pickles(f"touch {witness}")[kind])
    table.write_bytes(contents)
    learner = Counting()
    assert not store.load(learner)
    assert learner.count == 0
    assert not witness.exists()
    aside = table.with_name("snap.q.pkl.damaged-20250301T123015Z")
    assert names(table.parent) == {aside.name}
    assert aside.read_bytes() == contents
    assert len(store.notices) == 1


def test_an_extension_that_was_loaded_before_is_refused_too() -> None:
    """Python keeps such objects and hands them out without asking `find_class` again."""
    copyreg.add_extension("os", "system", 0xF0)
    try:
        assert pickle.loads(b"\x80\x04\x82\xf0.") is os.system
        with pytest.raises(Refused):
            decode(sealed(b"\x80\x04\x82\xf0."), FINGERPRINT)
    finally:
        copyreg.remove_extension("os", "system", 0xF0)
        copyreg.clear_extension_cache()


def test_the_unpickler_itself_knows_no_globals(monkeypatch: pytest.MonkeyPatch) -> None:
    """The second wall stands without the first."""
    monkeypatch.setattr(store_module, "_check_opcodes", lambda pickled: None)
    for kind in ("reduce", "global", "stack global", "inst", "obj", "newobj", "persistent id"):
        with pytest.raises(Refused):
            decode(sealed(hostile_pickles("false")[kind]), FINGERPRINT)


@given(st.binary(max_size=300))
def test_any_bytes_are_refused_and_nothing_else(contents: bytes) -> None:
    with pytest.raises(Refused):
        decode(contents, FINGERPRINT)


@given(st.binary(max_size=200))
def test_any_pickle_behind_a_right_header_is_read_or_refused(pickled: bytes) -> None:
    try:
        data = decode(sealed(pickled), FINGERPRINT)
    except Refused:
        return
    assert type(data) is dict


plain = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False)
    | st.text()
    | st.binary(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=10,
)


@given(st.dictionaries(st.text(), plain, max_size=4))
def test_plain_values_come_back_as_they_were(data: dict[str, object]) -> None:
    try:
        contents = encode(data, FINGERPRINT)
    except ValueError:
        return
    assert decode(contents, FINGERPRINT) == data


def test_values_that_could_not_be_read_back_are_not_written() -> None:
    with pytest.raises(ValueError, match="cannot be stored"):
        encode({"pair": (1, 2)}, FINGERPRINT)


def refuse(number: int) -> Callable[..., None]:
    def fail(*arguments: object, **more: object) -> None:
        raise OSError(number, os.strerror(number))

    return fail


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EROFS])
@pytest.mark.parametrize("call", ["fsync", "replace"])
def test_a_full_or_read_only_disk_is_one_sentence_and_harms_nothing(
    store: Store, table: Path, monkeypatch: pytest.MonkeyPatch, number: int, call: str
) -> None:
    before = table.read_bytes()
    learner = Counting()
    store.load(learner)
    learner.learn()
    with monkeypatch.context() as broken:
        broken.setattr(os, call, refuse(number))
        with pytest.raises(StoreError, match=r"cannot be saved: .*\.$"):
            store.save(learner)
    assert table.read_bytes() == before
    assert names(table.parent) - {f"{table.name}.1"} == {table.name}
    assert learner.unsaved == 1
    store.save(learner)
    fresh = Counting()
    store.load(fresh)
    assert fresh.count == 4


def test_a_file_in_place_of_the_folder_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "qtables").write_text("in the way")
    store = Store(tmp_path / "qtables", clock)
    with pytest.raises(StoreError, match="cannot be used"):
        store.save(Counting())
    with pytest.raises(StoreError, match="cannot be read"):
        store.load(Counting())


def test_a_damaged_file_that_cannot_be_moved_is_one_sentence(
    store: Store, table: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    table.write_bytes(b"garbage")
    monkeypatch.setattr(os, "rename", refuse(errno.EROFS))
    with pytest.raises(StoreError, match="cannot be moved aside"):
        store.load(Counting())
    assert table.read_bytes() == b"garbage"


def test_a_file_in_use_by_another_window_is_not_waited_for_forever(tmp_path: Path) -> None:
    first = Store(tmp_path, clock)
    second = Store(tmp_path, clock, patience=0)

    class Busy(Counting):
        def dump(self) -> dict[str, object]:
            with pytest.raises(StoreError, match="another window"):
                second.save(Counting())
            return super().dump()

    first.save(Busy())
    assert first.load(Counting())
