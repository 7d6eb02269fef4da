"""The Notty table: marks and groups, exchanges, full hands, a whole match, sentences."""

import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot

from app.match.moment import NOBODY
from app.match.seating import Seating, TablePlan, plan_table
from app.ui.app import KibitzApp
from app.ui.tables.notty import NottyTable
from app.ui.widgets.choices import Choices
from app.ui.widgets.felt import Felt
from app.ui.widgets.hand import Hand
from engine import GAMES
from engine.game import Event
from engine.games.notty import GROUPS, HAND_LIMIT, PACK, NottyState
from tests.app.driving import (
    Arrange,
    at_table,
    click_card,
    click_on,
    in_windows,
    is_over,
    make_app,
    moment_of,
    place_of,
    prompt_of,
    table_of,
    text_of,
    to_question,
    wait_until,
)
from tests.quick import quick_with

Stack = Callable[..., None]


@pytest.fixture
def stack(arrange: Arrange) -> Stack:
    """Fixes the deck of the next table: four cards for each seat, then the cards to draw."""

    def fix(codes: str, cards_each: int = 4) -> None:
        def dealt(plan: TablePlan) -> NottyState:
            state = GAMES["notty"].new(seed=1, deck=codes.split(), first=0, **plan.options)
            assert isinstance(state, NottyState)
            for seat in range(state.seats):
                while state.sizes[seat] < cards_each:
                    state.receive(seat, state.deck.pop())
            return state

        arrange(dealt)

    return fix


def notty(seats: Sequence[str] = ("you", "random"), turn_limit: int = 300) -> TablePlan:
    options = {"players": len(seats), "turn_limit": turn_limit}
    return plan_table("notty", seats, options, delay=0.0, seed=5)


def held(app: KibitzApp) -> list[str]:
    return [card.face.code for card in table_of(app).cards()]


def marked(app: KibitzApp) -> list[str]:
    return [PACK.codes[card] for card in table_of(app).marked_cards()]


class Keyboard:
    """A person who uses keys."""

    keys = {
        "Draw 1": "a", "Draw 2": "b", "Draw 3": "c", "Exchange": "x", "Group": "g",
        "Discard": "enter", "Pass": "p", "Again": "d",
    }  # fmt: skip

    def __init__(self, pilot: Pilot[Any], app: KibitzApp) -> None:
        self.pilot, self.app = pilot, app

    async def choose(self, text: str) -> None:
        await self.pilot.press(self.keys[text])

    async def pick(self, code: str) -> None:
        await self.pilot.press(str(place_of(self.app, code) + 1))


class Mouse(Keyboard):
    """A person who clicks."""

    async def choose(self, text: str) -> None:
        await click_on(self.pilot, self.app, text)

    async def pick(self, code: str) -> None:
        await click_card(self.pilot, self.app, place_of(self.app, code))


async def play_a_turn(person: Keyboard) -> None:
    """Draw three, exchange the first card, discard groups while there are some, pass."""
    app, pilot = person.app, person.pilot

    async def choices() -> list[str]:
        await to_question(pilot, app)
        return [choice.text for choice in table_of(app).choices()]

    await person.choose("Draw 3")
    await to_question(pilot, app)
    await person.choose("Exchange")
    await to_question(pilot, app)
    await person.pick(held(app)[0])
    while "Group" in await choices():
        await person.choose("Group")
        await pilot.pause()
        await person.choose("Discard")
    if not is_over(app):
        await person.choose("Pass")


@pytest.mark.slow
async def test_whole_match_to_the_turn_limit(tmp_path: Path) -> None:
    app = make_app(tmp_path, notty(("you", "random", "random"), turn_limit=9))
    async with app.run_test(size=(80, 24)) as pilot:
        person = Keyboard(pilot, app)
        await to_question(pilot, app)
        while not is_over(app):
            turns = len([line for line in moment_of(app).log if line == "You pass."])
            assert f"turn {turns * 3 + 1} of 9" in text_of(app)
            await play_a_turn(person)
            await to_question(pilot, app)
        ending = moment_of(app).ending
        assert ending is not None
        assert "The 9 turns are over, the fewest cards win: You have" in ending.sentence
        assert "the match" in ending.sentence or "share the win" in ending.sentence
        first = table_of(app)
        assert first.moment is not None
        assert first.moment.log[0] == "4 cards each, all face up. You begin."
        await person.choose("Again")
        await wait_until(pilot, lambda: at_table(app) and table_of(app) is not first)
        assert moment_of(app).log[0] == "4 cards each, all face up. West begins."


