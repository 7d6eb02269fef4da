"""The Smear table's pictures and sentences, from fixed deals."""

from collections.abc import Sequence

import pytest

from app.match.moment import HandResult, Moment
from app.match.seating import PERSON, Seating, TablePlan
from app.ui.tables.smear import SmearTable
from engine.game import Event
from engine.games.smear import GAME as SMEAR
from engine.games.smear import SmearState
from tests.app.endings import moment_after
from tests.app.smear_deal import (
    DECK,
    PLAY,
    WEST_BETS,
    YOU_BET_FOUR,
    cards,
    play_second_hand,
    state_after,
)

LOST_HAND = ("bet 4", "pass", "pass", "pass", "trump hearts", "play 10H", "play KH")


def table(seats: Sequence[str] = (PERSON, "hard", "hard", "hard")) -> SmearTable:
    return SmearTable(SMEAR, Seating.of(TablePlan("smear", tuple(seats))))


def asked(state: SmearState) -> Moment:
    return Moment(state.view(0), asked=0, legal=tuple(state.legal()))


def log_of(state: SmearState) -> list[str]:
    """The log lines of all events since the last call."""
    return [table().tell_event(state.view(0), event) for event in state.take_events()]


# The auction


@pytest.mark.parametrize(
    ("labels", "question", "choices"),
    [
        ("", "Nobody has bet yet: bet 2, 3 or 4, or pass.", "Pass, Bet 2, Bet 3, Bet 4"),
        ("pass, bet 2, pass", "North bet 2: bet 3 or 4, or pass.", "Pass, Bet 3, Bet 4"),
        ("bet 2, bet 3, pass", "North bet 3: bet 4, or pass.", "Pass, Bet 4"),
        (
            "bet 4, pass, pass",
            "West bet 4, and no bet is higher: you can only pass.",
            "Pass",
        ),
        (
            "pass, pass, pass",
            "All have passed. You deal, so you are screwed: you have to bet 2.",
            "Bet 2",
        ),
    ],
)
def test_betting_question_names_highest_bet_and_options(
    labels: str, question: str, choices: str
) -> None:
    state = state_after(*labels.split(", "), dealer=0) if labels else state_after()
    moment = asked(state)
    assert table().prompt(moment) == question
    assert [choice.text for choice in table().choices(moment)] == choices.split(", ")
    assert not any(card.offered for card in table().hand(moment))


def test_bets_are_shown_by_seat_with_the_highest_highlighted() -> None:
    moment = Moment(state_after("bet 2", "pass", "bet 3").view(0))
    laid = [
        (card.place, card.face.words if card.face else "", card.caption, card.bright)
        for card in table().felt(moment)
    ]
    assert laid == [
        ("bottom", "bet 2", "You bet 2", False),
        ("left", "", "West passes", False),
        ("top", "bet 3", "North bets 3", True),
        ("right", "", "East deals", False),
    ]
    assert [seat.note for seat in table().seats(moment)] == ["passed", "bet 3", ""]
    assert [seat.dealer for seat in table().seats(moment)] == [False, False, True]
    assert table().own_plate(moment).note == "bet 2"


def test_screwed_dealer_is_marked_before_and_after_the_bet() -> None:
    before = state_after("pass", "pass", "pass")
    assert table().seats(Moment(before.view(0)))[2].note == "screwed, bets 2"
    assert table().felt(Moment(before.view(0)))[3].caption == "East is screwed"
    assert table().tell_action(before.view(0), 3, before.parse("bet 2")) == (
        "East is screwed and bets 2."
    )
    after = state_after("pass", "pass", "pass", "bet 2", "trump hearts")
    assert table().seats(Moment(after.view(0)))[2].note == "screwed: bet 2"


def test_highest_bettor_chooses_from_four_trump_suits() -> None:
    moment = asked(state_after("bet 3", "pass", "pass", "pass"))
    assert table().prompt(moment) == (
        "Your bet of 3 is the highest: name the trump suit, then lead."
    )
    assert [choice.text for choice in table().choices(moment)] == [
        "♠ spades",
        "♥ hearts",
        "♦ diamonds",
        "♣ clubs",
    ]


