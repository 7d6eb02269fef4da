"""Training logs: what they count, and that no file can smuggle in anything else."""

from math import inf, nan

import pytest

from agents.training_log import (
    MAX_POINTS,
    CurvePoint,
    TrainingLog,
    is_generation,
    next_generation,
)


def point(games, against="hard", rate=0.5):
    return CurvePoint(games, against, rate, 0.4, 0.6, 1.5, 100)


LOG = TrainingLog(120, 3.5, (point(0), point(100)))


def test_log_survives_a_file():
    assert TrainingLog.of_plain(LOG.as_plain()) == LOG


def test_log_counts_matches_and_seconds():
    assert LOG.after(30, 0.5) == TrainingLog(150, 4.0, LOG.points)


def test_new_measurement_replaces_one_after_the_same_matches():
    better = point(100, rate=0.6)
    assert LOG.measured([better, point(50)]).points == (point(0), point(50), better)


def test_two_windows_add_their_matches():
    ours = LOG.after(10, 1.0).measured([point(130)])
    theirs = LOG.after(5, 2.0).measured([point(125)])
    merged = ours.merged(theirs, LOG)
    assert (merged.matches, merged.seconds) == (135, 6.5)
    assert [each.games for each in merged.points] == [0, 100, 125, 130]


def test_curve_is_thinned_but_keeps_its_ends():
    log = TrainingLog()
    for games in range(2 * MAX_POINTS):
        log = log.measured([point(games, "random"), point(games, "hard")])
    assert len(log.points) <= MAX_POINTS
    assert log.points[0].games == 0
    assert log.points[-1].games == 2 * MAX_POINTS - 1
    assert TrainingLog.of_plain(log.as_plain()) == log


@pytest.mark.parametrize(
    "data",
    [
        None,
        [],
        {},
        [1, 2],
        [-1, 0.0, []],
        [1.5, 0.0, []],
        [True, 0.0, []],
        [2**60, 0.0, []],
        [1, nan, []],
        [1, inf, []],
        [1, -1.0, []],
        [1, 0.0, {}],
        [1, 0.0, [[]]],
        [1, 0.0, [["0", "hard", 0.5, 0.4, 0.6, 1.0, 1]]],
        [1, 0.0, [[0, 7, 0.5, 0.4, 0.6, 1.0, 1]]],
        [1, 0.0, [[0, "h" * 101, 0.5, 0.4, 0.6, 1.0, 1]]],
        [1, 0.0, [[0, "\x1b[2J", 0.5, 0.4, 0.6, 1.0, 1]]],
        [1, 0.0, [[0, "hard", 1.5, 0.4, 0.6, 1.0, 1]]],
        [1, 0.0, [[0, "hard", nan, 0.4, 0.6, 1.0, 1]]],
        [1, 0.0, [[0, "hard", 0.5, "0.4", 0.6, 1.0, 1]]],
        [1, 0.0, [[0, "hard", 0.5, 0.4, 0.6, -1.0, 1]]],
        [1, 0.0, [[0, "hard", 0.5, 0.4, 0.6, 1.0, 1.0]]],
        [1, 0.0, [[0, "hard", 0.5, 0.4, 0.6, 1.0, 1]] * (MAX_POINTS + 1)],
    ],
)
def test_other_data_is_refused(data):
    with pytest.raises(ValueError, match=r"^the (training log|learning curve) "):
        TrainingLog.of_plain(data)


def test_generations_are_powers_of_ten():
    assert [each for each in range(2000) if is_generation(each)] == [10, 100, 1000]
    assert [next_generation(each) for each in (0, 9, 10, 99, 100)] == [10, 10, 100, 100, 1000]