@pytest.mark.parametrize("person_with", quick_with([Keyboard, Mouse], Keyboard))
async def test_getting_out(tmp_path: Path, stack: Stack, person_with: type[Keyboard]) -> None:
    stack("R1 R2 K7 K8  G1 G3 B5 B8  R3 K9")
    app = make_app(tmp_path, notty())
    async with app.run_test(size=(80, 24)) as pilot:
        person = person_with(pilot, app)
        await to_question(pilot, app)
        await person.choose("Draw 2")
        await to_question(pilot, app)
        assert held(app) == ["R1", "R2", "R3", "K7", "K8", "K9"]
        assert "You drew R3 K9." in text_of(app)
        for code in ("K9", "K7", "K8"):
            await person.pick(code)
        await pilot.pause()
        assert prompt_of(app) == "Enter discards the black run 7–9."
        await person.choose("Discard")
        await to_question(pilot, app)
        await person.choose("Group")
        await pilot.pause()
        assert marked(app) == ["R1", "R2", "R3"]
        await person.choose("Discard")
        await wait_until(pilot, lambda: is_over(app))
        await pilot.pause()
        assert "You have no cards left. You win the match." in text_of(app)
        assert "You: 0  North: 4 cards" in text_of(app)
        assert held(app) == []


async def test_player_whose_last_card_is_stolen_wins(tmp_path: Path, stack: Stack) -> None:
    stack("R1 R2 R3 K8  G1 G3 B5 B8")
    app = make_app(tmp_path, notty(("you", "you")))
    async with app.run_test(size=(80, 24)) as pilot:
        for key in ("g", "enter", "p", "t"):
            await to_question(pilot, app)
            await pilot.press(key)
        await wait_until(pilot, lambda: is_over(app))
        await pilot.pause()
        assert "Player 1 has no cards left. Player 1 wins the match." in text_of(app)
        assert moment_of(app).log[-3] == "Player 2 steals the black 8 from Player 1."


async def test_marks_are_set_and_removed_by_key_arrow_and_click(
    tmp_path: Path, stack: Stack
) -> None:
    stack("R1 R2 K7 K8  G1 G3 B5 B8")
    app = make_app(tmp_path, notty())
    async with app.run_test(size=(80, 24)) as pilot:
        asked = await to_question(pilot, app)
        await pilot.press("1", "3")
        assert marked(app) == ["R1", "K7"]
        await pilot.press("right", "right", "space")
        assert marked(app) == ["R1", "R2", "K7"]
        await pilot.press("space", "1")
        assert marked(app) == ["K7"]
        await Mouse(pilot, app).pick("K8")
        await Mouse(pilot, app).pick("K7")
        await pilot.pause()
        assert marked(app) == ["K8"]
        assert moment_of(app) == asked


async def test_marked_cards_that_form_no_group_are_refused(tmp_path: Path, stack: Stack) -> None:
    stack("R3 R4 R5 R5  G1 G3 B5 B8")
    app = make_app(tmp_path, notty())
    async with app.run_test(size=(80, 24)) as pilot:
        asked = await to_question(pilot, app)
        assert prompt_of(app) == (
            "You may draw, steal, exchange or discard a group; pass ends your turn."
        )
        await pilot.press("1", "2", "enter")
        assert prompt_of(app) == (
            "A run is three or more consecutive numbers of one colour, "
            "a set four or five different colours of one number."
        )
        await pilot.press("3", "4", "enter")
        assert prompt_of(app) == "A group holds no card twice."
        assert moment_of(app) == asked
        await pilot.press("3")
        assert prompt_of(app) == "Enter discards the red run 3–5."
        await pilot.press("enter")
        await wait_until(pilot, lambda: held(app) == ["R5"])


