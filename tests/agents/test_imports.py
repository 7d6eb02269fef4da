"""Files of the original programs: imported, or refused with a reason."""

import collections
import json
import os
import pickle
import sqlite3
from collections import defaultdict
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Any

import pytest

from agents.imports.euchre import read as read_euchre
from agents.imports.importing import import_values
from agents.imports.plain_pickle import read_plain
from agents.imports.reading import MAX_SIZE, ImportRefused, read_file
from agents.learners.tabular import TabularLearner
from agents.registry import make
from agents.storage.store import Store
from engine import GAMES
from engine.games.euchre import CALL, ORDER_UP, PASS

NOTTY_STATE = (1, 1, True, 0)


def notty_file(folder: Path, q_table: object = None, **more: object) -> Path:
    """A file as the original Notty writes it."""
    actions: dict[str, float] = defaultdict(float)
    actions |= {"discard_group": 42.5, "next_turn": -3.0, "steal": 0.0, "draw_multiple": 1.25}
    states = {NOTTY_STATE: actions} if q_table is None else q_table
    data = {"q_table": states, "epsilon": 0.11, "total_actions": 60, "exploration_actions": 9}
    path = folder / "notty_qtable.pkl"
    path.write_bytes(pickle.dumps(data | more))
    return path


def euchre_state(**changes: object) -> dict[str, object]:
    """The part of a state of the original Euchre program that matters here."""
    return {
        "player_id": 1,
        "game_phase": "bidding_round_1",
        "trump_suit": None,
        "dealer": 0,
        "maker": None,
        "hand": ["C9", "HA", "HJ", "S10", "SK"],
        "up_card_suit": "H",
        "up_card_rank": "Q",
        "original_up_card_suit": "H",
        "passes_on_upcard": 0,
        "passes_on_calling": 0,
        "my_score": 4,
    } | changes


def euchre_file(folder: Path, *rows: tuple[dict[str, Any], dict[str, Any]]) -> Path:
    path = folder / "q_table.sqlite"
    path.unlink(missing_ok=True)
    database = sqlite3.connect(path)
    with database:
        database.execute(
            "CREATE TABLE IF NOT EXISTS q_values "
            "(state_key TEXT PRIMARY KEY, actions_q_values TEXT NOT NULL)"
        )
        texts = [(json.dumps(state, sort_keys=True), json.dumps(values)) for state, values in rows]
        database.executemany("INSERT INTO q_values VALUES (?, ?)", texts)
    database.close()
    return path


def learner_of(game: str, home: Path) -> TabularLearner:
    learner = make(game, "q-original", Store(home))
    assert isinstance(learner, TabularLearner)
    return learner


# Notty


def test_notty_pickle_is_read(tmp_path: Path) -> None:
    imported = read_file(notty_file(tmp_path))
    assert (imported.game, imported.agent) == ("notty", "q-original")
    assert (imported.found, imported.taken, imported.actions, imported.explored) == (1, 1, 60, 9)
    names = make("notty", "q-original").abstraction.move_names  # type: ignore[attr-defined]
    known = {names[move]: value for move, value in imported.values[(0, 1, 1, 1, 0)].items()}
    assert known == {
        "discard a group on the way out": 42.5,
        "discard the best group": 42.5,
        "pass": -3.0,
        "draw 1": 1.25,
        "draw 2": 1.25,
        "draw 3": 1.25,
    }
    assert imported.visits == 10


@pytest.mark.parametrize("protocol", [4, 5])
def test_plain_pickles_are_read(protocol: int) -> None:
    value = {"a": 1, (1, True): {"b": -2.5}, "c": (), "long": 10**15, "none": None, 3: "déjà"}
    assert read_plain(pickle.dumps(value, protocol)) == value


