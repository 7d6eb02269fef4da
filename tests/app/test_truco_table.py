"""What the Truco table shows and says, and persons who play at it."""

from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random
from typing import Any

import pytest
from textual.content import Content
from textual.pilot import Pilot

from agents.agent import Agent, Decision
from agents.match import Match
from agents.storage.store import Store
from app.match.dealing import Deal
from app.match.moment import NOBODY, Ending, HandResult, Moment
from app.match.narration import Narration
from app.match.seating import PERSON, Seating, TablePlan, plan_table
from app.ui.app import KibitzApp
from app.ui.screens.cover import Cover
from app.ui.screens.table import TableScreen
from app.ui.tables.truco import TrucoTable
from app.ui.widgets.choices import Choices
from app.ui.widgets.felt import Felt
from app.ui.widgets.hand import Hand
from engine.game import View
from engine.games.truco import ACCEPT, FLOR, RAISE, TrucoState
from engine.games.truco import GAME as TRUCO
from tests.app.driving import (
    at_table,
    click_on,
    is_asked,
    is_over,
    make_app,
    moment_of,
    open_tab,
    prompt_of,
    table_of,
    text_of,
    to_question,
    wait_until,
)

# Three cards for you, who are mano, three for North, the muestra.
DECK = "12O 7E 4C  12E 3C 1B  5C"
FLORS = "4O 5O 6O  4E 5E 6E  7C"
SIZES = [(60, 20), (80, 24), (120, 40)]

Stack = Callable[..., None]
Compare = Callable[[KibitzApp, str], None]


class Scripted(Agent):
    """Says and plays what it was told."""

    name = "scripted"

    def __init__(self, labels: Sequence[str]) -> None:
        self._labels = list(labels)

    def act(self, view: View, legal: list[int], rng: Random) -> Decision:
        label = self._labels.pop(0)
        return Decision(next(action for action in legal if view.label(action) == label))


@pytest.fixture
def stack(monkeypatch: pytest.MonkeyPatch) -> Stack:
    """Fix the first deal of the next table, and what North does in it."""

    def arrange(codes: str, *labels: str) -> None:
        def deal(plan: TablePlan, store: Store, rotates_start: bool) -> Deal:
            state = TRUCO.new(seed=1, deck=codes.split(), first=0, **plan.options)
            players = [None if seat == PERSON else Scripted(labels) for seat in plan.seats]
            return Deal(Match(state, players, 1, record=True), 1)

        monkeypatch.setattr("app.ui.screens.table.deal", deal)

    return arrange


def truco(*seats: str, target: int = 40) -> TablePlan:
    return plan_table("truco", seats or ("you", "random"), {"target": target}, 0.0, seed=3)


def table() -> TrucoTable:
    return TrucoTable(TRUCO, Seating.of(truco()))


def state_after(*labels: str, deck: str = DECK, target: int = 40) -> TrucoState:
    state = TRUCO.new(seed=1, deck=deck.split(), first=0, target=target)
    state.record_events()
    for label in labels:
        state.take_events()
        state.apply(state.parse(label))
    return state


def asked(state: TrucoState, seat: int = 0) -> Moment:
    return Moment(state.view(seat), asked=seat, legal=tuple(state.legal()))


def texts(moment: Moment) -> list[str]:
    return [choice.text for choice in table().choices(moment)]


def lines(moment: Moment) -> list[str]:
    return [str(line) for line in table().felt_lines(moment)]


# Words and pictures


def test_the_status_names_muestra_mano_and_what_is_at_stake() -> None:
    view = state_after("raise", "accept").view(0)
    assert [str(fact) for fact in table().facts(view)] == [
        "muestra 5 of copa",
        "mano You",
        "worth 2",
        "to 40",
    ]
    assert table().title_line(view) == "Truco Uruguayo · round 1"
    assert table().score_line(view) == "You 0 : 0 North"


@pytest.mark.parametrize(
    ("deck", "sentence"),
    [
        (DECK, "Piezas of copa, highest first: 2 4 12 (as the 5) 11 10"),
        ("4O 5O 6O 4E 5E 6E 3B", "Piezas of basto, highest first: 2 4 5 11 10"),
    ],
)
def test_the_piezas_are_explained(deck: str, sentence: str) -> None:
    moment = asked(state_after(deck=deck))
    assert lines(moment)[0] == sentence
    muestra = table().felt(moment)[0]
    assert muestra.face is not None
    assert (muestra.face.code, muestra.caption) == (deck.split()[-1], "muestra")


