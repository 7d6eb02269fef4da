"""What the processes of the stage do: training, measuring, comparing and studying."""

import os
import signal
import subprocess
import sys
from itertools import count
from pathlib import Path
from queue import Queue
from threading import Thread
from typing import Any

import pytest

from agents.agent import Learner
from agents.learners.tabular import TabularLearner
from agents.named_learners import NOTHING, begin, delete
from agents.registry import create, generations, make
from agents.storage.store import Store
from agents.training_log import CurvePoint
from app.lab.stage.discoveries import LONGER, STAYS, Discoverer, Opinion
from app.lab.stage.evaluator import Evaluator
from app.lab.stage.feed import Phase, ProcessFeed
from app.lab.stage.mind import read_table, sample_positions, table_opinions, view_of
from app.lab.stage.record import StageRecord
from app.lab.stage.reports import (
    Comparison,
    Failed,
    Measured,
    Notice,
    Order,
    Purpose,
    Report,
    Save,
    Saved,
    Snapshot,
    Subject,
    TableMind,
    Vitals,
)
from app.lab.stage.then_and_now import compare, play_hand
from app.lab.stage.trainer import MARKS, Orders, Trainer
from engine import GAMES
from tests.app.stage_feed import measured, vitals
from tests.app.terminal import Terminal

SUBJECT = Subject("truco", "q", 5)


class Enough(Exception):
    """Ends a training that would go on for ever."""


def trained(subject: Subject, snapshots: int) -> tuple[Trainer, list[Snapshot], list[Report]]:
    """Train until so many snapshots have been taken."""
    taken: list[Snapshot] = []
    sent: list[Report] = []

    def offer(snapshot: Snapshot) -> None:
        taken.append(snapshot)
        if len(taken) == snapshots:
            raise Enough

    trainer = Trainer(subject, Orders(), sent.append, offer, lambda: False)
    with pytest.raises(Enough):
        trainer.run()
    return trainer, taken, sent


@pytest.mark.parametrize("agent", ["q", "neural"])
def test_first_snapshots_come_after_few_matches(agent: str) -> None:
    _, taken, _ = trained(Subject("truco", agent, 5), 6)
    assert [each.matches for each in taken] == list(MARKS)


def test_learner_starts_from_nothing() -> None:
    trainer = Trainer(SUBJECT, Orders(), [].append, [].append, lambda: False)
    learner = create("truco", "q")
    assert isinstance(learner, TabularLearner)
    assert trainer.learner.dump() == learner.dump()


def test_saved_values_are_an_agent(tmp_path: Path) -> None:
    orders = Orders()
    sent: list[Report] = []
    point = CurvePoint(0, "hard", 0.1, 0.0, 0.2, 0.0, 10)

    def offer(snapshot: Snapshot) -> None:
        if snapshot.matches == MARKS[2]:
            orders.take(Save(tmp_path / "exports", Purpose.PLAY, (point,)))
        if any(isinstance(report, Saved) for report in sent):
            raise Enough

    with pytest.raises(Enough):
        Trainer(SUBJECT, orders, sent.append, offer, lambda: False).run()
    (saved,) = [report for report in sent if isinstance(report, Saved)]
    agent: Any = make("truco", f"q@{saved.path}")
    assert agent.log.matches == saved.matches == MARKS[2]
    assert agent.log.points == (point,)