def test_learner_decides_by_imported_values(tmp_path: Path) -> None:
    """The original values a group above a draw."""
    import_values(read_file(notty_file(tmp_path)), Store(tmp_path / "home"), replace=True)
    learner = learner_of("notty", tmp_path / "home")
    assert learner.stats().table_size == 1
    assert learner.stats().total_actions == 60
    known = learner.known((0, 1, 1, 1, 0))
    best = max(range(len(known.values)), key=lambda move: known.values[move])
    assert "group" in learner.abstraction.move_names[best]


def test_second_import_is_averaged_by_visits(tmp_path: Path) -> None:
    store = Store(tmp_path / "home")
    first = {NOTTY_STATE: {"next_turn": 8.0}}
    second = {NOTTY_STATE: {"next_turn": 2.0}}
    import_values(read_file(notty_file(tmp_path, first, total_actions=10)), store, replace=True)
    import_values(read_file(notty_file(tmp_path, second, total_actions=30)), store, replace=False)
    learner = learner_of("notty", tmp_path / "home")
    move = learner.abstraction.move_names.index("pass")
    known = learner.known((0, 1, 1, 1, 0))
    assert known.visits[move] == 40
    assert known.values[move] == pytest.approx((10 * 8.0 + 30 * 2.0) / 40)
    assert learner.stats().total_actions == 40


def test_replaced_file_is_kept(tmp_path: Path) -> None:
    store = Store(tmp_path / "home")
    imported = read_file(notty_file(tmp_path))
    import_values(imported, store, replace=False)
    learner, aside = import_values(imported, store, replace=True)
    assert aside is not None
    assert aside.exists()
    assert learner.known((0, 1, 1, 1, 0)).visits[3] == 10


class Hostile:
    def __reduce__(self) -> tuple[object, ...]:
        return os.system, ("touch /tmp/kibitz-was-here",)


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (Hostile(), "asks for posix.system"),
        ({"q_table": Hostile()}, "asks for posix.system"),
        ({"q_table": {NOTTY_STATE: collections.OrderedDict()}}, "asks for collections.OrderedDict"),
        ({"q_table": {NOTTY_STATE: defaultdict(int)}}, "asks for builtins.int"),
        ({"q_table": {NOTTY_STATE: [1]}}, "more than plain values"),
        ({"q_table": {(1, 1, True): {"steal": 1.0}}}, "situations are not those of Notty"),
        ({"q_table": {(9, 1, True, 0): {"steal": 1.0}}}, "situations are not those of Notty"),
        ({"q_table": {"1": {"steal": 1.0}}}, "situations are not those of Notty"),
        ({"q_table": {NOTTY_STATE: {"raise": 1.0}}}, "actions are not those of Notty"),
        ({"q_table": {NOTTY_STATE: {"steal": float("nan")}}}, "not numbers"),
        ({"q_table": {NOTTY_STATE: {"steal": "much"}}}, "not numbers"),
        ({"q_table": {NOTTY_STATE: {"steal": 1.0}}, "total_actions": -1}, "counts are wrong"),
        ({"q_table": {}}, "nothing was ever learned"),
        ({"q_table": {NOTTY_STATE: {"steal": 0.0}}}, "nothing was tried"),
        ({((1, 2), 3): 0.5}, "nested too deeply"),
        ({(1, 2, 3): 0.5}, "does not hold the values of Notty"),
        ("q_table", "does not hold the values of Notty"),
    ],
)
def test_wrong_pickles_are_refused(tmp_path: Path, data: object, said: str) -> None:
    path = tmp_path / "file.pkl"
    path.write_bytes(pickle.dumps(data))
    with pytest.raises(ImportRefused, match=said):
        read_file(path)
    assert not Path("/tmp/kibitz-was-here").exists()


def test_nested_tuples_are_refused_before_hashing(tmp_path: Path) -> None:
    """Each tuple holds the previous one twice: hashing the last would take forever."""
    build = b"K\x01K\x02\x86\x94" + b"".join([b"h%c\x86\x94" % number for number in range(60)])
    path = tmp_path / "file.pkl"
    path.write_bytes(b"\x80\x04}" + build + b"K\x01s.")
    with pytest.raises(ImportRefused, match="nested too deeply"):
        read_file(path)