@pytest.mark.parametrize(
    ("labels", "sentence"),
    [
        ([], "Worth 1; either may raise to truco."),
        (["raise"], "You say truco: worth 2 if accepted, else 1."),
        (["raise", "accept"], "Truco accepted, worth 2; North may raise to retruco."),
        (["raise", "raise"], "North says retruco: worth 3 if accepted, else 2."),
        (["raise", "raise", "accept"], "Retruco accepted, worth 3; You may raise to vale 4."),
        (["raise", "raise", "raise", "accept"], "Vale 4 accepted, worth 4, the most there is."),
    ],
)
def test_what_is_at_stake_and_who_may_raise(labels: list[str], sentence: str) -> None:
    assert lines(asked(state_after(*labels)))[-1] == sentence


def test_what_was_said_stays_in_sight() -> None:
    state = state_after("flor", "raise", "raise", "accept", "play 7E")
    moment = asked(state, 1)
    assert "Said: You flor · You truco · North retruco · You quiero" in lines(moment)
    (north,) = table().seats(Moment(state.view(0)))
    assert (north.title, north.backs, north.note) == ("North · random", 3, "says retruco")
    (you,) = table().seats(moment)
    assert you.note == "mano, flor, says quiero"


def test_a_turn_offers_every_card_a_raise_and_a_flor() -> None:
    moment = asked(state_after())
    assert table().prompt(moment) == ("You lead: play any card, or first raise to truco (worth 2).")
    assert [(held.face.code, held.action) for held in table().hand(moment)] == [
        ("12O", 0),
        ("7E", 1),
        ("4C", 2),
    ]
    assert texts(moment) == ["Truco (raise)", "Flor −3"]


def test_an_answer_is_quiero_no_quiero_or_the_next_bid() -> None:
    moment = asked(state_after("play 7E", "raise"))
    assert table().prompt(moment) == (
        "North says truco: quiero plays for 2, no quiero gives 1 to North, retruco asks for 3."
    )
    assert texts(moment) == ["Quiero (accept)", "No quiero (reject)", "Retruco (raise)"]
    assert not any(held.offered for held in table().hand(moment))
    assert table().why_not_card(moment.view, 0) == "First answer North's truco."
    last = asked(state_after("raise", "raise", "raise"), 1)
    assert texts(last)[:2] == ["Quiero (accept)", "No quiero (reject)"]
    assert not any("raise" in text for text in texts(last))


def test_a_real_flor_is_pointed_out() -> None:
    moment = asked(state_after(deck=FLORS))
    assert table().prompt(moment).endswith("Your flor is worth 3.")
    assert texts(moment)[-1] == "Flor +3"
    assert table().warning(moment.view, FLOR) == ""


@pytest.mark.parametrize(
    ("labels", "code", "sentence"),
    [
        ([], "7E", "The 7 of espada, a mata. Enter leads it."),
        (["play 12O"], "12E", "The 12 of espada (rey): it would tie. Enter plays it."),
        (["play 7E"], "3C", "The 3 of copa: it would lose. Enter plays it."),
        (
            ["play 7E"],
            "1B",
            "The 1 of basto, a mata: it would take this trick. Enter plays it.",
        ),
        ([], "4C", "The 4 of copa, a pieza. Enter leads it."),
    ],
)
def test_a_chosen_card_says_what_it_is(labels: list[str], code: str, sentence: str) -> None:
    state = state_after(*labels)
    view = state.view(state.turn)
    card = next(card for card in view.hand if view.label(view.hand.index(card)) == f"play {code}")
    assert table().about_card(view, card) == sentence


def test_tricks_lie_by_seat_and_ties_are_named() -> None:
    moment = asked(state_after("play 12O", "play 12E"))
    _, north, you = table().felt(moment)
    assert (north.place, north.caption, north.bright) == ("top", "tied", False)
    assert (you.place, you.caption, you.bright) == ("bottom", "tied", False)
    assert "1st tied, 12O with 12E" in lines(moment)
    moment = asked(state_after("play 7E", "play 3C", "play 12O"), 1)
    assert "1st You, 7E over 3C · 2nd You lead 12O" in lines(moment)
    _, you, north = table().felt(moment)
    assert (you.place, you.caption, north.face) == ("top", "You lead", None)
    taken = asked(state_after("play 7E", "play 3C"))
    assert [card.caption for card in table().felt(taken) if card.bright] == ["You take it"]


