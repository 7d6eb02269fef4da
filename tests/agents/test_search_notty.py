"""Search for Notty: thefts first, and every way to go out in this turn."""

from random import Random

import pytest

from agents.notty.rules import Outlook, hand_of
from agents.notty.search import GoingOut, SearchNotty, WaryOutlook
from agents.registry import make
from agents.search.agent import Budget
from engine import GAMES
from engine.games.notty import EXCHANGE, PACK, PASS, STEAL, NottyState
from tests.agents.positions import notty_position


def decide(state: NottyState, tries: int = 4) -> tuple[str, dict[str, float]]:
    decision = SearchNotty(Budget(tries)).act(state.view(state.turn), state.legal(), Random(1))
    scores = {state.label(action): score for action, score in decision.scores.items()}
    return state.label(decision.action), scores


def test_it_goes_out_when_it_can():
    label, _ = decide(notty_position("R1 R2 R3 G5 Y5 B5 K5", "R9 G9"))
    assert label.startswith("group")


def test_steals_first_while_going_out_is_far_off():
    label, _ = decide(notty_position("R1 G3 Y7 B9", "R4 R5 R6 K1 K2"))
    assert label == "steal 1"


def test_never_steals_a_last_card():
    state = notty_position("R1 G3 Y7 B9", "R4")
    label, scores = decide(state)
    assert label != "steal 1"
    assert "steal 1" not in scores


def test_exchanges_first_if_that_may_end_the_match():
    """One card is left over. Many cards of the deck would lengthen a run, none of the rival's
    would."""
    label, scores = decide(notty_position("R3 R4 R5 G3 G4 G5 Y3 Y4 Y5 B3 B4 B5 K9", "R9 R9 G9 B9"))
    assert label == "exchange"
    assert scores["steal 1"] < scores["exchange"] < 1


def test_discards_the_surplus_card_after_an_exchange():
    state = notty_position("R3 R4 R5 K9", "R9 R8 G2")
    state.deck = [PACK.codes.index("R6")]
    state.apply(EXCHANGE)
    label, _ = decide(state)
    assert label == "discard K9"


def chance_of(state: NottyState, action: int) -> float:
    """The chance to go out in this turn, without the score of the race."""
    view = state.view(0)
    scores = GoingOut(view, 6, Random(1)).chances(hand_of(view.hands[0]), [action])
    return scores[action]


def test_chance_of_an_exchange_is_exact():
    """Only two R2 and two R6 in the deck fit, and no theft or draw can follow."""
    state = notty_position("R3 R4 R5 K9", "G1 G9")
    view = state.view(0)
    view.drew = view.stole = True
    going = GoingOut(view, 6, Random(1))
    hand = hand_of(view.hands[0])
    assert going.chances(hand, [EXCHANGE])[EXCHANGE] == pytest.approx(4 / sum(view.deck))


def test_theft_that_must_bring_the_missing_card_is_certain():
    state = notty_position("R3 R4", "R5 R5")
    assert chance_of(state, STEAL + 1) == 1
    assert chance_of(state, PASS) == 0


def test_hand_far_from_going_out_uses_the_race_only():
    state = notty_position("R1 G3 Y7 B9", "R4 R5 R6 K1 K2")
    view = state.view(0)
    hand = hand_of(view.hands[0])
    assert GoingOut(view, 2, Random(1)).chances(hand, [PASS, EXCHANGE]) == {PASS: 0, EXCHANGE: 0}


def test_more_cards_left_over_mean_more_setbacks():
    state = notty_position("R3 R4 R5 K9", "R1 G3 Y7 B9 K5")
    view = state.view(0)
    ratios = []
    for cards in view.hands:
        hand = hand_of(cards)
        wary = WaryOutlook(view.deck).prospect(hand)
        plain = Outlook(view.deck).prospect(hand)
        assert wary.left == plain.left
        ratios.append(wary.turns / plain.turns)
    assert 1 < ratios[0] < ratios[1]


def test_view_of_another_game_raises_an_error():
    with pytest.raises(TypeError, match="Notty only"):
        SearchNotty().act(GAMES["euchre"].new().view(0), [0, 1], Random(1))


def test_registry_sets_the_budget():
    agent = make("notty", "search", budget=Budget(2))
    assert isinstance(agent, SearchNotty)
    assert agent.budget == Budget(2)
