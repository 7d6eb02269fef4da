"""Home as a lobby: cards on the tiles, today's deal, waiting matches and a quiet match."""

from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot
from textual.screen import Screen

from app.match.dealing import daily_seed
from app.records.history import History, MatchRecord, SeatRecord
from app.records.personal_record import todays_results
from app.ui.app import KibitzApp
from app.ui.screens.quiet_match import QuietMatch
from app.ui.screens.watch import WatchScreen
from app.ui.widgets.game_tile import GameTile, QuietTile
from engine.manifest import GAME_ROWS
from tests.app.driving import at_table, make_app, table_of, text_of, wait_until
from tests.app.journals import recorded_match

DAY = date(2026, 11, 18)


def daily_match(game: str, won: float, day: date = DAY) -> MatchRecord:
    seats = (SeatRecord("You", "you", 0, won), SeatRecord("North", "hard", 1, 1 - won))
    when = f"{day.isoformat()}T10:00:00+00:00"
    return MatchRecord(game, {}, daily_seed(game, day), seats, (1, 0), 3, when, when, False)


def test_results_of_todays_deals() -> None:
    yesterday = daily_match("smear", 1.0, date(2026, 11, 17))
    matches = [daily_match("truco", 0.0), daily_match("truco", 1.0), yesterday]
    assert todays_results(matches, DAY) == {"truco": "lost"}


async def loaded(pilot: Pilot[Any], app: KibitzApp) -> None:
    """Wait until everything that Home loads later is shown."""
    await wait_until(pilot, lambda: "Easy leads" in text_of(app))
    await app.workers.wait_for_complete()
    await pilot.pause()


async def test_every_tile_shows_the_cards_of_its_game(tmp_path: Path) -> None:
    app = make_app(tmp_path)
    async with app.run_test(size=(120, 40)):
        for row in GAME_ROWS.values():
            tile = app.screen.query_one(f"#game-{row.name}", GameTile)
            shown = str(tile.render())
            assert row.cards
            assert all(card.rank in shown for card in tile._cards if card is not None)
            assert row.title in shown


async def test_todays_result_and_the_record_are_on_the_tile(tmp_path: Path) -> None:
    History(tmp_path / "history.db").add_match(daily_match("euchre", 1.0, datetime.now(UTC).date()))
    app = make_app(tmp_path)
    async with app.run_test(size=(120, 40)) as pilot:
        await wait_until(pilot, lambda: "today won" in text_of(app))
        assert "won 1 of 1" in text_of(app)
        assert "Daily Euchre: won today" in text_of(app)
        await pilot.press("right")
        await wait_until(pilot, lambda: "Daily Smear: not played yet" in text_of(app))


async def test_the_waiting_match_says_where_it_stands(tmp_path: Path) -> None:
    recorded_match(tmp_path, "truco", 12)
    app = make_app(tmp_path)
    async with app.run_test(size=(80, 24)) as pilot:
        await wait_until(pilot, lambda: "u Resume Truco: round 2, 3 : 1" in text_of(app))


def test_quiet_match_goes_on_for_ever() -> None:
    """It deals again after a match and never runs out of actions."""
    match = QuietMatch("truco", seed=7)
    seen = set()
    for _ in range(600):
        match.step()
        seen.add(match.picture().sentence)
    assert any("wins the match" in sentence or "match" in sentence for sentence in seen)


async def test_agents_play_on_their_tile_while_animations_are_on(tmp_path: Path) -> None:
    app = make_app(tmp_path)
    async with app.run_test(size=(120, 40)) as pilot:
        await loaded(pilot, app)
        home: Any = app.screen
        before = text_of(app)
        await home._go_on_quietly().wait()
        assert text_of(app) == before
        app.animation_level = "full"
        await home._go_on_quietly().wait()
        await pilot.pause()
        assert text_of(app) != before


async def test_enter_on_the_quiet_match_watches_that_game(tmp_path: Path) -> None:
    app = make_app(tmp_path)
    async with app.run_test(size=(120, 40)) as pilot:
        app.screen.query_one(QuietTile).focus()
        await pilot.press("enter")
        await wait_until(pilot, lambda: isinstance(app.screen, WatchScreen) and at_table(app))
        assert table_of(app).plan.game == "truco"


async def test_nothing_is_repainted_while_nothing_changes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    painted: list[object] = []
    display = KibitzApp._display

    def count(app: KibitzApp, screen: Screen[Any], renderable: Any) -> None:
        painted.append(renderable)
        display(app, screen, renderable)

    app = make_app(tmp_path)
    async with app.run_test(size=(200, 50)) as pilot:
        await loaded(pilot, app)
        monkeypatch.setattr(KibitzApp, "_display", count)
        home: Any = app.screen
        for _ in range(3):
            await home._go_on_quietly().wait()
            await pilot.pause(0.05)
        assert [each for each in painted if each is not None] == []


async def test_plain_characters_take_effect_when_home_is_shown_again(tmp_path: Path) -> None:
    app = make_app(tmp_path)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("comma")
        await wait_until(pilot, lambda: bool(app.screen.query("#ascii_cards")))
        app.screen.query_one("#ascii_cards").focus()
        await pilot.press("right", "escape")
        await wait_until(pilot, lambda: "[K][I][B][I][T][Z]" in text_of(app))