def test_unwritable_folder_is_a_notice(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    trainer, _, sent = trained(SUBJECT, 1)
    trainer._save(Save(tmp_path / "file", Purpose.PLAY))
    assert "cannot be saved" in str(sent[-1])
    trainer._save(Save(tmp_path / "file", Purpose.KEEP, name="q:rosa"))
    assert "cannot be used" in str(sent[-1])


def test_full_disk_is_a_notice_and_loses_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    trainer, _, sent = trained(Subject("truco", "q", 5, tmp_path), 6)
    with monkeypatch.context() as disk:
        disk.setattr("agents.storage.store.write_atomic", full)
        for purpose, name in ((Purpose.PLAY, ""), (Purpose.KEEP, "q:rosa")):
            trainer._save(Save(tmp_path, purpose, (point(0),), name))
            assert isinstance(sent[-1], Notice)
            assert sent[-1].sentence.endswith("cannot be saved: no space left on device.")
    assert not list(tmp_path.glob("*.pkl"))
    trainer._save(Save(tmp_path, Purpose.KEEP, (point(0),), "q:anna"))
    assert known(Store(tmp_path), "q:anna").log.matches == MARKS[-1]
    assert Store(tmp_path).named("truco") == ["q:anna"]


def test_learner_deleted_in_another_window_is_not_brought_back(tmp_path: Path) -> None:
    trainer, _, sent = trained(Subject("truco", "q", 5, tmp_path), 1)
    trainer._save(Save(tmp_path, Purpose.KEEP, name="q:rosa"))
    delete("truco", "q:rosa", Store(tmp_path))
    trainer._save(Save(tmp_path, Purpose.KEEP, name="q:rosa"))
    assert "was deleted or renamed in another window" in str(sent[-1])
    trainer._save(Save(tmp_path, Purpose.KEEP, name="q:anna"))
    assert Store(tmp_path).named("truco") == ["q:anna"]


def point(games: int) -> CurvePoint:
    return CurvePoint(games, "hard", 0.1, 0.0, 0.2, 1.0, 10)


def known(store: Store, name: str) -> Learner:
    learner = make("truco", name, store)
    assert isinstance(learner, Learner)
    return learner


@pytest.mark.parametrize("agent", ["q", "linear", "neural"])
def test_learner_is_saved_under_a_name(agent: str, tmp_path: Path) -> None:
    store = Store(tmp_path)
    trainer, _, sent = trained(Subject("truco", agent, 5, tmp_path), 6)
    name = f"{agent}:rosa"
    for _ in range(2):
        trainer._save(Save(tmp_path, Purpose.KEEP, (point(0),), name))
    assert sent[-1] == Saved(store.path("truco", name), Purpose.KEEP, MARKS[-1], name)
    learner = known(store, name)
    assert learner.log.matches == MARKS[-1]
    assert learner.log.points == (point(0),)
    assert learner.setup() == trainer.learner.setup()
    assert generations("truco", name, store) == [0, 10]
    assert known(store, f"{name}@10").log.matches == 10


def test_name_of_another_learner_is_refused(tmp_path: Path) -> None:
    store = Store(tmp_path)
    store.save(begin("truco", "q:rosa", NOTHING, store))
    trainer, _, sent = trained(Subject("truco", "q", 5, tmp_path), 1)
    for purpose in (Purpose.KEEP, Purpose.FORK):
        trainer._save(Save(tmp_path, purpose, name="q:rosa"))
        assert "There is already a learner q:rosa" in str(sent[-1])
    assert known(store, "q:rosa").log.matches == 0


def test_named_learner_continues(tmp_path: Path) -> None:
    store = Store(tmp_path)
    learner = begin("truco", "q:rosa", NOTHING, store, {"alpha": 0.25})
    learner.log = learner.log.after(100, 50.0).measured([point(100)])
    store.save(learner)
    subject = Subject("truco", "q:rosa", 5, tmp_path)
    trainer, taken, sent = trained(subject, 3)
    assert sent[0] == Measured((point(100),))
    assert [each.matches for each in taken] == [101, 102, 105]
    trainer._save(Save(tmp_path, Purpose.KEEP, (point(100), point(105)), "q:rosa"))
    found = known(store, "q:rosa")
    assert found.log.matches == 105
    assert [each.seconds for each in found.log.points] == [51.0, 51.0]
    assert found.setup()[0]["alpha"] == 0.25

    reports: list[Report] = []
    ticks = count()
    evaluator = Evaluator(subject, reports.append, lambda: None, lambda: float(next(ticks)))
    evaluator.begin()
    measured_now = next(each for each in reports if isinstance(each, Measured))
    assert {each.games for each in measured_now.points} == {105}


def test_fork_has_other_settings(tmp_path: Path) -> None:
    store = Store(tmp_path)
    trainer, _, sent = trained(Subject("truco", "q", 5, tmp_path), 5)
    changes = {"gamma": 0.5, "alpha": 0.25}
    trainer._save(Save(tmp_path, Purpose.FORK, (point(0),), "q:eva", changes, {"match_won": 3}))
    assert sent[-1] == Saved(store.path("truco", "q:eva"), Purpose.FORK, MARKS[4], "q:eva")
    learner = known(store, "q:eva")
    settings, rewards = learner.setup()
    assert (settings["gamma"], settings["alpha"], rewards["match_won"]) == (0.5, 0.25, 3)
    assert learner.dump() == trainer.learner.dump()
    assert learner.log.points == (point(0),)
    assert trainer.learner.setup()[0]["gamma"] != 0.5
    assert trainer.learner.name == "q"
    _, taken, _ = trained(Subject("truco", "q:eva", 5, tmp_path), 1)
    assert taken[0].matches == MARKS[4] + 1
    second, _, _ = trained(Subject("truco", "q:eva", 6, tmp_path), 1)
    second._save(Save(tmp_path, Purpose.FORK, (), "q:ada"))
    assert generations("truco", "q:ada", store) == [0, 10]
    trainer._save(Save(tmp_path, Purpose.FORK, (), "q:ida", {"speed": 1.0}))
    assert "There is no setting 'speed'" in str(sent[-1])


def test_missing_learner_ends_the_stage_with_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="There is no learner q:nobody"):
        Trainer(
            Subject("truco", "q:nobody", 5, tmp_path), Orders(), [].append, [].append, lambda: False
        )


