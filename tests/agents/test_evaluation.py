"""Evaluations: shared deals, seatings, parts and intervals."""

from concurrent.futures import ThreadPoolExecutor

import pytest

from agents.evaluation.evaluation import evaluate
from agents.evaluation.intervals import clustered_interval, wilson
from agents.evaluation.series import Conditions, Series, SeriesSplitter, seatings
from agents.seeds import Purpose

TIMES = ("seconds", "games_per_second", "decisions_per_second")


def without_times(report):
    return {key: value for key, value in report.items() if key not in TIMES}


def test_two_agents_are_seated_both_ways():
    assert seatings(["hard", "random"]) == [(0, 1), (1, 0)]


def test_equal_agents_are_not_swapped():
    assert len(seatings(["easy", "random", "random", "random"])) == 4
    assert seatings(["hard", "hard"]) == [(0, 1)]


def test_four_different_agents_are_seated_in_every_order():
    assert len(seatings(["random", "easy", "hard", "q"])) == 24


def test_many_agents_are_rotated():
    ways = seatings(["hard", "easy", "q", "random", "random", "random", "random"])
    assert len(ways) == 7
    for agent in range(7):
        assert sorted(way.index(agent) for way in ways) == list(range(7))


def test_report_has_the_documented_keys():
    report = evaluate("euchre", ["hard", "random"], 6, Conditions(seed=3))
    assert list(report) == [
        "game", "games", "seed", "options", "agents", *TIMES,
    ]  # fmt: skip
    assert (report["game"], report["games"], report["seed"]) == ("euchre", 6, 3)
    assert report["options"] == {"players": 3}
    assert [list(entry) for entry in report["agents"]] == [
        [
            "agent",
            "games",
            "wins",
            "draws",
            "win_rate",
            "ci95",
            "mean_score",
            "mean_place",
            "source",
        ]
    ] * 2
    hard, random = report["agents"]
    assert (hard["agent"], random["agent"]) == ("hard", "random")
    assert hard["games"] == random["games"] == 6
    assert hard["wins"] + random["wins"] == 6
    assert hard["win_rate"] + random["win_rate"] == pytest.approx(1)
    assert hard["mean_place"] + random["mean_place"] == pytest.approx(3)


def test_same_seed_gives_the_same_result_with_any_number_of_workers():
    alone = evaluate("notty", ["random", "random"], 10, Conditions(5, {"turn_limit": 20}))
    with ThreadPoolExecutor(3) as pool:
        parallel = Conditions(5, {"turn_limit": 20}, workers=3, executor=pool)
        shared = evaluate("notty", ["random", "random"], 10, parallel)
    assert without_times(alone) == without_times(shared)
    other = evaluate("notty", ["random", "random"], 10, Conditions(6, {"turn_limit": 20}))
    assert without_times(alone) != without_times(other)


def test_processes_give_the_same_result():
    alone, parallel = [
        evaluate("euchre", ["random", "random"], 8, Conditions(seed=5, workers=workers))
        for workers in (1, 2)
    ]
    assert without_times(parallel) == without_times(alone)


def counts(splitter, games, workers, match):
    """Return the sizes of the parts of a series in which each match takes `match` seconds."""
    found = []
    for _, start, count in splitter.parts(games, workers):
        assert start == sum(found)
        found.append(count)
        splitter.record(count, count * match)
    assert sum(found) == games
    return found


def splitter_of(*agents):
    return SeriesSplitter(Series("truco", agents, Purpose.TUNING, 1, {}, ()))


def test_parts_take_about_a_second():
    quick = counts(splitter_of("easy", "random"), games=10_000, workers=2, match=0.002)
    assert quick[0] == 2, "a deal, seated both ways"
    assert quick[1:11] == [500] * 10
    assert max(quick) == 500
    slow = counts(splitter_of("search", "hard"), games=100, workers=2, match=1.5)
    assert slow[1:] == [1] * (len(slow) - 1)


def test_the_last_parts_are_short():
    parts = counts(splitter_of("easy", "random"), games=10_000, workers=4, match=0.001)
    assert parts[-8:] == [1] * 8
    assert parts[1:] == sorted(parts[1:], reverse=True)


@pytest.mark.slow
def test_result_does_not_depend_on_the_size_of_parts(monkeypatch):
    reports = []
    for seconds in (0.0, 0.02, 60.0):
        monkeypatch.setattr("agents.evaluation.series.PART_SECONDS", seconds)
        report = evaluate("fodinha", ["q", "hard", "easy", "random"], 30, Conditions(seed=4))
        reports.append(report["agents"])
    assert reports[0] == reports[1] == reports[2]


def test_equal_agents_share_the_wins_evenly_on_shared_deals():
    """Each deal is played from both sides: one side loses what the other wins."""
    report = evaluate("notty", ["random", "random"], 4, Conditions(1, {"turn_limit": 5}))
    assert sum(entry["win_rate"] for entry in report["agents"]) == pytest.approx(1)


def test_draw_counts_as_a_share():
    report = evaluate("notty", ["random", "random"], 300, Conditions(1, {"turn_limit": 1}))
    first = report["agents"][0]
    assert first["draws"] > 0
    assert first["win_rate"] == pytest.approx((first["wins"] + first["draws"] / 2) / 300, abs=1e-6)


@pytest.mark.parametrize(
    ("agents", "sentence"),
    [
        (["hard"], "name 2 agents, not 1"),
        (["hard", "hard", "hard"], "name 2 agents, not 3"),
        (["hard", "genius"], "genius"),
    ],
)
def test_impossible_evaluations_are_refused(agents, sentence):
    with pytest.raises(ValueError, match=sentence):
        evaluate("euchre", agents, 2)


def test_wilson_intervals_match_the_textbook():
    assert wilson(0.5, 100) == pytest.approx((0.4038, 0.5962), abs=1e-4)
    assert wilson(1.0, 10) == pytest.approx((0.7225, 1.0), abs=1e-4)
    assert wilson(0.0, 0) == (0.0, 1.0)


def test_matches_of_one_deal_are_not_independent():
    """Ten deals, each won or lost four times over, are worth ten matches, not forty."""
    low, high = clustered_interval([(4, 4.0)] * 5 + [(4, 0.0)] * 5)
    fair_low, fair_high = wilson(0.5, 9)
    assert (low, high) == pytest.approx((fair_low, fair_high), abs=1e-6)
