"""What the Fodinha table shows and says, and matches played at it."""

from collections.abc import Callable
from pathlib import Path
from typing import Any, cast

import pytest
from textual.pilot import Pilot
from textual.widgets import Static

from app.match.moment import NOBODY, Ending, HandResult, Moment
from app.match.seating import Seating, TablePlan, plan_table
from app.ui.app import KibitzApp
from app.ui.layout.faces import faces_of
from app.ui.screens.new_table import NewTableScreen
from app.ui.tables.fodinha import BACK, FodinhaTable
from app.ui.widgets.choices import Choices
from app.ui.widgets.cycle import Cycle
from app.ui.widgets.hand import Hand
from engine.game import Event
from engine.games.fodinha import (
    CALLING,
    PACK,
    PLAY_HIDDEN,
    PLAYING,
    TURNING,
    Fodinha,
    FodinhaState,
    FodinhaView,
)
from engine.games.fodinha import (
    GAME as FODINHA,
)
from tests.app.driving import (
    in_windows,
    is_over,
    make_app,
    moment_of,
    open_tab,
    table_of,
    text_of,
    to_question,
    wait_until,
)

FACES = faces_of(PACK)
# One card each from the left of the dealer, who is seat 0; then the cards that are turned.
ONE_CARD = ["5H", "5S", "9D", "KC", "7H", "QD", "2C"]


def seats(players: int) -> tuple[str, ...]:
    return ("you", *["random"] * (players - 1))


def table(players: int = 4) -> FodinhaTable:
    return FodinhaTable(FODINHA, Seating.of(TablePlan("fodinha", seats(players))))


def state_after(*labels: str, deck: list[str] | None = None, **options: Any) -> FodinhaState:
    chosen = {"range": 13, **options}
    state = FODINHA.new(seed=1, deck=deck or ONE_CARD, first=0, **chosen)
    for label in labels:
        state.apply(state.parse(label))
    return state


def asked(state: FodinhaState) -> Moment:
    return Moment(state.view(state.turn), asked=state.turn, legal=tuple(state.legal()))


def texts(players: int, moment: Moment) -> list[str]:
    return [choice.text for choice in table(players).choices(moment)]


# The power card


def test_the_dealer_is_asked_for_the_power_card_before_anyone_sees_a_card() -> None:
    moment = asked(state_after())
    assert table().prompt(moment) == (
        "Make eights power? Approve, or reject and turn another: "
        "2 more cards at most, and the last one counts."
    )
    assert texts(4, moment) == ["Approve eights", "Reject, turn another"]
    assert [card.face for card in table().hand(moment)] == [BACK]
    assert [seat.backs for seat in table().seats(moment)] == [1, 1, 1]
    assert [str(fact) for fact in table().facts(cast(FodinhaView, moment.view))] == [
        "candidate eights",
        "dealer You",
    ]


def test_rejected_cards_stay_on_the_table() -> None:
    state = state_after("reject")
    laid = table().felt(asked(state))
    assert [(card.face, card.caption, card.struck) for card in laid] == [
        (FACES[card_of("7H")], "rejected", True),
        (FACES[card_of("QD")], "candidate", False),
    ]
    assert "1 more card at most" in table().prompt(asked(state))
    state.apply(state.parse("reject"))
    assert state.phase == CALLING, "the last of the tries is forced"
    assert table().felt_lines(asked(state)) == ["The two of clubs was turned: threes are power."]
    assert str(table().facts(state.view(0))[0]) == "power threes"


# Calls


def test_the_call_that_the_dealer_may_not_make_stands_there_with_its_reason() -> None:
    state = state_after("approve", "call 0", "call 0", "call 0")
    moment = asked(state)
    barred = [(choice.text, choice.barred) for choice in table().choices(moment)]
    assert barred == [
        ("0", ""),
        ("1", "The dealer may not call 1: the calls would add up to 1."),
    ]
    assert table().prompt(moment) == (
        "Will you win the trick, 1 or 0? You see every card but your own. 0 called so far. "
        "As the dealer you may not call 1: the calls would add up to 1."
    )


