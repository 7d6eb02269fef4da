"""No key changes its meaning within a game."""

import re
from collections import defaultdict
from pathlib import Path
from random import Random
from typing import Any

import pytest
from textual.binding import BindingsMap

from agents.storage.store import Store
from app.home.locations import Locations
from app.match.moment import Moment
from app.match.seating import plan_table
from app.ui.layout.pictures import Choice
from app.ui.screens.play import PlayScreen
from app.ui.screens.table_keys import TAKE_KEY
from app.ui.screens.watch import WatchScreen
from engine import GAMES
from engine.game import OVER, View
from tests.app.driving import (
    answer_by_keyboard,
    is_over,
    keys_by_id,
    make_app,
    moment_of,
    quick_with,
    table_of,
    to_question,
)
from tests.documents import ROOT

Meanings = dict[str, set[str]]

TABLES: dict[str, list[dict[str, Any]]] = {
    "euchre": [{}, {"players": 4}],
    "smear": [{}],
    "truco": [{"target": 10}],
    "fodinha": [{}, {"players": 6}],
    "notty": [{}, {"players": 3}],
}
SHORT: dict[str, dict[str, Any]] = {
    "truco": {"target": 6},
    "fodinha": {"lives": 2},
    "notty": {"turn_limit": 6},
}


def screen_of(game: str, home: Path, **options: Any) -> PlayScreen:
    screen = PlayScreen(plan_table(game, options=options), Store(Locations(home).qtables), False)
    screen._bindings = screen.bindings_with({})
    return screen


def note(meanings: Meanings, keys: dict[str, str], choice: Choice, view: View) -> None:
    """Add what the key of a choice does."""
    assert choice.key or choice.digit is not None, f"{choice.text} has no key of its own"
    key = keys[choice.key] if choice.digit is None else str(choice.digit)
    does = choice.command if choice.action is None else view.label(choice.action)
    meanings[key].add(does)


@pytest.mark.parametrize(
    ("game", "options"), [(game, options) for game in GAMES for options in TABLES[game]]
)
def test_choices_keep_their_keys_for_whole_matches(
    game: str, options: dict[str, Any], tmp_path: Path
) -> None:
    screen = screen_of(game, tmp_path, **options)
    keys, meanings = keys_by_id(screen), defaultdict[str, set[str]](set)
    for seed in range(6):
        state, rng = GAMES[game].new(seed=seed, **options), Random(seed)
        while state.turn != OVER:
            legal = state.legal()
            if state.turn == screen.seating.home:
                view = state.view(state.turn)
                moment = Moment(view, asked=state.turn, legal=tuple(legal))
                for choice in screen.table.choices(moment):
                    note(meanings, keys, choice, view)
            state.apply(rng.choice(legal))
    meanings.pop(keys[TAKE_KEY], None)  # Enter takes what is chosen, marked or recommended.
    assert all(len(each) == 1 for each in meanings.values()), dict(meanings)
    taken = [does for each in meanings.values() for does in each]
    assert len(taken) == len(set(taken)), "one choice has two keys"


@pytest.mark.parametrize("game", GAMES)
def test_every_key_of_a_table_has_one_binding(game: str, tmp_path: Path) -> None:
    used: dict[str, set[str]] = defaultdict(set)
    for key, binding in screen_of(game, tmp_path)._bindings:
        used[key].add(binding.action)
    assert {key: actions for key, actions in used.items() if len(actions) > 1} == {}


@pytest.mark.parametrize("game", GAMES)
def test_documented_keys(game: str, tmp_path: Path) -> None:
    """docs/keys.md has every key of every game, and no other."""
    page = (ROOT / "docs" / "keys.md").read_text(encoding="utf-8")
    title = game.capitalize()
    section = page.partition(f"\n## {title}\n")[2].partition("\n## ")[0]
    documented = {key for key in re.findall(r"`([^`]+)`", section) if key.isalpha()}
    own = {binding.key for binding in screen_of(game, tmp_path).table.bindings}
    own = {key for key in own if len(key) == 1 and not key.isdecimal()} - {"X"}
    assert {key for key in documented if len(key) == 1} == own


def test_every_key_of_a_watched_table_has_one_binding() -> None:
    used: dict[str, set[str]] = defaultdict(set)
    for key, binding in BindingsMap(WatchScreen.BINDINGS):
        used[key].add(binding.action)
    assert {key: actions for key, actions in used.items() if len(actions) > 1} == {}


@pytest.mark.parametrize("game", quick_with(GAMES, "truco"))
async def test_keys_of_a_match_that_is_played(game: str, tmp_path: Path) -> None:
    """Includes the choices at the end of hands and of the match."""
    plan = plan_table(game, options=SHORT.get(game, {}), delay=0.0, seed=5)
    app = make_app(tmp_path, plan)
    async with app.run_test(size=(80, 24)) as pilot:
        meanings = defaultdict[str, set[str]](set)
        await to_question(pilot, app)
        table = table_of(app)
        keys = keys_by_id(table)
        while True:
            for choice in table.choices():
                note(meanings, keys, choice, moment_of(app).view)
            if is_over(app):
                break
            if game == "notty":
                await pilot.press("p")
            else:
                await answer_by_keyboard(pilot, app)
            await to_question(pilot, app)
        meanings.pop(keys[TAKE_KEY], None)
        assert all(len(each) == 1 for each in meanings.values()), dict(meanings)
        assert {"again", "new", "watch", "review", "home"} <= set().union(*meanings.values())
