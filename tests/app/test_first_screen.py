"""The first screen: complete when it is first painted, and painted before anything is loaded."""

import gc
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from textual.screen import Screen

from app.cli import run
from app.ui.app import KibitzApp
from app.ui.tables import table_class
from engine import GAMES
from engine.manifest import GAME_ROWS
from tests.app.driving import make_app, text_of, wait_until
from tests.app.terminal import Terminal


def test_the_tiles_are_those_of_the_games() -> None:
    assert [(tile.name, tile.title) for tile in GAME_ROWS.values()] == [
        (game.name, game.title) for game in GAMES.values()
    ]
    assert all(table_class(name) for name in GAMES)


@pytest.mark.parametrize("size", [(60, 20), (80, 24), (130, 40)])
async def test_it_is_first_painted_as_it_stays(
    tmp_path: Path, size: tuple[int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    """All but the line of keys, which comes when it is known what has the focus."""
    painted: list[str] = []
    display = KibitzApp._display

    def remember(app: KibitzApp, screen: Screen[Any], renderable: Any) -> None:
        display(app, screen, renderable)
        if renderable is not None:
            painted.append(text_of(app))

    monkeypatch.setattr(KibitzApp, "_display", remember)
    app = make_app(tmp_path)
    async with app.run_test(size=size) as pilot:
        await wait_until(pilot, lambda: "v Watch" in text_of(app))
        assert painted[0].splitlines()[:-1] == text_of(app).splitlines()[:-1]


@pytest.fixture
def no_garbage_collection() -> Iterator[None]:
    gc.disable()
    yield
    gc.enable()


@pytest.mark.usefixtures("no_garbage_collection")
async def test_garbage_is_looked_for_when_all_is_ready(tmp_path: Path) -> None:
    app = make_app(tmp_path)
    async with app.run_test() as pilot:
        app._get_ready()
        await wait_until(pilot, gc.isenabled)


def test_a_key_typed_before_it_is_painted_counts(tmp_path: Path) -> None:
    with Terminal(home=tmp_path) as terminal:
        terminal.type("r")
        terminal.wait_for("Who plays")


@pytest.mark.parametrize("arguments", [[], ["--home", "{home}"]])
def test_no_parser_is_loaded_to_open_it(tmp_path: Path, arguments: list[str]) -> None:
    """As the complaint shows, it would be opened if this were a terminal."""
    given = [word.format(home=tmp_path) for word in arguments]
    program = f"import sys; from app.cli import run; run({given}); print('typer' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert "terminal" in done.stderr
    assert done.stdout == "False\n"


def test_whatever_else_stands_on_the_line_is_parsed(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["--home", "--ascii", "--nonsense"]) == 2
    assert "No such option" in capsys.readouterr().err
    assert run(["--home"]) == 2
    assert "requires an argument" in capsys.readouterr().err