def test_calls_stand_at_the_seats() -> None:
    state = state_after("approve", "call 1", "call 0")
    west, north, east = table().seats(asked(state))
    assert (west.note, west.brief) == ("5 lives, called 1", "5 lives, 0/1")
    assert north.note == "5 lives, called 0"
    assert east.note == "5 lives"
    assert "calls 1/1" in table().facts(state.view(0))


def test_more_than_nine_calls_are_all_offered() -> None:
    state = FODINHA.new(seed=1, players=2, range=13, tries=1, lives=99)
    state.size = 11
    state.deal(list(range(52)))
    assert texts(2, asked(state)) == [str(call) for call in range(12)]


# The blind round


def test_in_a_blind_round_you_see_every_card_but_your_own() -> None:
    state = state_after("approve", "call 0", "call 0", "call 0", "call 0", "play hidden")
    view = state.view(0)
    moment = Moment(view, asked=0, legal=(PLAY_HIDDEN,))
    (own,) = table().hand(moment)
    assert (own.face, own.action) == (BACK, PLAY_HIDDEN)
    assert [[face.code for face in seat.cards] for seat in table().seats(moment)] == [
        [],
        ["5S"],
        ["9D"],
    ]
    assert table().prompt(moment) == "Play your card without seeing it."


def test_open_hands_are_open_in_a_blind_round_too() -> None:
    state = state_after("approve")
    views = tuple(state.view(seat) for seat in range(4))
    moment = Moment(views[0], views)
    assert [card.face.code for card in table().hand(moment)] == ["KC"]
    assert [seat.cards[0].code for seat in table().seats(moment)] == ["5H", "5S", "9D"]


# Tricks

TWO_EACH = ["3H", "9S", "4H", "9D", "3D", "10C", "3C", "JC", "7H"]
"""For four players with two cards each: West, North, East, You; eights are power."""


def two_each(*labels: str) -> FodinhaState:
    state = state_after(tries=1, lives=9)
    state.size = 2
    order = [card_of(code) for code in TWO_EACH]
    state.deal(order + [card for card in range(52) if card not in order])
    for label in ("call 0", "call 1", "call 0", "call 0", *labels):
        state.apply(state.parse(label))
    return state


def test_cancelled_cards_are_struck_out_and_the_best_that_stands_is_named() -> None:
    state = two_each("play 9S", "play 9D", "play 10C")
    moment = asked(state)
    laid = {card.caption: card for card in table().felt(moment)}
    assert list(laid) == ["West leads", "North", "East", "You"]
    assert [caption for caption, card in laid.items() if card.struck] == ["West leads", "North"]
    assert table().prompt(moment) == "East's ten of clubs is winning. Play any card."
    assert [card.face.code for card in table().hand(moment)] == ["JC", "3C"]


def test_a_taken_trick_stays_until_the_next_lead() -> None:
    state = two_each("play 9S", "play 9D", "play 10C", "play 3C")
    moment = Moment(state.view(0))
    assert [card.caption for card in table().felt(moment) if card.bright] == ["East takes it"]
    assert table().last_trick(state.view(0)) == (
        "Last trick: West 9♠ void, North 9♦ void, East 10♣, You 3♣. East took it."
    )
    assert table().seats(moment)[2].note == "9 lives, won 1 of 0"


def test_a_cancelled_trick_is_carried() -> None:
    state = two_each("play 3H", "play 9D", "play 3D", "play 3C")
    assert state.carry == 0
    state = two_each("play 9S", "play 9D", "play 3D", "play 3C")
    moment = asked(state)
    assert all(card.struck for card in table().felt(moment))
    assert "this trick counts 2" in table().facts(state.view(0))
    assert table().last_trick(state.view(0)).endswith("Nobody took it.")
    state.apply(state.parse("play 3H"))
    assert table().prompt(asked(state)).endswith("Play any card. It counts 2.")