async def test_g_cycles_through_groups_largest_first(tmp_path: Path, stack: Stack) -> None:
    stack("R3 R4 R5 R6  G1 G3 B5 B8")
    app = make_app(tmp_path, notty())
    async with app.run_test(size=(80, 24)) as pilot:
        await to_question(pilot, app)
        seen = []
        for _ in range(4):
            await pilot.press("g")
            seen.append(" ".join(marked(app)))
        assert seen == ["R3 R4 R5 R6", "R3 R4 R5", "R4 R5 R6", "R3 R4 R5 R6"]


async def test_without_a_group_the_g_key_explains(tmp_path: Path, stack: Stack) -> None:
    stack("R1 R2 K7 K8  G1 G3 B5 B8")
    app = make_app(tmp_path, notty())
    async with app.run_test(size=(80, 24)) as pilot:
        await to_question(pilot, app)
        await pilot.press("g")
        assert prompt_of(app) == "You hold no group."
        texts = [choice.text for choice in table_of(app).choices()]
        assert texts == ["Draw 1", "Draw 2", "Draw 3", "Steal from North", "Exchange", "Pass"]


async def test_exchange_asks_for_exactly_one_card(tmp_path: Path, stack: Stack) -> None:
    stack("R1 R2 K7 K8  G1 G3 B5 B8  Y4")
    app = make_app(tmp_path, notty())
    async with app.run_test(size=(80, 24)) as pilot:
        await to_question(pilot, app)
        await pilot.press("x")
        asked = await to_question(pilot, app)
        assert prompt_of(app).startswith("Choose the card to discard in exchange")
        assert "You drew Y4 in exchange." in text_of(app)
        await pilot.press("p")
        assert prompt_of(app) == "First discard a card to complete the exchange."
        await pilot.press("right", "space", "right", "space", "enter")
        assert prompt_of(app) == "An exchange discards exactly one card."
        assert moment_of(app) == asked
        await pilot.press("space", "enter")
        await wait_until(pilot, lambda: held(app) == ["R2", "Y4", "K7", "K8"])
        await to_question(pilot, app)
        assert "Your turn: draw open · steal open · exchange used" in text_of(app)
        await pilot.press("x")
        assert prompt_of(app) == "You have already exchanged a card in this turn."
        assert list(moment_of(app).log)[-2:] == [
            "You draw the yellow 4 to exchange a card.",
            "You discard the red 1 in exchange.",
        ]


async def test_used_up_moves_are_explained(tmp_path: Path, stack: Stack) -> None:
    stack("R1 R2 K7 K8  G1 G3 B5 B8  Y4")
    app = make_app(tmp_path, notty())
    async with app.run_test(size=(80, 24)) as pilot:
        await to_question(pilot, app)
        await pilot.press("y")
        assert prompt_of(app) == "There is only one other player here."
        for key, used in (("a", "drawn"), ("t", "stolen")):
            await pilot.press(key)
            await wait_until(pilot, lambda key=key: bool(moment_of(app).events))
            await to_question(pilot, app)
            await pilot.press(key)
            assert prompt_of(app) == f"You have already {used} in this turn."
        assert "Your turn: draw used · steal used · exchange open" in text_of(app)


async def test_number_without_a_card_does_nothing(tmp_path: Path, stack: Stack) -> None:
    stack("R1 R2 K7 K8  G1 G3 B5 B8")
    app = make_app(tmp_path, notty())
    async with app.run_test(size=(80, 24)) as pilot:
        asked = await to_question(pilot, app)
        await pilot.press("5", "6", "0")
        await pilot.pause()
        assert moment_of(app) == asked
        assert marked(app) == []


async def test_arrows_reach_the_choices_while_cards_are_marked(
    tmp_path: Path, stack: Stack
) -> None:
    stack("R1 R2 K7 K8  G1 G3 B5 B8  Y4")
    app = make_app(tmp_path, notty())
    async with app.run_test(size=(80, 24)) as pilot:
        await to_question(pilot, app)
        await pilot.press("1", *["right"] * 5, "enter")
        await wait_until(pilot, lambda: held(app) == ["R1", "R2", "Y4", "K7", "K8"])


