"""Error rate, waste and accuracy from verdicts."""

from dataclasses import replace
from math import exp
from typing import Any

import pytest

from agents.agent import Decision, Scale
from app.match.moment import Thought
from app.records.match_report import MatchReport
from app.study.review import Answer, Verdict
from app.study.skill import (
    LEVELS,
    WORST,
    accuracy,
    by_game,
    level,
    matters,
    point_value,
    skill_of,
)
from app.ui.widgets.coach_words import (
    adjusted_words,
    extremes_words,
    luck_words,
    short_words,
    skill_words,
)
from engine import GAMES
from engine.games.euchre import GAME as EUCHRE
from engine.games.euchre import ORDER_UP, PASS


def verdict(
    scores: dict[int, float],
    cost: float | None,
    number: int = 0,
    scale: Scale = Scale.CHANCE,
    share: float | None = None,
) -> Verdict:
    """A verdict on PASS, while these are the values of the moves."""
    view = EUCHRE.new(seed=1, first=2).view(0)
    best = max(scores, key=scores.__getitem__)
    decision = Decision(best, scores, "chance", scale=scale)
    thought = Thought(number, "search", view, (PASS, ORDER_UP), decision)
    answer = Answer(number, view, (PASS, ORDER_UP), PASS)
    return Verdict(answer, thought, cost, decision, share)


def test_accuracy_is_that_of_lichess() -> None:
    assert accuracy(0.0) == pytest.approx(100.0, abs=0.001)
    assert accuracy(0.1) == pytest.approx(103.1668 * exp(-0.4354) - 3.1669)
    assert accuracy(1.0) == 0.0


def test_decision_matters_if_its_moves_differ() -> None:
    assert matters(verdict({PASS: 0.5, ORDER_UP: 0.52}, 0.02))
    assert not matters(verdict({PASS: 0.5, ORDER_UP: 0.505}, 0.005))
    assert not matters(verdict({PASS: 0.5, ORDER_UP: 0.9}, None))
    assert not matters(verdict({PASS: 5.0, ORDER_UP: 9.0}, 4.0, scale=Scale.VALUE))


def test_error_rate_counts_only_decisions_that_mattered() -> None:
    bad = verdict({PASS: 0.4, ORDER_UP: 0.5}, 0.1, number=8)
    good = verdict({PASS: 0.6, ORDER_UP: 0.5}, 0.0, number=3)
    equal = verdict({PASS: 0.5, ORDER_UP: 0.5}, 0.0)
    skill = skill_of("euchre", [bad, good, equal])
    assert (skill.decisions, skill.mattered) == (3, 2)
    assert skill.lost == pytest.approx(0.1)
    assert skill.at_stake == pytest.approx(0.2)
    assert skill.accuracy == pytest.approx((100 + accuracy(0.1)) / 2, abs=0.001)
    (mistake,) = skill.mistakes
    assert (mistake.number, mistake.action, mistake.best) == (8, "pass", "order up")


def test_rarer_action_of_a_mixed_strategy_is_no_mistake() -> None:
    skill = skill_of("euchre", [verdict({PASS: 0.4, ORDER_UP: 0.5}, 0.0, share=0.2)])
    assert skill.mattered == 1
    assert skill.mistakes == ()


def test_nothing_is_said_about_no_decision() -> None:
    skill = skill_of("euchre", [])
    assert (skill.accuracy, skill.points, skill.mattered) == (None, None, 0)


def test_levels_get_worse_with_the_waste() -> None:
    assert [limit for limit, _ in LEVELS] == sorted(limit for limit, _ in LEVELS)
    assert level(0.0) == LEVELS[0][1]
    assert level(0.9) == WORST


@pytest.mark.parametrize("game", GAMES)
def test_point_is_worth_something_where_the_score_has_odds(game: str) -> None:
    state: Any = GAMES[game].new(seed=4)
    value = point_value(game, state.view(state.turn))
    if game == "notty":
        assert value is None
    else:
        assert value is not None
        assert 0 < value < 0.5


def test_points_are_the_cost_in_units_of_a_point() -> None:
    one = verdict({PASS: 0.4, ORDER_UP: 0.5}, 0.1)
    value = point_value("euchre", one.answer.view)
    assert value is not None
    assert skill_of("euchre", [one]).points == pytest.approx(0.1 / value)


@pytest.mark.parametrize("game", ["truco", "truco_full"])
def test_reports_of_a_game_are_added_up_by_decisions(game: str) -> None:
    one = MatchReport(game, "a", 0, "", "search", 9, 4, 0.1, 0.5, None, 90.0, 1.0, ((0, 0.2),))
    other = replace(one, journal="b", mattered=1, lost=0.1, accuracy=50.0, luck=((0, -0.1),))
    nothing = replace(one, game="euchre", mattered=0, lost=0.0, at_stake=0.0, accuracy=None)
    (found,) = by_game([one, other, nothing])
    assert (found.game, found.matches) == (game, 2)
    assert found.error_rate == pytest.approx(0.04)
    assert found.waste == pytest.approx(0.2)
    assert found.accuracy == pytest.approx(82.0)
    assert found.luck == pytest.approx(0.05)


# Words


def test_words_about_skill_and_luck() -> None:
    report = MatchReport(
        "truco", "a", 0, "", "search", 40, 25, 0.25, 2.5, 2.5, 91.4, 0.0, ((0, 0.13), (9, -0.01))
    )
    assert skill_words(report) == (
        "Advanced: 1.0 percentage points lost per decision that mattered "
        "(25 of 40, 2.5 points in all), accuracy 91 %."
    )
    assert skill_words(replace(report, mattered=0)) == "No decision mattered."
    assert luck_words(0.12) == "The cards gave you 12 percentage points"
    assert luck_words(-0.01) == "The cards cost you 1 percentage point"
    assert "nothing" in luck_words(0.001)
    assert adjusted_words(1.0, 0.12) == "without luck you win 88 % of such matches"
    assert adjusted_words(0.0, 0.12) == "without luck you would have lost"
    assert adjusted_words(1.0, -0.4) == "without luck you would have won"
    assert extremes_words("hand", [3, 7], [0.09, -0.11]) == (
        "Luckiest: hand 3 (+9), unluckiest: hand 7 (−11)."
    )
    assert short_words(report) == "advanced, accuracy 91 %, luck +12, without luck 0 %"