def test_a_crowded_table_stars_the_winner() -> None:
    state = FODINHA.new(seed=4, players=6, first=0, tries=1, blind_one=False)
    while state.phase != PLAYING or state.in_trick < 5:
        state.apply(state.legal()[0])
    before = Moment(state.view(0))
    captions = [card.caption for card in table(6).felt(before)]
    assert captions == ["Beto", "Caio", "Dora", "Edu", "Flora", "You"]
    state.record_events()
    last = (state.turn, state.legal()[0])
    state.apply(last[1])
    events = tuple(state.take_events())
    moment = Moment(before.view, last=last, events=events, ending=Ending("Over.", False))
    starred = [card.caption for card in table(6).felt(moment) if card.bright]
    winner = events[0].seat
    assert starred == ([f"*{table(6).seating.names[winner]}*"] if winner != NOBODY else [])


# Lives


def round_over(state: FodinhaState, points: tuple[int, ...], **after: Any) -> Moment:
    """The moment a round has ended, with the view after it changed as given."""
    before = state.view(0)
    view = state.view(0)
    for name, value in after.items():
        setattr(view, name, value)
    events = (Event("trick", 1, cards=(0, 1, 2, 3)), Event("hand", points=points))
    return Moment(
        before,
        last=(0, 0),
        events=events,
        ending=Ending(table().tell_event(view, events[1]), False),
        results=(HandResult(1, points, "", view),),
    )


def test_the_end_of_a_round_says_who_lost_what_and_why() -> None:
    moment = round_over(
        two_each(),
        (0, -1, -2, 0),
        hand_no=2,
        last_calls=(1, 1, 0, 0),
        last_wins=(1, 0, 2, 0),
        scores=(9, 8, 0, 9),
        out_in=(0, 0, 1, 0),
    )
    assert table().prompt(moment) == (
        "You won 1 of 1. Lives lost: West 1 (won 0 of 1), North 2 (won 2 of 0). North is out."
    )
    notes = [(seat.note, seat.brief) for seat in table().seats(moment)]
    assert notes == [
        ("won 0 of 1, lost 1", "0/1, lost 1"),
        ("won 2 of 0, out", "2/0, out"),
        ("won 0 of 0", "0/0"),
    ]


def test_a_round_may_cost_nobody_a_life() -> None:
    moment = round_over(two_each(), (0, 0, 0, 0), hand_no=2, last_calls=(0, 1, 0, 0))
    assert table().prompt(moment) == "You won 0 of 0. Nobody loses a life."


def test_own_wins_are_not_shown_while_the_last_card_may_change_them() -> None:
    state = two_each("play 9S", "play 9D", "play 10C", "play 3C", "play 3D", "play JC", "play 3H")
    assert not any("won" in str(fact) for fact in table().facts(state.view(0)))


def test_who_is_spared_is_said() -> None:
    moment = round_over(
        two_each(),
        (-9, -9, -10, -11),
        hand_no=2,
        scores=(1, 1, -1, -2),
        out_in=(0, 0, 1, 1),
    )
    assert (
        table().prompt(moment).endswith("Nobody would be left: You and West stay with 1 life each.")
    )


def test_players_who_are_out_are_marked() -> None:
    state = two_each()
    state.out_in[0] = state.out_in[1] = 3
    moment = Moment(state.view(0))
    west = table().seats(moment)[0]
    assert (west.note, west.brief, west.out) == ("out since round 3", "out", True)
    assert table().score_line(state.view(0)) == "You out  West out  North 9  East 9 lives"
    assert table().prompt(moment).startswith("You are out of the match.")


def test_the_score_sheet_has_calls_wins_and_lives_by_round() -> None:
    moment = round_over(
        two_each(),
        (0, -1, -2, 0),
        last_calls=(1, 1, 0, -1),
        last_wins=(1, 0, 2, 0),
        scores=(9, 8, 7, 0),
    )
    lines = str(table().score_sheet(moment)).splitlines()
    assert lines[0].split() == ["You", "West", "North", "East"]
    assert lines[1].split() == ["9", "8", "7", "0"]
    assert lines[-1].split() == ["1", "1/1", "9", "0/1", "8", "2/0", "7"]


