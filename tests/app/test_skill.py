"""Error rate, waste and accuracy from verdicts."""

from math import exp
from typing import Any

import pytest

from agents.agent import Decision, Scale
from app.match.moment import Thought
from app.study.review import Answer, Verdict
from app.study.skill import LEVELS, WORST, accuracy, level, matters, point_value, skill_of
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
