"""What a table says when something cannot be chosen."""

from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot

from app.match.seating import plan_table
from app.ui.app import KibitzApp
from app.ui.widgets.hand import Hand
from tests.app.driving import (
    answer_by_keyboard,
    answer_first,
    make_app,
    moment_of,
    prompt_of,
    table_of,
    to_question,
)

AGAINST_RANDOM = ["you", "random", "random"]


async def click_card(pilot: Pilot[Any], app: KibitzApp, place: int) -> None:
    assert await pilot.click(Hand, offset=table_of(app).query_one(Hand).middle_of(place))
    await pilot.pause()


@pytest.mark.parametrize(
    ("game", "players", "sentence"),
    [
        ("euchre", 3, "Trump is not made yet: bid or pass first."),
        ("smear", 4, "The auction is not over: bet or pass first."),
        ("fodinha", 4, "Call first: the play begins when everyone has called."),
    ],
)
async def test_a_card_clicked_too_early(
    tmp_path: Path, game: str, players: int, sentence: str
) -> None:
    seats = ["you", *["random"] * (players - 1)]
    app = make_app(tmp_path, plan_table(game, seats, delay=0.0, seed=41))
    async with app.run_test(size=(80, 24)) as pilot:
        await to_question(pilot, app)
        await click_card(pilot, app, 0)
        assert prompt_of(app) == sentence


async def test_a_number_with_nothing_behind_it(tmp_path: Path) -> None:
    app = make_app(tmp_path, plan_table("euchre", AGAINST_RANDOM, delay=0.0, seed=43))
    async with app.run_test(size=(80, 24)) as pilot:
        await to_question(pilot, app)
        await pilot.press("9")
        await pilot.pause()
        assert prompt_of(app) == "There is no 9 to choose."


async def test_a_card_that_does_not_follow_cannot_be_marked_either(tmp_path: Path) -> None:
    app = make_app(tmp_path, plan_table("euchre", AGAINST_RANDOM, delay=0.0, seed=43))
    async with app.run_test(size=(80, 24)) as pilot:
        await to_question(pilot, app)
        while True:
            cards = table_of(app).cards()
            barred = [place for place, card in enumerate(cards) if not card.offered]
            if barred and len(barred) < len(cards):
                break
            await answer_by_keyboard(pilot, app)
            await to_question(pilot, app)
        table_of(app).toggle_mark(barred[0])
        await pilot.pause()
        assert "were led: follow with a" in prompt_of(app)
        assert not table_of(app).marked


async def test_a_card_clicked_when_the_round_is_over(tmp_path: Path) -> None:
    app = make_app(tmp_path, plan_table("truco", ["you", "random"], delay=0.0, seed=1))
    async with app.run_test(size=(80, 24)) as pilot:
        await to_question(pilot, app)
        while moment_of(app).ending is None or not table_of(app).cards():
            answer_first(app)
            await to_question(pilot, app)
        await click_card(pilot, app, 0)
        assert prompt_of(app) == "This round is over: Enter starts the next one."