def test_the_score_sheet_of_ten_is_no_wider_than_the_panel() -> None:
    state = FODINHA.new(seed=1, players=10)
    view = state.view(0)
    view.last_calls = tuple(range(10))
    result = HandResult(4, (0.0,) * 10, "", view)
    lines = str(table(10).score_sheet(Moment(view, results=(result,)))).splitlines()
    assert max(map(len, lines)) <= 36
    assert [line.split()[0] for line in lines if line.strip()] == [
        "Yo", "5", "round", "call", "won", "lives",
    ]  # fmt: skip
    assert lines[4].split() == ["call", *map(str, range(10))]


# Sentences


@pytest.mark.parametrize(
    ("label", "sentence"),
    [
        ("approve", "West approves: eights are power."),
        ("reject", "West rejects the eights."),
        ("call 3", "West calls 3."),
        ("play 9D", "West leads the nine of diamonds."),
        ("play hidden", "West turns over the hidden card."),
    ],
)
def test_actions_in_sentences(label: str, sentence: str) -> None:
    state = state_after()
    assert table().tell_action(state.view(0), 1, state.parse(label)) == sentence


def test_a_hidden_card_is_told_by_those_who_see_it() -> None:
    state = state_after("approve")
    assert table().tell_action(state.view(0), 1, PLAY_HIDDEN) == "West leads the five of hearts."
    assert table().tell_action(state.view(0), 0, PLAY_HIDDEN) == "You turn over the hidden card."


@pytest.mark.parametrize(
    ("event", "sentence"),
    [
        (
            Event("deal", 0),
            "Round 1, 1 card: You deal and turn the seven of hearts. Eights are candidates.",
        ),
        (Event("power", 0, cards=(1,)), ""),
        (Event("trick", 1, cards=(4, 17)), "West takes the trick 5♠ 5♥."),
        (
            Event("trick", NOBODY, cards=(4, 17), note="cancelled"),
            "Every card of the trick 5♠ 5♥ is cancelled: nobody takes it.",
        ),
        (Event("out", 0), ""),
        (Event("match", points=(0.0, 0.0, 1.0, 0.0)), "North wins the match."),
    ],
)
def test_events_in_sentences(event: Event, sentence: str) -> None:
    assert table().tell_event(state_after().view(0), event) == sentence


def test_further_turned_cards_in_sentences() -> None:
    power = Event("power", 0)
    assert table().tell_event(state_after("reject").view(0), power) == (
        "The queen of diamonds is turned. Kings are candidates."
    )
    assert table().tell_event(state_after("reject", "reject").view(0), power) == (
        "The two of clubs is turned, the last one. Threes are power."
    )


def card_of(code: str) -> int:
    return next(card for card, face in enumerate(FACES) if face.code == code)


# At the table


def plan(players: int = 4, seed: int = 5, **options: Any) -> TablePlan:
    return plan_table("fodinha", seats(players), {"players": players, **options}, 0.0, seed)


def view_of(app: KibitzApp) -> FodinhaView:
    return cast(FodinhaView, moment_of(app).view)


async def by_keyboard(pilot: Pilot[Any], app: KibitzApp) -> None:
    """Press the key of the first thing that can be chosen."""
    for number, card in enumerate(table_of(app).cards(), 1):
        if card.action is not None:
            await pilot.press(str(number % 10))
            return
    choices = enumerate(table_of(app).choices(), 1)
    number, choice = next((at, choice) for at, choice in choices if not choice.barred)
    await pilot.press(str(number if choice.digit is None else choice.digit))


async def by_mouse(pilot: Pilot[Any], app: KibitzApp) -> None:
    """Click on the first thing that can be chosen."""
    hand, bar = app.screen.query_one(Hand), app.screen.query_one(Choices)
    for place, card in enumerate(table_of(app).cards()):
        if card.action is not None:
            await pilot.click(Hand, offset=hand.middle_of(place))
            return
    choices = enumerate(table_of(app).choices())
    index = next(at for at, choice in choices if not choice.barred)
    await pilot.click(Choices, offset=bar.middle_of(index))


