"""A table that only names its pack: what the base class derives for any game."""

from random import Random

import pytest

from app.match.moment import Moment
from app.match.narration import Narration
from app.match.seating import PERSON, Seating, TablePlan
from app.ui.tables import table_class
from app.ui.tables.base import Table
from engine import GAMES
from engine.game import HIDDEN, OVER, Event, View
from engine.games.smear import GAME as SMEAR
from engine.games.smear import PACK, SmearState

# Six cards for each of You, West, North and East, who deals.
DECK = (
    *("AS", "KS", "JS", "2S", "10H", "9H"),
    *("3S", "QS", "10S", "AH", "KH", "5H"),
    *("4S", "9S", "AD", "KD", "10D", "2D"),
    *("5S", "QH", "JH", "4H", "3H", "2H"),
)
BIDS = ("bet 4", "pass", "pass", "pass", "trump spades")


class PlainTable(Table[View]):
    pack = PACK


def table() -> PlainTable:
    return PlainTable(SMEAR, Seating.of(TablePlan("smear", (PERSON, "hard", "hard", "hard"))))


def state_after(*labels: str) -> SmearState:
    state = SMEAR.new(seed=1, deck=DECK, first=3)
    for label in labels:
        state.apply(state.parse(label))
    return state


def asked(state: SmearState) -> Moment:
    return Moment(state.view(0), asked=0, legal=tuple(state.legal()))


@pytest.mark.parametrize("game", GAMES)
def test_every_legal_action_is_a_card_or_a_choice_through_a_whole_match(game: str) -> None:
    rng = Random(5)
    state = GAMES[game].new(seed=5)
    state.record_events()
    plain = type("Plain", (Table,), {"pack": table_class(game).pack})
    drawn = plain(GAMES[game], Seating.of(TablePlan(game, (PERSON, *["hard"] * (state.seats - 1)))))
    narration = Narration(state, drawn)
    while state.turn != OVER and state.hand_no < 4:
        seat, legal, before = state.turn, state.legal(), narration.views()
        moment = Moment(state.view(seat), asked=seat, legal=tuple(legal))
        offered = [card.action for card in drawn.hand(moment) if card.action is not None]
        offered += [choice.action for choice in drawn.choices(moment)]
        assert sorted(set(offered)) == legal
        assert drawn.prompt(moment)
        assert drawn.facts(moment.view)
        drawn.felt(moment)
        drawn.seats(moment)
        action = rng.choice(legal)
        state.apply(action)
        narration.add(seat, action, state.take_events(), before)
        drawn.felt(narration.moment())
        assert len(drawn.chances(state.view(0))) == len(state.sides)
        narration.dismiss_ending()
    assert all(line.endswith(".") for line in narration.log)


def test_the_hand_offers_the_cards_that_are_legal() -> None:
    state = state_after("pass", "bet 2", "pass", "pass", "trump spades", "play QS", "play 4S")
    state.apply(state.parse("play 5S"))
    moment = asked(state)
    offered = [card.face.code for card in table().hand(moment) if card.action is not None]
    assert sorted(offered) == ["2S", "AS", "JS", "KS"]
    assert table().choices(moment) == []
    assert table().prompt(moment) == "Your turn: play a card. Dim cards are not allowed now."
    assert table().why_not_card(moment.view, PACK.card("9H")) == (
        "The nine of hearts is not allowed now."
    )


def test_other_actions_are_choices() -> None:
    moment = asked(state_after())
    assert [choice.text for choice in table().choices(moment)] == [
        "Pass",
        "Bet 2",
        "Bet 3",
        "Bet 4",
    ]
    assert table().prompt(moment) == "You may pass, bet 2, bet 3 or bet 4."


def test_a_lead_may_be_any_card() -> None:
    assert table().prompt(asked(state_after(*BIDS))) == "You lead: play a card."


def test_the_trick_lies_by_seat_until_the_next_lead() -> None:
    state = state_after(*BIDS, "play AS")
    laid = table().felt(Moment(state.view(0)))
    assert [(card.place, card.caption) for card in laid] == [
        ("bottom", "You lead"),
        ("left", "West"),
        ("top", "North"),
        ("right", "East"),
    ]
    for label in ("play 3S", "play 4S", "play 5S"):
        state.apply(state.parse(label))
    laid = table().felt(asked(state))
    assert [card.face.code for card in laid if card.face] == ["AS", "3S", "4S", "5S"]
    assert [card.caption for card in laid if card.bright] == ["You take it"]
    assert table().last_trick(state.view(0)) == (
        "Last trick: You A♠, West 3♠, North 4♠, East 5♠. You took it."
    )


def test_seats_show_backs_and_the_last_bid() -> None:
    west, north, _ = table().seats(Moment(state_after("pass", "bet 2").view(0)))
    assert (west.backs, west.note, north.active) == (6, "bet 2", True)


def test_facts_come_from_the_kinds_of_the_fields() -> None:
    facts = table().facts(state_after("bet 3").view(0))
    assert "dealer East" in facts
    assert "bet 3" in facts
    assert "bettor You" in facts


def test_log_lines_come_from_labels_and_events() -> None:
    state = state_after(*BIDS)
    view = state.view(0)
    assert table().opening(view) == "Hand 1: East deals."
    assert table().tell_action(view, 1, state.parse("pass")) == "West passes."
    assert table().tell_action(view, 0, state.parse("bet 3")) == "You bet 3."
    assert table().tell_action(view, 0, state.parse("play AS")) == "You lead the ace of spades."
    assert table().tell_action(view, 1, HIDDEN) == "West makes a hidden move."
    assert table().tell_event(view, Event("trick", 2)) == "North takes the trick."
    assert table().tell_event(view, Event("hand", points=(4, 0))) == (
        "You + North +4. You + North 0 : 0 West + East."
    )
    assert table().tell_event(view, Event("match", points=(0.0, 1.0))) == (
        "West + East win the match."
    )
    assert table().tell_event(view, Event("match", points=(0.5, 0.5))) == (
        "You + North and West + East share the win."
    )
    assert table().tell_event(view, Event("shuffle")) == ""
