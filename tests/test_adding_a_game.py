"""Adding High Card permanently takes three files and one line of the manifest."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
COPIES = {
    "docs/high_card.py": "engine/games/high_card.py",
    "docs/high_card_table.py": "app/ui/tables/high_card.py",
    "docs/high_card.md": "app/rules/high_card.md",
}
ROW = '        GameRow("high_card", "High Card", "The higher card takes the trick."),\n'


def git(tree: Path, *arguments: str) -> str:
    command = ["git", "-c", "user.name=test", "-c", "user.email=test@example.org", *arguments]
    return subprocess.run(command, cwd=tree, check=True, capture_output=True, text=True).stdout


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """A repository with a copy of every tracked file."""
    copy = tmp_path / "kibitz"
    for name in git(ROOT, "ls-files").splitlines():
        target = copy / name
        target.parent.mkdir(parents=True, exist_ok=True)
        if (ROOT / name).exists():
            shutil.copy(ROOT / name, target)
    git(copy, "init", "--quiet")
    git(copy, "add", "--all")
    git(copy, "commit", "--quiet", "--message", "Before")
    return copy


def add_high_card(tree: Path) -> None:
    for source, target in COPIES.items():
        text = (tree / source).read_text(encoding="utf-8")
        moved = text.replace("docs.high_card", "engine.games.high_card")
        (tree / target).write_text(moved, encoding="utf-8")
    manifest = tree / "engine" / "manifest.py"
    before, end, after = manifest.read_text(encoding="utf-8").rpartition("    ]\n)\n")
    manifest.write_text(before + ROW + end + after, encoding="utf-8")


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_three_files_and_one_line_are_a_game_that_every_generic_test_plays(tree: Path) -> None:
    add_high_card(tree)
    git(tree, "add", "--all")
    changes = [line.split("\t") for line in git(tree, "diff", "--cached", "--numstat").splitlines()]
    assert {name for *_, name in changes} == {*COPIES.values(), "engine/manifest.py"}
    assert [change[:2] for change in changes if change[2] == "engine/manifest.py"] == [["1", "0"]]

    command = ["-m", "pytest", "-q", "-n", "0", "-p", "no:cacheprovider", "-k", "high_card"]
    run = subprocess.run(
        [sys.executable, *command, "tests"],
        cwd=tree,
        env={**os.environ, "PYTHONPATH": str(tree)},
        capture_output=True,
        text=True,
    )
    assert run.returncode == 0, run.stdout[-5000:]
    passed = int(run.stdout.splitlines()[-1].split(" passed")[0].split()[-1])
    assert passed > 100
