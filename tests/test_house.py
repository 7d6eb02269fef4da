"""The direction app → agents → engine holds when the program runs, not only on paper."""

import subprocess
import sys

import pytest

STANDARD_OR_OURS = "{name.partition('.')[0] for name in sys.modules}"


def modules_after(statement: str) -> set[str]:
    script = f"import sys\n{statement}\nprint(' '.join(sorted({STANDARD_OR_OURS})))"
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    return set(run.stdout.split())


def test_the_engine_imports_the_standard_library_alone():
    foreign = modules_after("import engine") - set(sys.stdlib_module_names) - {"engine"}
    compiled = {name for name in foreign if name.endswith("__mypyc")}
    bare = modules_after("pass") - set(sys.stdlib_module_names)
    assert foreign - compiled <= bare | {"__editable___kibitz_0_1_0_finder", "librt"}


@pytest.mark.parametrize("module", ["registry", "evaluation.evaluation", "match", "storage.store"])
def test_agents_draw_nothing(module):
    loaded = modules_after(f"import agents.{module}")
    assert not loaded & {"textual", "rich", "typer", "click", "app"}


def test_listing_the_games_does_not_wait_for_the_screen():
    assert "textual" not in modules_after("import app.cli")


FIRST_SCREEN = """
import asyncio, sys
from pathlib import Path
from app import cli
from app.ui.app import KibitzApp
from app.home.locations import Locations

loaded = []
display = KibitzApp._display

def look(app, screen, renderable):
    display(app, screen, renderable)
    if renderable is not None and not loaded:
        loaded.extend(sys.modules)

async def paint():
    KibitzApp._display = look
    app = KibitzApp(Locations(Path(sys.argv[1])))
    async with app.run_test() as pilot:
        await pilot.pause()
        assert app.screen.query("#tiles")

asyncio.run(paint())
print(" ".join(sorted(loaded)))
"""
HEAVY = {
    "filelock",
    "json",
    "markdown_it",
    "numpy",
    "openskill",
    "plotext",
    "pydantic",
    "sqlite3",
    "textual_plotext",
    "tomllib",
    "typer",
    "yaml",
}


def test_the_first_screen_waits_for_nothing_heavy(tmp_path):
    command = [sys.executable, "-c", FIRST_SCREEN, str(tmp_path)]
    loaded = set(subprocess.run(command, capture_output=True, text=True, check=True).stdout.split())
    assert "app.ui.screens.home" in loaded
    assert not loaded & HEAVY
    assert not {name for name in loaded if name.startswith("app.ui.tables.")}
    assert {name for name in loaded if name.startswith("engine")} <= {
        "engine",
        "engine.limits",
        "engine.manifest",
    }
    assert {name for name in loaded if name.startswith("agents")} <= {
        "agents",
        "agents.storage",
        "agents.storage.files",
    }
