"""What the Lab's process does, done here: learning, keeping, and judging what came of it."""

from pathlib import Path
from typing import Any

from agents.storage.store import Store
from agents.training.course import Course, new_learner
from agents.training.measurement import CurvePoint
from app.lab.jobs import Failed, Kept, Learned, Order, Remark, Report, Training
from app.lab.verdict import difference, verdict
from app.lab.worker import Desk, do
from app.ui.widgets.curve import band

TINY = {"target": 6}
"""Truco to six points: matches that are over soon."""


def table(home: Path) -> Path:
    return home / "qtables" / "truco.q.pkl"


def tiny(games: int, **changes: Any) -> Training:
    course = Course("truco", "q", games, 1, dict(TINY), **changes)
    return Training(course, measurements=1, measured=4)


def done_here(job: Training, home: Path, answer: Order = Order.KEEP) -> tuple[Report, list[Report]]:
    """The job done in this process: the last report and those before it."""
    orders = [answer]
    told: list[Report] = []

    def hear() -> Order:
        if not orders:
            raise EOFError
        return orders.pop()

    desk = Desk(hear, told.append)

    def tell(report: Report) -> None:
        told.append(report)
        if isinstance(report, Learned):
            desk.listen()

    desk.tell = tell
    return do(job, home / "qtables", home / "experiments", desk), told


def test_two_workers_continue_a_table(tmp_path: Path) -> None:
    """All rounds of a second run are in the table, not only the last."""
    games = []
    for seed in (1, 2):
        course = Course("truco", "q", 160, seed, dict(TINY))
        job = Training(course, workers=2, measurements=1, measured=2)
        assert done_here(job, tmp_path)[0] == Kept()
        games.append(new_learner(course, Store(tmp_path / "qtables")).stats().games)
    assert games[1] - games[0] == 2 * 160


def test_other_rewards_are_kept_apart(tmp_path: Path) -> None:
    Store(tmp_path / "qtables").save(new_learner(Course("truco", "q", 1)))
    before = table(tmp_path).read_bytes()
    result, told = done_here(tiny(32, rewards={"point": 3.0}), tmp_path)
    assert result == Kept(apart=True)
    assert any(isinstance(report, Remark) for report in told)
    assert table(tmp_path).read_bytes() == before
    assert (tmp_path / "experiments" / "truco.q.pkl").exists()


def test_a_course_that_makes_no_sense_fails_in_a_sentence(tmp_path: Path) -> None:
    result, _ = done_here(tiny(32, settings={"speed": 3.0}), tmp_path)
    assert isinstance(result, Failed)
    assert "no setting 'speed'" in result.sentence


def point(games: int, against: str, rate: float, spread: float) -> CurvePoint:
    return CurvePoint(games, against, rate, rate - spread, rate + spread)


def test_a_verdict_is_no_surer_than_the_matches() -> None:
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


def test_a_band_fills_the_cells_between_the_ends_of_the_intervals() -> None:
    points = [CurvePoint(0, "hard", 0.5, 0.5, 0.5), CurvePoint(8, "hard", 0.5, 0.0, 1.0)]
    assert band(points, 8, 5, 4) == [(2, 0, 5), (1, 2, 5), (3, 2, 5), (0, 3, 5), (4, 3, 5)]
    assert band(points[:1], 8, 5, 4) == [(2, 0, 1)]
    assert band([], 8, 5, 4) == []
