"""The side panel: the table stays visible beside it; pictures of its tabs."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot
from textual.widget import Widget

from agents.storage import store
from app.match.moment import Moment
from app.match.seating import PERSON, plan_table
from app.ui.app import KibitzApp
from app.ui.screens.board import Board
from app.ui.tables import table_class
from app.ui.widgets.choices import Choices
from app.ui.widgets.felt import Felt
from app.ui.widgets.hand import Hand
from app.ui.widgets.panel import Panel
from app.ui.widgets.prompt import Prompt
from app.ui.widgets.tail import Tail
from engine import GAMES
from engine.games.truco import TrucoView
from tests.app.driving import (
    answer_first,
    in_windows,
    is_over,
    make_app,
    moment_of,
    open_tab,
    prompt_of,
    quick_with,
    tab_drawn,
    table_of,
    text_of,
    to_question,
)

Compare = Callable[[KibitzApp, str], None]
PICTURED = {
    "euchre": [PERSON, "hard", "easy"],
    "smear": [PERSON, "hard", "easy", "hard"],
    "truco": [PERSON, "hard"],
    "fodinha": [PERSON, "hard", "easy", "hard"],
    "notty": [PERSON, "hard"],
}
SEATS = {game: list(plan_table(game).seats) for game in GAMES} | PICTURED
SIZES = [(80, 24), (120, 40)]
TABS = {"why": "w", "learning": "e", "log": "o", "scores": "s"}


def table(tmp_path: Path, game: str) -> KibitzApp:
    return make_app(tmp_path, plan_table(game, SEATS[game], delay=0.0, seed=11))


async def to_trick(pilot: Pilot[Any], app: KibitzApp) -> Moment:
    """Play to a question after the first hand, with cards on the table."""
    moment = await to_question(pilot, app)
    while moment.ending is not None or not (moment.results and cards_lie(moment)):
        assert not is_over(app)
        answer_first(app)
        moment = await to_question(pilot, app)
    return moment


def cards_lie(moment: Moment) -> bool:
    trick = "tricks" if isinstance(moment.view, TrucoView) else "trick"
    return bool(getattr(moment.view, trick))


async def answer_questions(pilot: Pilot[Any], app: KibitzApp, count: int) -> Moment:
    """Answer that many questions."""
    for _ in range(count):
        answer_first(app)
        await to_question(pilot, app)
    return moment_of(app)


async def to_play(pilot: Pilot[Any], app: KibitzApp, game: str) -> Moment:
    await to_question(pilot, app)
    has_tricks = table_class(game).has_tricks
    return await (to_trick(pilot, app) if has_tricks else answer_questions(pilot, app, 6))


def lines_beside_the_panel(app: KibitzApp, *parts: type[Widget]) -> list[str]:
    """The lines left of the panel. Fails unless these parts of the table are whole there."""
    screen = table_of(app)
    panel = screen.query_one(Panel).region
    assert screen.panel_opened
    for part in parts:
        region = screen.query_one(part).region
        assert region or not screen.choices(), part
        assert not region.overlaps(panel), part
        assert screen.region.contains_region(region), part
    return [line[: panel.x] for line in text_of(app).splitlines()]


@pytest.mark.parametrize("game", quick_with(SEATS, "euchre"))
async def test_hand_trick_and_prompt_stay_visible_beside_the_panel(
    tmp_path: Path, same_picture: Compare, game: str
) -> None:
    """With a picture of one tab for each game."""
    app = table(tmp_path, game)
    async with app.run_test(size=(80, 24)) as pilot:
        moment = await to_play(pilot, app, game)
        screen = table_of(app)
        for key in TABS.values():
            await pilot.press(key)
            await pilot.pause()
            beside = lines_beside_the_panel(app, Felt, Prompt, Choices, Hand)
            assert prompt_of(app) in " ".join(" ".join(beside).split())
            felt = screen.query_one(Felt).region
            laid = "\n".join(beside[felt.y : felt.bottom])
            for card in screen.table.felt(moment):
                if card.face is not None:
                    assert card.face.rank in laid
            await pilot.press("escape")
        if game in PICTURED:
            tab = {"euchre": "scores", "smear": "log", "truco": "scores"}.get(game, "why")
            await open_tab(pilot, app, TABS[tab])
            async for width, height in in_windows(pilot, SIZES):
                await tab_drawn(pilot, app)
                same_picture(app, f"panel-{game}-{tab}-{width}x{height}")


async def test_hand_and_prompt_stay_visible_in_the_smallest_window(tmp_path: Path) -> None:
    app = table(tmp_path, "truco")
    async with app.run_test(size=(60, 20)) as pilot:
        await to_play(pilot, app, "truco")
        for key in TABS.values():
            await pilot.press(key)
            await pilot.pause()
            lines_beside_the_panel(app, Prompt, Choices, Hand)
            await pilot.press("escape")


async def test_esc_and_the_same_key_close_the_panel(tmp_path: Path) -> None:
    app = table(tmp_path, "smear")

    def opened() -> bool:
        assert isinstance(app.screen, Board)
        return app.screen.panel_opened

    async with app.run_test(size=SIZES[0]) as pilot:
        asked = await to_question(pilot, app)
        async for _ in in_windows(pilot, [(60, 20), (80, 24)]):
            for closing in ("s", "escape"):
                await pilot.press("s")
                assert opened()
                await pilot.press(closing)
                assert not opened()
        await pilot.press("s", "o")
        assert opened()
        assert moment_of(app) == asked


async def test_tall_panel_shows_the_log_below_other_tabs(tmp_path: Path) -> None:
    """Learning needs the whole height for its plots and updates."""
    app = table(tmp_path, "euchre")
    async with app.run_test(size=(120, 40)) as pilot:
        await to_play(pilot, app, "euchre")
        tail = table_of(app).query_one(Tail)
        last = moment_of(app).log[-1].split()[-1]
        for tab, key in TABS.items():
            await pilot.press(key)
            await pilot.pause()
            assert tail.display == (tab not in ("log", "learning"))
            assert not tail.display or last in str(tail.render())
        await pilot.resize_terminal(120, 30)
        await pilot.press("s")
        await pilot.pause()
        assert not tail.display


async def test_picture_of_learning(
    tmp_path: Path, same_picture: Compare, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The learner has learned nothing, so that training does not change the picture."""
    monkeypatch.setattr(store, "SHIPPED", tmp_path / "nothing shipped")
    plan = plan_table("euchre", [PERSON, "q", "hard"], delay=0.0, seed=11)
    app = make_app(tmp_path, plan)
    async with app.run_test(size=SIZES[0]) as pilot:
        await to_trick(pilot, app)
        await open_tab(pilot, app, "e")
        async for width, height in in_windows(pilot, SIZES):
            await tab_drawn(pilot, app)
            same_picture(app, f"panel-learning-{width}x{height}")
