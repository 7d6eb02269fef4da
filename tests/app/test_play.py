"""A person at a Euchre table: whole matches, and what happens on the way."""

from pathlib import Path

import pytest

from app.match.moment import NOBODY
from app.match.seating import plan_table
from app.ui.screens.cover import Cover
from app.ui.screens.home import HomeScreen
from app.ui.widgets.choices import Choices
from app.ui.widgets.hand import Hand
from engine.games.euchre import GAME as EUCHRE
from engine.games.euchre import ORDER_UP
from tests.app.driving import (
    answer_by_keyboard,
    answer_by_mouse,
    at_table,
    click_on,
    is_asked,
    is_over,
    make_app,
    moment_of,
    table_of,
    text_of,
    to_question,
    wait_until,
)

AGAINST_RANDOM = ["you", "random", "random"]


@pytest.mark.slow
async def test_a_whole_match_by_keyboard(tmp_path: Path) -> None:
    app = make_app(tmp_path, plan_table("euchre", AGAINST_RANDOM, delay=0.0, seed=183))
    async with app.run_test(size=(80, 24)) as pilot:
        while not is_over(app):
            await to_question(pilot, app)
            if not is_over(app):
                await answer_by_keyboard(pilot, app)
        ending = moment_of(app).ending
        assert ending is not None
        assert ending.sentence.endswith("West + East win the match.")
        offered = [choice.text for choice in table_of(app).choices()]
        assert offered == ["Summary", "Again", "New table", "Watch", "Review", "Home"]
        await pilot.press("escape")
        await wait_until(pilot, lambda: isinstance(app.screen, HomeScreen))


@pytest.mark.slow
async def test_a_whole_match_by_mouse_and_another_one(tmp_path: Path) -> None:
    app = make_app(tmp_path, plan_table("euchre", AGAINST_RANDOM, delay=0.0, seed=183))
    async with app.run_test(size=(80, 24)) as pilot:
        while not is_over(app):
            await to_question(pilot, app)
            if not is_over(app):
                await answer_by_mouse(pilot, app)
        first = table_of(app)
        await click_on(pilot, app, "Again")
        await wait_until(pilot, lambda: at_table(app) and table_of(app) is not first)
        assert table_of(app).plan.match_no == 2


async def test_four_players_and_a_partner(tmp_path: Path) -> None:
    seats = ["random", "you", "random", "random"]
    app = make_app(tmp_path, plan_table("euchre", seats, {"players": 4}, delay=0.0, seed=1))
    async with app.run_test(size=(80, 24)) as pilot:
        await to_question(pilot, app)
        while moment_of(app).ending is None:
            await answer_by_keyboard(pilot, app)
            await to_question(pilot, app)
        await pilot.pause()
        shown = text_of(app)
        assert "You + North" in shown
        assert "East + West" in shown
        assert "Dummy" not in shown
        await pilot.press("enter")
        await to_question(pilot, app)
        assert moment_of(app).view.hand_no == 2


async def test_a_card_that_does_not_follow_is_refused_with_the_reason(tmp_path: Path) -> None:
    plan = plan_table("euchre", AGAINST_RANDOM, delay=0.0, seed=11)
    app = make_app(tmp_path, plan)
    async with app.run_test(size=(80, 24)) as pilot:

        def has_illegal_card() -> bool:
            cards = table_of(app).cards()
            playable = [card for card in cards if card.action is not None]
            return moment_of(app).asked != NOBODY and 0 < len(playable) < len(cards)

        await to_question(pilot, app)
        while not has_illegal_card():
            await answer_by_keyboard(pilot, app)
            await to_question(pilot, app)
        table = table_of(app)
        asked = moment_of(app)
        place = next(at for at, card in enumerate(table.cards()) if card.action is None)
        await pilot.click(Hand, offset=table.query_one(Hand).middle_of(place))
        assert "were led: follow with" in table.remarked
        assert moment_of(app).legal == asked.legal
        await pilot.pause()
        assert table.remarked in " ".join(text_of(app).split())