@pytest.mark.parametrize(("key", "colour"), [("t", "G"), ("y", "B")])
async def test_each_neighbour_has_a_key_at_a_table_of_three(
    tmp_path: Path, stack: Stack, key: str, colour: str
) -> None:
    stack("R1 R2 K7 K8  G1 G3 G5 G7  B1 B3 B5 B7")
    app = make_app(tmp_path, notty(("you", "random", "random")))
    async with app.run_test(size=(80, 24)) as pilot:
        await to_question(pilot, app)
        assert "t Steal from West" in text_of(app)
        assert "y Steal from East" in text_of(app)
        await pilot.press(key)
        await wait_until(pilot, lambda: len(held(app)) == 5)
        assert any(code.startswith(colour) for code in held(app))


@pytest.mark.parametrize("ascii_only", [False, True])
async def test_three_full_hands_fit(tmp_path: Path, stack: Stack, ascii_only: bool) -> None:
    stack("", cards_each=HAND_LIMIT)
    app = make_app(tmp_path, notty(("you", "random", "random")), ascii_only)
    async with app.run_test(size=(60, 20) if ascii_only else (80, 24)) as pilot:
        await to_question(pilot, app)
        text = text_of(app)
        plan, _ = table_of(app).query_one(Felt).plan()
        assert [len(spot.cards) for spot in plan.seats] == [HAND_LIMIT, HAND_LIMIT]
        for words in (
            "turn 1 of 300", "deck 30 cards", "West", "East",
            "draw full", "exchange open", "x Exchange", "p Pass", "Space Mark", "g Group",
        ):  # fmt: skip
            assert words in text
        assert f"{HAND_LIMIT} " in text
        await pilot.press("a")
        assert prompt_of(app) == "A hand holds at most 20 cards."
        await Mouse(pilot, app).pick(held(app)[-1])
        await pilot.pause()
        assert marked(app) == [held(app)[-1]]


@pytest.mark.parametrize("cards_each", quick_with([9, 12], 9))
async def test_fullest_bar_and_every_card_fit(
    tmp_path: Path, stack: Stack, cards_each: int
) -> None:
    stack("R3 R4 R5 R6", cards_each=cards_each)
    app = make_app(tmp_path, notty(("you", "random", "random")))
    async with app.run_test(size=(60, 20)) as pilot:
        await to_question(pilot, app)
        screen = table_of(app)
        async for _, height in in_windows(pilot, [(60, 20), (80, 24)]):
            for widget in (screen.query_one(Hand), screen.query_one(Choices)):
                assert widget.region.bottom < height
                assert widget.region in screen.query_one("#table").region
            assert "p Pass" in text_of(app)
            assert "Your turn: draw open" in text_of(app)
            await Mouse(pilot, app).pick(held(app)[-1])
            await pilot.pause()
            assert marked(app) == [held(app)[-1]]
            await Mouse(pilot, app).pick(held(app)[-1])


async def test_two_persons_play_without_a_cover(tmp_path: Path, stack: Stack) -> None:
    stack("R1 R2 K7 K8  G1 G3 B5 B8")
    app = make_app(tmp_path, notty(("you", "you")))
    async with app.run_test(size=(80, 24)) as pilot:
        await to_question(pilot, app)
        await pilot.press("p")
        await wait_until(pilot, lambda: moment_of(app).asked == 1)
        await pilot.pause()
        assert held(app) == ["G1", "G3", "B5", "B8"]
        assert [face.code for face in table_of(app).query_one(Felt).pictures[0].cards] == [
            "R1", "R2", "K7", "K8",
        ]  # fmt: skip
        assert prompt_of(app).startswith("Player 2, you may draw")


async def test_watched_match_ends_at_the_turn_limit(tmp_path: Path) -> None:
    options = {"turn_limit": 8}
    plan = plan_table("notty", ["random"] * 2, options, 0.0, seed=3, watch=True, matches=1)
    app = make_app(tmp_path, plan)
    async with app.run_test(size=(120, 40)) as pilot:
        await wait_until(pilot, lambda: is_over(app))
        await pilot.press("s")
        await pilot.pause()
        moment = moment_of(app)
        assert moment.asked == NOBODY
        hands = [len(hand) for hand in moment.view.hands]
        text = text_of(app)
        assert "The 8 turns are over" in text
        for name, count in zip(("South", "North"), hands, strict=True):
            assert re.search(rf"{name}\s+{count} card", text)
        assert "▸" not in text