def test_the_last_trick_can_be_looked_up_also_in_the_next_round() -> None:
    assert table().last_trick(state_after().view(0)) == "No trick has been played yet."
    state = state_after("play 12O", "play 12E")
    assert table().last_trick(state.view(0)) == (
        "Last trick: You 12 of oro, North 12 of espada. It was tied."
    )
    for label in ("play 4C", "play 3C"):
        state.apply(state.parse(label))
    assert table().last_trick(state.view(0)) == (
        "Last trick of the round before: You 4 of copa, North 3 of copa. You took it."
    )


@pytest.mark.parametrize(
    ("deck", "labels", "sentence"),
    [
        (DECK, "raise|reject", "North refuses the truco: 1 for you. You 1 : 0 North."),
        (
            DECK,
            "play 7E|play 3C|play 4C|play 12E",
            "You take two tricks: 1 for you. You 1 : 0 North.",
        ),
        (
            DECK,
            "raise|accept|play 12O|play 12E|play 4C|play 1B",
            "You take the first trick that is not tied: 2 for you (truco). You 2 : 0 North.",
        ),
        (
            DECK,
            "play 7E|play 1B|play 12E|play 12O",
            "North took the first trick, which breaks the tie: 1 for North. You 0 : 1 North.",
        ),
        (
            FLORS,
            "play 4O|play 4E|play 5O|play 5E|play 6O|play 6E",
            "All three tricks tie and you are mano: 1 for you. You 1 : 0 North.",
        ),
        (
            DECK,
            "flor|raise|raise|reject",
            "Your false flor: 3 for North. You refuse the retruco: 2 for North. You 0 : 5 North.",
        ),
        (
            FLORS,
            "flor|play 4O|flor|raise|reject",
            "Your flor: 3 for you. North's flor: 3 for North. You refuse the truco: 1 for North. "
            "You 3 : 4 North.",
        ),
    ],
)
def test_the_end_of_a_round_says_who_got_what_and_why(
    deck: str, labels: str, sentence: str
) -> None:
    state = state_after(*labels.split("|"), deck=deck)
    told = [table().tell_event(state.view(0), event) for event in state.take_events()]
    assert sentence in told
    assert told[-1].startswith("Round 2: North is mano; the muestra is the ")


def test_the_match_can_be_won_before_the_round_is_counted() -> None:
    state = state_after("flor", "raise", "reject", target=3)
    told = [table().tell_event(state.view(0), event) for event in state.take_events()]
    assert told == ["", "Your false flor: 3 for North.", "North wins the match, 3 to 0."]


def test_actions_and_tricks_are_plain_sentences() -> None:
    def told(*labels: str) -> list[str]:
        before = state_after(*labels[:-1])
        seat, after = before.turn, state_after(*labels)
        action = after.history[-1][1]
        sentences = [table().tell_action(before.view(0), seat, action)]
        sentences += [table().tell_event(after.view(0), event) for event in after.take_events()]
        return [sentence for sentence in sentences if sentence]

    assert told("play 7E") == ["You lead the 7 of espada."]
    assert told("play 7E", "play 1B") == ["North plays the 1 of basto: North takes the trick."]
    assert told("play 7E", "play 3C") == ["North plays the 3 of copa: you take the trick."]
    assert told("play 12O", "play 12E") == ["North plays the 12 of espada: the trick is tied."]
    assert told("raise") == ["You say truco."]
    assert told("raise", "raise") == ["North says retruco, which accepts the truco."]
    assert told("raise", "accept") == ["North says quiero: the round is worth 2."]
    assert told("raise", "flor") == ["North calls a flor."]
    assert table().tell_action(state_after("raise").view(0), 1, 5) == "North says no quiero."


def test_a_watched_lead_names_the_card() -> None:
    """An action is a place in the hand of its player, which differs from hand to hand."""
    state = TRUCO.new(seed=1, deck=DECK.split(), first=1)
    watched = plan_table("truco", ["random", "random"], seed=1, watch=True)
    narration = Narration(state, TrucoTable(TRUCO, Seating.of(watched)))
    before, action = narration.views(), state.parse("play 4C")
    state.apply(action)
    narration.add(1, action, [], before)
    assert narration.log[-1] == "North leads the 4 of copa."