def test_status_line_shows_trump_bet_game_points_and_dealer() -> None:
    def facts(*labels: str) -> list[str]:
        return [str(fact) for fact in table().facts(state_after(*labels).view(0))]

    assert facts() == ["no trump yet", "no bet yet", "dealer East"]
    assert facts("bet 3") == ["no trump yet", "You bet 3", "dealer East"]
    assert facts(*YOU_BET_FOUR, *cards(*PLAY[:3])) == [
        "trump ♠ spades",
        "You bet 4",
        "game 24:0",
        "dealer East",
    ]


# The play


@pytest.mark.parametrize(
    ("labels", "question", "playable"),
    [
        (YOU_BET_FOUR, "You lead: play any card.", "AS KS JS 2S 10H 9H"),
        (
            (*WEST_BETS, *cards("AH 2D 2H")),
            "Hearts were led: follow with a heart, or trump with a spade.",
            "AS KS JS 2S 10H 9H",
        ),
        (
            (*WEST_BETS, *cards("QS 4S 5S")),
            "Trump was led: follow with a spade.",
            "AS KS JS 2S",
        ),
        (
            ("pass", "bet 2", "pass", "pass", "trump clubs", *cards("QS 4S 5S")),
            "Spades were led: follow with a spade.",
            "AS KS JS 2S",
        ),
        (
            ("pass", "pass", "bet 2", "pass", "trump spades", *cards("AD 2H")),
            "Diamonds were led and you have none: play any card.",
            "AS KS JS 2S 10H 9H",
        ),
    ],
)
def test_question_explains_which_cards_follow(
    labels: tuple[str, ...], question: str, playable: str
) -> None:
    moment = asked(state_after(*labels))
    assert table().prompt(moment) == question
    offered = [card.face.code for card in table().hand(moment) if card.action is not None]
    assert offered == playable.split()


def test_trumps_come_first_in_the_hand() -> None:
    moment = asked(state_after("bet 2", "pass", "pass", "pass", "trump hearts"))
    assert [card.face.code for card in table().hand(moment)] == DECK[0].split()[-2:] + (
        DECK[0].split()[:4]
    )


def test_taken_trick_stays_until_the_next_lead() -> None:
    state = state_after(*YOU_BET_FOUR)
    assert table().last_trick(state.view(0)) == "No trick has been taken in this hand yet."
    for label in cards(PLAY[0]):
        state.apply(state.parse(label))
    laid = table().felt(asked(state))
    assert [card.face.code for card in laid if card.face] == PLAY[0].split()
    assert [card.caption for card in laid] == ["You take it", "West", "North", "East"]
    assert table().last_trick(state.view(0)) == (
        "Last trick: You A♠, West 3♠, North 4♠, East 5♠. You took it."
    )


def test_new_hand_does_not_show_the_previous_trick() -> None:
    state = state_after(*YOU_BET_FOUR, *cards(*PLAY))
    for label in ("bet 2", "pass", "pass", "pass"):
        state.apply(state.parse(label))
    state.apply(state.parse("trump hearts"))
    assert not any(card.face for card in table().felt(Moment(state.view(0))))
    assert table().last_trick(state.view(0)).startswith("No trick has been taken")


def test_open_hands_show_every_card() -> None:
    state = state_after()
    views = tuple(state.view(seat) for seat in range(4))
    pictures = table().seats(Moment(views[0], views))
    assert [len(picture.cards) for picture in pictures] == [6, 6, 6]
    assert [picture.backs for picture in pictures] == [0, 0, 0]
    closed = table().seats(Moment(views[0]))
    assert [(len(picture.cards), picture.backs) for picture in closed] == [(0, 6)] * 3


# The end of a hand and of the match


def test_log_of_a_hand_in_which_the_bet_is_made() -> None:
    assert log_of(state_after(*YOU_BET_FOUR, *cards(*PLAY)))[:-1] == [
        "You take the trick, 4 towards game.",
        "You take the trick, 5 towards game.",
        "You take the trick, 15 towards game.",
        "You take the trick, 10 towards game.",
        "West takes the trick, 8 towards game.",
        "West takes the trick, 15 towards game.",
        "You bet 4 and made it with low, high, jack and game (34 to 23): +4. Score 4 : 0.",
    ]


