"""The jobs of the Lab, done in this process instead of the Lab's own."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from agents.agent import Learner
from agents.registry import make
from agents.storage import store as store_module
from agents.storage.store import Store, StoreError
from agents.training.course import Course, new_learner
from agents.training.rounds import train
from agents.training_log import CurvePoint
from app.home.locations import Locations
from app.lab.app_link import AppLink
from app.lab.checkpoints import (
    Checkpoint,
    interrupted_trainings,
    keep_interrupted,
    new_bookmark,
    remove_checkpoint,
)
from app.lab.jobs import (
    Command,
    Discarded,
    Failed,
    Kept,
    Learned,
    Notice,
    Progress,
    Report,
    Training,
)
from app.lab.verdict import difference, verdict
from app.lab.worker import do
from app.records.bookmark import Bookmark
from app.ui.widgets.curve import band

TINY = {"target": 6}
"""Truco to six points, for short matches."""


def values_file(home: Path) -> Path:
    return home / "qtables" / "truco.q.pkl"


def tiny(games: int, **changes: Any) -> Training:
    course = Course("truco", "q", games, 1, dict(TINY), **changes)
    return Training(course, measurements=1, measured=4)


def do_here(
    job: Training,
    home: Path,
    command: Command = Command.KEEP,
    when: type[Report] = Learned,
) -> tuple[Report, list[Report]]:
    """Do a job and return its final report and all others.

    command   is sent after the first report of the kind `when`
    """
    commands = [command]
    reports: list[Report] = []

    def receive() -> Command:
        if not commands:
            raise EOFError
        return commands.pop()

    def send(report: Report) -> None:
        reports.append(report)
        if isinstance(report, when):
            link.listen()

    link = AppLink(receive, send)
    return do(job, Locations(home), link), reports


@pytest.mark.slow
def test_second_training_continues_the_first(tmp_path: Path) -> None:
    """All rounds of two workers are saved, not only the last."""
    games = []
    for seed in (1, 2):
        course = Course("truco", "q", 160, seed, dict(TINY))
        job = Training(course, workers=2, measurements=1, measured=2)
        assert do_here(job, tmp_path)[0] == Kept()
        games.append(new_learner(course, Store(tmp_path / "qtables")).stats().games)
    assert games[1] - games[0] == 2 * 160


def named(games: int, start: str = "nothing", **changes: Any) -> Training:
    course = Course("truco", "q:rosa", games, 1, dict(TINY), **changes)
    return Training(course, measurements=1, measured=4, start=start)


def test_other_rewards_need_a_name(tmp_path: Path) -> None:
    Store(tmp_path / "qtables").save(new_learner(Course("truco", "q", 1)))
    before = values_file(tmp_path).read_bytes()
    result, _ = do_here(tiny(32, rewards={"point": 3.0}), tmp_path)
    assert isinstance(result, Failed)
    assert "under its own name" in result.sentence
    assert do_here(named(32, rewards={"point": 3.0}), tmp_path)[0] == Kept()
    assert values_file(tmp_path).read_bytes() == before
    learner = make("truco", "q:rosa", Store(tmp_path / "qtables"))
    assert isinstance(learner, Learner)
    assert learner.log.matches == 32
    assert learner.setup()[1]["point"] == 3.0


def test_named_learner_is_not_created_if_discarded(tmp_path: Path) -> None:
    assert do_here(named(32), tmp_path, Command.DISCARD)[0] == Discarded()
    assert Store(tmp_path / "qtables").named("truco") == []


def test_named_learner_trains_with_its_own_settings(tmp_path: Path) -> None:
    do_here(named(32, settings={"alpha": 0.25}), tmp_path)
    pool = named(32, "home", opponents=("pool", "q:rosa"))
    assert do_here(replace(pool, workers=2), tmp_path)[0] == Kept()
    learner = make("truco", "q:rosa", Store(tmp_path / "qtables"))
    assert isinstance(learner, Learner)
    assert learner.setup()[0]["alpha"] == 0.25
    assert learner.log.matches == 64


def test_impossible_course_fails_with_a_sentence(tmp_path: Path) -> None:
    result, _ = do_here(tiny(32, settings={"speed": 3.0}), tmp_path)
    assert isinstance(result, Failed)
    assert "no setting 'speed'" in result.sentence


@pytest.mark.parametrize("command", [Command.KEEP, Command.DISCARD])
def test_generations_are_kept_with_the_training(
    command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(store_module, "SHIPPED", tmp_path / "pretrained")
    do_here(tiny(12), tmp_path, command)
    kept = Store(tmp_path / "qtables").generations("truco", "q")
    assert kept == ([10] if command is Command.KEEP else [])


def test_lab_trains_against_generations(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store_module, "SHIPPED", tmp_path / "pretrained")
    assert do_here(tiny(12), tmp_path)[0] == Kept()
    assert do_here(tiny(12, opponents=("q@10",)), tmp_path)[0] == Kept()


@pytest.mark.slow
@pytest.mark.parametrize("command", [Command.KEEP, Command.DISCARD])
def test_decided_training_leaves_no_checkpoint(command: Command, tmp_path: Path) -> None:
    result, _ = do_here(tiny(32), tmp_path, command)
    assert result == (Kept() if command is Command.KEEP else Discarded())
    assert values_file(tmp_path).exists() == (command is Command.KEEP)
    assert list((tmp_path / "checkpoints").iterdir()) == []


def test_keep_before_the_end_skips_the_last_measurement(tmp_path: Path) -> None:
    result, reports = do_here(tiny(64), tmp_path, Command.KEEP, when=Progress)
    assert result == Kept()
    assert not any(isinstance(report, Learned) for report in reports)


def test_killed_training_is_offered_and_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The process dies while it waits for the decision."""
    monkeypatch.setattr(store_module, "SHIPPED", tmp_path / "pretrained")
    locations = Locations(tmp_path)
    with pytest.raises(SystemExit):
        do_here_and_die(tiny(32), tmp_path)
    assert not values_file(tmp_path).exists()
    (training,) = interrupted_trainings(locations)
    assert training.progress.played == 32
    assert training.question == (
        "Training of Q at Truco Uruguayo was interrupted after 32 matches. Keep what it learned?"
    )
    assert not keep_interrupted(training, locations)
    learner = new_learner(training.progress.course, Store(tmp_path / "qtables"))
    fresh = new_learner(training.progress.course, Store(tmp_path / "nowhere"))
    assert learner.stats().games == fresh.stats().games + 2 * 32
    assert Store(tmp_path / "qtables").generations("truco", "q") == [10]
    assert interrupted_trainings(locations) == []
    assert list((tmp_path / "checkpoints").iterdir()) == []