def test_stopped_trainer_hands_over_its_last_snapshot() -> None:
    orders = Orders()
    taken: list[Snapshot] = []

    def offer(snapshot: Snapshot) -> None:
        taken.append(snapshot)
        if snapshot.final:
            raise Enough
        if snapshot.matches == 1:
            orders.take(Order.STOP)

    with pytest.raises(Enough):
        Trainer(SUBJECT, orders, [].append, offer, lambda: False).run()
    assert [(each.matches, each.final) for each in taken] == [(1, False), (1, True)]


@pytest.mark.slow
def test_points_narrow_with_measurements() -> None:
    _, taken, _ = trained(SUBJECT, 4)
    sent: list[Report] = []
    ticks = count()
    evaluator = Evaluator(SUBJECT, sent.append, lambda: None, lambda: next(ticks) / 50)
    for snapshot in (taken[0], taken[0], taken[3], taken[3]):
        evaluator.work(snapshot)
    points = [each.points for each in sent if isinstance(each, Measured)]
    assert [point.against for point in points[0]] == ["random", "easy", "hard"]
    hard = [each[-1] for each in points]
    assert hard[1].measured > hard[0].measured
    assert hard[1].high - hard[1].low < hard[0].high - hard[0].low
    assert hard[2].measured < hard[1].measured
    assert any(isinstance(each, TableMind) for each in sent)
    assert any(isinstance(each, Comparison) for each in sent)


@pytest.mark.parametrize("game", list(GAMES))
def test_same_player_plays_the_same_hand_twice(game: str) -> None:
    player = make(game, "easy")
    found = compare(game, 8, 1, player, player, player, 10)
    assert found.then == found.now
    assert found.gain in (0.0, None)


def test_long_hand_is_cut_off() -> None:
    player = make("notty", "random")
    assert play_hand("notty", 4, (), (0,), player, player, most=3).points is None


@pytest.mark.parametrize("game", list(GAMES))
def test_positions_have_several_moves(game: str) -> None:
    positions = sample_positions(game, 1, make(game, "easy"))
    assert len(positions) >= 4
    assert len({each.words for each in positions}) == len(positions)
    for position in positions:
        _, legal = view_of(game, position)
        assert len(legal) > 1


def test_table_is_read_with_its_best_moves() -> None:
    learner = make("truco", "q")
    assert isinstance(learner, TabularLearner)
    mind = read_table(learner, 7)
    assert len(mind.visits) == 2 * len(mind.best)
    opinions = table_opinions(learner, mind)
    assert opinions
    assert all(learner.abstraction.knows(situation) for situation in opinions)  # type: ignore[arg-type]


def test_discovery_needs_to_last() -> None:
    discoverer = Discoverer()
    unsure, sure = Opinion({1: 0.0, 2: 0.0}), Opinion({1: 0.1, 2: 0.4})
    assert unsure.best is None
    assert discoverer.look(0, {"here": unsure}) == []
    found = [discoverer.look(10 + at, {"here": sure}) for at in range(STAYS)]
    assert found == [[]] * STAYS, "too little training since it changed"
    (change,) = discoverer.look(round(10 * LONGER), {"here": sure})
    assert (change.move, change.now, change.before) == (2, 0.4, 0.0)
    assert discoverer.look(100, {"here": sure}) == []


def test_wavering_move_is_no_discovery() -> None:
    discoverer = Discoverer()
    one, other = Opinion({1: 0.4, 2: 0.1}), Opinion({1: 0.1, 2: 0.4})
    looks = [discoverer.look(10 * at, {"here": (one, other)[at % 2]}) for at in range(1, 20)]
    assert not any(looks)


def test_record_stays_small() -> None:
    record = StageRecord()
    for number in range(2_000):
        record.take(vitals(number))
        record.take(measured(number, 0.2))
    assert len(record.vitals) <= 240
    assert len(record.points) <= 300
    assert record.matches == 1_999


# The real processes


