"""The Euchre table's pictures and sentences, from fixed deals."""

from app.match.moment import Moment
from app.match.seating import PERSON, Seating, TablePlan
from app.ui.tables.euchre import EuchreTable
from engine.game import HIDDEN, Event
from engine.games.euchre import GAME as EUCHRE
from engine.games.euchre import EuchreState

# The dealer is seat 2: five cards to each seat from 0 on, five to the dummy, the up-card.
DECK = [
    *("AH", "KH", "JD", "9C", "10C"),
    *("9H", "QH", "9S", "10S", "JS"),
    *("10H", "9D", "10D", "QD", "KD"),
    *("JH", "AS", "AC", "KC", "QC"),
    "QS",
]


def table(players: int = 3) -> EuchreTable:
    seats = (PERSON, *["hard"] * (players - 1))
    return EuchreTable(EUCHRE, Seating.of(TablePlan("euchre", seats)))


def state_after(*labels: str) -> EuchreState:
    state = EUCHRE.new(seed=1, deck=DECK, first=2)
    for label in labels:
        state.apply(state.parse(label))
    return state


def asked(state: EuchreState) -> Moment:
    return Moment(state.view(0), asked=0, legal=tuple(state.legal()))


def test_first_question_names_the_up_card_and_the_dealer() -> None:
    moment = asked(state_after())
    assert table().prompt(moment) == (
        "Make spades trump? Order up the queen (East picks it up), or pass."
    )
    assert [choice.text for choice in table().choices(moment)] == ["Pass", "Order up"]
    assert not any(card.action is not None for card in table().hand(moment))


def test_calling_offers_the_other_three_suits() -> None:
    moment = asked(state_after("pass", "pass", "pass"))
    assert "Spades were turned down" in table().prompt(moment)
    texts = [choice.text for choice in table().choices(moment)]
    assert texts == ["Pass", "Call ♥ hearts", "Call ♦ diamonds", "Call ♣ clubs"]


def test_maker_goes_alone_or_takes_the_dummy() -> None:
    moment = asked(state_after("pass", "pass", "pass", "call hearts"))
    assert "take the dummy's five cards" in table().prompt(moment)
    assert [choice.text for choice in table().choices(moment)] == ["Go alone", "Take the dummy"]


def test_ten_cards_are_reduced_to_five() -> None:
    state = state_after("pass", "pass", "pass", "call hearts", "with partner")
    moment = asked(state)
    cards = table().hand(moment)
    assert len(cards) == 10
    assert [card.face.code for card in cards[:2]] == ["JH", "JD"], "the bowers come first"
    assert "mark five to discard" in table().prompt(moment)
    codes = {card.face.code: card.card for card in cards}
    marked = [codes[code] for code in ("9C", "10C", "QC", "KC", "AS")]
    for action in table().actions_for_marked(moment, marked):
        state.apply(action)
    assert state.view(0).hand.bit_count() == 5
    assert table().actions_for_marked(moment, [*marked, codes["AC"]]) == []


def test_question_explains_which_cards_follow() -> None:
    state = state_after("pass", "pass", "pass", "pass", "call hearts", "with partner", "play 9C")
    state.apply(state.parse("play QH"))
    state.apply(state.parse("play 10H"))
    assert state.turn == 1
    state.apply(state.parse("play 9H"))
    state.apply(state.parse("play 9D"))
    moment = asked(state)
    assert table().prompt(moment) == (
        "Hearts were led: follow with a heart. The jack of diamonds counts as a heart."
    )
    playable = [card.face.code for card in table().hand(moment) if card.action is not None]
    assert playable == ["JD", "AH", "KH"]
    club = next(card for card in table().hand(moment) if card.face.code == "10C")
    assert table().why_not_card(state.view(0), club.card) == (
        "Hearts were led: follow with a heart."
    )


def test_taken_trick_stays_until_the_next_lead() -> None:
    state = state_after("pass", "pass", "pass", "pass", "call hearts", "with partner", "play 9C")
    state.apply(state.parse("play QH"))
    state.apply(state.parse("play 10H"))
    laid = table().felt(Moment(state.view(0)))
    assert [(card.place, card.face.code if card.face else "") for card in laid] == [
        ("bottom", "9C"),
        ("left", "QH"),
        ("right", "10H"),
    ]
    assert [card.caption for card in laid if card.bright] == ["West takes it"]
    assert table().last_trick(state.view(0)).endswith("West took it.")


def test_seats_show_backs_bids_and_the_dummy() -> None:
    state = state_after("pass", "order up")
    west, dummy, east = table().seats(Moment(state.view(0)))
    assert (west.title, west.backs, west.note) == ("West · hard", 5, "ordered up")
    assert [face.code for face in dummy.cards] == ["AS", "JH", "AC", "KC", "QC"]
    assert dummy.note == "not in play"
    assert (east.backs, east.note, east.dealer, east.active) == (6, "", True, True)


def test_open_hands_show_every_card() -> None:
    state = state_after()
    views = tuple(state.view(seat) for seat in range(3))
    west, _, east = table().seats(Moment(views[0], views))
    assert len(west.cards) == len(east.cards) == 5
    assert west.backs == 0


def test_status_line_shows_trump_maker_dealer_and_tricks() -> None:
    state = state_after("pass", "pass", "pass", "call hearts", "alone")
    facts = [str(fact) for fact in table().facts(state.view(0))]
    assert facts == ["trump ♥ hearts", "maker You (alone)", "dealer East", "tricks 0 – 0"]
    assert table().score_line(state.view(0)) == "You + dummy 0 : 0 West + East"


def test_log_hides_face_down_discards() -> None:
    state = state_after("order up")
    view = state.view(0)
    assert table().tell_action(view, 2, HIDDEN) == "East discards a card."
    assert table().tell_action(view, 2, state.parse("discard 9D")) == (
        "East discards the nine of diamonds."
    )


def test_log_lines_of_actions_and_events() -> None:
    state = state_after()
    view = state.view(0)
    tell = table().tell_action
    assert tell(view, 0, state.parse("pass")) == "You pass."
    assert tell(view, 1, state.parse("order up")) == (
        "West orders up the queen of spades: spades are trump."
    )
    assert tell(view, 2, state.parse("call hearts")) == "East calls hearts."
    assert tell(view, 0, state.parse("play AH")) == "You lead the ace of hearts."
    assert table().opening(view) == "Hand 1: East deals and turns up the queen of spades."
    assert table().tell_event(view, Event("trick", 1)) == "West takes the trick."
    euchred = Event("hand", 1, points=(2, 0), note="euchred")
    assert table().tell_event(view, euchred) == (
        "West is euchred, short of three tricks: 2 points for You + dummy. "
        "You + dummy 0 : 0 West + East."
    )
    assert table().tell_event(view, Event("match", points=(1.0, 0.0))) == (
        "You + dummy win the match."
    )


def test_four_players_have_partners_and_no_dummy() -> None:
    state = EUCHRE.new(seed=1, players=4, first=3)
    for label in ("pass", "pass", "pass", "pass"):
        state.apply(state.parse(label))
    state.apply(state.legal()[-1])
    moment = Moment(state.view(0), asked=0, legal=tuple(state.legal()))
    assert [choice.text for choice in table(4).choices(moment)] == ["Go alone", "With North"]
    assert [seat.title for seat in table(4).seats(moment)] == [
        "West · hard",
        "North · hard",
        "East · hard",
    ]
