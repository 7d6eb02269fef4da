"""Notty's look-ahead: thefts first, and every way to be out before the turn ends."""

from random import Random

import pytest

from agents.notty.rules import Outlook, hand_of
from agents.notty.search import GoingOut, SearchNotty, WaryOutlook
from agents.registry import make
from agents.search.agent import Budget
from engine import GAMES
from engine.games.notty import EXCHANGE, PACK, PASS, STEAL, NottyState
from engine.games.notty import GAME as NOTTY


def table(mine: str, theirs: str) -> NottyState:
    """Seat 0 to act, with these hands."""
    state = NOTTY.new(seed=1)
    state.ones, state.twos, state.sizes = [0, 0], [0, 0], [0, 0]
    state.stacked = False
    state.deck = list(range(45)) * 2
    for seat, codes in enumerate((mine, theirs)):
        for code in codes.split():
            card = PACK.codes.index(code)
            state.receive(seat, card)
            state.deck.remove(card)
    return state


def decide(state: NottyState, tries: int = 4) -> tuple[str, dict[str, float]]:
    decision = SearchNotty(Budget(tries)).act(state.view(state.turn), state.legal(), Random(1))
    scores = {state.label(action): score for action, score in decision.scores.items()}
    return state.label(decision.action), scores


def test_it_goes_out_when_it_can():
    label, _ = decide(table("R1 R2 R3 G5 Y5 B5 K5", "R9 G9"))
    assert label.startswith("group")


def test_a_theft_comes_first_while_going_out_is_far_off():
    label, _ = decide(table("R1 G3 Y7 B9", "R4 R5 R6 K1 K2"))
    assert label == "steal 1"


def test_nobody_is_helped_out_by_the_theft_of_their_last_card():
    state = table("R1 G3 Y7 B9", "R4")
    label, scores = decide(state)
    assert label != "steal 1"
    assert "steal 1" not in scores


def test_an_exchange_comes_first_when_it_may_end_the_match():
    """One card is over and many of the deck would lengthen a run; of the rival's cards
    none would."""
    label, scores = decide(table("R3 R4 R5 G3 G4 G5 Y3 Y4 Y5 B3 B4 B5 K9", "R9 R9 G9 B9"))
    assert label == "exchange"
    assert scores["steal 1"] < scores["exchange"] < 1


def test_the_exchange_throws_out_the_card_that_is_over():
    state = table("R3 R4 R5 K9", "R9 R8 G2")
    state.deck = [PACK.codes.index("R6")]
    state.apply(EXCHANGE)
    label, _ = decide(state)
    assert label == "discard K9"


def chance_of(state: NottyState, action: int) -> float:
    """Of being out this turn: what the race would add is left out."""
    view = state.view(0)
    scores = GoingOut(view, 6, Random(1)).scores(hand_of(view.hands[0]), {action: 0.0})
    return scores[action]


def test_the_chance_of_an_exchange_is_counted_exactly():
    """R2, R6, K9's neighbours: of the deck's cards only two R2 and two R6 fit, and no theft
    or draw is left to follow."""
    state = table("R3 R4 R5 K9", "G1 G9")
    view = state.view(0)
    view.drew = view.stole = True
    going = GoingOut(view, 6, Random(1))
    hand = hand_of(view.hands[0])
    assert going.scores(hand, {EXCHANGE: 0.0})[EXCHANGE] == pytest.approx(4 / sum(view.deck))


def test_a_theft_that_must_bring_the_missing_card_is_certain():
    state = table("R3 R4", "R5 R5")
    assert chance_of(state, STEAL + 1) == 1
    assert chance_of(state, PASS) == 0


def test_who_is_far_from_out_weighs_the_race_alone():
    state = table("R1 G3 Y7 B9", "R4 R5 R6 K1 K2")
    view = state.view(0)
    hand = hand_of(view.hands[0])
    race = {PASS: 0.3}
    assert GoingOut(view, 2, Random(1)).scores(hand, race) == race


def test_more_cards_left_over_mean_more_setbacks():
    state = table("R3 R4 R5 K9", "R1 G3 Y7 B9 K5")
    view = state.view(0)
    ratios = []
    for cards in view.hands:
        hand = hand_of(cards)
        wary = WaryOutlook(view.deck).prospect(hand)
        plain = Outlook(view.deck).prospect(hand)
        assert wary.left == plain.left
        ratios.append(wary.turns / plain.turns)
    assert 1 < ratios[0] < ratios[1]


def test_it_knows_notty_only():
    with pytest.raises(TypeError, match="Notty only"):
        SearchNotty().act(GAMES["euchre"].new().view(0), [0, 1], Random(1))


def test_the_registry_seats_it_with_a_budget():
    agent = make("notty", "search", budget=Budget(2))
    assert isinstance(agent, SearchNotty)
    assert agent.budget == Budget(2)