def do_here_and_die(job: Training, home: Path) -> None:
    class DyingLink(AppLink):
        def wait_for_decision(self) -> Command:
            raise SystemExit

    do(job, Locations(home), DyingLink(lambda: Command.STOP, lambda report: None))


def test_discarded_checkpoint_changes_nothing(tmp_path: Path) -> None:
    with pytest.raises(SystemExit):
        do_here_and_die(tiny(32), tmp_path)
    (training,) = interrupted_trainings(Locations(tmp_path))
    remove_checkpoint(training.bookmark)
    assert interrupted_trainings(Locations(tmp_path)) == []
    assert list((tmp_path / "checkpoints").iterdir()) == []
    assert not values_file(tmp_path).exists()


def test_question_mentions_values_that_changed_meanwhile(tmp_path: Path) -> None:
    with pytest.raises(SystemExit):
        do_here_and_die(tiny(32), tmp_path)
    course = tiny(32).course
    store = Store(tmp_path / "qtables")
    learner = new_learner(course, store)
    list(train(course, learner))
    store.save(learner)
    present = values_file(tmp_path).read_bytes()
    (training,) = interrupted_trainings(Locations(tmp_path))
    assert "the present values stay as an earlier version" in training.question
    keep_interrupted(training, Locations(tmp_path))
    assert store.versions(values_file(tmp_path))[0].read_bytes() == present