def test_every_key_of_the_game_has_its_own_id() -> None:
    ids = [binding.id for binding in NottyTable.bindings]
    keys = [binding.key for binding in NottyTable.bindings]
    assert all(ids)
    assert len(set(ids)) == len(ids)
    assert len(set(keys)) == len(keys)


@pytest.mark.parametrize(
    ("event", "sentence"),
    [
        (Event("draw", 0, cards=(0,)), "You draw the red 1."),
        (
            Event("draw", 1, cards=(0, 9, 44)),
            "West draws the red 1, the green 1 and the black 9.",
        ),
        (Event("steal", 1, other=0, cards=(18,)), "West steals the yellow 1 from you."),
        (Event("turn", 2), ""),
        (Event("hand", points=(0.0, 0.0, 1.0), note="out"), "East has no cards left."),
        (
            Event("hand", points=(0.5, 0.5, 0.0), note="turn limit"),
            "The 300 turns are over, the fewest cards win: "
            "You have 4 cards, West has 4 cards and East has 4 cards.",
        ),
        (Event("match", points=(0.5, 0.5, 0.0)), "You and West share the win."),
        (Event("match", points=(0.0, 0.0, 1.0)), "East wins the match."),
    ],
)
def test_log_lines_of_events(event: Event, sentence: str) -> None:
    table = NottyTable(GAMES["notty"], Seating.of(notty(("you", "hard", "hard"))))
    view = GAMES["notty"].new(seed=1, players=3).view(0)
    assert table.tell_event(view, event) == sentence


@pytest.mark.parametrize(
    ("label", "sentence"),
    [
        ("pass", "West passes."),
        ("draw 2", ""),
        ("discard K4", "West discards the black 4 in exchange."),
        ("group G2 G3 G4 G5", "West discards the green run 2–5."),
        ("group R7 G7 B7 K7", "West discards the set of 7s in red, green, blue and black."),
    ],
)
def test_log_lines_of_actions(label: str, sentence: str) -> None:
    table = NottyTable(GAMES["notty"], Seating.of(notty(("you", "hard", "hard"))))
    state = GAMES["notty"].new(seed=1, players=3)
    assert table.tell_action(state.view(0), 1, state.parse(label)) == sentence


async def test_pictures(
    tmp_path: Path, stack: Stack, same_picture: Callable[[KibitzApp, str], None]
) -> None:
    sizes = [(60, 20), (80, 24), (120, 40)]
    stack("R3 R4 R5 K8  G1 G3 Y5 B8  B1 B2 Y7 K1  R6 Y2 K3")
    app = make_app(tmp_path, notty(("you", "you", "you")))
    async with app.run_test(size=sizes[0]) as pilot:
        for key in ("p", "c", "p", "x", "1", "p"):
            await to_question(pilot, app)
            await pilot.press(key)
        await wait_until(pilot, lambda: moment_of(app).asked == 0)
        await pilot.press("g")
        async for width, height in in_windows(pilot, sizes):
            same_picture(app, f"notty-{width}x{height}-group")
    stack("", cards_each=HAND_LIMIT)
    app = make_app(tmp_path, notty(("you", "random", "random")))
    async with app.run_test(size=sizes[0]) as pilot:
        await to_question(pilot, app)
        await pilot.press("right")
        async for width, height in in_windows(pilot, sizes):
            same_picture(app, f"notty-{width}x{height}-full")


def test_every_group_has_its_own_sentence() -> None:
    table = NottyTable(GAMES["notty"], Seating.of(notty()))
    state = GAMES["notty"].new(seed=1)
    told = {table.tell_action(state.view(0), 0, state.parse(label)) for label in _group_labels()}
    assert len(told) == len(GROUPS)


def _group_labels() -> list[str]:
    return ["group " + " ".join(PACK.codes[card] for card in cards) for cards in GROUPS]
