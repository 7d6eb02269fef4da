"""A brief run of `make attack`."""

import subprocess
import sys
from pathlib import Path

import pytest


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_brief_attack_finds_nothing() -> None:
    command = [sys.executable, "-m", "tests.bench.attack", "--share", "0.01", "--seed", "7"]
    found = subprocess.run(
        command, cwd=Path(__file__).parents[1], capture_output=True, text=True, check=False
    )
    assert found.returncode == 0, found.stdout + found.stderr
