"""Tips for newcomers: when they are given, that each is given once, and that they cover nothing."""

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
    return str(table_of(app).query_one(Status).border_subtitle or "")


# Which tip, and when


@pytest.mark.parametrize("game", GAMES)
def test_every_game_has_up_to_three_tips_that_fit_on_a_line(game: str) -> None:
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


def test_what_was_seen_is_remembered_for_each_game(tmp_path: Path) -> None:
    seen = SeenTips(tmp_path / "new" / "tips.json")
    tips = TipGiver("euchre", seen)
    tips.next_for(ASKED, card_asked=False)
    tips.remember()
    assert TipGiver("euchre", seen).next_for(ASKED, card_asked=True) == SECOND
    assert seen.count("smear") == 0


@pytest.mark.parametrize("contents", [b"", b"[]", b'{"euchre": "x"}', b'{"euchre": -1}', b"\xff"])
def test_a_file_that_makes_no_sense_means_that_none_was_seen(
    tmp_path: Path, contents: bytes
) -> None:
    path = tmp_path / "tips.json"
    path.write_bytes(contents)
    assert SeenTips(path).count("euchre") == 0


def test_a_file_that_cannot_be_written_stops_nobody(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    SeenTips(tmp_path / "file" / "tips.json").keep("euchre", 1)


# At the table


@pytest.mark.parametrize("size", [(60, 20), (80, 24), (120, 40)])
async def test_the_first_tip(tmp_path: Path, same_picture: Compare, size: tuple[int, int]) -> None:
    plan = plan_table("euchre", ["you", "random", "random"], delay=0.0, seed=41)
    app = make_app(tmp_path, plan, tips=True)
    async with app.run_test(size=size) as pilot:
        await to_question(pilot, app)
        shown = text_of(app)
        assert FIRST in shown
        assert "Order up the" in shown
        same_picture(app, f"tip-{size[0]}x{size[1]}")


async def test_a_hand_brings_all_tips_and_the_next_match_none(tmp_path: Path) -> None:
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


async def test_tips_can_be_switched_off_and_are_not_for_onlookers(tmp_path: Path) -> None:
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