Answer = Callable[[Pilot[Any], KibitzApp], Any]


async def play_until(
    pilot: Pilot[Any], app: KibitzApp, reached: Callable[[], bool], answer: Answer = by_keyboard
) -> None:
    await to_question(pilot, app)
    while not reached():
        assert not is_over(app), "the match ended before it was reached"
        await answer(pilot, app)
        await to_question(pilot, app)


def is_asked_in(app: KibitzApp, phase: int, size: int = 1) -> Callable[[], bool]:
    def reached() -> bool:
        view = view_of(app)
        return moment_of(app).asked != NOBODY and view.phase == phase and view.size >= size

    return reached


@pytest.mark.parametrize("answer", [by_keyboard, by_mouse])
async def test_a_whole_match(tmp_path: Path, answer: Answer) -> None:
    app = make_app(tmp_path, plan(lives=2))
    async with app.run_test(size=(80, 24)) as pilot:
        await play_until(pilot, app, lambda: is_over(app), answer)
        await pilot.pause()
        moment = moment_of(app)
        assert moment.ending is not None
        assert moment.ending.sentence.endswith("the match.")
        after = cast(FodinhaView, moment.results[-1].view)
        assert sum(after.alive) == 1
        assert moment.results[-1].number == len(moment.results)
        assert "1 Summary" in text_of(app)
        assert "2 Again" in text_of(app)


async def boasting(pilot: Pilot[Any], app: KibitzApp) -> None:
    """By keyboard, the highest call there is."""
    choices = [choice for choice in table_of(app).choices() if not choice.barred]
    if choices and choices[-1].digit is not None:
        await pilot.press(str(choices[-1].digit))
    else:
        await by_keyboard(pilot, app)


async def test_who_is_out_reads_how_the_others_end_it(tmp_path: Path) -> None:
    app = make_app(tmp_path, plan(lives=2, seed=2))
    async with app.run_test(size=(80, 24)) as pilot:
        await play_until(pilot, app, lambda: bool(view_of(app).out_in[0]), boasting)
        await pilot.pause()
        assert "You out" in text_of(app)
        assert not table_of(app).cards()
        await play_until(pilot, app, lambda: is_over(app))
        assert moment_of(app).view.hand_no > view_of(app).out_in[0]


async def test_the_barred_call_is_explained_to_keys_and_clicks(tmp_path: Path) -> None:
    app = make_app(tmp_path, plan(lives=9, seed=1))
    async with app.run_test(size=(80, 24)) as pilot:

        def may_not_call() -> bool:
            return any(choice.barred for choice in table_of(app).choices())

        await play_until(pilot, app, may_not_call)
        table, asked_for = table_of(app), moment_of(app).legal
        choices = table.choices()
        index = next(at for at, choice in enumerate(choices) if choice.barred)
        await pilot.press(str(choices[index].digit))
        await pilot.pause()
        assert table.remarked == choices[index].barred
        assert "the calls would add up to" in " ".join(text_of(app).split())
        table.remark("")
        await pilot.click(Choices, offset=table.query_one(Choices).middle_of(index))
        assert table.remarked == choices[index].barred
        await pilot.press("9")
        assert table.remarked == "There is no 9 to choose."
        assert moment_of(app).legal == asked_for


