"""A person plays Smear in the app: bets, trump, revokes and a whole match."""

from collections.abc import Callable
from pathlib import Path

import pytest

from app.match.seating import PERSON, TablePlan, plan_table
from app.ui.app import KibitzApp
from app.ui.screens.home import HomeScreen
from engine.games.smear import BETTING, NAMING, PLAYING, SmearView
from tests.app.driving import (
    Arrange,
    answer_by_keyboard,
    click_card,
    click_choice,
    in_windows,
    is_over,
    make_app,
    moment_of,
    open_tab,
    place_of,
    play_until,
    prompt_of,
    tab_drawn,
    table_of,
    text_of,
    to_question,
    wait_until,
)
from tests.app.smear_deal import PLAY, WEST_BETS, YOU_BET_FOUR, cards, state_after

SIZES = [(60, 20), (80, 24), (120, 40)]
AGAINST_RANDOM = (PERSON, "random", "random", "random")
Begin = Callable[..., TablePlan]


@pytest.fixture
def begin(arrange: Arrange) -> Begin:
    """A table where some actions have been taken."""

    def plan(*labels: str, dealer: int = 3, revoke: str = "forbid") -> TablePlan:
        arrange(lambda plan: state_after(*labels, dealer=dealer, revoke=revoke))
        return plan_table("smear", AGAINST_RANDOM, {"revoke": revoke}, delay=0.0, seed=1)

    return plan


def smear_view(app: KibitzApp) -> SmearView:
    view = moment_of(app).view
    assert isinstance(view, SmearView)
    return view


async def test_bet_by_key_and_trump_by_mouse(tmp_path: Path, begin: Begin) -> None:
    app = make_app(tmp_path, begin("pass", dealer=2))
    async with app.run_test(size=(80, 24)) as pilot:
        await to_question(pilot, app)
        assert smear_view(app).phase == BETTING
        await pilot.press("4")
        await wait_until(pilot, lambda: smear_view(app).phase == NAMING)
        await to_question(pilot, app)
        assert "S ♠ spades    H ♥ hearts    D ♦ diamonds    C ♣ clubs" in text_of(app)
        await click_choice(pilot, app, 0)
        await wait_until(pilot, lambda: smear_view(app).phase == PLAYING)
        await to_question(pilot, app)
        assert prompt_of(app) == "You lead: play any card."
        assert "trump ♠ spades   You bet 4   game 0:0" in text_of(app)
        await click_card(pilot, app, place_of(app, "AS"))
        await wait_until(pilot, lambda: smear_view(app).played > 0)


async def test_forbidden_card_is_refused_with_the_reason(tmp_path: Path, begin: Begin) -> None:
    app = make_app(tmp_path, begin(*WEST_BETS, *cards("QS 4S 5S")))
    async with app.run_test(size=(80, 24)) as pilot:
        question = await to_question(pilot, app)
        place = place_of(app, "9H")
        await pilot.press(str(place + 1), str(place + 1))
        await click_card(pilot, app, place)
        await pilot.pause()
        assert prompt_of(app) == "Trump was led: follow with a spade."
        assert table_of(app).query_one("#prompt").has_class("-remark")
        assert moment_of(app) == question


