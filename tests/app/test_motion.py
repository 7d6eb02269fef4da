"""Cards that move: where they come from, where they go, and what stops them."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from textual.app import App, ComposeResult
from textual.screen import Screen

from app.match.seating import plan_table
from app.ui.app import KibitzApp
from app.ui.layout.faces import french_face
from app.ui.layout.motion import Motion, Scene, motion_between
from app.ui.layout.pictures import Laid, SeatPicture, Tally
from app.ui.widgets.felt import Felt, plan_felt
from app.ui.widgets.hand import Hand
from tests.app.driving import at_table, is_asked, make_app, quick_with, table_of, wait_until

SEATS = [SeatPicture(name, backs=5) for name in ("West", "North", "East")]
PLACES = ("left", "top", "right", "bottom")
EMPTY = [Laid(place, None, place) for place in PLACES]
TRICK = [
    Laid(place, french_face(code), place)
    for place, code in zip(PLACES, ("9H", "KH", "AH", "10H"), strict=True)
]


def scene(laid: list[Laid]) -> Scene:
    return Scene(plan_felt(80, 20, SEATS, laid), laid, 80, 20)


def with_card(place: str) -> list[Laid]:
    return [
        card if card.place == place else empty for card, empty in zip(TRICK, EMPTY, strict=True)
    ]


def motion(before: list[Laid], now: list[Laid]) -> Motion:
    return motion_between(scene(before), scene(now))


@pytest.mark.parametrize(("place", "seat"), [("left", 0), ("top", 1), ("right", 2)])
def test_card_comes_from_its_player(place: str, seat: int) -> None:
    now = scene(with_card(place))
    number = PLACES.index(place)
    flight = motion(EMPTY, with_card(place)).played[number]
    spot = now.plan.seats[seat].box
    x, y = flight.at(0)
    assert spot.x - 7 <= x <= spot.right
    assert spot.y - 5 <= y <= spot.bottom
    assert flight.at(1) == now.plan.laid[number][:2]


def test_own_card_comes_from_below() -> None:
    flight = motion(EMPTY, with_card("bottom")).played[3]
    assert flight.start[1] == 20


def test_trick_goes_to_its_winner_before_the_next_card_comes() -> None:
    won = [replace(card, bright=card.place == "right") for card in TRICK]
    moved = motion(won, [*EMPTY[:2], replace(TRICK[2], face=french_face("9C")), EMPTY[3]])
    assert len(moved.swept) == 4
    assert len({flight.end for flight in moved.swept}) == 1
    assert moved.swept[0].end == moved.played[2].start
    assert all(flight.last <= moved.played[2].first for flight in moved.swept)


def test_nothing_moves_if_nothing_was_played() -> None:
    assert not motion(EMPTY, EMPTY)
    assert not motion(TRICK, TRICK)
    assert not motion(TRICK, EMPTY), "nobody took the trick, so it just disappears"


def test_up_card_is_turned_over() -> None:
    up_card = [Laid("centre", french_face("JS"))]
    assert motion([], up_card).turned == {0}


@pytest.mark.parametrize(
    "game", quick_with(["euchre", "smear", "truco", "fodinha", "notty"], "smear")
)
async def test_table_is_not_repainted_while_it_waits(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, game: str
) -> None:
    """With animations, after the deal has ended."""
    painted: list[object] = []
    display = KibitzApp._display

    def count(app: KibitzApp, screen: Screen[Any], renderable: Any) -> None:
        painted.append(renderable)
        display(app, screen, renderable)

    app = make_app(tmp_path, plan_table(game, delay=1.0, seed=5))
    app.settings = replace(app.settings, animations=True)
    async with app.run_test(size=(200, 50)) as pilot:
        await wait_until(pilot, lambda: at_table(app) and is_asked(app))
        felt, hand = app.screen.query_one(Felt), app.screen.query_one(Hand)
        assert app.animation_level != "none"
        await wait_until(pilot, lambda: not (felt.moving or hand.moving))
        await pilot.pause(0.2)
        monkeypatch.setattr(KibitzApp, "_display", count)
        await pilot.pause(0.4)
        assert [each for each in painted if each is not None] == []


class Ground(App[None]):
    def compose(self) -> ComposeResult:
        yield Felt(ascii_only=False)


async def test_motion_ends_by_itself_and_at_once_on_request() -> None:
    app = Ground()
    async with app.run_test(size=(80, 20)) as pilot:
        felt = app.query_one(Felt)
        felt.show(SEATS, EMPTY, tallies=[Tally("We", 0, 10)])
        felt.show(SEATS, with_card("left"), tallies=[Tally("We", 2, 10)], moving=True)
        assert felt.moving
        await wait_until(pilot, lambda: not felt.moving)
        felt.show(SEATS, with_card("top"), moving=True)
        felt.finish()
        assert not felt.moving
        felt.show(SEATS, with_card("right"))
        assert not felt.moving


@pytest.mark.parametrize(
    ("delay", "animations", "ascii_only", "moves"),
    [(1.0, True, False, True), (0.0, True, False, False), (1.0, False, False, False),
     (1.0, True, True, False)],
)  # fmt: skip
async def test_a_key_completes_a_deal(
    tmp_path: Path, delay: float, animations: bool, ascii_only: bool, moves: bool
) -> None:
    plan = plan_table("euchre", ["you", "random", "random"], delay=delay, seed=5)
    app = make_app(tmp_path, plan, ascii_only=ascii_only)
    app.settings = replace(app.settings, animations=animations)
    async with app.run_test(size=(80, 24)) as pilot:
        await wait_until(pilot, lambda: at_table(app) and is_asked(app))
        screen = table_of(app)
        hand = screen.query_one(Hand)
        held, shown = list(hand.cards), screen.moment
        assert shown is not None
        hand.show([], asked=False, keys=())
        hand.show(held, asked=True, keys=(), moving=screen.moves_cards(shown))
        assert hand.moving == moves
        await pilot.press("f12")
        assert not hand.moving
