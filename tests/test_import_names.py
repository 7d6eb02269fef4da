"""The packages `app`, `agents` and `engine` of another project are noticed and explained."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]


def run(script: str, *paths: Path, name: str = "script.py") -> subprocess.CompletedProcess[str]:
    """Run a script with these folders on the path, before Kibitz."""
    path = os.pathsep.join([*map(str, paths), str(ROOT)])
    file = paths[0] / name
    file.write_text(script)
    environment = {**os.environ, "PYTHONPATH": path}
    return subprocess.run(
        [sys.executable, str(file)], capture_output=True, text=True, env=environment, check=False
    )


@pytest.mark.parametrize("package", ["engine", "agents", "app"])
def test_another_package_of_that_name_is_explained(package: str, tmp_path: Path) -> None:
    (tmp_path / package).mkdir()
    (tmp_path / package / "__init__.py").write_text("")
    result = run("import kibitz", tmp_path)
    last = result.stderr.strip().splitlines()[-1]
    assert last.startswith(f"ImportError: Kibitz needs its own package '{package}'")
    assert str(tmp_path / package) in last


def test_the_command_says_it_in_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "agents").mkdir()
    (tmp_path / "agents" / "__init__.py").write_text("")
    result = run("from kibitz import main\nmain()", tmp_path, name="kibitz")
    assert result.returncode == 2
    assert result.stderr.count("\n") == 1
    assert "environment of its own" in result.stderr


def test_overwritten_packages_are_noticed(tmp_path: Path) -> None:
    """Two distributions that install the same package share its folder."""
    (tmp_path / "kibitz.py").write_text((ROOT / "kibitz.py").read_text())
    for package, text in (("engine", "Kibitz"), ("agents", "another"), ("app", "Kibitz")):
        (tmp_path / package).mkdir()
        (tmp_path / package / "__init__.py").write_text(f'"""{text}"""')
    result = run("import kibitz", tmp_path)
    assert "another project has overwritten it" in result.stderr


def test_public_names_are_there(tmp_path: Path) -> None:
    result = run(
        "import kibitz\n"
        "assert all(getattr(kibitz, name) for name in kibitz.__all__)\n"
        "import gymnasium\n"
        "gymnasium.make('kibitz/Truco-v0', opponent='random').reset(seed=1)\n"
        "print(kibitz.env('truco').possible_agents)",
        tmp_path,
    )
    assert result.stdout == "['player_0', 'player_1']\n", result.stderr
