"""Persons play Truco in the app: bids by key, flors, a shared keyboard, a whole match."""

from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from app.match.moment import NOBODY
from app.match.seating import TablePlan, plan_table
from app.ui.app import KibitzApp
from app.ui.layout.card_art import Row
from app.ui.screens.cover import Cover
from app.ui.screens.table import TableScreen
from app.ui.widgets.choices import Choices
from app.ui.widgets.felt import Felt
from app.ui.widgets.hand import Hand
from engine.games.truco import RAISE, TrucoState
from tests.app.driving import (
    Arrange,
    ScriptedAgent,
    answer_by_keyboard,
    answer_by_mouse,
    at_table,
    click_choice,
    click_on,
    in_windows,
    is_asked,
    is_over,
    make_app,
    moment_of,
    open_tab,
    play_until,
    prompt_of,
    table_of,
    text_of,
    to_question,
    wait_until,
)
from tests.app.truco_deal import DECK, FLORS, state_after, truco

SIZES = [(60, 20), (80, 24), (120, 40)]
Begin = Callable[..., TablePlan]


@pytest.fixture
def begin(arrange: Arrange) -> Begin:
    """A table with a fixed first deal, where North takes the actions with these labels."""

    def plan(deck: str, *labels: str) -> TablePlan:
        arrange(lambda plan: state_after(deck=deck), ScriptedAgent(labels))
        return truco()

    return plan


def history(app: KibitzApp) -> list[str]:
    view = moment_of(app).view
    return [f"{seat} {view.label(action)}" for seat, action in view.history]


def asked_after(app: KibitzApp, action: str) -> Callable[[], bool]:
    return lambda: action in history(app) and is_asked(app)


async def test_whole_match_and_another(tmp_path: Path) -> None:
    app = make_app(tmp_path, truco(target=8))
    async with app.run_test(size=(80, 24)) as pilot:
        await play_until(pilot, app, lambda: len(moment_of(app).results) == 1, answer_by_mouse)
        await play_until(pilot, app, lambda: is_over(app))
        moment = moment_of(app)
        assert moment.ending is not None
        points = [sum(result.points[seat] for result in moment.results) for seat in (0, 1)]
        winner = "You win" if points[0] > points[1] else "North wins"
        assert max(points) >= 8
        assert moment.ending.sentence.endswith(
            f"{winner} the match, {max(points):g} to {min(points):g}."
        )
        first = table_of(app)
        await click_on(pilot, app, "Again")
        await wait_until(pilot, lambda: at_table(app) and table_of(app) is not first)
        assert table_of(app).plan.match_no == 2


async def test_bids_rise_and_are_accepted_by_key(tmp_path: Path, begin: Begin) -> None:
    app = make_app(tmp_path, begin(DECK, "raise", "accept"))
    async with app.run_test(size=(80, 24)) as pilot:
        await to_question(pilot, app)
        assert "t Truco (raise)    f Flor −3" in text_of(app)
        await pilot.press("t")
        await wait_until(pilot, asked_after(app, "1 raise"))
        await pilot.pause()
        assert "Said: You truco · North retruco" in text_of(app)
        assert "x No quiero (reject)    t Vale 4 (raise)" in text_of(app)
        await pilot.press("1")
        assert prompt_of(app) == "First answer North's retruco."
        await pilot.press("t")
        await wait_until(pilot, asked_after(app, "1 accept"))
        await pilot.pause()
        assert "Vale 4 accepted, worth 4" in text_of(app)
        await pilot.press("t")
        assert prompt_of(app) == "Vale 4 is the highest bid."


async def test_no_quiero_ends_the_round(tmp_path: Path, begin: Begin) -> None:
    app = make_app(tmp_path, begin(DECK, "raise"))
    async with app.run_test(size=(80, 24)) as pilot:
        await to_question(pilot, app)
        await pilot.press("2")
        await to_question(pilot, app)
        await pilot.press("right", "right", "enter")
        await wait_until(pilot, lambda: moment_of(app).ending is not None)
        await pilot.pause()
        assert prompt_of(app) == "You refuse the truco: 1 for North. You 0 : 1 North."
        assert "Said: North truco · You no quiero" in text_of(app)
        await pilot.press("s")
        await pilot.pause()
        assert "+1 North, truco refused" in text_of(app)


async def test_false_flor_must_be_chosen_twice(tmp_path: Path, begin: Begin) -> None:
    app = make_app(tmp_path, begin(DECK))
    async with app.run_test(size=(80, 24)) as pilot:
        await to_question(pilot, app)
        await pilot.press("f")
        assert prompt_of(app).startswith("You hold no flor: a false one gives 3 points to North.")
        assert history(app) == []
        await pilot.press("f")
        await wait_until(pilot, lambda: history(app) == ["0 flor"] and is_asked(app))
        await pilot.press("f")
        assert prompt_of(app) == "You have called your flor already."


async def test_real_flor_is_called_with_one_click(tmp_path: Path, begin: Begin) -> None:
    app = make_app(tmp_path, begin(FLORS))
    async with app.run_test(size=(80, 24)) as pilot:
        await to_question(pilot, app)
        await click_choice(pilot, app, 1)
        await wait_until(pilot, lambda: history(app) == ["0 flor"])


