"""`kibitz skill`: the coach on agents of known strength."""

import json
from pathlib import Path
from typing import Any

import pytest

from app.cli import run
from app.study.luck import Effort
from app.study.trial import Outcomes, Trial, mean_and_interval, ratio_and_interval
from app.study.trial import report as figures_of

TINY = ["--option", "target=4", "--playouts", "1", "--redeals", "2", "--json"]


def skill(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, Any]:
    assert run(["skill", *arguments]) == 0
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    return found


def test_report_names_every_agent_and_side(capsys: pytest.CaptureFixture[str]) -> None:
    report = skill(capsys, "truco", "random", "hard", "--games", "4", *TINY)
    assert [each["agent"] for each in report["agents"]] == ["random", "hard"]
    assert [each["games"] for each in report["agents"]] == [4, 4]
    for each in report["agents"]:
        assert each["adjusted"][0] == pytest.approx(each["result"][0] - each["luck"][0])
    assert sum(each["luck"][0] for each in report["sides"]) == pytest.approx(0, abs=1e-9)


def test_trial_continues_from_its_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "outcomes.jsonl"
    both = ("truco", "hard", "random")
    at_once = skill(capsys, *both, "--games", "4", *TINY)
    skill(capsys, *both, "--games", "2", *TINY, "--record", str(file))
    lines = file.read_text().splitlines()
    assert len(lines) == 3
    assert skill(capsys, *both, "--games", "4", *TINY, "--record", str(file)) == at_once
    assert file.read_text().splitlines()[:3] == lines


@pytest.mark.parametrize("text", ["", "no JSON\n", '{"trial": {}}\n'])
def test_file_of_another_trial_is_refused(
    text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "outcomes.jsonl"
    file.write_text(text)
    assert run(["skill", "truco", "hard", "random", *TINY, "--record", str(file)]) == 2
    assert "holds no outcomes of this trial" in capsys.readouterr().err
    assert file.read_text() == text


def test_damaged_file_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "outcomes.jsonl"
    command = ["skill", "truco", "hard", "random", "--games", "1", *TINY, "--record", str(file)]
    assert run(command) == 0
    file.write_text(file.read_text() + '[[0, 0, "won"]]\n')
    assert run(command) == 2
    assert "is damaged" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (["truco", "hard"], "name at least 2 agents"),
        (["truco", "hard", "hard", "--games", "0"], "--games is 0"),
        (["truco", "hard", "hard", "--judged", "-1"], "--judged is -1"),
        (["chess", "hard", "hard"], "no game"),
    ],
)
def test_wrong_trial_is_one_sentence(
    arguments: list[str], problem: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["skill", *arguments]) == 2
    assert problem in capsys.readouterr().err


def test_intervals() -> None:
    assert mean_and_interval([]) is None
    mean, reach = mean_and_interval([0.0, 1.0, 0.0, 1.0]) or (0, 0)
    assert (mean, reach) == (0.5, pytest.approx(0.566, abs=0.001))
    assert ratio_and_interval([(1, 2), (2, 4)]) == (0.5, 0.0)


@pytest.mark.slow
def test_error_rate_ranks_agents_and_luck_adjusts_results(tmp_path: Path) -> None:
    from app.study.trial import run as play

    options = {"target": 20}
    trial = Trial("truco", ("random", "easy", "hard"), 5, options, 6, 10, Effort(4, 8))
    outcomes = Outcomes(trial, None)
    play(trial, 240, outcomes, None, lambda done, total: None)
    report = figures_of(trial, outcomes, 240)
    rates = [each["error_rate"][0] for each in report["agents"]]
    assert rates == sorted(rates, reverse=True)
    assert report["correlation_adjusted"] > report["correlation_result"]
    for each in [*report["agents"], *report["sides"]]:
        mean, reach = each["luck"]
        assert abs(mean) < 2 * reach
