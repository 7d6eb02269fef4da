"""Reasons given for a card or key that cannot be chosen."""

from pathlib import Path

import pytest

from app.match.seating import plan_table
from tests.app.driving import (
    answer_by_keyboard,
    answer_first,
    click_card,
    make_app,
    moment_of,
    prompt_of,
    table_of,
    to_question,
)

AGAINST_RANDOM = ["you", "random", "random"]


@pytest.mark.parametrize(
    ("game", "players", "sentence"),
    [
        ("euchre", 3, "Trump is not made yet: bid or pass first."),
        ("smear", 4, "The auction is not over: bet or pass first."),
        ("fodinha", 4, "Call first: the play begins when everyone has called."),
    ],
)
async def test_card_clicked_too_early(
    tmp_path: Path, game: str, players: int, sentence: str
) -> None:
    seats = ["you", *["random"] * (players - 1)]
    app = make_app(tmp_path, plan_table(game, seats, delay=0.0, seed=41))
    async with app.run_test(size=(80, 24)) as pilot:
        await to_question(pilot, app)
        await click_card(pilot, app, 0)
        await pilot.pause()
        assert prompt_of(app) == sentence


async def test_number_without_a_choice(tmp_path: Path) -> None:
    app = make_app(tmp_path, plan_table("euchre", AGAINST_RANDOM, delay=0.0, seed=43))
    async with app.run_test(size=(80, 24)) as pilot:
        await to_question(pilot, app)
        await pilot.press("9")
        await pilot.pause()
        assert prompt_of(app) == "There is no 9 to choose."


async def test_card_that_does_not_follow_cannot_be_marked(tmp_path: Path) -> None:
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


async def test_card_clicked_after_the_round(tmp_path: Path) -> None:
    app = make_app(tmp_path, plan_table("truco", ["you", "random"], delay=0.0, seed=1))
    async with app.run_test(size=(80, 24)) as pilot:
        await to_question(pilot, app)
        while moment_of(app).ending is None or not table_of(app).cards():
            answer_first(app)
            await to_question(pilot, app)
        await click_card(pilot, app, 0)
        await pilot.pause()
        assert prompt_of(app) == "This round is over: Enter starts the next one."
