"""A few random kills; `python -m tests.bench.kill_nine` does many."""

from pathlib import Path

import pytest

from tests.bench.kill_nine import KillTest


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_three_kills_lose_nothing(tmp_path: Path) -> None:
    test = KillTest(tmp_path, seed=3)
    test.run(3)
    assert test.losses == []
    assert test.figures()["actions in them"] > 0
