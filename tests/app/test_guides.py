"""Guided first hands: the scripts are legal and readable, and every guide can be played."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot

from app.guides.guide import Guide, has_guide, load_guide
from app.match.moment import NOBODY
from app.match.seating import PERSON
from app.ui.app import KibitzApp
from app.ui.layout.faces import faces_of
from app.ui.screens.guide import GuideScreen, guide_plan
from app.ui.screens.guide_offer import GuideOffer
from app.ui.screens.home import HomeScreen
from app.ui.screens.play import PlayScreen
from app.ui.screens.requests import OpenForm, OpenGuide, OpenRules
from app.ui.tables import table_class
from app.ui.widgets.guide_box import GuideBox, guide_text
from engine import GAMES
from engine.manifest import VARIANTS
from tests.app.driving import at_table, keys_by_id, make_app, text_of, to_question, wait_until
from tests.quick import quick_with

GUIDES = {game: load_guide(game) for game in (*GAMES, *VARIANTS)}
MOST_STEPS = 18
MOST_LINES = 4
"""What the box has room for at 80 × 24 without growing."""

Compare = Callable[[KibitzApp, str], None]


# The scripts


def test_every_game_has_a_guide() -> None:
    assert all(map(has_guide, (*GAMES, *VARIANTS)))
    assert not has_guide("chess")
    with pytest.raises(ValueError, match="no guided hand of 'chess'"):
        load_guide("chess")


@pytest.mark.parametrize("game", GUIDES)
def test_every_move_of_a_script_is_legal(game: str) -> None:
    guide = GUIDES[game]
    places = guide.places()
    assert len(places) == len(guide.steps)
    assert places[-1][1] or game == "notty", "a guide ends with the end of a hand"


def test_a_move_that_is_not_legal_is_named() -> None:
    good = GUIDES["euchre"]
    guide = Guide("euchre", good.deck, 1, good.seed, good.options, good.steps)
    with pytest.raises(ValueError, match="euchre, step"):
        guide.places()


@pytest.mark.parametrize("game", GUIDES)
def test_a_guide_is_short_asks_often_and_says_what_is_next(game: str) -> None:
    steps = GUIDES[game].steps
    assert 8 <= len(steps) <= MOST_STEPS
    assert 2 * sum(bool(step.you) for step in steps) >= len(steps) - 5
    assert any(step.quiet for step in steps) or game.startswith("truco")
    assert steps[-1].end
    assert not steps[-1].you
    assert "real match" in steps[-1].say


@pytest.mark.parametrize("game", GUIDES)
def test_cards_in_the_texts_exist(game: str) -> None:
    faces = {face.code: face for face in faces_of(table_class(game).pack)}
    for step in GUIDES[game].steps:
        for text in (step.say, step.otherwise):
            shown = str(guide_text(text, faces))
            assert not set("{}*") & set(shown), shown


@pytest.mark.parametrize("game", GUIDES)
def test_the_person_sits_among_agents(game: str) -> None:
    plan = guide_plan(GUIDES[game])
    assert plan.seats.count(PERSON) == 1


# Playing them


def guide_of(app: KibitzApp) -> GuideScreen:
    assert isinstance(app.screen, GuideScreen), app.screen
    return app.screen


async def open_guide(pilot: Pilot[Any], app: KibitzApp, game: str) -> GuideScreen:
    app.post_message(OpenGuide(game))
    await wait_until(pilot, lambda: isinstance(app.screen, GuideScreen))
    screen = guide_of(app)
    await due(pilot, screen)
    return screen


async def due(pilot: Pilot[Any], screen: GuideScreen) -> None:
    """Wait until the others have played."""
    await wait_until(pilot, lambda: screen.step is not None)
    await pilot.pause()


async def follow(pilot: Pilot[Any], screen: GuideScreen) -> None:
    """Do what the guide suggests: Enter, or the key of the card it asks for."""
    step = screen.step
    assert step is not None
    if not step.quiet:
        await pilot.press("enter")
        return
    (action,) = screen._actions(step)
    for place, card in enumerate(screen.cards()):
        if card.action == action:
            await pilot.press(screen.card_keys[place])
            return
        if screen.table.actions_for_marked(screen.moment, [card.card]) == [action]:  # type: ignore[arg-type]
            await pilot.press(screen.card_keys[place], "enter")
            return
    choice = next(each for each in screen.choices() if each.action == action)
    digit = "" if choice.digit is None else str(choice.digit)
    await pilot.press(keys_by_id(screen).get(choice.key, digit))


@pytest.mark.parametrize("game", GUIDES)
async def test_a_guide_can_be_played_to_its_end(game: str, tmp_path: Path) -> None:
    app = make_app(tmp_path)
    async with app.run_test(size=(80, 24)) as pilot:
        screen = await open_guide(pilot, app, game)
        for number, step in enumerate(screen.guide.steps):
            following = number + 1
            await due(pilot, screen)
            assert (screen.at, screen.step) == (number, step)
            assert _lines(screen, step.say) <= MOST_LINES, step.say
            assert screen.reading == (not step.you)
            if following < len(screen.guide.steps):
                await follow(pilot, screen)
                await _turned(pilot, screen, following)
        assert screen.finished
        assert not screen.free
        assert [choice.text for choice in screen.choices()] == [
            "Play a real match",
            "Rules",
            "Home",
        ]
    assert not list((tmp_path / "games").glob("*")), "nothing is recorded"


async def _turned(pilot: Pilot[Any], screen: GuideScreen, number: int) -> None:
    await wait_until(pilot, lambda: screen.at == number)


def _lines(screen: GuideScreen, text: str) -> int:
    faces = {face.code: face for face in screen.table.faces}
    width = screen.query_one(GuideBox).content_size.width
    return len(guide_text(text, faces).wrap(width))


async def test_pages_wait_for_enter_and_cards_do_nothing_meanwhile(tmp_path: Path) -> None:
    app = make_app(tmp_path)
    async with app.run_test(size=(80, 24)) as pilot:
        screen = await open_guide(pilot, app, "truco")
        assert screen.reading
        assert screen.moment is not None
        assert screen.moment.asked != NOBODY
        await pilot.press("1")
        await pilot.pause()
        assert "Read on with Enter" in text_of(app)
        assert screen.loop is not None
        assert not screen.loop.actions
        await pilot.press("enter")
        await pilot.pause()
        assert screen.at == 0, "Enter takes the remark away first"
        await pilot.press("enter")
        assert screen.at == 1


async def test_another_move_gets_a_kind_answer_and_may_be_changed(tmp_path: Path) -> None:
    app = make_app(tmp_path)
    async with app.run_test(size=(80, 24)) as pilot:
        screen = await open_guide(pilot, app, "truco")
        while not (screen.step and screen.step.you):
            await pilot.press("enter")
            await pilot.pause()
        assert screen.loop is not None
        await pilot.press("1")
        await pilot.pause()
        assert "keep your best card" in text_of(app)
        assert not screen.loop.actions
        await pilot.press("2")
        await wait_until(pilot, lambda: len(screen.loop.actions) > 0 if screen.loop else False)
        assert not screen.free


async def test_a_person_may_leave_the_script_and_the_guide_returns_at_the_end(
    tmp_path: Path,
) -> None:
    app = make_app(tmp_path)
    async with app.run_test(size=(80, 24)) as pilot:
        screen = await open_guide(pilot, app, "truco")
        while not (screen.step and screen.step.you):
            await pilot.press("enter")
            await pilot.pause()
        await pilot.press("1", "1")
        await wait_until(pilot, lambda: screen.free)
        for _ in range(40):
            await wait_until(pilot, lambda: screen.reading or _asked(screen))
            await pilot.pause()
            if screen.reading:
                break
            loop, moment = screen.loop, screen.moment
            assert loop is not None
            assert moment is not None
            if moment.legal:
                loop.choose(moment.legal[0])
                await pilot.pause()
        assert screen.finished
        assert "real match" in text_of(app)


def _asked(screen: GuideScreen) -> bool:
    return screen.moment is not None and screen.moment.asked != NOBODY


async def test_a_group_is_marked_with_its_key(tmp_path: Path) -> None:
    app = make_app(tmp_path)
    async with app.run_test(size=(80, 24)) as pilot:
        screen = await open_guide(pilot, app, "notty")
        while not (screen.step and screen.step.you == ("group R4 R5 R6",)):
            await due(pilot, screen)
            if screen.step and screen.step.you != ("group R4 R5 R6",):
                await follow(pilot, screen)
            await pilot.pause()
        suggested = screen.marked
        screen.mark(frozenset())
        await pilot.press("g")
        await pilot.pause()
        assert screen.marked == suggested != frozenset()


async def test_escape_leaves_at_once(tmp_path: Path) -> None:
    app = make_app(tmp_path)
    async with app.run_test(size=(80, 24)) as pilot:
        await open_guide(pilot, app, "euchre")
        await pilot.press("escape")
        await wait_until(pilot, lambda: isinstance(app.screen, HomeScreen))


async def test_a_real_match_follows(tmp_path: Path) -> None:
    app = make_app(tmp_path)
    async with app.run_test(size=(80, 24)) as pilot:
        screen = await open_guide(pilot, app, "notty")
        while not screen.finished:
            await due(pilot, screen)
            if not screen.finished:
                await follow(pilot, screen)
            await pilot.pause()
        await pilot.press("enter")
        await wait_until(pilot, lambda: isinstance(app.screen, PlayScreen) and at_table(app))


async def test_another_screen_on_top_does_not_turn_the_page(tmp_path: Path) -> None:
    app = make_app(tmp_path)
    async with app.run_test(size=(80, 24)) as pilot:
        screen = await open_guide(pilot, app, "euchre")
        await pilot.press("r")
        await wait_until(pilot, lambda: app.screen is not screen)
        await pilot.press("escape")
        await wait_until(pilot, lambda: app.screen is screen)
        await pilot.pause()
        assert screen.loop is not None
        assert not screen.loop.actions
        assert screen.at == 0


# Where they begin


async def test_the_first_start_of_a_game_offers_its_guide_once(tmp_path: Path) -> None:
    app = make_app(tmp_path, tips=True)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("1")
        await wait_until(pilot, lambda: isinstance(app.screen, GuideOffer))
        await pilot.press("n")
        await wait_until(pilot, lambda: at_table(app))
        await to_question(pilot, app)
        await pilot.press("escape", "escape")
        await wait_until(pilot, lambda: isinstance(app.screen, HomeScreen))
        await pilot.press("1")
        await wait_until(pilot, lambda: at_table(app))
    again = make_app(tmp_path, tips=True)
    async with again.run_test(size=(80, 24)) as pilot:
        await pilot.press("2")
        await wait_until(pilot, lambda: isinstance(again.screen, GuideOffer))
        await pilot.press("enter")
        await wait_until(pilot, lambda: isinstance(again.screen, GuideScreen))


async def test_without_tips_nothing_is_offered(tmp_path: Path) -> None:
    app = make_app(tmp_path)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("1")
        await wait_until(pilot, lambda: at_table(app))


@pytest.mark.parametrize("start", ["home", "rules", "new table"])
async def test_a_guide_can_be_played_again(start: str, tmp_path: Path) -> None:
    app = make_app(tmp_path)
    async with app.run_test(size=(80, 24)) as pilot:
        home = app.screen
        if start == "home":
            await pilot.press("g")
        elif start == "rules":
            app.post_message(OpenRules("smear"))
            await wait_until(pilot, lambda: app.screen is not home)
            await pilot.press("g")
        else:
            app.post_message(OpenForm("smear"))
            await wait_until(pilot, lambda: bool(app.screen.query("#guide")))
            app.screen.query_one("#guide").focus()
            await pilot.press("enter")
        await wait_until(pilot, lambda: isinstance(app.screen, GuideScreen))


def test_the_command_opens_the_guide_of_a_variant(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from app.commands.parser import run_command

    opened: list[str] = []

    def open_app(*_: object, first: OpenGuide) -> int:
        opened.append(first.game)
        return 0

    monkeypatch.setattr("app.commands.guide.open_app", open_app)
    run_command(["guide", "truco", "--rules", "full", "--home", str(tmp_path)])
    run_command(["guide", "notty", "--home", str(tmp_path)])
    assert opened == ["truco_full", "notty"]


# Pictures


@pytest.mark.parametrize("game", quick_with(GUIDES, "euchre", "notty"))
async def test_pictures(game: str, tmp_path: Path, same_picture: Compare) -> None:
    for width, height in ((80, 24), (120, 40)):
        app = make_app(tmp_path)
        async with app.run_test(size=(width, height)) as pilot:
            screen = await open_guide(pilot, app, game)
            while not (screen.step and screen.step.you):
                await due(pilot, screen)
                if screen.reading:
                    await pilot.press("enter")
            await pilot.pause()
            same_picture(app, f"guide-{game}-{width}x{height}")


async def test_the_offer_at_60_columns(tmp_path: Path, same_picture: Compare) -> None:
    app = make_app(tmp_path, tips=True)
    async with app.run_test(size=(60, 20)) as pilot:
        await pilot.press("1")
        await wait_until(pilot, lambda: isinstance(app.screen, GuideOffer))
        await pilot.pause()
        same_picture(app, "guide-offer-60x20")