def real_feed(folder: Path) -> tuple[ProcessFeed, "Queue[Report]"]:
    reports: Queue[Report] = Queue()
    feed = ProcessFeed(SUBJECT, folder, lambda _, report: reports.put(report))
    feed.start()
    return feed, reports


def until(feed: ProcessFeed, reports: "Queue[Report]", kind: type) -> Any:
    while True:
        report = reports.get(timeout=60)
        feed.take(report)
        assert not isinstance(report, Failed), report
        if isinstance(report, kind):
            return report


@pytest.mark.slow
def test_processes_train_measure_save_and_end(tmp_path: Path) -> None:
    feed, reports = real_feed(tmp_path)
    try:
        assert until(feed, reports, Measured).points[0].games == 0
        until(feed, reports, Vitals)
        feed.pause()
        feed.pause()
        feed.save(Purpose.KEEP)
        saved = until(feed, reports, Saved)
        assert make("truco", feed.name_of(saved))
        feed.stop()
        assert feed.phase is Phase.STOPPED
        pids = [process.pid for process in feed._processes]
    finally:
        feed.end()
    for pid in pids:
        with pytest.raises(ProcessLookupError):
            os.kill(pid, 0)


@pytest.mark.slow
def test_learner_goes_on_without_its_evaluator(tmp_path: Path) -> None:
    feed, reports = real_feed(tmp_path)
    try:
        until(feed, reports, Measured)
        until(feed, reports, Vitals)
        evaluator, _ = feed._processes
        evaluator.kill()
        assert "you can save it" in until(feed, reports, Notice).sentence
        until(feed, reports, Vitals)
        feed.save(Purpose.PLAY)
        assert until(feed, reports, Saved).path.exists()
    finally:
        feed.end()


@pytest.mark.slow
def test_killed_trainer_is_one_sentence_and_ends_the_evaluator(tmp_path: Path) -> None:
    feed, reports = real_feed(tmp_path)
    try:
        until(feed, reports, Vitals)
        evaluator, trainer = feed._processes
        trainer.kill()
        assert _first(reports, Failed).sentence == "A process of the learner ended unexpectedly."
        evaluator.join(20)
        assert not evaluator.is_alive()
        assert not [each for each in _waiting(reports) if isinstance(each, Notice | Failed)]
    finally:
        feed.end()


def _first(reports: "Queue[Report]", kind: type) -> Any:
    while not isinstance(report := reports.get(timeout=60), kind):
        pass
    return report


def _waiting(reports: "Queue[Report]") -> list[Report]:
    return [reports.get() for _ in range(reports.qsize())]


PARENT = """
import sys
from multiprocessing import resource_tracker
from pathlib import Path
from threading import Event
from app.lab.stage.feed import ProcessFeed
from app.lab.stage.reports import Measured, Subject

def listen(feed, report):
    if isinstance(report, Measured):
        print(*[process.pid for process in feed._processes], flush=True)

if __name__ == "__main__":
    resource_tracker.ensure_running()
    ProcessFeed(Subject("truco", "q", 5), Path(sys.argv[1]), listen).start()
    Event().wait()
"""


@pytest.mark.slow
def test_processes_end_with_a_killed_app(tmp_path: Path) -> None:
    script = tmp_path / "parent.py"
    script.write_text(PARENT)
    parent = subprocess.Popen(
        [sys.executable, str(script), str(tmp_path)],
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": os.getcwd()},
    )
    assert parent.stdout is not None
    pids = [int(word) for word in parent.stdout.readline().split()]
    assert len(pids) == 2
    descriptors = [os.pidfd_open(pid) for pid in pids]
    parent.send_signal(signal.SIGKILL)
    parent.wait()
    for descriptor in descriptors:
        ended = Thread(target=lambda fd=descriptor: _wait(fd), daemon=True)
        ended.start()
        ended.join(20)
        assert not ended.is_alive()


@pytest.mark.slow
def test_closed_window_ends_everything(tmp_path: Path) -> None:
    with Terminal("learn", "truco", "--agent", "q", home=tmp_path, size=(120, 40)) as terminal:
        terminal.wait_for("Hard")
        children = Path(f"/proc/{terminal.process.pid}/task/{terminal.process.pid}/children")
        descriptors = [os.pidfd_open(int(pid)) for pid in children.read_text().split()]
        terminal.hang_up()
        terminal.exit_status()
    for descriptor in descriptors:
        _wait(descriptor)


def _wait(descriptor: int) -> None:
    from select import poll

    waiting = poll()
    waiting.register(descriptor)
    waiting.poll()
