"""The plug is pulled a few times; `python -m tests.bench.kill_nine` pulls it often."""

from pathlib import Path

import pytest

from tests.bench.kill_nine import Siege


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_three_kills_lose_nothing(tmp_path: Path) -> None:
    siege = Siege(tmp_path, seed=3)
    siege.run(3)
    assert siege.losses == []
    assert siege.figures()["actions in them"] > 0
