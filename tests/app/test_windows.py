"""Two windows, real ones, learn for the same table at the same time."""

import json
import os
import subprocess
import sys
from pathlib import Path

from agents.registry import make
from agents.store import Store
from agents.tabular import TabularLearner

ROOT = Path(__file__).parents[2]
MATCHES = 480


def window(home: Path, seed: int, matches: int) -> "subprocess.Popen[str]":
    course = home.parent / "course.yaml"
    course.write_text("evaluation: {points: 0}\n")
    lessons = ["--agent", "q", "--games", str(matches), "--seed", str(seed), "--checkpoint", "1"]
    table = ["truco", "--option", "target=6", "--config", str(course), "--json"]
    return subprocess.Popen(
        [sys.executable, "-m", "app", "train", *table, *lessons, "--home", str(home)],
        stdout=subprocess.PIPE,
        cwd=ROOT,
        text=True,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )


def known_in(home: Path) -> tuple[int, int, float]:
    """Games, updates and visits of the table."""
    store = Store(home / "qtables")
    learner = make("truco", "q", store)
    assert isinstance(learner, TabularLearner)
    assert store.notices == []
    visits = sum(sum(known.visits) for _, known in learner.all_known())
    return learner.stats().games, learner.stats().updates, visits


def test_two_windows_that_train_at_once_lose_no_update(tmp_path: Path) -> None:
    home, alone = tmp_path / "home", tmp_path / "alone"
    before = known_in(home)
    assert window(alone, 1, 32).wait() == 0
    a_match = (known_in(alone)[0] - before[0]) / 32
    windows = [window(home, seed, MATCHES) for seed in (1, 2)]
    reports = [json.loads(each.communicate()[0]) for each in windows]
    assert [report["notices"] for report in reports] == [[], []]
    assert [report["games"] for report in reports] == [MATCHES, MATCHES]
    games, updates, visits = (
        after - was for after, was in zip(known_in(home), before, strict=True)
    )
    assert games == 2 * MATCHES * a_match
    assert visits == updates
    assert max(report["updates"] for report in reports) == known_in(home)[1]
    assert not list((home / "qtables").glob("*-*")), "nothing was moved aside"
