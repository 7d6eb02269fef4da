"""Predicted chances against results."""

import json
from collections.abc import Sequence
from dataclasses import replace
from random import Random

import pytest

from agents.agent import Decision
from agents.evaluation.reliability import Asking, Prediction, predictions, reliability
from agents.evaluation.series import Conditions
from agents.registry import make
from app.cli import run
from engine.game import View


def hint(names: Sequence[str], seed: int, view: View, legal: list[int], number: int) -> Decision:
    return make("truco", "hard").act(view, legal, Random(f"{seed}/{number}"))


ASKING = Asking(hint)


def test_bins_and_mean_gap() -> None:
    right = [Prediction(0.75, float(match < 3), match) for match in range(4)]
    wrong = [Prediction(1.0, 0.0, match) for match in range(4, 8)]
    result = reliability(right + wrong)
    seven, nine = result.bins
    assert (seven.low, seven.count, seven.predicted, seven.won) == (0.7, 4, 0.75, 0.75)
    assert (nine.high, nine.count, nine.won) == (1.0, 4, 0.0)
    assert result.gap == pytest.approx(0.5)
    assert reliability([]).bins == ()


def test_right_predictions_have_a_gap_by_luck_alone() -> None:
    rng = Random(1)
    made = [Prediction(0.3, float(rng.random() < 0.3), match) for match in range(400)]
    result = reliability(made)
    assert 0 < result.by_luck < result.most_luck < 0.05
    assert result.gap < 3 * result.by_luck
    assert result.beyond < 0.02
    wrong = reliability([each._replace(chance=0.4) for each in made])
    assert wrong.beyond == pytest.approx(0.1, abs=0.05)
    assert wrong.gap > wrong.most_luck
    low, high = result.ci95
    assert low < 0.3 < high
    few = reliability(made[:40])
    assert few.by_luck > result.by_luck
    same = reliability([each._replace(match=each.match // 20) for each in made])
    assert same.by_luck > 0


def test_hints_are_measured_while_another_agent_plays() -> None:
    found = list(predictions("truco", ["easy", "random"], 3, Conditions(seed=3), Asking(hint, 2)))
    assert all(0 <= each.chance <= 1 for each in found)
    assert [each.match for each in found] == [0, 0, 1, 1, 2, 2]


def test_first_agent_can_keep_its_side() -> None:
    """A match to six points between unequal players: the result depends on the side."""
    conditions = Conditions(seed=3, options={"target": 6})
    both = list(predictions("truco", ["easy", "random"], 4, conditions, ASKING))
    first = list(predictions("truco", ["easy", "random"], 2, conditions, ASKING, side=0))
    assert [each.chance for each in first] == [both[0].chance, both[2].chance]


def test_hint_is_compared_with_the_mean_of_playouts() -> None:
    """Both hints of a match get results of their own, between a loss and a win."""
    conditions = Conditions(seed=3, options={"target": 10})
    asking = Asking(hint, per_match=2, playouts=8)
    found = list(predictions("truco", ["easy", "easy"], 6, conditions, asking))
    alone = list(predictions("truco", ["easy", "easy"], 6, conditions, replace(asking, playouts=0)))
    assert [each.chance for each in found] == [each.chance for each in alone]
    assert {each.won for each in alone} == {0.0, 1.0}
    assert any(0 < each.won < 1 for each in found)
    assert {8 * each.won for each in found} <= set(range(9))
    low, high = reliability(found).ci95
    wide_low, wide_high = reliability(alone).ci95
    assert high - low < wide_high - wide_low


def test_first_agent_predicts_from_every_side() -> None:
    conditions = Conditions(seed=3, options={"turn_limit": 12})
    found = list(predictions("notty", ["hard", "random"], 2, conditions))
    assert found
    assert all(0 <= each.chance <= 1 for each in found)
    assert {each.won for each in found} <= {0.0, 0.5, 1.0}


def test_command_prints_a_table(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["reliability", "notty", "hard", "random", "--games", "2", "--option"]
    assert run([*arguments, "turn_limit=12"]) == 0
    assert "mean gap" in capsys.readouterr().out
    assert run([*arguments, "turn_limit=12", "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert sum(each["count"] for each in report["bins"]) > 0
    assert run([*arguments, "turn_limit=12", "--side", "3"]) == 2
    assert "has the sides 1 to 2" in capsys.readouterr().err


def test_command_measures_hints_of_the_app(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["reliability", "truco", "easy", "easy", "--hints", "--budget", "1", "--games", "2"]
    assert run([*arguments, "--option", "target=6", "--playouts", "4", "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert report["playouts"] == 4
    assert sum(each["count"] for each in report["bins"]) == 2
    assert run([*arguments, "--playouts", "-1"]) == 2
    assert capsys.readouterr().err == "--playouts is -1; choose 0 or more.\n"


def test_agent_without_chances_is_one_sentence(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["reliability", "truco", "random", "random", "--games", "1"]) == 2
    expected = "random does not predict chances at Truco Uruguayo.\n"
    assert capsys.readouterr().err == expected
