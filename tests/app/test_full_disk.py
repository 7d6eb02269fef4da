"""Journals and results survive races and a full disk."""

import errno
import os
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from agents.registry import create
from agents.storage.store import Store, StoreError
from app import cli
from app.match.past import Past
from app.match.seating import plan_table
from app.records.history import History
from app.records.history_file import HistoryError
from app.records.journal import read_journal
from app.records.journal_file import new_journal, reopen
from tests.app.journals import NOW, keeper_of, play_at_random

PLAN = plan_table("euchre", seed=7)


def test_same_match_in_the_same_second_in_eight_windows(tmp_path: Path) -> None:
    journals = [keeper_of(tmp_path).begin(PLAN, 7, None) for _ in range(8)]
    for journal in journals:
        journal.action(0, "pass", flush=True)
    assert len({journal.path for journal in journals}) == 8
    for journal in journals:
        journal.close()
    for path in (tmp_path / "games").glob("*.jsonl"):
        assert len(path.read_text().splitlines()) == 2


def test_journal_in_use_is_never_overwritten(tmp_path: Path) -> None:
    first = keeper_of(tmp_path).begin(PLAN, 7, None)
    first.action(0, "pass", flush=False)
    first.path.unlink()
    second = new_journal(tmp_path / "games", first.setup, NOW)
    second.action(0, "pass", flush=False)
    assert second.path != first.path
    for journal in (first, second):
        journal.close()


class Disk:
    """A disk that can be full."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.full = False
        write: Callable[[int, bytes], int] = os.write
        add = History.add_match

        def limited(file: int, data: bytes) -> int:
            if self.full:
                raise OSError(errno.ENOSPC, "No space left on device")
            return write(file, data)

        def add_if_space(history: History, match) -> int:
            if self.full:
                raise HistoryError("history.db cannot be written: database or disk is full.")
            return add(history, match)

        monkeypatch.setattr("app.records.journal_file.os.write", limited)
        monkeypatch.setattr(History, "add_match", add_if_space)


def test_result_on_a_full_disk_is_saved_when_there_is_space(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    disk, keeper = Disk(monkeypatch), keeper_of(tmp_path)
    journal = keeper.begin(PLAN, 7, None)
    state = journal.setup.deal()
    labels = []
    for action in play_at_random(journal.setup.deal()):
        labels.append((state.turn, state.label(action)))
        state.apply(action)
    for number, (seat, label) in enumerate(labels):
        disk.full = number > 5
        journal.action(seat, label, flush=False)
    keeper.finish(journal, state, Past())
    journal.close()
    assert "kept until it can be saved" in keeper.notices[0]
    assert keeper.waiting() == []
    disk.full = False
    keeper.save_rest()
    (match,) = History(tmp_path / "history.db").matches()
    assert match.journal == journal.path.name
    recorded = read_journal(journal.path)
    assert recorded.finished
    assert len(recorded.past.actions) == len(labels)
    keeper.save_rest()
    assert len(History(tmp_path / "history.db").matches()) == 1
    assert reopen(journal.path)[0].over


def test_values_that_make_no_sense_never_replace_good_ones(tmp_path: Path) -> None:
    store, learner = Store(tmp_path), create("truco", "linear")
    store.save(learner)
    good = store.path("truco", "linear").read_bytes()
    weights = learner._weights._weights
    weights[0] = np.nan
    learner._weights._visits[0] = 1
    with pytest.raises(StoreError, match="was not changed"):
        store.replace(learner)
    assert store.path("truco", "linear").read_bytes() == good
    assert [path.name for path in tmp_path.glob("*") if not path.name.startswith(".")] == [
        "truco.linear.pkl"
    ]


@pytest.mark.parametrize(
    "error",
    [
        OSError(errno.ENOSPC, "No space left on device", "/home/x/games"),
        OSError(errno.EROFS, "Read-only file system"),
        PermissionError(errno.EACCES, "Permission denied", "/x"),
        StoreError("It cannot be saved."),
    ],
)
def test_full_disk_is_not_a_bug(error: Exception) -> None:
    assert "report" not in cli.in_one_line(error)
