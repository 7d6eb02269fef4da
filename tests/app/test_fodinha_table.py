"""The Fodinha table's pictures and sentences, from fixed deals."""

from typing import Any, cast

import pytest

from app.match.moment import NOBODY, Ending, HandResult, Moment
from app.match.seating import Seating, TablePlan
from app.ui.layout.faces import faces_of
from app.ui.layout.pictures import Pips
from app.ui.tables.fodinha import BACK, FodinhaTable
from engine.game import OVER, Event
from engine.games.fodinha import (
    CALLING,
    PACK,
    PLAY_HIDDEN,
    PLAYING,
    FodinhaState,
    FodinhaView,
)
from engine.games.fodinha import (
    GAME as FODINHA,
)
from tests.app.endings import moment_after

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


def test_dealer_settles_the_power_rank_before_cards_are_seen() -> None:
    moment = asked(state_after())
    assert table().prompt(moment) == (
        "Make eights power? Approve, or reject and turn another: "
        "2 more cards at most, and the last one counts."
    )
    assert texts(4, moment) == ["Approve eights", "Turn another"]
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


def test_barred_call_of_the_dealer_is_shown_with_its_reason() -> None:
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


def test_calls_are_shown_at_the_seats() -> None:
    state = state_after("approve", "call 1", "call 0")
    west, north, east = table().seats(Moment(state.view(0)))
    assert (west.lives, west.note, west.brief) == (5, "calls 1", "0/1")
    assert (north.lives, north.note) == (5, "calls 0")
    assert (east.lives, east.note, east.tricks) == (5, "", None)
    assert "calls 1/1" in table().facts(state.view(0))


def test_more_than_nine_calls_are_all_offered() -> None:
    state = FODINHA.new(seed=1, players=2, range=13, tries=1, lives=99)
    state.size = 11
    state.deal(list(range(52)))
    assert texts(2, asked(state)) == [str(call) for call in range(12)]


# The blind round


def test_blind_round_hides_only_your_own_card() -> None:
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


def test_open_hands_include_blind_cards() -> None:
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


def test_cancelled_cards_are_struck_and_the_winning_card_is_named() -> None:
    state = two_each("play 9S", "play 9D", "play 10C")
    moment = asked(state)
    laid = {card.caption: card for card in table().felt(moment)}
    assert list(laid) == ["West leads", "North", "East", "You"]
    assert [caption for caption, card in laid.items() if card.struck] == ["West leads", "North"]
    assert table().prompt(moment) == "East's ten of clubs is winning. Play any card."
    assert [card.face.code for card in table().hand(moment)] == ["JC", "3C"]


def test_taken_trick_stays_until_the_next_lead() -> None:
    state = two_each("play 9S", "play 9D", "play 10C", "play 3C")
    moment = Moment(state.view(0))
    assert [card.caption for card in table().felt(moment) if card.bright] == ["East takes it"]
    assert table().last_trick(state.view(0)) == (
        "Last trick: West 9♠ void, North 9♦ void, East 10♣, You 3♣. East took it."
    )
    east = table().seats(moment)[2]
    assert (east.lives, east.note, east.tricks) == (9, "calls 0", Pips(1, 0))


def test_cancelled_trick_is_carried_over() -> None:
    state = two_each("play 3H", "play 9D", "play 3D", "play 3C")
    assert state.carry == 0
    state = two_each("play 9S", "play 9D", "play 3D", "play 3C")
    moment = asked(state)
    assert all(card.struck for card in table().felt(moment))
    assert "this trick counts 2" in table().facts(state.view(0))
    assert table().last_trick(state.view(0)).endswith("Nobody took it.")
    state.apply(state.parse("play 3H"))
    assert table().prompt(asked(state)).endswith("Play any card. It counts 2.")


def test_carry_is_logged_only_if_a_trick_follows() -> None:
    state = two_each("play 9S", "play 9D", "play 3D", "play 3C")
    cancelled = Event("trick", NOBODY, cards=(0, 13), note="cancelled")
    assert table().tell_event(state.view(0), cancelled).endswith("The next one counts 2.")
    state.turn = OVER
    assert table().tell_event(state.view(0), cancelled).endswith("nobody takes it.")


def test_crowded_table_names_the_taker() -> None:
    state = FODINHA.new(seed=4, players=6, first=0, tries=1, blind_one=False)
    while state.phase != PLAYING or state.in_trick < 5:
        state.apply(state.legal()[0])
    captions = [card.caption for card in table(6).felt(Moment(state.view(0)))]
    assert captions == ["Beto", "Caio", "Dora", "Edu", "Flora", "You"]
    moment = moment_after(table(6), state, state.legal()[0])
    assert [card.caption for card in table(6).felt(moment) if card.bright] == ["You take it"]


# Lives


def round_over(state: FodinhaState, points: tuple[int, ...], **after: Any) -> Moment:
    """The moment a round has ended, with the view after it changed as given."""
    state.calls = [0] * state.seats
    view = state.view(0)
    for name, value in after.items():
        setattr(view, name, value)
    events = (Event("trick", 1, cards=(0, 1, 2, 3)), Event("hand", points=points))
    return Moment(
        view,
        last=(0, 0),
        events=events,
        ending=Ending(table().tell_event(view, events[1]), False),
        results=(HandResult(1, points, "", view),),
    )


def test_end_of_round_lists_lost_lives_and_reasons() -> None:
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
        "You called 1 and won 1. "
        "Lives lost: West 1 (called 1, won 0), North 2 (called 0, won 2). North is out."
    )
    notes = [(seat.note, seat.brief) for seat in table().seats(moment)]
    assert notes == [
        ("won 0 of 1, lost 1", "0/1, lost 1"),
        ("won 2 of 0, out", "2/0, out"),
        ("won 0 of 0", "0/0"),
    ]


def test_round_without_lost_lives() -> None:
    moment = round_over(two_each(), (0, 0, 0, 0), hand_no=2, last_calls=(0, 1, 0, 0))
    assert table().prompt(moment) == "You called 0 and won 0. Nobody loses a life."


def test_spared_players_are_named() -> None:
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
    assert table().score_line(state.view(0)) == "Lives: You out  West out  North 9  East 9"
    assert table().prompt(moment).startswith("You are out of the match.")


def test_score_sheet_shows_calls_wins_and_lives_by_round() -> None:
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


def test_score_sheet_of_ten_players_fits_the_panel() -> None:
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
def test_log_lines_of_actions(label: str, sentence: str) -> None:
    state = state_after()
    assert table().tell_action(state.view(0), 1, state.parse(label)) == sentence


def test_hidden_card_is_named_only_to_seats_that_see_it() -> None:
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
def test_log_lines_of_events(event: Event, sentence: str) -> None:
    assert table().tell_event(state_after().view(0), event) == sentence


def test_log_lines_of_further_turned_cards() -> None:
    power = Event("power", 0)
    assert table().tell_event(state_after("reject").view(0), power) == (
        "The queen of diamonds is turned. Kings are candidates."
    )
    assert table().tell_event(state_after("reject", "reject").view(0), power) == (
        "The two of clubs is turned, the last one. Threes are power."
    )


def card_of(code: str) -> int:
    return next(card for card, face in enumerate(FACES) if face.code == code)