def test_the_end_of_a_round_shows_the_card_that_ended_it() -> None:
    before = state_after("play 7E", "play 3C", "play 4C")
    view, place = before.view(0), before.parse("play 12E")
    before.take_events()
    before.apply(place)
    moment = Moment(
        view,
        last=(1, place),
        events=tuple(before.take_events()),
        ending=Ending("Over.", False),
        results=(HandResult(1, (1.0, 0.0), "", before.view(0)),),
    )
    _, north, you = table().felt(moment)
    assert north.face is not None
    assert (north.face.code, you.caption) == ("12E", "You take it")
    assert lines(moment)[-2:] == [
        "1st You, 7E over 3C · 2nd You, 4C over 12E",
        "+1 You, the round",
    ]
    (seat,) = table().seats(moment)
    assert (seat.backs, seat.active) == (1, False)


@pytest.mark.parametrize(
    ("labels", "key", "sentence"),
    [
        ([], "truco.accept", "There is no bid to answer."),
        (["raise", "accept"], "truco.raise", "You made the last raise; the next one is up to"),
        (["raise", "raise", "raise", "accept"], "truco.raise", "Vale 4 is the highest bid."),
        (["flor"], "truco.flor", "You have called your flor already."),
        (
            ["play 7E", "play 3C"],
            "truco.flor",
            "A flor has to be called before your first card.",
        ),
    ],
)
def test_why_a_key_does_nothing_now(labels: list[str], key: str, sentence: str) -> None:
    assert table().why_not_key(state_after(*labels).view(0), key).startswith(sentence)


def test_the_score_sheet_has_malas_buenas_and_every_step() -> None:
    state = state_after("flor", "raise", "raise", "reject", target=8)
    view = state.view(0)
    result = HandResult(1, (0.0, 5.0), "", view)
    rows = str(table().score_sheet(Moment(view, results=(result,)))).splitlines()
    assert rows == [
        "first to 8",
        "",
        "You 0 · in the malas",
        "malas   ....",
        "buenas  ....",
        "",
        "North 5 · in the buenas",
        "malas   ||||",
        "buenas  |...",
        "",
        "round 1   0 : 5",
        "  +3 North, false flor",
        "  +2 North, retruco refused",
    ]
    before = state_after("flor", "raise", "raise", target=8).view(0)
    ending = Moment(before, results=(result,), ending=Ending("Over.", False))
    assert "North 5 · in the buenas" in str(table().score_sheet(ending))


def test_matches_lie_in_fives() -> None:
    sheet = str(table().score_sheet(asked(state_after())))
    assert sheet.count("..... ..... ..... .....") == 4


def test_a_long_match_is_counted_in_figures() -> None:
    sheet = str(table().score_sheet(asked(state_after(target=1_000_000))))
    assert sheet.count("0 of 500,000") == 4


# Persons at the table


def key_for(app: KibitzApp, action: int) -> str:
    """The key that the bar shows for that action."""
    choice = next(choice for choice in table_of(app).choices() if choice.action == action)
    return next(binding.key for binding in TrucoTable.bindings if binding.id == choice.key)


async def answer_by_keyboard(pilot: Pilot[Any], app: KibitzApp) -> None:
    """Play the first card, accept a bid, go on after a round."""
    offered = any(card.offered for card in table_of(app).cards())
    if offered or moment_of(app).ending is not None:
        await pilot.press("1")
    else:
        await pilot.press(key_for(app, ACCEPT))


async def answer_by_mouse(pilot: Pilot[Any], app: KibitzApp) -> None:
    screen = table_of(app)
    if any(card.offered for card in screen.cards()):
        await pilot.click(Hand, offset=screen.query_one(Hand).middle_of(0))
    else:
        await pilot.click(Choices, offset=screen.query_one(Choices).middle_of(0))


def history(app: KibitzApp) -> list[str]:
    view = moment_of(app).view
    return [f"{seat} {view.label(action)}" for seat, action in view.history]


