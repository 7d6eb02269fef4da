"""Every file of code stays small enough to be read at once."""

from tests.documents import ROOT

MOST_LINES = 500
CODE = ("app", "agents", "engine", "tests", "docs")


def test_no_file_is_long_except_the_rules_of_a_game() -> None:
    lengths = {
        path.relative_to(ROOT).as_posix(): len(path.read_text(encoding="utf-8").splitlines())
        for folder in CODE
        for path in (ROOT / folder).rglob("*.py")
        if path.parent != ROOT / "engine" / "games"
    }
    assert {name: lines for name, lines in lengths.items() if lines > MOST_LINES} == {}
    assert len(lengths) > 100
