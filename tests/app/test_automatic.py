"""Moves that are made for a person: the only legal card, and hands that are decided."""

from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from app.match.automatic import is_decided, plays_only
from app.match.moment import NOBODY
from app.match.seating import plan_table
from app.ui.app import KibitzApp
from engine import GAMES
from engine.game import OVER, State
from engine.games.euchre import GAME as EUCHRE
from tests.app.driving import (
    answer_first,
    is_over,
    make_app,
    moment_of,
    table_of,
    to_question,
    wait_until,
)

SEATS = ["you", "random", "random"]


def results(state: State, rng: Random, tries: int) -> set[tuple[float, ...]]:
    """The points of the hand after random moves to its end."""
    found = set()
    for _ in range(tries):
        world = state.clone()
        world.deals_on = False
        while world.turn != OVER and world.hand_no == state.hand_no:
            world.apply(rng.choice(world.legal()))
        found.add(tuple(world.hand_returns()))
    return found


@pytest.mark.parametrize("game", ["euchre", "smear", "fodinha"])
@pytest.mark.slow
def test_decided_hands_have_one_result(game: str) -> None:
    decided = 0
    for seed in range(12):
        rng, state = Random(seed), GAMES[game].new(seed=seed)
        while state.turn != OVER and state.hand_no < 4:
            if plays_only(state) and len(state.legal()) > 1 and is_decided(state):
                decided += 1
                assert len(results(state, rng, 10)) == 1
            state.apply(rng.choice(state.legal()))
    assert decided


def test_open_hand_is_not_decided() -> None:
    state = EUCHRE.new(seed=1)
    while not plays_only(state):
        state.apply(state.legal()[-1])
    assert len(results(state, Random(1), 50)) > 1
    assert not is_decided(state)


def test_moves_are_not_made_while_a_bid_is_possible() -> None:
    truco = GAMES["truco"].new(seed=1)
    assert not plays_only(truco)


def app_with(home: Path, only_card: bool = False, decided: bool = False) -> KibitzApp:
    app = make_app(home, plan_table("euchre", SEATS, delay=0.0, seed=7))
    app.settings = replace(app.settings, play_only_card=only_card, claim_decided=decided)
    return app


async def questions(app: KibitzApp, hands: int) -> tuple[list[tuple[int, ...]], int]:
    """The legal moves of every question about a card, and the number of actions."""
    asked = []
    async with app.run_test(size=(80, 24)) as pilot:
        while not is_over(app):
            moment = await to_question(pilot, app)
            loop = table_of(app).loop
            assert loop is not None
            if moment.view.hand_no > hands:
                break
            if moment.asked != NOBODY and plays_only(loop.match.state):
                asked.append(moment.legal)
            answer_first(app)
            await wait_until(pilot, lambda old=moment: is_over(app) or moment_of(app) is not old)
        loop = table_of(app).loop
        assert loop is not None
        return asked, len(loop.actions)


async def test_only_card_is_played(tmp_path: Path) -> None:
    asked, actions = await questions(app_with(tmp_path / "off"), 2)
    assert any(len(legal) == 1 for legal in asked)
    fewer, same = await questions(app_with(tmp_path / "on", only_card=True), 2)
    assert fewer == [legal for legal in asked if len(legal) > 1]
    assert same == actions


@pytest.mark.slow
async def test_decided_hand_is_played_out(tmp_path: Path) -> None:
    asked, actions = await questions(app_with(tmp_path / "off"), 3)
    fewer, same = await questions(app_with(tmp_path / "on", decided=True), 3)
    assert 0 < len(fewer) < len(asked)
    assert same == actions


async def test_undo_asks_for_a_card_that_was_played_automatically(tmp_path: Path) -> None:
    app = app_with(tmp_path, only_card=True)
    async with app.run_test(size=(80, 24)) as pilot:
        await to_question(pilot, app)
        while moment_of(app).ending is None:
            answer_first(app)
            await to_question(pilot, app)
        await pilot.press("u")
        asked = await to_question(pilot, app)
        assert asked.ending is None
        assert len(asked.legal) == 1
        await pilot.press("1")
        assert (await to_question(pilot, app)).ending is not None