def test_interrupted_training_of_a_named_learner_can_be_kept(tmp_path: Path) -> None:
    with pytest.raises(SystemExit):
        do_here_and_die(named(32, rewards={"point": 3.0}), tmp_path)
    (training,) = interrupted_trainings(Locations(tmp_path))
    assert "Training of Q rosa at Truco" in training.question
    keep_interrupted(training, Locations(tmp_path))
    assert not values_file(tmp_path).exists()
    learner = make("truco", "q:rosa", Store(tmp_path / "qtables"))
    assert isinstance(learner, Learner)
    assert learner.setup()[1]["point"] == 3.0


def test_running_training_is_not_offered(tmp_path: Path) -> None:
    """Its process holds the lock of the checkpoint."""
    locations = Locations(tmp_path)
    course = tiny(32).course
    checkpoint = Checkpoint(new_bookmark(course, locations), Bookmark(course, 0))
    checkpoint.save(new_learner(course), 32, 1.0)
    assert interrupted_trainings(locations) == []
    checkpoint.close(keep=True)
    assert [each.progress.played for each in interrupted_trainings(locations)] == [32]


def test_training_without_a_checkpoint_is_forgotten(tmp_path: Path) -> None:
    locations = Locations(tmp_path)
    course = tiny(32).course
    Checkpoint(new_bookmark(course, locations), Bookmark(course, 0)).close(keep=True)
    assert interrupted_trainings(locations) == []
    assert list(locations.checkpoints.iterdir()) == []


def test_damaged_checkpoint_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SystemExit):
        do_here_and_die(tiny(32), tmp_path)
    (training,) = interrupted_trainings(Locations(tmp_path))
    training.bookmark.with_suffix(".pkl").write_bytes(b"garbage")
    with pytest.raises(StoreError, match="The checkpoint was not loaded because"):
        keep_interrupted(training, Locations(tmp_path))
    assert not values_file(tmp_path).exists()


@pytest.mark.slow
def test_full_disk_stops_no_training(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("app.lab.checkpoints.write_values", fail)
    result, reports = do_here(tiny(64), tmp_path)
    assert result == Kept()
    notices = [report.sentence for report in reports if isinstance(report, Notice)]
    assert notices == ["The training cannot be saved on the way: no space left on device."]


def point(games: int, against: str, rate: float, spread: float) -> CurvePoint:
    return CurvePoint(games, against, rate, rate - spread, rate + spread)


def test_verdict_depends_on_the_intervals() -> None:
    low, high = difference(point(0, "hard", 0.3, 0.03), point(9, "hard", 0.4, 0.04))
    assert (round(low, 3), round(high, 3)) == (0.05, 0.15)
    before = [point(0, "random", 0.5, 0.05), point(0, "hard", 0.3, 0.05)]
    better = [point(9, "random", 0.5, 0.05), point(9, "hard", 0.5, 0.05)]
    unsure = [point(9, "random", 0.5, 0.05), point(9, "hard", 0.33, 0.05)]
    worse = [point(9, "random", 0.2, 0.05), point(9, "hard", 0.33, 0.05)]
    assert verdict([*before, *better]) == (
        "Better than before: against hard 50 % (45–55), before 30 % (25–35); "
        "against random 50 % (45–55), before 50 % (45–55)."
    )
    assert verdict([*before, *unsure]).startswith("No better than before, as far as")
    assert verdict([*before, *worse]).startswith("Worse than before")
    assert verdict(before) == "It was not measured after training."


def test_band_fills_the_cells_of_the_intervals() -> None:
    points = [CurvePoint(0, "hard", 0.5, 0.5, 0.5), CurvePoint(8, "hard", 0.5, 0.0, 1.0)]
    assert band(points, 8, 5, 4) == [(2, 0, 5), (1, 2, 5), (3, 2, 5), (0, 3, 5), (4, 3, 5)]
    assert band(points[:1], 8, 5, 4) == [(2, 0, 1)]
    assert band([], 8, 5, 4) == []
