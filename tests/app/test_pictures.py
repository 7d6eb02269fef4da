"""How the screens look, at the three sizes that matter."""

from collections.abc import Callable
from pathlib import Path

import pytest

from app.kibitz import KibitzApp
from app.screens.new_table import NewTableScreen
from app.screens.rules import RulesScreen
from app.seating import plan_table
from engine.euchre import ORDERING, PLAYING
from tests.app.driving import (
    answer_by_keyboard,
    make_app,
    moment_of,
    to_question,
    wait_until,
)

Compare = Callable[[KibitzApp, str], None]
SIZES = [(60, 20), (80, 24), (120, 40)]
PAGE = """# Euchre

Follow suit if you can. The **left bower** belongs to the trump suit.

| result | points |
|---|---|
| 3 or 4 tricks | 1 |
| 5 tricks | 2 |

- The dealer is stuck. *(house rule)*
"""


@pytest.mark.parametrize("size", SIZES)
async def test_home(tmp_path: Path, same_picture: Compare, size: tuple[int, int]) -> None:
    app = make_app(tmp_path)
    async with app.run_test(size=size) as pilot:
        await pilot.pause()
        same_picture(app, f"home-{size[0]}x{size[1]}")


@pytest.mark.parametrize("size", SIZES)
async def test_new_table(tmp_path: Path, same_picture: Compare, size: tuple[int, int]) -> None:
    app = make_app(tmp_path)
    async with app.run_test(size=size) as pilot:
        await pilot.press("n")
        await wait_until(pilot, lambda: isinstance(app.screen, NewTableScreen))
        await pilot.pause()
        same_picture(app, f"new-table-{size[0]}x{size[1]}")


@pytest.mark.parametrize("size", SIZES)
async def test_rules(tmp_path: Path, same_picture: Compare, size: tuple[int, int]) -> None:
    app = make_app(tmp_path)
    async with app.run_test(size=size) as pilot:
        await app.push_screen(RulesScreen(PAGE))
        await pilot.pause()
        same_picture(app, f"rules-{size[0]}x{size[1]}")


@pytest.mark.parametrize("size", SIZES)
async def test_euchre(tmp_path: Path, same_picture: Compare, size: tuple[int, int]) -> None:
    """Bidding first, then following suit with a card raised, then the end of the hand."""
    app = make_app(tmp_path, plan_table("euchre", ["you", "random", "random"], delay=0.0, seed=43))

    def phase() -> object:
        return getattr(moment_of(app).view, "phase", None)

    async with app.run_test(size=size) as pilot:
        await to_question(pilot, app)
        assert phase() == ORDERING
        same_picture(app, f"euchre-bidding-{size[0]}x{size[1]}")
        while phase() != PLAYING or not getattr(moment_of(app).view, "trick", ()):
            await answer_by_keyboard(pilot, app)
            await to_question(pilot, app)
        await pilot.press("right")
        await pilot.pause()
        same_picture(app, f"euchre-play-{size[0]}x{size[1]}")
        while moment_of(app).ending is None:
            await answer_by_keyboard(pilot, app)
            await to_question(pilot, app)
        same_picture(app, f"euchre-hand-over-{size[0]}x{size[1]}")
