"""Five discards at a Euchre table for three: marks, keys and the hint."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, cast

import pytest
from textual.pilot import Pilot

from app.match.seating import plan_table
from app.ui.app import KibitzApp
from app.ui.layout.card_art import CardState, band
from engine.games.euchre import DUMMY_DISCARD, PLAYING, WITH_PARTNER, EuchreView
from tests.app.driving import (
    answer_first,
    make_app,
    moment_of,
    prompt_of,
    table_of,
    text_of,
    to_question,
    wait_until,
)


def view_of(app: KibitzApp) -> EuchreView:
    return cast(EuchreView, moment_of(app).view)


@asynccontextmanager
async def with_ten_cards(home: Path) -> AsyncIterator[tuple[Pilot[Any], KibitzApp]]:
    """A person who has just taken the dummy's cards."""
    plan = plan_table("euchre", ["you", "random", "random"], delay=0.0, seed=2)
    app = make_app(home, plan)
    async with app.run_test(size=(80, 24)) as pilot:
        await to_question(pilot, app)
        while view_of(app).phase != DUMMY_DISCARD:
            loop, legal = table_of(app).loop, moment_of(app).legal
            assert loop is not None
            if WITH_PARTNER in legal:
                loop.choose(WITH_PARTNER)
            elif len(legal) > 1:
                loop.choose(legal[1])
            else:
                answer_first(app)
            await to_question(pilot, app)
        yield pilot, app


async def test_digits_mark_and_enter_discards(tmp_path: Path) -> None:
    async with with_ten_cards(tmp_path) as (pilot, app):
        assert "mark five to discard, then press Enter" in prompt_of(app)
        held = [card.card for card in table_of(app).cards()]
        assert len(held) == 10
        await pilot.press("1", "3", "5", "7")
        assert prompt_of(app) == "Four cards are marked: mark exactly five to discard."
        await pilot.press("enter")
        assert view_of(app).phase == DUMMY_DISCARD
        assert "mark exactly five" in prompt_of(app)
        await pilot.press("0")
        assert prompt_of(app).startswith("Enter discards ")
        await pilot.press("enter")
        await wait_until(pilot, lambda: view_of(app).phase == PLAYING)
        await to_question(pilot, app)
        kept = [held[at] for at in (1, 3, 5, 7, 8)]
        assert {card.card for card in table_of(app).cards()} <= set(kept)


async def test_space_marks_and_six_marks_are_refused(tmp_path: Path) -> None:
    async with with_ten_cards(tmp_path) as (pilot, app):
        await pilot.press(*["right", "space"] * 6)
        assert prompt_of(app) == "Six cards are marked: mark exactly five to discard."
        await pilot.press("enter")
        assert "mark exactly five" in prompt_of(app)
        assert view_of(app).phase == DUMMY_DISCARD
        await pilot.press("space", "enter")
        await wait_until(pilot, lambda: view_of(app).phase == PLAYING)


@pytest.mark.slow
async def test_arrows_and_enter_are_enough(tmp_path: Path) -> None:
    async with with_ten_cards(tmp_path) as (pilot, app):
        await pilot.press(*["right", "enter"] * 5)
        assert len(table_of(app).marked) == 5
        await pilot.press("enter")
        await wait_until(pilot, lambda: view_of(app).phase == PLAYING)
        await to_question(pilot, app)
        await pilot.press("u")
        await wait_until(pilot, lambda: len(table_of(app).cards()) == 10)


async def test_hint_names_all_five_and_enter_accepts_it(tmp_path: Path) -> None:
    async with with_ten_cards(tmp_path) as (pilot, app):
        table = table_of(app)
        await pilot.press("question_mark")
        await wait_until(pilot, lambda: moment_of(app).advice is not None)
        advice = moment_of(app).advice
        assert advice is not None
        actions = (advice.decision.action, *advice.following)
        assert len(set(actions)) == 5
        cards = [table.table.card_of(advice.view, action) for action in actions]
        hint = prompt_of(app)
        assert hint.startswith("Hint: discard ")
        assert all(card is not None and table.table.chip(card) in hint for card in cards)
        await pilot.pause()
        assert "Enter" in text_of(app)
        await pilot.press("enter")
        await wait_until(pilot, lambda: view_of(app).phase == PLAYING)
        assert set(cards) == {card for card in range(24) if view_of(app).own_discards >> card & 1}


async def test_hint_is_shown_and_accepted_with_cards_marked(tmp_path: Path) -> None:
    async with with_ten_cards(tmp_path) as (pilot, app):
        await pilot.press("1", "2", "question_mark")
        await wait_until(pilot, lambda: prompt_of(app).startswith("Hint: discard "))
        await pilot.press("3")
        assert prompt_of(app) == "Three cards are marked: mark exactly five to discard."
        await pilot.press("enter")
        assert view_of(app).phase == DUMMY_DISCARD
        await pilot.press("question_mark")
        await wait_until(pilot, lambda: prompt_of(app).startswith("Hint: discard "))
        await pilot.press("enter")
        await wait_until(pilot, lambda: view_of(app).phase == PLAYING)


@pytest.mark.parametrize("ascii_only", [False, True])
def test_marks_and_the_cursor_differ_without_colour(ascii_only: bool) -> None:
    states = [CardState(chosen=True), CardState(marked=True), CardState(chosen=True, marked=True)]
    signs = [band(state, 7, ascii_only)[0] for state in states]
    assert len(set(signs)) == 3
    assert all(sign.strip() for sign in signs)
