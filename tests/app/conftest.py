"""Pictures of screens, compared with those that were looked at and kept; apps that start soon."""

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from textual.css.model import RuleSet
from textual.css.stylesheet import Stylesheet

from app.ui.app import KibitzApp

PICTURES = Path(__file__).parent / "snapshots"


@pytest.fixture(autouse=True, scope="session")
def styles_are_parsed_once() -> Iterator[None]:
    """Textual remembers for an app which rules its styles are; here they are remembered for all
    the apps that tests start. Nothing changes a rule once it is parsed."""
    parse = Stylesheet._parse_rules
    parsed: dict[object, list[RuleSet]] = {}

    def remembered(sheet: Stylesheet, css: str, **where: Any) -> list[RuleSet]:
        key = (css, *sorted(where.items()), frozenset(sheet._variables.items()))
        if key not in parsed:
            parsed[key] = parse(sheet, css, **where)
        return parsed[key]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Stylesheet, "_parse_rules", remembered)
        yield


@pytest.fixture
def same_picture(stored: Callable[[Path, str], None]) -> Callable[[KibitzApp, str | Path], None]:
    """Fails where the screen is not the kept picture of that name, or with that path."""

    def compare(app: KibitzApp, name: str | Path) -> None:
        # Textual makes up a number for each picture; all else is what a person sees.
        picture = re.sub(r"terminal-\d+", "terminal", app.export_screenshot())
        stored(PICTURES / f"{name}.svg", picture)

    return compare
