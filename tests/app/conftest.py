"""Pictures of screens, compared with those that were looked at and kept."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from app.kibitz import KibitzApp

PICTURES = Path(__file__).parent / "snapshots"


@pytest.fixture
def same_picture(stored: Callable[[Path, str], None]) -> Callable[[KibitzApp, str | Path], None]:
    """Fails where the screen is not the kept picture of that name, or with that path."""

    def compare(app: KibitzApp, name: str | Path) -> None:
        # Textual makes up a number for each picture; all else is what a person sees.
        picture = re.sub(r"terminal-\d+", "terminal", app.export_screenshot())
        stored(PICTURES / f"{name}.svg", picture)

    return compare
