"""Teaching: a costly move is questioned before it is played, and such matches are unrated."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from threading import Event
from typing import Any

import pytest
from textual.pilot import Pilot

from app.match.moment import NOBODY, Thought
from app.match.seating import TablePlan, plan_table
from app.match.teaching import FIRST_MATCHES
from app.records.history import History, MatchRecord, SeatRecord
from app.records.journal import read_journal
from app.study.advice import Adviser
from app.ui.app import KibitzApp
from app.ui.screens.requests import ResumeMatch
from app.ui.screens.second_thoughts import CHECKING
from engine import GAMES
from engine.manifest import VARIANTS
from tests.app.driving import (
    answer_by_keyboard,
    is_asked,
    keys_by_id,
    make_app,
    moment_of,
    prompt_of,
    table_of,
    text_of,
    to_question,
    wait_until,
)
from tests.quick import quick_with

ASK_AGAIN = "Play it anyway?"
EUCHRE = plan_table("euchre", ["you", "random", "random"], delay=0.0, seed=1)
"""In its first deal, passing is a mistake: the hand is good enough to order up."""


def taught(plan: TablePlan) -> TablePlan:
    return replace(plan, teaching="always")


async def press_choice(pilot: Pilot[Any], app: KibitzApp, text: str) -> None:
    """Press the key of the choice whose text begins like this."""
    table = table_of(app)
    choice = next(each for each in table.choices() if each.text.startswith(text))
    await pilot.press(keys_by_id(table)[choice.key])
    await pilot.pause()


async def weighed(pilot: Pilot[Any], app: KibitzApp) -> None:
    """Wait until the question has been weighed."""
    await to_question(pilot, app)
    loop = table_of(app).loop
    assert loop is not None
    await wait_until(pilot, lambda: not loop.weighing)


async def _acted(pilot: Pilot[Any], app: KibitzApp, count: int = 0) -> None:
    """Wait until more moves than these have been played."""
    loop = table_of(app).loop
    assert loop is not None
    await wait_until(pilot, lambda: len(loop.actions) > count)


async def _asked_again(pilot: Pilot[Any], app: KibitzApp) -> None:
    await wait_until(pilot, lambda: ASK_AGAIN in prompt_of(app))


# At the table


async def test_a_costly_move_is_played_when_it_is_chosen_again(tmp_path: Path) -> None:
    app = make_app(tmp_path, taught(EUCHRE))
    async with app.run_test(size=(80, 24)) as pilot:
        await weighed(pilot, app)
        before = moment_of(app)
        assert before.teaching
        assert before.unrated
        assert "teaching" in text_of(app).splitlines()[0]
        await press_choice(pilot, app, "Pass")
        assert ASK_AGAIN in prompt_of(app)
        assert moment_of(app).view == before.view
        await press_choice(pilot, app, "Pass")
        loop = table_of(app).loop
        assert loop is not None
        await wait_until(pilot, lambda: len(loop.actions) > 0)
        assert loop.actions[0] == GAMES["euchre"].new(seed=1).parse("pass")


async def test_enter_plays_it_as_well_and_another_choice_replaces_it(tmp_path: Path) -> None:
    for key, label in (("enter", "pass"), ("", "order up")):
        app = make_app(tmp_path / (key or "other"), taught(EUCHRE))
        async with app.run_test(size=(80, 24)) as pilot:
            await weighed(pilot, app)
            await press_choice(pilot, app, "Pass")
            assert ASK_AGAIN in prompt_of(app)
            if key:
                await pilot.press(key)
            else:
                await press_choice(pilot, app, "Order up")
            loop = table_of(app).loop
            assert loop is not None
            await _acted(pilot, app)
            assert loop.actions[0] == GAMES["euchre"].new(seed=1).parse(label)


async def test_a_key_shows_the_better_move(tmp_path: Path) -> None:
    app = make_app(tmp_path, taught(EUCHRE))
    async with app.run_test(size=(80, 24)) as pilot:
        await weighed(pilot, app)
        await press_choice(pilot, app, "Pass")
        await pilot.press("question_mark")
        await pilot.pause()
        assert prompt_of(app).startswith("Hint: order up")
        await pilot.press("enter")
        loop = table_of(app).loop
        assert loop is not None
        await wait_until(pilot, lambda: len(loop.actions) > 0)
        assert loop.actions[0] == GAMES["euchre"].new(seed=1).parse("order up")


async def test_without_teaching_nothing_is_weighed_or_asked(tmp_path: Path) -> None:
    app = make_app(tmp_path, EUCHRE)
    async with app.run_test(size=(80, 24)) as pilot:
        await to_question(pilot, app)
        loop = table_of(app).loop
        assert loop is not None
        assert (loop.weighing, loop.weighed) == (False, None)
        await press_choice(pilot, app, "Pass")
        await wait_until(pilot, lambda: len(loop.actions) > 0)
        assert not loop.unrated


@pytest.mark.slow
async def test_five_discards_are_one_answer(tmp_path: Path) -> None:
    """After ordering up and taking the dummy: the five best cards are thrown away."""
    app = make_app(tmp_path, taught(EUCHRE))
    async with app.run_test(size=(80, 24)) as pilot:
        await weighed(pilot, app)
        await press_choice(pilot, app, "Order up")
        while not (is_asked(app) and table_of(app).table.takes_together(moment_of(app).view) == 5):
            await weighed(pilot, app)
            if any(each.text.startswith("Take") for each in table_of(app).choices()):
                await press_choice(pilot, app, "Take")
            elif moment_of(app).asked != NOBODY:
                await pilot.press("1")
            await pilot.pause()
        await weighed(pilot, app)
        table, loop = table_of(app), table_of(app).loop
        assert loop is not None
        assert loop.weighed is not None
        scores = loop.weighed.decision.scores
        view = moment_of(app).view
        held = [card.card for card in table.cards()]
        worst = sorted(scores, key=scores.__getitem__)[:5]
        cards = [table.table.card_of(view, action) for action in worst]
        table.mark(frozenset([held.index(card) for card in cards if card is not None]))
        before = len(loop.actions)
        await pilot.press("enter")
        await pilot.pause()
        assert "this card is worth more in your hand" in prompt_of(app)
        assert len(table.marked) == 5, "the marks stay"
        await pilot.press("enter")
        await wait_until(pilot, lambda: len(loop.actions) >= before + 5)


@pytest.mark.parametrize("game", quick_with([*GAMES, *VARIANTS], "notty", "truco"))
async def test_every_game_can_be_played_with_teaching(game: str, tmp_path: Path) -> None:
    """Each answer is played at once, or when Enter confirms it."""
    app = make_app(tmp_path, taught(plan_table(game, delay=0.0, seed=29)))
    async with app.run_test(size=(80, 24)) as pilot:
        for _ in range(6):
            await weighed(pilot, app)
            loop = table_of(app).loop
            assert loop is not None
            if moment_of(app).asked == NOBODY:
                loop.acknowledge()
                continue
            count = len(loop.actions)
            await answer_by_keyboard(pilot, app)
            await pilot.pause()
            if ASK_AGAIN in table_of(app).remarked:
                await pilot.press("enter")
            await _acted(pilot, app, count)


async def test_a_card_that_is_played_automatically_is_not_questioned(tmp_path: Path) -> None:
    """In the first round of Fodinha everybody has one card."""
    plan = plan_table("fodinha", ["you", "random", "random", "random"], delay=0.0, seed=3)
    app = make_app(tmp_path, taught(plan))
    app.settings = replace(app.settings, play_only_card=True)
    async with app.run_test(size=(80, 24)) as pilot:
        while True:
            await weighed(pilot, app)
            if moment_of(app).ending is not None:
                break
            loop, legal = table_of(app).loop, moment_of(app).legal
            assert loop is not None
            assert len(legal) > 1
            loop.choose(legal[0])
            await pilot.pause()


# A judgement that takes long


@pytest.fixture
def slow(monkeypatch: pytest.MonkeyPatch) -> Iterator[Event]:
    """Weighing goes on until the event is set."""
    done, weigh = Event(), Adviser.weigh

    def wait(adviser: Adviser, *args: Any) -> Thought:
        done.wait()
        return weigh(adviser, *args)

    monkeypatch.setattr(Adviser, "weigh", wait)
    yield done
    done.set()


async def test_a_key_skips_the_wait(tmp_path: Path, slow: Event) -> None:
    app = make_app(tmp_path, taught(EUCHRE))
    async with app.run_test(size=(80, 24)) as pilot:
        await to_question(pilot, app)
        await press_choice(pilot, app, "Pass")
        assert prompt_of(app) == CHECKING
        loop = table_of(app).loop
        assert loop is not None
        assert not loop.actions
        await pilot.press("space")
        await wait_until(pilot, lambda: len(loop.actions) > 0)
        slow.set()


async def test_a_move_waits_only_for_a_short_time(
    tmp_path: Path, slow: Event, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.ui.screens.second_thoughts.PATIENCE", 0.01)
    app = make_app(tmp_path, taught(EUCHRE))
    async with app.run_test(size=(80, 24)) as pilot:
        await to_question(pilot, app)
        await press_choice(pilot, app, "Pass")
        loop = table_of(app).loop
        assert loop is not None
        await wait_until(pilot, lambda: len(loop.actions) > 0)
        slow.set()


async def test_a_judgement_that_comes_in_time_asks_again(tmp_path: Path, slow: Event) -> None:
    app = make_app(tmp_path, taught(EUCHRE))
    async with app.run_test(size=(80, 24)) as pilot:
        await to_question(pilot, app)
        await press_choice(pilot, app, "Pass")
        slow.set()
        await wait_until(pilot, lambda: ASK_AGAIN in prompt_of(app))


async def test_without_a_judgement_moves_are_played(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> Thought:
        raise RuntimeError("broken")

    monkeypatch.setattr(Adviser, "weigh", fail)
    app = make_app(tmp_path, taught(EUCHRE))
    async with app.run_test(size=(80, 24)) as pilot:
        await weighed(pilot, app)
        await press_choice(pilot, app, "Pass")
        loop = table_of(app).loop
        assert loop is not None
        await wait_until(pilot, lambda: len(loop.actions) > 0)


# Undo, resuming, the record


async def test_undo_returns_to_the_question_with_teaching(tmp_path: Path) -> None:
    app = make_app(tmp_path, taught(EUCHRE))
    async with app.run_test(size=(80, 24)) as pilot:
        await weighed(pilot, app)
        await press_choice(pilot, app, "Pass")
        await pilot.press("enter")
        loop = table_of(app).loop
        assert loop is not None
        await wait_until(pilot, lambda: len(loop.actions) > 0)
        await to_question(pilot, app)
        await pilot.press("u")
        await wait_until(pilot, lambda: table_of(app).loop not in (None, loop))
        await weighed(pilot, app)
        await press_choice(pilot, app, "Pass")
        assert ASK_AGAIN in prompt_of(app)


async def test_a_match_with_teaching_stays_so_and_unrated_when_it_is_resumed(
    tmp_path: Path,
) -> None:
    app = make_app(tmp_path, taught(EUCHRE))
    async with app.run_test(size=(80, 24)) as pilot:
        await weighed(pilot, app)
        await press_choice(pilot, app, "Pass")
        await pilot.press("enter")
        loop = table_of(app).loop
        assert loop is not None
        await wait_until(pilot, lambda: len(loop.actions) > 0)
        await pilot.press("ctrl+q")
    (journal,) = (tmp_path / "games").glob("*.jsonl")
    recorded = read_journal(journal)
    assert recorded.setup.teaching
    assert recorded.past.unrated
    again = make_app(tmp_path)
    async with again.run_test(size=(80, 24)) as pilot:
        again.post_message(ResumeMatch(journal))
        await to_question(pilot, again)
        assert moment_of(again).teaching
        assert moment_of(again).unrated


async def test_matches_of_newcomers_have_teaching_and_rated_ones_do_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for finished in (0, FIRST_MATCHES):
        home = tmp_path / str(finished)
        home.mkdir()
        history = History(home / "history.db")
        for _ in range(finished):
            history.add_match(_finished())
        app = make_app(home, EUCHRE, teaching="first")
        async with app.run_test(size=(80, 24)) as pilot:
            await to_question(pilot, app)
            assert moment_of(app).unrated == (finished == 0)
            notes = [each.message for each in app._notifications]
            assert any("unrated" in note for note in notes) == (finished == 0)


def _finished() -> MatchRecord:
    seats = (
        SeatRecord("You", "you", 0, 1.0),
        SeatRecord("West", "hard", 1, 0.0),
        SeatRecord("East", "hard", 1, 0.0),
    )
    when = "2026-11-16T12:00:00+00:00"
    return MatchRecord("euchre", {"players": 3}, 1, seats, (10.0, 4.0), 9, when, when)


async def test_two_persons_never_see_the_others_question(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The sentence is gone when the keyboard is passed on, and it is about one's own cards."""
    seats: list[int] = []
    weigh = Adviser.weigh

    def watch(adviser: Adviser, view: Any, legal: list[int], number: int) -> Thought:
        seats.append(view.seat)
        return weigh(adviser, view, legal, number)

    monkeypatch.setattr(Adviser, "weigh", watch)
    plan = plan_table("truco", ["you", "you"], delay=0.0, seed=4)
    app = make_app(tmp_path, taught(plan))
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("enter")
        await to_question(pilot, app)
        await weighed(pilot, app)
        assert set(seats) == {moment_of(app).asked}
        assert moment_of(app).advice is None
        first = moment_of(app).asked
        await pilot.press("1")
        await pilot.press("1")
        await wait_until(pilot, lambda: moment_of_or_none(app) != first)
        assert ASK_AGAIN not in text_of(app)