@pytest.mark.parametrize("answer", [answer_by_keyboard, answer_by_mouse])
async def test_a_whole_match(
    tmp_path: Path, answer: Callable[[Pilot[Any], KibitzApp], Any]
) -> None:
    app = make_app(tmp_path, truco(target=12))
    async with app.run_test(size=(80, 24)) as pilot:
        while not is_over(app):
            await to_question(pilot, app)
            if not is_over(app):
                await answer(pilot, app)
        moment = moment_of(app)
        assert moment.ending is not None
        points = [sum(result.points[seat] for result in moment.results) for seat in (0, 1)]
        winner = "You win" if points[0] > points[1] else "North wins"
        assert max(points) >= 12
        assert moment.ending.sentence.endswith(
            f"{winner} the match, {max(points):g} to {min(points):g}."
        )
        first = table_of(app)
        await click_on(pilot, app, "Again")
        await wait_until(pilot, lambda: at_table(app) and table_of(app) is not first)


async def test_bids_go_up_and_are_accepted_by_their_keys(tmp_path: Path, stack: Stack) -> None:
    stack(DECK, "raise", "accept")
    app = make_app(tmp_path, truco())
    async with app.run_test(size=(80, 24)) as pilot:
        await to_question(pilot, app)
        assert "t Truco (raise)    f Flor −3" in text_of(app)
        await pilot.press("t")
        await wait_until(pilot, lambda: "1 raise" in history(app) and is_asked(app))
        await pilot.pause()
        assert "Said: You truco · North retruco" in text_of(app)
        assert "x No quiero (reject)    t Vale 4 (raise)" in text_of(app)
        await pilot.press("1")
        assert prompt_of(app) == "First answer North's retruco."
        await pilot.press("t")
        await wait_until(pilot, lambda: "1 accept" in history(app) and is_asked(app))
        await pilot.pause()
        assert "Vale 4 accepted, worth 4" in text_of(app)
        await pilot.press("t")
        assert prompt_of(app) == "Vale 4 is the highest bid."


async def test_no_quiero_ends_the_round_for_the_bidder(tmp_path: Path, stack: Stack) -> None:
    stack(DECK, "raise")
    app = make_app(tmp_path, truco())
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


async def test_a_false_flor_is_asked_for_twice(tmp_path: Path, stack: Stack) -> None:
    stack(DECK)
    app = make_app(tmp_path, truco())
    async with app.run_test(size=(80, 24)) as pilot:
        await to_question(pilot, app)
        await pilot.press("f")
        assert prompt_of(app).startswith("You hold no flor: a false one gives 3 points to North.")
        assert history(app) == []
        await pilot.press("f")
        await wait_until(pilot, lambda: history(app) == ["0 flor"] and is_asked(app))
        await pilot.press("f")
        assert prompt_of(app) == "You have called your flor already."


async def test_a_real_flor_is_called_at_once_also_by_mouse(tmp_path: Path, stack: Stack) -> None:
    stack(FLORS)
    app = make_app(tmp_path, truco())
    async with app.run_test(size=(80, 24)) as pilot:
        await to_question(pilot, app)
        await pilot.click(Choices, offset=app.screen.query_one(Choices).middle_of(1))
        await wait_until(pilot, lambda: history(app) == ["0 flor"])


async def test_the_arrows_name_the_card(tmp_path: Path, stack: Stack) -> None:
    stack(DECK, "accept")
    app = make_app(tmp_path, truco())
    async with app.run_test(size=(80, 24)) as pilot:
        await to_question(pilot, app)
        await pilot.press("right", "right")
        await pilot.pause()
        assert "The 7 of espada, a mata. Enter leads it." in text_of(app)
        await pilot.press("right", "right")
        assert prompt_of(app).startswith("You lead")
        await pilot.press("enter")
        await wait_until(pilot, lambda: history(app)[:1] == ["0 raise"])


