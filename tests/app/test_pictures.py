"""Pictures of the screens, in windows of three sizes."""

import os
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from textual.widgets._footer import FooterKey

from agents.registry import agents_for
from agents.storage.store import Store
from app.home.locations import Locations
from app.match.dealing import initial_state
from app.match.seating import TablePlan, plan_table, seat_count
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
from engine import GAMES
from engine.game import OVER, State
from engine.games.euchre import PLAYING, EuchreView
from tests.app.driving import (
    Arrange,
    FirstLegalAgent,
    answer_first,
    in_windows,
    is_over,
    make_app,
    moment_of,
    play_until,
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
    async with app.run_test(size=SIZES[-1]) as pilot:
        await wait_until(pilot, lambda: "Easy leads" in text_of(app))
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


async def test_euchre(tmp_path: Path, same_picture: Compare) -> None:
    """The bidding, following suit with a chosen card, and the end of the hand."""
    app = make_app(tmp_path, plan_table("euchre", ["you", "random", "random"], delay=0.0, seed=41))

    def is_following() -> bool:
        view = moment_of(app).view
        return isinstance(view, EuchreView) and view.phase == PLAYING and bool(view.trick)

    async with app.run_test(size=SIZES[0]) as pilot:

        async def compare(name: str) -> None:
            async for width, height in in_windows(pilot, SIZES):
                same_picture(app, f"euchre-{name}-{width}x{height}")

        await to_question(pilot, app)
        await compare("bidding")
        await play_until(pilot, app, is_following)
        await pilot.press("right")
        await compare("play")
        await play_until(pilot, app, lambda: moment_of(app).ending is not None)
        await compare("hand-over")


async def test_settings(tmp_path: Path, same_picture: Compare) -> None:
    app = make_app(tmp_path, tips=True)
    async with app.run_test(size=SIZES[1]) as pilot:
        await pilot.press("comma")
        await wait_until(pilot, lambda: isinstance(app.screen, SettingsScreen))
        async for width, height in in_windows(pilot, SIZES[1:]):
            same_picture(app, f"settings-{width}x{height}")


async def test_waiting_matches_and_a_question(tmp_path: Path, same_picture: Compare) -> None:
    locations = Locations(tmp_path)
    begun = datetime(2026, 3, 1, 10, 30, tzinfo=UTC)
    keeper = Scorekeeper(locations.games, History(locations.history), lambda: begun)
    for game in ("euchre", "truco"):
        plan = plan_table(game)
        state = initial_state(plan, 1, rotates_start=False)
        journal = keeper.begin(plan, 1, None)
        journal.action(state.turn, state.label(state.legal()[0]), flush=True)
        journal.close()
        begun += timedelta(minutes=1)
        os.utime(journal.path, (begun.timestamp(), begun.timestamp()))
    app = make_app(tmp_path)
    async with app.run_test(size=SIZES[1]) as pilot:
        await app.push_screen(WaitingScreen(keeper))
        await wait_until(pilot, lambda: app.screen.query_one(Rows).row_count == 2)
        async for width, height in in_windows(pilot, SIZES[1:]):
            same_picture(app, f"waiting-{width}x{height}")
        await pilot.press("d")
        await wait_until(pilot, lambda: isinstance(app.screen, Question))
        await wait_until(pilot, lambda: "Esc Back" in text_of(app))
        async for width, height in in_windows(pilot, SIZES[1:]):
            same_picture(app, f"question-{width}x{height}")


async def test_forms_of_the_lab(tmp_path: Path, same_picture: Compare) -> None:
    spec = agents_for("truco")["linear"]
    app = make_app(tmp_path)
    async with app.run_test(size=SIZES[1]) as pilot:
        async for width, height in in_windows(pilot, SIZES[1:]):
            store = Store(tmp_path / "qtables")
            forms = {
                "train": TrainForm("truco", spec, 5, store),
                "arena": ArenaForm("truco", store),
            }
            for name, form in forms.items():
                app.push_screen(form)
                await wait_until(pilot, lambda form=form: app.screen is form)
                await wait_until(pilot, lambda: "Esc Back" in text_of(app))
                same_picture(app, f"lab-form-{name}-{width}x{height}")
                await pilot.press("escape")
                await pilot.pause()


async def test_window_that_is_too_small(tmp_path: Path, same_picture: Compare) -> None:
    app = make_app(tmp_path)
    async with app.run_test(size=(50, 15)) as pilot:
        await wait_until(pilot, lambda: isinstance(app.screen, TooSmall))
        await pilot.pause()
        same_picture(app, "too-small-50x15")


def final_hand(plan: TablePlan) -> State:
    """The start of the last hand of a match in which everyone takes the first legal action."""

    def play(hand_no: int) -> State:
        state = initial_state(plan, seed=3, rotates_start=False)
        while state.turn != OVER and state.hand_no < hand_no:
            state.apply(state.legal()[0])
        return state

    return play(play(1_000_000).hand_no)


@pytest.mark.parametrize(
    ("game", "options"),
    [
        pytest.param("euchre", {}, marks=pytest.mark.slow),
        pytest.param("smear", {}, marks=pytest.mark.slow),
        ("truco", {"target": 3}),
        ("fodinha", {"lives": 1}),
        pytest.param("notty", {"turn_limit": 4}, marks=pytest.mark.slow),
    ],
)
async def test_end_of_match(
    tmp_path: Path,
    same_picture: Compare,
    arrange: Arrange,
    game: str,
    options: dict[str, int],
) -> None:
    arrange(final_hand, FirstLegalAgent())
    seats = seat_count(GAMES[game], options)
    plan = plan_table(game, ["you", *["random"] * (seats - 1)], options, delay=0.0, seed=3)
    app = make_app(tmp_path, plan)
    async with app.run_test(size=SIZES[1]) as pilot:
        await to_question(pilot, app)
        while not is_over(app):
            answer_first(app)
            await to_question(pilot, app)
        async for width, height in in_windows(pilot, SIZES[1:]):
            same_picture(app, f"{game}-match-over-{width}x{height}")