async def test_arrows_reach_the_calls_beyond_nine(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def eleven_each(self: Fodinha, *arguments: Any, **options: Any) -> FodinhaState:
        state = new(self, *arguments, **options)
        state.size = 11
        state.deal([card for hand in state.hands for card in hand] + state.stock)
        return state

    new = Fodinha.new
    monkeypatch.setattr(Fodinha, "new", eleven_each)
    app = make_app(tmp_path, plan(2, range=13, tries=1, lives=99))
    async with app.run_test(size=(80, 24)) as pilot:
        await play_until(pilot, app, is_asked_in(app, CALLING))
        wished = next(call for call in (11, 10) if not table_of(app).choices()[call].barred)
        await pilot.press(*["left"] * (12 - wished), "enter")
        await wait_until(pilot, lambda: view_of(app).calls[0] == wished)


async def test_ten_players_fit_on_the_smallest_screens(tmp_path: Path) -> None:
    names = ("Beto", "Caio", "Dora", "Edu", "Flora", "Gil", "Hugo", "Iara", "Jade")
    for size in ((80, 24), (60, 20)):
        app = make_app(tmp_path, plan(10, range=13, lives=9))
        async with app.run_test(size=size) as pilot:
            await play_until(pilot, app, is_asked_in(app, PLAYING, 2))
            shown = text_of(app)
            for name in names:
                assert shown.count(name) >= 2, "at the seat and in the trick"
            assert shown.count(" lives") >= 9
            for _, card in view_of(app).trick:
                assert FACES[card].sign in shown
            for card in view_of(app).hand:
                assert f"{FACES[card].rank:<3}{FACES[card].sign}" in shown


async def test_plain_characters_mark_cancelled_cards(tmp_path: Path) -> None:
    app = make_app(tmp_path, plan(6, lives=9), ascii_only=True)
    async with app.run_test(size=(80, 24)) as pilot:

        def cancelled() -> bool:
            return bool(view_of(app).cancelled()) and moment_of(app).asked != NOBODY

        await play_until(pilot, app, cancelled)
        shown = text_of(app)
        assert "xx" in shown
        assert shown.isascii()


async def test_watched_from_all_seats(tmp_path: Path) -> None:
    watched = plan_table("fodinha", ["random"] * 3, {"players": 3, "lives": 1}, 0.0, 2, True)
    app = make_app(tmp_path, watched)
    async with app.run_test(size=(120, 40)) as pilot:
        await wait_until(pilot, lambda: is_over(app))
        await open_tab(pilot, app, "s")
        await pilot.pause()
        shown = text_of(app)
        assert "won/called and lives left" in shown
        assert "wins the match." in " ".join(shown.split())


async def test_a_new_table_for_ten(tmp_path: Path) -> None:
    app = make_app(tmp_path)
    async with app.run_test(size=(80, 24)) as pilot:
        await app.push_screen(NewTableScreen(FODINHA, 0.0))
        players = app.screen.query_one("#option-players", Cycle)
        players.focus()
        await pilot.press(*["right"] * 6)
        await wait_until(pilot, lambda: len(app.screen.query("#seats Cycle")) == 10)
        app.screen.query_one("#option-range", Cycle).focus()
        await pilot.press(*["left"] * 9)
        await pilot.pause()
        error = app.screen.query_one("#error", Static)
        assert "need more cards" in str(error.content)
        await pilot.press("left")
        await pilot.pause()
        assert not str(error.content), "from 1 the ranks turn to 13"


async def test_pictures(tmp_path: Path, same_picture: Callable[[KibitzApp, str], None]) -> None:
    async def look(name: str) -> None:
        async for width, height in in_windows(pilot, [(120, 40), (80, 24), (60, 20)]):
            same_picture(app, f"fodinha-{width}x{height}-{name}")

    app = make_app(tmp_path, plan(lives=9))
    async with app.run_test(size=(60, 20)) as pilot:
        await play_until(pilot, app, is_asked_in(app, TURNING))
        await look("power")
        await play_until(pilot, app, is_asked_in(app, CALLING))
        await pilot.press("right", "s")
        await look("calls")
    app = make_app(tmp_path, plan(10, range=13, lives=9))
    async with app.run_test(size=(60, 20)) as pilot:
        await play_until(pilot, app, is_asked_in(app, PLAYING))
        await look("blind")
        await play_until(pilot, app, is_asked_in(app, PLAYING, 2))
        await pilot.press("right")
        await look("ten")
        await play_until(pilot, app, lambda: moment_of(app).ending is not None)
        await look("round-over")
