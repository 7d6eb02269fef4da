"""One module reads foreign files, and one filter stands before the terminal."""

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
SOURCES = [path for room in ("app", "agents", "engine") for path in (ROOT / room).rglob("*.py")]

OWN_FILES = {
    "agents/storage/bounded.py": "the reader itself",
    "agents/evaluation/calibration.py": "comes with the program",
    "agents/evaluation/measured_ratings.py": "for developers",
    "agents/evaluation/ratings.py": "comes with the program",
    "agents/evaluation/strengths.py": "comes with the program",
    "agents/program_digest.py": "the source of the program",
    "agents/training/pretraining.py": "for developers",
    "agents/truco_full/cfr.py": "for developers",
    "app/guides/guide.py": "comes with the program",
    "app/study/calibration.py": "for developers",
    "app/study/shipped.py": "comes with the program",
    "app/lab/shipped_standings.py": "comes with the program",
    "app/lab/stage/trainer.py": "/proc",
    "app/home/locations.py": "comes with the program",
    "app/web/server.py": "comes with the program",
    "app/home/process.py": "/dev/null",
    "app/lab/export.py": "writes a temporary file",
}
READS = {"read_bytes", "read_text", "open"}
PRINTS = {"app/home/output.py", "app/bench/screen.py"}


def names_called(path: Path) -> set[tuple[str, bool]]:
    """The functions a module calls, and whether each is an attribute."""
    calls = [each for each in ast.walk(ast.parse(path.read_text())) if isinstance(each, ast.Call)]
    return {
        (call.func.attr, True) if isinstance(call.func, ast.Attribute) else (call.func.id, False)
        for call in calls
        if isinstance(call.func, ast.Attribute | ast.Name)
    }


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: str(path.relative_to(ROOT)))
def test_only_the_bounded_reader_opens_files(path: Path) -> None:
    place = str(path.relative_to(ROOT))
    called = names_called(path)
    if place not in OWN_FILES:
        assert not {"read_bytes", "read_text"} & {name for name, _ in called}
        assert ("open", False) not in called
        assert not _opens_a_path(path)
    if place.startswith("app") and place not in PRINTS:
        assert ("print", False) not in called, "print with app.home.output.say"


def _opens_a_path(path: Path) -> bool:
    """Whether `.open("r…")` is called, which panels and other widgets do not do."""
    return any(
        isinstance(each, ast.Call)
        and isinstance(each.func, ast.Attribute)
        and each.func.attr == "open"
        and bool(each.args)
        and isinstance(each.args[0], ast.Constant)
        and str(each.args[0].value) in ("r", "rb", "rt", "r+b")
        for each in ast.walk(ast.parse(path.read_text()))
    )
