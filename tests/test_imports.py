"""What is imported when. The contracts in pyproject.toml cover the packages; these tests cover
the running program and the code of single games."""

import subprocess
import sys

import grimp
import pytest

from engine.manifest import GAME_ROWS

TOP_LEVEL = "{name.partition('.')[0] for name in sys.modules}"


def modules_after(statement: str) -> set[str]:
    """The top-level packages that a new process has imported after this statement."""
    script = f"import sys\n{statement}\nprint(' '.join(sorted({TOP_LEVEL})))"
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    return set(run.stdout.split())


def test_engine_imports_only_the_standard_library():
    foreign = modules_after("import engine") - set(sys.stdlib_module_names) - {"engine"}
    compiled = {name for name in foreign if name.endswith("__mypyc")}
    bare = modules_after("pass") - set(sys.stdlib_module_names)
    assert foreign - compiled <= bare | {"__editable___kibitz_0_1_0_finder", "librt"}


@pytest.mark.parametrize("module", ["registry", "evaluation.evaluation", "match", "storage.store"])
def test_agents_import_nothing_that_draws(module):
    loaded = modules_after(f"import agents.{module}")
    assert not loaded & {"textual", "rich", "typer", "click", "app"}


def test_command_line_starts_without_textual():
    assert "textual" not in modules_after("import app.cli")


@pytest.fixture(scope="module")
def graph() -> grimp.ImportGraph:
    return grimp.build_graph("app", "agents", "engine")


@pytest.mark.parametrize("game", GAME_ROWS)
def test_code_of_a_game_imports_no_other_game(game: str, graph: grimp.ImportGraph) -> None:
    own = parts_of(game, graph)
    assert own
    others = {module for other in GAME_ROWS if other != game for module in parts_of(other, graph)}
    imported = {name for module in own for name in graph.find_modules_directly_imported_by(module)}
    assert not imported & others


def parts_of(game: str, graph: grimp.ImportGraph) -> set[str]:
    """All modules of a game: rules, agents and table."""
    row = GAME_ROWS[game]
    roots = {path.partition(":")[0] for path in (row.rules_path, row.table_path, row.agents)}
    roots &= graph.modules
    return roots.union(*[graph.find_descendants(root) for root in roots])


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


def test_first_screen_imports_nothing_heavy(tmp_path):
    command = [sys.executable, "-c", FIRST_SCREEN, str(tmp_path)]
    loaded = set(subprocess.run(command, capture_output=True, text=True, check=True).stdout.split())
    assert "app.ui.screens.home" in loaded
    assert not loaded & HEAVY
    assert not {name for name in loaded if name.startswith("app.ui.tables.")}
    assert {name for name in loaded if name.startswith("engine")} <= {
        "engine",
        "engine.limits",
        "engine.manifest",
        "engine.suits",
    }
    assert {name for name in loaded if name.startswith("agents")} <= {
        "agents",
        "agents.plain_text",
        "agents.storage",
        "agents.storage.bounded",
        "agents.storage.files",
    }
