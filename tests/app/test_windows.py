"""Two programs train the same learner at the same time; `python -m tests.bench.two_windows` runs
longer."""

from pathlib import Path

import pytest

from tests.bench.two_windows import learn_together, training


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_two_windows_train_without_losing_updates(tmp_path: Path) -> None:
    windows = [training(tmp_path, seed, games=192) for seed in (1, 2)]
    outcome = learn_together(tmp_path / "home", windows, seconds=float("inf"))
    assert all(window.saves > 3 for window in outcome.windows)
    assert outcome.counted == outcome.visits == outcome.updates > 0
    assert outcome.aside == 0
