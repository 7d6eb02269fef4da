"""Chances corrected by what came true."""

from random import Random

import pytest

from agents.agent import Decision, Scale
from agents.evaluation import strengths
from agents.evaluation.calibration import Calibration, Fitted, calibration, calibrations, fair, fit
from agents.evaluation.reliability import reliability
from agents.evaluation.series import Conditions
from agents.evaluation.strengths import at_table
from agents.odds import log_odds, shifted
from app.study.calibration import calibrate, calibrated, collect, default_agents
from engine import GAMES


def rows(slope: float, strength: float, count: int = 4000) -> list[Fitted]:
    """Hints whose chances came true with this calibration."""
    rng = Random(1)
    made = []
    for number in range(count):
        stated, by = rng.gauss(0, 1.5), rng.choice([0.2, 0.8])
        chance = shifted(0.5, slope * stated + strength * by)
        made.append(Fitted(number, stated, by, float(rng.random() < chance)))
    return made


def test_fit_finds_what_came_true() -> None:
    found = fit(rows(0.7, 1.4), sides=2)
    assert found.slope == pytest.approx(0.7, abs=0.06)
    assert found.strengths == pytest.approx(1.4, abs=0.15)


def test_equal_players_only_give_a_slope() -> None:
    even = [row._replace(by=0.0, stated=row.stated) for row in rows(0.7, 0.0)]
    assert fit(even, sides=2) == Calibration(pytest.approx(0.7, abs=0.06), 1.0)


def test_only_gaps_beyond_luck_are_corrected() -> None:
    assert calibrate("truco", rows(1.0, 1.0)) == {}
    entry = calibrate("truco", rows(0.5, 1.0))
    assert entry["slope"] == pytest.approx(0.5, abs=0.06)
    assert entry["gap_after"] < 0.02 < entry["gap_before"]


def test_calibrated_predictions_have_a_smaller_gap() -> None:
    found = rows(0.5, 1.0)
    before = reliability(list(calibrated(found, Calibration(), 2)))
    after = reliability(list(calibrated(found, fit(found, 2), 2)))
    assert after.gap < 0.02 < 0.05 < before.gap


def test_fair_share_stays_where_it_is() -> None:
    assert shifted(0.5, fair(4)) == pytest.approx(0.25)


def test_shipped_calibration_keeps_the_order_of_moves() -> None:
    assert set(calibrations()) <= {*GAMES, "truco_full"}
    for each in calibrations().values():
        assert 0.5 < each.slope < 1.5
        assert 0.5 < each.strengths < 1.5
    assert calibration("high_card") == Calibration()


def test_chances_at_a_table_are_calibrated(monkeypatch: pytest.MonkeyPatch) -> None:
    view = GAMES["truco"].new(seed=1).view(0)
    decision = Decision(1, {1: 0.8, 2: 0.6, 3: 1.0, 4: 0.0}, "chance", scale=Scale.CHANCE)

    def chances(trust: Calibration, players: list[str]) -> dict[int, float]:
        monkeypatch.setattr(strengths, "calibration", lambda game: trust)
        return at_table("truco", view, decision, players).scores

    even = ["hard", "hard"]
    assert chances(Calibration(), even) == pytest.approx(decision.scores)
    half = chances(Calibration(0.5), even)
    assert log_odds(half[1]) == pytest.approx(log_odds(0.8) / 2)
    assert half[1] > half[2] > 0.5
    assert (half[3], half[4]) == (1.0, 0.0)
    plain, twice = [chances(Calibration(1.0, weight), ["hard", "q"]) for weight in (1.0, 2.0)]
    gain = log_odds(plain[1]) - log_odds(0.8)
    assert gain > 0
    assert log_odds(twice[1]) - log_odds(0.8) == pytest.approx(2 * gain)


def test_hints_are_collected_at_the_default_table() -> None:
    assert default_agents("fodinha")[0] == "hard"
    assert len(default_agents("fodinha")) == 4
    assert default_agents("smear") == ["hard", "q"]
    found = collect("truco", Conditions(1, {"target": 6}), matches=2)
    assert {row.match for row in found} == {0, 1}
    assert all(row.by > 0 for row in found)
    assert {8 * row.won for row in found} <= set(range(9))