async def test_two_persons_never_see_the_others_hand(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every picture of a hand that is drawn is looked at, also those for a blink."""
    app = make_app(tmp_path, truco("you", "you", target=4))
    keyboard = NOBODY
    shown: set[int] = set()
    leaks: list[str] = []
    draw = Hand.render

    def look(hand: Hand) -> Content:
        if isinstance(app.screen, TableScreen) and app.screen.loop is not None:
            state = app.screen.loop.match.state
            assert isinstance(state, TrucoState)
            others = state.hands[1 - keyboard] if keyboard != NOBODY else range(40)
            leaks.extend([card.face.code for card in hand.cards if card.card in others])
            shown.add(keyboard if hand.cards else NOBODY)
        return draw(hand)

    monkeypatch.setattr(Hand, "render", look)
    async with app.run_test(size=(80, 24)) as pilot:
        while not is_over(app):
            await wait_until(pilot, lambda: isinstance(app.screen, Cover) or is_asked(app))
            await pilot.pause()
            if isinstance(app.screen, Cover):
                assert "╭" not in text_of(app)
                keyboard = 0 if "Player 1" in text_of(app) else 1
                beneath = app.screen_stack[-2]
                assert isinstance(beneath, TableScreen)
                assert beneath.moment is not None
                assert beneath.moment.view.seat == keyboard, "ready before it is uncovered"
                await pilot.press("enter")
            elif moment_of(app).ending is not None:
                assert table_of(app).cards() == []
                if not is_over(app):
                    keyboard = NOBODY
                    await pilot.press("enter")
            else:
                assert moment_of(app).view.seat == moment_of(app).asked == keyboard
                raises = RAISE in moment_of(app).legal and not moment_of(app).view.history
                await (pilot.press("t") if raises else answer_by_keyboard(pilot, app))
            await pilot.pause()
    assert leaks == []
    assert shown >= {0, 1}


async def test_watched_with_both_hands_open(tmp_path: Path) -> None:
    plan = plan_table("truco", ["random", "random"], {"target": 6}, 0.0, seed=3, watch=True)
    app = make_app(tmp_path, plan)
    async with app.run_test(size=(120, 40)) as pilot:
        await wait_until(pilot, lambda: is_over(app))
        await pilot.press("s")
        await pilot.pause()
        text = text_of(app)
        assert "wins the match" in text
        assert "buenas" in text
        assert "▒▒" not in text


@pytest.mark.parametrize("ascii_only", [False, True])
@pytest.mark.parametrize("size", [(60, 20), (80, 24)])
async def test_the_fullest_table_has_room(
    tmp_path: Path, stack: Stack, size: tuple[int, int], ascii_only: bool
) -> None:
    stack(DECK, "flor", "raise")
    app = make_app(tmp_path, truco(), ascii_only)
    async with app.run_test(size=size) as pilot:
        await to_question(pilot, app)
        await pilot.press("t")
        await wait_until(pilot, lambda: "1 raise" in history(app) and is_asked(app))
        await pilot.pause()
        screen, text = app.screen, text_of(app)
        for widget in (Felt, Choices, Hand):
            assert screen.query_one(widget).region in screen.query_one("#table").region
            assert screen.query_one(widget).region.bottom < size[1]
        for words in (
            "muestra 5 of copa", "mano You", "worth 2", "to 40", "flor, says retruco",
            "Piezas of copa", "a Quiero (accept)", "x No quiero (reject)", "t Vale 4 (raise)",
            "f Flor", "North says retruco: worth 3 if accepted, else 2.",
            "4C" if ascii_only else "C  4",
        ):  # fmt: skip
            assert words in text
        assert prompt_of(app).split()[-1] in text
        if ascii_only:
            assert text.isascii()


@pytest.mark.parametrize("size", SIZES)
async def test_pictures(
    tmp_path: Path, stack: Stack, same_picture: Compare, size: tuple[int, int]
) -> None:
    """A bid to answer, then a card chosen after a tie, then the end with the score sheet."""
    name = f"{size[0]}x{size[1]}"
    stack(DECK, "flor", "raise", "play 12E", "play 3C")
    app = make_app(tmp_path, truco())
    async with app.run_test(size=size) as pilot:
        await to_question(pilot, app)
        await pilot.press("1")
        await wait_until(pilot, lambda: "1 raise" in history(app) and is_asked(app))
        await pilot.pause()
        same_picture(app, f"truco-bid-{name}")
        await pilot.press("a")
        await wait_until(pilot, lambda: "1 play 12E" in history(app) and is_asked(app))
        await pilot.press("right")
        await pilot.pause()
        same_picture(app, f"truco-play-{name}")
        await pilot.press("enter")
        await wait_until(pilot, lambda: moment_of(app).ending is not None)
        if size[0] > 110:
            await open_tab(pilot, app, "s")
        await pilot.pause()
        same_picture(app, f"truco-over-{name}")