async def test_too_many_marks_are_refused(tmp_path: Path) -> None:
    plan = plan_table("euchre", AGAINST_RANDOM, delay=0.0, seed=11)
    app = make_app(tmp_path, plan)
    async with app.run_test(size=(80, 24)) as pilot:
        await to_question(pilot, app)
        while len([c for c in table_of(app).cards() if c.action is not None]) < 2:
            await answer_by_keyboard(pilot, app)
            await to_question(pilot, app)
        table = table_of(app)
        asked = moment_of(app)
        legal = [at for at, card in enumerate(table.cards()) if card.action is not None][:2]
        hand = table.query_one(Hand)
        for place in legal:
            await pilot.click(Hand, offset=hand.middle_of(place), control=True)
        assert table.marked == set(legal)
        await pilot.press("enter")
        assert "cannot be taken together" in table.remarked
        assert moment_of(app) == asked


async def test_enter_alone_plays_nothing(tmp_path: Path) -> None:
    you_bid_first = next(seed for seed in range(99) if EUCHRE.new(seed=seed).turn == 0)
    plan = plan_table("euchre", AGAINST_RANDOM, delay=0.0, seed=you_bid_first)
    app = make_app(tmp_path, plan)
    async with app.run_test(size=(80, 24)) as pilot:
        asked = await to_question(pilot, app)
        await pilot.press("enter")
        assert moment_of(app) == asked
        await pilot.pause()
        assert "Choose with a number" in text_of(app)
        await pilot.press("left", "enter")
        await wait_until(pilot, lambda: (0, ORDER_UP) in moment_of(app).view.history)


async def test_leaving_an_unfinished_match_is_asked_for_twice(tmp_path: Path) -> None:
    plan = plan_table("euchre", AGAINST_RANDOM, delay=0.0, seed=7)
    app = make_app(tmp_path, plan)
    async with app.run_test(size=(80, 24)) as pilot:
        await to_question(pilot, app)
        await pilot.press("escape")
        await pilot.pause()
        assert at_table(app)
        assert "Leave this match?" in text_of(app)
        await pilot.press("escape")
        await wait_until(pilot, lambda: isinstance(app.screen, HomeScreen))


async def test_rules_scores_log_and_last_trick_leave_the_match_alone(tmp_path: Path) -> None:
    plan = plan_table("euchre", ["you", "hard", "q"], delay=0.0, seed=8)
    app = make_app(tmp_path, plan)
    async with app.run_test(size=(80, 24)) as pilot:
        asked = await to_question(pilot, app)
        await pilot.press("s")
        await pilot.pause()
        assert "Scores" in text_of(app)
        await pilot.press("o")
        await pilot.pause()
        assert "deals and turns up" in text_of(app)
        await pilot.press("escape")
        assert at_table(app)
        assert not table_of(app).has_class("-panel")
        await pilot.press("k")
        await pilot.pause()
        assert "No trick has been taken" in text_of(app)
        assert moment_of(app) == asked


async def test_two_persons_do_not_see_each_others_cards(tmp_path: Path) -> None:
    plan = plan_table("euchre", ["you", "you", "hard"], delay=0.0, seed=7)
    app = make_app(tmp_path, plan)
    async with app.run_test(size=(80, 24)) as pilot:
        await wait_until(pilot, lambda: "Pass the keyboard" in text_of(app))
        assert "Player 2" in text_of(app) or "Player 1" in text_of(app)
        assert "╭" not in text_of(app)
        while not is_asked(app):
            if isinstance(app.screen, Cover):
                await pilot.press("enter")
            await pilot.pause()
        asked = await to_question(pilot, app)
        assert asked.view.seat == asked.asked
        assert app.screen.query_one(Hand).cards


async def test_a_click_on_what_is_no_longer_there_is_let_go(tmp_path: Path) -> None:
    """Clicks travel as messages; meanwhile the table may have moved on."""
    app = make_app(tmp_path, plan_table("euchre", delay=0.0, seed=7))
    async with app.run_test(size=(80, 24)) as pilot:
        asked = await to_question(pilot, app)
        app.screen.query_one(Choices).post_message(Choices.Picked(40))
        app.screen.query_one(Hand).post_message(Hand.Picked(40, mark=False))
        app.screen.query_one(Hand).post_message(Hand.Picked(40, mark=True))
        await pilot.pause()
        assert moment_of(app) == asked