@pytest.mark.parametrize("way", ["number", "arrows", "mark", "mouse"])
async def test_revoke_must_be_chosen_twice(tmp_path: Path, begin: Begin, way: str) -> None:
    app = make_app(tmp_path, begin(*WEST_BETS, *cards("QS 4S 5S"), revoke="penalty"))
    async with app.run_test(size=(80, 24)) as pilot:
        question = await to_question(pilot, app)
        place = place_of(app, "9H")
        keys = {
            "number": [str(place + 1)],
            "arrows": [*["right"] * (place + 1), "enter"],
            "mark": [*["right"] * (place + 1), "space", "enter"],
            "mouse": [],
        }[way]

        async def choose(*keys: str) -> None:
            await (pilot.press(*keys) if keys else click_card(pilot, app, place))

        await choose(*keys)
        await pilot.pause()
        assert prompt_of(app) == (
            "The nine of hearts is a revoke: your side loses 4 and the hand ends. "
            "Press again to play it anyway."
        )
        assert "The nine of hearts is a revoke" in text_of(app)
        assert moment_of(app) == question
        await choose(*keys[-1:])
        await wait_until(pilot, lambda: moment_of(app).ending is not None)
        await pilot.pause()
        ending = moment_of(app).ending
        assert ending is not None
        assert ending.sentence == (
            "You revoked: You + North −4, and nobody else scores. Score −4 : 0."
        )
        captions = [laid.caption for laid in table_of(app).table.felt(moment_of(app))]
        assert captions == ["You revoke", "West leads", "North", "East"]
        assert len(table_of(app).cards()) == 5
        assert list(moment_of(app).log)[-3:-1] == [
            "You play the nine of hearts.",
            "The nine of hearts is a revoke.",
        ]


async def test_another_choice_withdraws_the_warning(tmp_path: Path, begin: Begin) -> None:
    app = make_app(tmp_path, begin(*WEST_BETS, *cards("QS 4S 5S"), revoke="penalty"))
    async with app.run_test(size=(80, 24)) as pilot:
        question = await to_question(pilot, app)
        nine, ten = [str(place_of(app, code) + 1) for code in ("9H", "10H")]
        await pilot.press(nine, ten, nine, "k", nine)
        await pilot.pause()
        assert prompt_of(app).startswith("The nine of hearts is a revoke")
        assert moment_of(app) == question
        await pilot.press(str(place_of(app, "AS") + 1))
        await wait_until(pilot, lambda: smear_view(app).taken[0] > 0)
        assert "You take the trick, 6 towards game." in moment_of(app).log


@pytest.mark.slow
async def test_whole_match(tmp_path: Path) -> None:
    seats = ["hard", "hard", PERSON, "hard"]
    app = make_app(tmp_path, plan_table("smear", seats, delay=0.0, seed=20))
    async with app.run_test(size=(80, 24)) as pilot:
        await play_until(pilot, app, lambda: is_over(app))
        ending = moment_of(app).ending
        assert ending is not None
        assert ending.sentence.endswith("the match.")
        await pilot.pause()
        async for _ in in_windows(pilot, SIZES):
            assert prompt_of(app) == ending.sentence
        await pilot.press("escape")
        await wait_until(pilot, lambda: isinstance(app.screen, HomeScreen))


@pytest.mark.slow
async def test_pictures(
    tmp_path: Path, begin: Begin, same_picture: Callable[[KibitzApp, str], None]
) -> None:
    """The auction, a warning before a revoke, and the score sheet at the end of a hand."""
    app = make_app(tmp_path, begin("pass", "bet 2", "pass", dealer=0))
    async with app.run_test(size=SIZES[0]) as pilot:
        await to_question(pilot, app)
        async for width, height in in_windows(pilot, SIZES):
            same_picture(app, f"smear-{width}x{height}-bets")
    app = make_app(tmp_path, begin(*WEST_BETS, *cards("QS 4S 5S"), revoke="penalty"))
    async with app.run_test(size=SIZES[0]) as pilot:
        await to_question(pilot, app)
        await pilot.press(str(place_of(app, "9H") + 1))
        async for width, height in in_windows(pilot, SIZES):
            same_picture(app, f"smear-{width}x{height}-revoke")
    app = make_app(tmp_path, begin(*YOU_BET_FOUR, *cards(*PLAY)[:-1]))
    async with app.run_test(size=SIZES[0]) as pilot:
        await to_question(pilot, app)
        await answer_by_keyboard(pilot, app)
        await wait_until(pilot, lambda: moment_of(app).ending is not None)
        await open_tab(pilot, app, "s")
        async for width, height in in_windows(pilot, SIZES):
            await tab_drawn(pilot, app)
            same_picture(app, f"smear-{width}x{height}-hand-over")