def test_truncated_and_extended_pickles_are_refused(tmp_path: Path) -> None:
    path = notty_file(tmp_path)
    whole = path.read_bytes()
    for cut in range(1, len(whole)):
        path.write_bytes(whole[:cut])
        with pytest.raises(ImportRefused):
            read_file(path)
    path.write_bytes(whole + b".")
    with pytest.raises(ImportRefused, match="something follows its end"):
        read_file(path)


def test_corrupted_pickles_are_read_or_refused(tmp_path: Path) -> None:
    path = notty_file(tmp_path)
    whole = path.read_bytes()
    chance = Random(5)
    for _ in range(500):
        changed = bytearray(whole)
        for _ in range(chance.randint(1, 4)):
            changed[chance.randrange(2, len(changed))] = chance.randrange(256)
        path.write_bytes(changed)
        with suppress(ImportRefused):
            assert read_file(path).values


# Euchre


def test_bids_of_the_euchre_program_are_imported(tmp_path: Path) -> None:
    """An imported state is the situation that `q-original` sees in the same position."""
    hands = ["9C AH JH 10S KS", "9H 10H QS KD AD", "9S JS QD JD AC", "9D 10D JC KC AS"]
    deck = [*" ".join(hands).split(), "QH", "KH", "10C", "QC"]
    state = GAMES["euchre"].new(1, deck, 0)
    file = euchre_file(tmp_path, (euchre_state(my_score=0), {"order_up": 7.5, "pass_bid": -2.0}))
    learner, _ = import_values(read_file(file), Store(tmp_path / "home"), replace=True)
    view = state.view(1)
    situation = learner.abstraction.situation(view)
    moves = learner.abstraction.moves(view, state.legal())
    known = learner.known(situation)
    assert known.values[moves[ORDER_UP]] == 7.5
    assert known.values[moves[PASS]] == -2.0
    assert learner.act(view, state.legal(), Random(1)).seen == 2

    for _ in range(3):
        state.apply(PASS)
    calling = euchre_state(
        my_score=0,
        game_phase="bidding_round_2",
        up_card_suit=None,
        up_card_rank=None,
        passes_on_upcard=3,
    )
    file = euchre_file(tmp_path, (calling, {"call_trump:S": 3.0, "pass_call": 1.0}))
    learner, _ = import_values(read_file(file), Store(tmp_path / "home"), replace=False)
    view = state.view(1)
    moves = learner.abstraction.moves(view, state.legal())
    known = learner.known(learner.abstraction.situation(view))
    assert known.values[moves[CALL]] == 3.0
    assert known.values[moves[PASS]] == 1.0


def test_states_of_the_play_are_left_out(tmp_path: Path) -> None:
    play = euchre_state(game_phase="playing_tricks", trump_suit="H", maker=1)
    rows = [(euchre_state(), {"order_up": 1.0}), (play, {"card_HA": 5.0})]
    imported = read_euchre(euchre_file(tmp_path, *rows))
    assert (imported.found, imported.taken, len(imported.values)) == (2, 1, 10)
    assert "which cards are in the trick" in imported.left_out
    with pytest.raises(ImportRefused, match="which cards are in the trick"):
        read_file(euchre_file(tmp_path, (play, {"card_HA": 5.0})))


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        ([], "it holds no situations"),
        ([({"speed": 3}, {"left": 1.0})], "situations are not those of Euchre"),
        ([(euchre_state(hand=["Z9"]), {"order_up": 1.0})], "situations are not those of Euchre"),
        ([(euchre_state(dealer=7), {"order_up": 1.0})], "situations are not those of Euchre"),
        ([(euchre_state(my_score=-1), {"order_up": 1.0})], "situations are not those of Euchre"),
        ([(euchre_state(hand=None), {"order_up": 1.0})], "situations are not those of Euchre"),
        ([(euchre_state(), {"fold": 1.0})], "actions are not those of Euchre"),
        ([(euchre_state(), {"order_up": "NaN"})], "not numbers"),
        ([(euchre_state(), {"order_up": float("inf")})], "not numbers"),
    ],
)
def test_wrong_euchre_values_are_refused(
    tmp_path: Path, rows: list[tuple[dict[str, Any], dict[str, Any]]], said: str
) -> None:
    with pytest.raises(ImportRefused, match=said):
        read_file(euchre_file(tmp_path, *rows))


