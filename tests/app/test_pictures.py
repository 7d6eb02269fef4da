"""How the screens look, at the three sizes that matter."""

from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest
from textual.widgets._footer import FooterKey

from agents.registry import agents_for
from app.home.locations import Locations
from app.match.dealing import initial_state
from app.match.seating import plan_table
from app.records.history import History
from app.records.scorekeeper import Scorekeeper
from app.ui.app import KibitzApp
from app.ui.screens.frame import TooSmall
from app.ui.screens.lab_forms import ArenaForm, TrainForm
from app.ui.screens.new_table import NewTableScreen
from app.ui.screens.question import Question
from app.ui.screens.rules import RulesScreen
from app.ui.screens.settings import SettingsScreen
from app.ui.screens.waiting import WaitingScreen
from app.ui.widgets.rows import Rows
from engine.games.euchre import ORDERING, PLAYING
from tests.app.driving import (
    answer_by_keyboard,
    answer_first,
    in_windows,
    is_over,
    make_app,
    moment_of,
    text_of,
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


async def test_home(tmp_path: Path, same_picture: Compare) -> None:
    app = make_app(tmp_path)
    async with app.run_test(size=SIZES[0]) as pilot:
        async for width, height in in_windows(pilot, SIZES):
            same_picture(app, f"home-{width}x{height}")


async def test_new_table(tmp_path: Path, same_picture: Compare) -> None:
    app = make_app(tmp_path)
    async with app.run_test(size=SIZES[0]) as pilot:
        await pilot.press("n")
        await wait_until(pilot, lambda: isinstance(app.screen, NewTableScreen))
        async for width, height in in_windows(pilot, SIZES):
            same_picture(app, f"new-table-{width}x{height}")


async def test_rules(tmp_path: Path, same_picture: Compare) -> None:
    app = make_app(tmp_path)
    async with app.run_test(size=SIZES[0]) as pilot:
        await app.push_screen(RulesScreen(PAGE))
        await wait_until(pilot, lambda: bool(app.screen.query(FooterKey)))
        async for width, height in in_windows(pilot, SIZES):
            same_picture(app, f"rules-{width}x{height}")


@pytest.mark.parametrize("size", SIZES)
async def test_euchre(tmp_path: Path, same_picture: Compare, size: tuple[int, int]) -> None:
    """Bidding first, then following suit with a card raised, then the end of the hand."""
    app = make_app(tmp_path, plan_table("euchre", ["you", "random", "random"], delay=0.0, seed=41))

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


async def test_settings(tmp_path: Path, same_picture: Compare) -> None:
    app = make_app(tmp_path, tips=True)
    async with app.run_test(size=SIZES[1]) as pilot:
        await pilot.press("comma")
        await wait_until(pilot, lambda: isinstance(app.screen, SettingsScreen))
        async for width, height in in_windows(pilot, SIZES[1:]):
            same_picture(app, f"settings-{width}x{height}")


@pytest.mark.parametrize("size", SIZES[1:])
async def test_waiting_matches_and_a_question(
    tmp_path: Path, same_picture: Compare, size: tuple[int, int]
) -> None:
    locations = Locations(tmp_path)
    begun = datetime(2026, 3, 1, 10, 30, tzinfo=UTC)
    keeper = Scorekeeper(locations.games, History(locations.history), lambda: begun)
    for game in ("euchre", "truco"):
        plan = plan_table(game)
        state = initial_state(plan, 1, rotates_start=False)
        journal = keeper.begin(plan, 1, None)
        journal.action(state.turn, state.label(state.legal()[0]), flush=True)
        journal.close()
    app = make_app(tmp_path)
    async with app.run_test(size=size) as pilot:
        await app.push_screen(WaitingScreen(keeper, "truco"))
        await wait_until(pilot, lambda: app.screen.query_one(Rows).row_count == 2)
        await pilot.pause()
        same_picture(app, f"waiting-{size[0]}x{size[1]}")
        await pilot.press("d")
        await wait_until(pilot, lambda: isinstance(app.screen, Question))
        await wait_until(pilot, lambda: "Esc Back" in text_of(app))
        same_picture(app, f"question-{size[0]}x{size[1]}")


@pytest.mark.parametrize("size", SIZES[1:])
async def test_forms_of_the_lab(
    tmp_path: Path, same_picture: Compare, size: tuple[int, int]
) -> None:
    spec = agents_for("truco")["linear"]
    forms: dict[str, TrainForm | ArenaForm] = {
        "train": TrainForm("truco", spec, seed=5),
        "arena": ArenaForm("truco"),
    }
    app = make_app(tmp_path)
    async with app.run_test(size=size) as pilot:
        for name, form in forms.items():
            app.push_screen(form)
            await wait_until(pilot, lambda form=form: app.screen is form)
            await wait_until(pilot, lambda: "Esc Back" in text_of(app))
            same_picture(app, f"lab-form-{name}-{size[0]}x{size[1]}")
            await pilot.press("escape")
            await pilot.pause()


async def test_a_window_that_is_too_small(tmp_path: Path, same_picture: Compare) -> None:
    app = make_app(tmp_path)
    async with app.run_test(size=(50, 15)) as pilot:
        await wait_until(pilot, lambda: isinstance(app.screen, TooSmall))
        await pilot.pause()
        same_picture(app, "too-small-50x15")


@pytest.mark.parametrize(
    ("game", "options"),
    [
        ("euchre", {}),
        ("smear", {}),
        ("truco", {"target": 3}),
        ("fodinha", {"lives": 1}),
        ("notty", {"turn_limit": 4}),
    ],
)
async def test_the_end_of_a_match(
    tmp_path: Path, same_picture: Compare, game: str, options: dict[str, int]
) -> None:
    seats = {"euchre": 3, "smear": 4, "truco": 2, "fodinha": 4, "notty": 2}[game]
    plan = plan_table(game, ["you", *["random"] * (seats - 1)], options, delay=0.0, seed=3)
    app = make_app(tmp_path, plan)
    async with app.run_test(size=SIZES[1]) as pilot:
        await to_question(pilot, app)
        while not is_over(app):
            answer_first(app)
            await to_question(pilot, app)
        async for width, height in in_windows(pilot, SIZES[1:]):
            same_picture(app, f"{game}-match-over-{width}x{height}")
