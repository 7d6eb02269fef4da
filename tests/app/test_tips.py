"""Tips for newcomers: their occasion, each shown once, and none covering the table."""

from collections.abc import Callable
from pathlib import Path

import pytest

from app.match.moment import Ending, Moment
from app.match.seating import plan_table
from app.ui.app import KibitzApp
from app.ui.screens.tips import MOST_CHARACTERS, SeenTips, TipGiver
from app.ui.widgets.status import Status
from engine import GAMES
from engine.manifest import GAME_ROWS, Occasion
from tests.app.driving import (
    answer_by_keyboard,
    at_table,
    in_windows,
    make_app,
    moment_of,
    table_of,
    text_of,
    to_question,
    wait_until,
)

Compare = Callable[[KibitzApp, str], None]
FIRST, SECOND, THIRD = [tip.text for tip in GAME_ROWS["euchre"].tips]
ASKED = Moment(GAMES["euchre"].new(seed=1).view(0), asked=0)
OVER = Moment(ASKED.view, ending=Ending("You make it.", False))


def tip_of(app: KibitzApp) -> str:
    return str(table_of(app).query_one(Status).note or "")


# Choosing a tip


@pytest.mark.parametrize("game", GAMES)
def test_every_game_has_up_to_three_tips_of_one_line(game: str) -> None:
    assert 1 <= len(GAME_ROWS[game].tips) <= 3
    assert all(len(tip.text) <= MOST_CHARACTERS for tip in GAME_ROWS[game].tips)


def test_each_tip_waits_for_its_occasion(tmp_path: Path) -> None:
    assert [tip.when for tip in GAME_ROWS["euchre"].tips] == [
        Occasion.QUESTION,
        Occasion.CARD,
        Occasion.END,
    ]
    tips = TipGiver("euchre", SeenTips(tmp_path / "tips.json"))
    assert tips.next_for(Moment(ASKED.view), card_asked=False) == ""
    assert tips.next_for(ASKED, card_asked=False) == FIRST
    assert tips.next_for(ASKED, card_asked=False) == ""
    assert tips.next_for(ASKED, card_asked=True) == SECOND
    assert tips.next_for(ASKED, card_asked=True) == ""
    assert tips.next_for(OVER, card_asked=False) == THIRD
    assert tips.next_for(OVER, card_asked=False) == ""


def test_seen_tips_are_stored_for_each_game(tmp_path: Path) -> None:
    seen = SeenTips(tmp_path / "new" / "tips.json")
    tips = TipGiver("euchre", seen)
    tips.next_for(ASKED, card_asked=False)
    tips.remember()
    assert TipGiver("euchre", seen).next_for(ASKED, card_asked=True) == SECOND
    assert seen.count("smear") == 0


@pytest.mark.parametrize("contents", [b"", b"[]", b'{"euchre": "x"}', b'{"euchre": -1}', b"\xff"])
def test_damaged_file_counts_as_no_tips_seen(tmp_path: Path, contents: bytes) -> None:
    path = tmp_path / "tips.json"
    path.write_bytes(contents)
    assert SeenTips(path).count("euchre") == 0


def test_unwritable_file_is_ignored(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    SeenTips(tmp_path / "file" / "tips.json").keep("euchre", 1)


# At the table


async def test_first_tip(tmp_path: Path, same_picture: Compare) -> None:
    plan = plan_table("euchre", ["you", "random", "random"], delay=0.0, seed=41)
    app = make_app(tmp_path, plan, tips=True)
    async with app.run_test(size=(60, 20)) as pilot:
        await to_question(pilot, app)
        async for width, height in in_windows(pilot, [(60, 20), (80, 24), (120, 40)]):
            shown = text_of(app)
            assert FIRST in shown
            assert "Order up the" in shown
            same_picture(app, f"tip-{width}x{height}")


async def test_first_hand_shows_all_tips_and_the_next_match_none(tmp_path: Path) -> None:
    plan = plan_table("euchre", ["you", "random", "random"], delay=0.0, seed=43)
    app = make_app(tmp_path, plan, tips=True)
    given: list[str] = []
    async with app.run_test(size=(80, 24)) as pilot:
        await to_question(pilot, app)
        while moment_of(app).ending is None:
            given.append(tip_of(app))
            await answer_by_keyboard(pilot, app)
            await to_question(pilot, app)
        given.append(tip_of(app))
        seen = SeenTips(tmp_path / "tips.json")
        await wait_until(pilot, lambda: seen.count("euchre") == 3)
    told = [tip.removeprefix("Tip: ") for tip in given if tip]
    assert told == [FIRST, SECOND, THIRD]
    again = make_app(tmp_path, plan, tips=True)
    async with again.run_test(size=(80, 24)) as pilot:
        await to_question(pilot, again)
        assert tip_of(again) == ""


async def test_no_tips_if_switched_off_or_watching(tmp_path: Path) -> None:
    plan = plan_table("euchre", ["you", "random", "random"], delay=0.0, seed=43)
    app = make_app(tmp_path, plan, tips=False)
    async with app.run_test(size=(80, 24)) as pilot:
        await to_question(pilot, app)
        assert tip_of(app) == ""
    watched = plan_table("euchre", ["random"] * 3, delay=1.0, seed=43, watch=True)
    app = make_app(tmp_path, watched, tips=True)
    async with app.run_test(size=(80, 24)) as pilot:
        await wait_until(pilot, lambda: at_table(app))
        assert tip_of(app) == ""
    assert SeenTips(tmp_path / "tips.json").count("euchre") == 0
