"""A person plays Fodinha in the app: calls, many players, a whole match."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, cast

import pytest
from textual.pilot import Pilot
from textual.widgets import Static

from agents.storage.store import Store
from app.match.moment import NOBODY
from app.match.seating import TablePlan, plan_table
from app.ui.app import KibitzApp
from app.ui.layout.faces import faces_of
from app.ui.screens.new_table import NewTableScreen
from app.ui.widgets.cycle import Cycle
from engine.games.fodinha import CALLING, PACK, PLAYING, TURNING, FodinhaState, FodinhaView
from engine.games.fodinha import GAME as FODINHA
from tests.app.driving import (
    Arrange,
    answer_by_keyboard,
    answer_by_mouse,
    click_choice,
    in_windows,
    is_over,
    keys_by_id,
    make_app,
    moment_of,
    open_tab,
    play_until,
    table_of,
    text_of,
    wait_until,
)

FACES = faces_of(PACK)


def plan(players: int = 4, seed: int = 5, **options: Any) -> TablePlan:
    seats = ("you", *["random"] * (players - 1))
    return plan_table("fodinha", seats, {"players": players, **options}, 0.0, seed)


def view_of(app: KibitzApp) -> FodinhaView:
    return cast(FodinhaView, moment_of(app).view)


def is_asked_in(app: KibitzApp, phase: int, size: int = 1) -> Callable[[], bool]:
    """Whether the person is asked in that phase of a round with at least `size` cards."""

    def reached() -> bool:
        view = view_of(app)
        return moment_of(app).asked != NOBODY and view.phase == phase and view.size >= size

    return reached


async def test_whole_match(tmp_path: Path) -> None:
    app = make_app(tmp_path, plan(lives=2))
    async with app.run_test(size=(80, 24)) as pilot:
        await play_until(pilot, app, is_asked_in(app, PLAYING), answer_by_mouse)
        await answer_by_mouse(pilot, app)
        await play_until(pilot, app, lambda: is_over(app))
        moment = moment_of(app)
        assert moment.ending is not None
        assert moment.ending.sentence.endswith("the match.")
        after = cast(FodinhaView, moment.results[-1].view)
        assert sum(after.alive) == 1
        assert moment.results[-1].number == len(moment.results)
        assert "Enter Summary" in text_of(app)
        assert "d Again" in text_of(app)


async def answer_with_highest_call(pilot: Pilot[Any], app: KibitzApp) -> None:
    choices = [choice for choice in table_of(app).choices() if not choice.barred]
    if choices and choices[-1].digit is not None:
        await pilot.press(str(choices[-1].digit))
    else:
        await answer_by_keyboard(pilot, app)


async def test_player_who_is_out_sees_the_match_end(tmp_path: Path, arrange: Arrange) -> None:
    def last_life(plan: TablePlan) -> FodinhaState:
        state = FODINHA.new(seed=5, **plan.options)
        state.lives = [1, 3, 3, 3]
        return state

    arrange(last_life)
    app = make_app(tmp_path, plan())
    async with app.run_test(size=(80, 24)) as pilot:

        def is_out() -> bool:
            return bool(view_of(app).out_in[0])

        await play_until(pilot, app, is_out, answer_with_highest_call)
        assert "You out" in text_of(app)
        assert not table_of(app).cards()
        await play_until(pilot, app, lambda: is_over(app))
        assert moment_of(app).view.hand_no > view_of(app).out_in[0]


async def test_barred_call_is_explained_to_keys_and_clicks(tmp_path: Path) -> None:
    app = make_app(tmp_path, plan(lives=9, seed=1))
    async with app.run_test(size=(80, 24)) as pilot:

        def is_barred() -> bool:
            return any(choice.barred for choice in table_of(app).choices())

        await play_until(pilot, app, is_barred)
        table, legal = table_of(app), moment_of(app).legal
        choices = table.choices()
        index = next(at for at, choice in enumerate(choices) if choice.barred)
        await pilot.press(str(choices[index].digit))
        await pilot.pause()
        assert table.remarked == choices[index].barred
        assert "the calls would add up to" in " ".join(text_of(app).split())
        table.remark("")
        await click_choice(pilot, app, index)
        assert table.remarked == choices[index].barred
        await pilot.press("9")
        assert table.remarked == "There is no 9 to choose."
        assert moment_of(app).legal == legal


def many_each(size: int) -> Callable[[TablePlan], FodinhaState]:
    def made(plan: TablePlan) -> FodinhaState:
        state = FODINHA.new(seed=5, first=1, **plan.options)
        state.size = size
        state.deal(list(range(52)))
        return state

    return made


async def test_arrows_reach_calls_above_nine(tmp_path: Path, arrange: Arrange) -> None:
    arrange(many_each(11))
    app = make_app(tmp_path, plan(2, range=13, tries=1, lives=99))
    async with app.run_test(size=(80, 24)) as pilot:
        await play_until(pilot, app, is_asked_in(app, CALLING))
        await pilot.press("left", "enter")
        await wait_until(pilot, lambda: view_of(app).calls[0] == 11)


@pytest.mark.parametrize("call", [10, 25])
async def test_letters_make_calls_above_nine(tmp_path: Path, arrange: Arrange, call: int) -> None:
    """The letter is shown, and it is the one that later plays the card of that number."""
    arrange(many_each(25))
    app = make_app(tmp_path, plan(2, range=13, tries=1, lives=99))
    async with app.run_test(size=(80, 24)) as pilot:
        await play_until(pilot, app, is_asked_in(app, CALLING))
        letter = keys_by_id(table_of(app))[f"table.place-{call + 1}"]
        assert f"{letter} {call}" in " ".join(text_of(app).split())
        await pilot.press(letter)
        await wait_until(pilot, lambda: view_of(app).calls[0] == call)


async def test_ten_players_fit_on_small_screens(tmp_path: Path) -> None:
    names = ("Beto", "Caio", "Dora", "Edu", "Flora", "Gil", "Hugo", "Iara", "Jade")
    app = make_app(tmp_path, plan(10, range=13, lives=9))
    async with app.run_test(size=(80, 24)) as pilot:
        await play_until(pilot, app, is_asked_in(app, PLAYING, 2))
        async for _ in in_windows(pilot, [(80, 24), (60, 20)]):
            shown = text_of(app)
            for name in names:
                assert name in shown
            assert len(re.findall("[0-9]♥", shown)) >= 9
            for _, card in view_of(app).trick:
                assert FACES[card].sign in shown
            for card in view_of(app).hand:
                assert FACES[card].rank in shown


async def test_cancelled_cards_are_marked_in_ascii(tmp_path: Path) -> None:
    app = make_app(tmp_path, plan(6, lives=9), ascii_only=True)
    async with app.run_test(size=(80, 24)) as pilot:

        def cancelled() -> bool:
            return bool(view_of(app).cancelled()) and moment_of(app).asked != NOBODY

        await play_until(pilot, app, cancelled)
        shown = text_of(app)
        assert re.search("x[A-Z][a-z]+", shown)
        assert shown.isascii()


async def test_watched_match_shows_the_score_sheet(tmp_path: Path) -> None:
    options = {"players": 3, "lives": 1}
    watched = plan_table("fodinha", ["random"] * 3, options, 0.0, 2, True, matches=1)
    app = make_app(tmp_path, watched)
    async with app.run_test(size=(120, 40)) as pilot:
        await wait_until(pilot, lambda: is_over(app))
        await open_tab(pilot, app, "s")
        shown = text_of(app)
        assert "won/called and lives left" in shown
        assert "wins the match." in " ".join(shown.split())


@pytest.mark.slow
async def test_new_table_for_ten_players(tmp_path: Path) -> None:
    app = make_app(tmp_path)
    async with app.run_test(size=(80, 24)) as pilot:
        await app.push_screen(NewTableScreen(FODINHA, 0.0, Store(tmp_path)))
        app.screen.query_one("#option-players", Cycle).focus()
        await pilot.press(*["right"] * 6)
        await wait_until(pilot, lambda: len(app.screen.query("#seats Cycle")) == 10)
        app.screen.query_one("#option-range", Cycle).focus()
        await pilot.press(*["left"] * 9)
        await pilot.pause()
        error = app.screen.query_one("#error", Static)
        assert "need more cards" in str(error.content)
        await pilot.press("left")
        await pilot.pause()
        assert not str(error.content), "the value after 1 is 13"


@pytest.mark.slow
async def test_pictures(tmp_path: Path, same_picture: Callable[[KibitzApp, str], None]) -> None:
    async def compare(name: str) -> None:
        async for width, height in in_windows(pilot, [(120, 40), (80, 24), (60, 20)]):
            same_picture(app, f"fodinha-{width}x{height}-{name}")

    app = make_app(tmp_path, plan(lives=9))
    async with app.run_test(size=(60, 20)) as pilot:
        await play_until(pilot, app, is_asked_in(app, TURNING))
        await compare("power")
        await play_until(pilot, app, is_asked_in(app, CALLING))
        await pilot.press("right", "s")
        await compare("calls")
    app = make_app(tmp_path, plan(10, range=13, lives=9))
    async with app.run_test(size=(60, 20)) as pilot:
        await play_until(pilot, app, is_asked_in(app, PLAYING))
        await compare("blind")
        await play_until(pilot, app, is_asked_in(app, PLAYING, 2))
        await pilot.press("right")
        await compare("ten")
        await play_until(pilot, app, lambda: moment_of(app).ending is not None)
        await compare("round-over")