async def test_arrows_describe_the_card(tmp_path: Path, begin: Begin) -> None:
    app = make_app(tmp_path, begin(DECK, "accept"))
    async with app.run_test(size=(80, 24)) as pilot:
        await to_question(pilot, app)
        await pilot.press("right", "right")
        await pilot.pause()
        assert "The 7 of espada, a mata. Enter leads it." in text_of(app)
        await pilot.press("right", "right")
        assert prompt_of(app).startswith("You lead")
        await pilot.press("enter")
        await wait_until(pilot, lambda: history(app)[:1] == ["0 raise"])


async def test_two_persons_never_see_both_hands(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Checks every hand that is drawn, even for an instant."""
    app = make_app(tmp_path, truco("you", "you", target=2))
    at_keyboard = NOBODY
    shown: set[int] = set()
    leaks: list[str] = []
    draw = Hand.draw

    def check(hand: Hand) -> Sequence[Row]:
        if isinstance(app.screen, TableScreen) and app.screen.loop is not None:
            state = app.screen.loop.match.state
            assert isinstance(state, TrucoState)
            secret = state.hands[1 - at_keyboard] if at_keyboard != NOBODY else range(40)
            leaks.extend([card.face.code for card in hand.cards if card.card in secret])
            shown.add(at_keyboard if hand.cards else NOBODY)
        return draw(hand)

    monkeypatch.setattr(Hand, "draw", check)
    async with app.run_test(size=(80, 24)) as pilot:
        while not is_over(app):
            await wait_until(pilot, lambda: isinstance(app.screen, Cover) or is_asked(app))
            await pilot.pause()
            if isinstance(app.screen, Cover):
                assert "╭" not in text_of(app)
                at_keyboard = 0 if "Player 1" in text_of(app) else 1
                beneath = app.screen_stack[-2]
                assert isinstance(beneath, TableScreen)
                assert beneath.moment is not None
                assert beneath.moment.view.seat == at_keyboard, "ready before it is uncovered"
                await pilot.press("enter")
            elif moment_of(app).ending is not None:
                assert table_of(app).cards() == []
                if not is_over(app):
                    at_keyboard = NOBODY
                    await pilot.press("enter")
            else:
                assert moment_of(app).view.seat == moment_of(app).asked == at_keyboard
                raises = RAISE in moment_of(app).legal and not moment_of(app).view.history
                await (pilot.press("t") if raises else answer_by_keyboard(pilot, app))
            await pilot.pause()
    assert leaks == []
    assert shown >= {0, 1}


async def test_watched_match_shows_both_hands(tmp_path: Path) -> None:
    options = {"target": 6}
    plan = plan_table("truco", ["random"] * 2, options, 0.0, seed=3, watch=True, matches=1)
    app = make_app(tmp_path, plan)
    async with app.run_test(size=(120, 40)) as pilot:
        await wait_until(pilot, lambda: is_over(app))
        await pilot.press("s")
        await pilot.pause()
        text = text_of(app)
        assert "wins the match" in text
        assert "buenas" in text
        assert "▚▚" not in text


@pytest.mark.parametrize("ascii_only", [False, True])
async def test_everything_fits_at_the_fullest_table(
    tmp_path: Path, begin: Begin, ascii_only: bool
) -> None:
    app = make_app(tmp_path, begin(DECK, "flor", "raise"), ascii_only)
    async with app.run_test(size=SIZES[0]) as pilot:
        await to_question(pilot, app)
        await pilot.press("t")
        await wait_until(pilot, asked_after(app, "1 raise"))
        async for _, height in in_windows(pilot, SIZES[:2]):
            screen, text = app.screen, text_of(app)
            for widget in (Felt, Choices, Hand):
                assert screen.query_one(widget).region in screen.query_one("#table").region
                assert screen.query_one(widget).region.bottom < height
            for words in (
                "muestra 5 of copa", "mano You", "worth 2", "to 40", "says retruco",
                "a Quiero (accept)", "x No quiero (reject)", "t Vale 4 (raise)",
                "f Flor", "North says retruco: quiero plays for 3,", "no quiero gives 2 to North",
            ):  # fmt: skip
                assert words in text
            assert prompt_of(app).split()[-1] in text
            if ascii_only:
                assert text.isascii()


async def test_pictures(
    tmp_path: Path, begin: Begin, same_picture: Callable[[KibitzApp, str], None]
) -> None:
    """A bid to answer, then a card chosen after a tie, then the end with the score sheet."""
    app = make_app(tmp_path, begin(DECK, "flor", "raise", "play 12E", "play 3C"))
    async with app.run_test(size=SIZES[0]) as pilot:

        async def compare(name: str) -> None:
            async for width, height in in_windows(pilot, SIZES):
                if name == "over" and width == SIZES[-1][0]:
                    await open_tab(pilot, app, "s")
                same_picture(app, f"truco-{name}-{width}x{height}")

        await to_question(pilot, app)
        await pilot.press("1")
        await wait_until(pilot, asked_after(app, "1 raise"))
        await compare("bid")
        await pilot.press("a")
        await wait_until(pilot, asked_after(app, "1 play 12E"))
        await pilot.press("right")
        await compare("play")
        await pilot.press("enter")
        await wait_until(pilot, lambda: moment_of(app).ending is not None)
        await compare("over")