def moment_of_or_none(app: KibitzApp) -> int:
    from app.ui.screens.table import TableScreen

    tables = [screen for screen in app.screen_stack if isinstance(screen, TableScreen)]
    return tables[0].moment.view.seat if tables and tables[0].moment else NOBODY


@pytest.mark.parametrize("flag", ["--teach", "--no-teach"])
def test_the_command_line_chooses(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, flag: str
) -> None:
    from app.commands.parser import run_command

    opened: list[TablePlan] = []

    def open_app(*_: object, plan: TablePlan, **__: object) -> int:
        opened.append(plan)
        return 0

    monkeypatch.setattr("app.commands.play.open_app", open_app)
    run_command(["play", "euchre", flag, "--home", str(tmp_path)])
    assert opened[0].teaching == ("always" if flag == "--teach" else "never")


Compare = Callable[[KibitzApp, str], None]


async def test_pictures(tmp_path: Path, same_picture: Compare) -> None:
    for width, height in ((80, 24), (120, 40)):
        app = make_app(tmp_path / str(width), taught(EUCHRE))
        async with app.run_test(size=(width, height)) as pilot:
            await weighed(pilot, app)
            app.clear_notifications()
            await press_choice(pilot, app, "Pass")
            await _asked_again(pilot, app)
            same_picture(app, f"teaching-{width}x{height}")