def test_log_of_hands_in_which_the_bet_is_set() -> None:
    state = state_after(*LOST_HAND)
    while state.hand_no == 1:
        state.apply(state.legal()[0])
    assert log_of(state)[-2] == (
        "You bet 4 and are set with no points: −4. "
        "West + East: low, high, jack and game (47 to 10), +4. Score −4 : 4."
    )
    play_second_hand(state)
    assert log_of(state)[-2] == (
        "You bet 2 and are set with only game (35 to 15): −2. "
        "West + East: low and high, +2. Score −6 : 6."
    )


def test_end_of_hand_shows_the_last_trick_and_its_taker() -> None:
    labels = [*YOU_BET_FOUR, *cards(*PLAY)]
    state = state_after(*labels[:-1])
    moment = moment_after(table(), state, state.parse(labels[-1]))
    laid = table().felt(moment)
    assert sorted(card.face.code for card in laid if card.face) == sorted(PLAY[-1].split())
    assert [card.caption for card in laid if card.bright] == ["West takes it"]
    assert table().hand(moment) == []
    assert [seat.backs for seat in table().seats(moment)] == [0, 0, 0]


@pytest.mark.parametrize(
    ("scores", "shares", "sentence"),
    [
        ((11, -3), (1.0, 0.0), "You + North win the match."),
        (
            (12, 11),
            (0.0, 1.0),
            "Both sides have 11, and the bettor's side counts first: West + East win the match.",
        ),
        ((-70, -70), (0.5, 0.5), "After 1 hand the match is a draw."),
    ],
)
def test_end_of_match_sentences(
    scores: tuple[int, int], shares: tuple[float, float], sentence: str
) -> None:
    state = state_after()
    state.points = tuple(scores)
    assert table().tell_event(state.view(0), Event("match", points=shares)) == sentence


def test_log_lines_of_actions_and_deals() -> None:
    state = state_after()
    tell = table().tell_action
    for seat, label, sentence in (
        (0, "pass", "You pass."),
        (1, "bet 3", "West bets 3."),
        (2, "trump hearts", "North names hearts as trump."),
        (0, "play AS", "You lead the ace of spades."),
    ):
        assert tell(state.view(0), seat, state.parse(label)) == sentence
    assert tell(state_after(*YOU_BET_FOUR, "play AS").view(0), 1, state.parse("play 3S")) == (
        "West plays the three of spades."
    )
    assert table().opening(state.view(0)) == (
        "You and North play against West and East. Hand 1: East deals, you bet first."
    )
    assert log_of(state) == []
    assert log_of(state_after(*YOU_BET_FOUR, *cards(*PLAY)))[-1] == (
        "Hand 2: You deal, West bets first."
    )
    assert "not possible" in table().why_not(state.view(0), state.parse("trump clubs"))


# The score sheet


def test_score_sheet_before_the_first_hand() -> None:
    sheet = str(table().score_sheet(Moment(state_after().view(0))))
    assert sheet.splitlines() == [
        "                    You +     West +",
        "first to 11         North       East",
        "",
        "No hand has been played yet.",
    ]


def test_score_sheet_lists_the_last_hand_first_with_running_scores() -> None:
    state = state_after(*YOU_BET_FOUR, *cards(*PLAY))
    first = HandResult(1, (4, 0), "", state.view(0))
    state.points = (4, -5)
    play_second_hand(state)
    second = HandResult(2, (-2, 2), "", state.view(0))
    lines = str(table().score_sheet(Moment(state.view(0), results=(first, second)))).splitlines()
    assert lines[3:8] == [
        " 2 You 2♣               2         −3",
        "   set             (G) −2     L H +2",
        "",
        " 1 You 4♠               4          0",
        "   made        L H J G +4          0",
    ]


def test_score_sheet_shows_a_revoke() -> None:
    revoked = state_after(*WEST_BETS, *cards("QS 4S 5S 9H"), revoke="penalty")
    result = HandResult(1, (-4, 0), "", revoked.view(0))
    lines = str(table().score_sheet(Moment(revoked.view(0), results=(result,)))).splitlines()
    assert lines[3:5] == [
        " 1 West 2♠             −4          0",
        "   revoke              −4          0",
    ]