ENDLESS = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT '{}', i FROM n"


@pytest.mark.parametrize(
    ("schema", "said"),
    [
        ("CREATE TABLE other (a)", "does not hold the values of the Euchre program"),
        (
            "CREATE TABLE q_values (state_key TEXT)",
            "does not hold the values of the Euchre program",
        ),
        (
            "CREATE TABLE q_values (state_key, actions_q_values, more)",
            "does not hold the values of the Euchre",
        ),
        (
            f"CREATE VIEW q_values(state_key, actions_q_values) AS {ENDLESS}",
            "does not hold the values",
        ),
        (
            "CREATE TABLE q_values (state_key, actions_q_values AS (hex(state_key)))",
            "does not hold the values of the Euchre program",
        ),
        (
            "CREATE TABLE q_values (state_key, actions_q_values);"
            "INSERT INTO q_values VALUES (hex(zeroblob(100000)), '{}')",
            "cannot be read as an SQLite file",
        ),
        (
            "CREATE TABLE q_values (state_key, actions_q_values);"
            "INSERT INTO q_values VALUES ('[[[', '{}')",
            "rows are not those of the Euchre program",
        ),
        (
            "CREATE TABLE q_values (state_key, actions_q_values);"
            "INSERT INTO q_values VALUES (x'00ff', 5)",
            "rows are not those of the Euchre program",
        ),
    ],
)
def test_wrong_databases_are_refused(tmp_path: Path, schema: str, said: str) -> None:
    path = tmp_path / "q_table.sqlite"
    database = sqlite3.connect(path)
    database.executescript(schema)
    database.close()
    with pytest.raises(ImportRefused, match=said):
        read_file(path)


def test_damaged_databases_are_refused(tmp_path: Path) -> None:
    rows = [(euchre_state(my_score=score), {"order_up": 1.0}) for score in range(90)]
    path = euchre_file(tmp_path, *rows)
    whole = path.read_bytes()
    for size in (16, 100, 4096, len(whole) // 2, len(whole) - 4096):
        path.write_bytes(whole[:size])
        with pytest.raises(ImportRefused, match="SQLite file"):
            read_file(path)


# Any file


@pytest.mark.parametrize(
    ("contents", "said"),
    [
        (b"", "it is empty"),
        (b"state,action,value\n", "neither a pickle of Notty nor"),
        (b"KIBITZ-Q and more", "file of this program already"),
        (b"\x80\x04", "not a complete pickle"),
    ],
)
def test_other_files_are_refused(tmp_path: Path, contents: bytes, said: str) -> None:
    path = tmp_path / "file"
    path.write_bytes(contents)
    with pytest.raises(ImportRefused, match=said):
        read_file(path)


def test_missing_irregular_and_huge_files_are_refused(tmp_path: Path) -> None:
    with pytest.raises(ImportRefused, match="no such file"):
        read_file(tmp_path / "missing")
    with pytest.raises(ImportRefused, match="not a regular file"):
        read_file(tmp_path)
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(ImportRefused, match="not a regular file"):
        read_file(tmp_path / "pipe")
    with (tmp_path / "huge").open("wb") as file:
        file.truncate(MAX_SIZE + 1)
    with pytest.raises(ImportRefused, match="larger than 64 MB"):
        read_file(tmp_path / "huge")
