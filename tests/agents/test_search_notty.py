"""Search for Notty: what the network expects, and every way to go out in this turn."""

from random import Random

import pytest

from agents.match import Match
from agents.notty.rules import HardNotty, hand_of
from agents.notty.search import GoingOut, SearchNotty, chance_of, shipped_network
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


def test_far_from_going_out_it_asks_the_network():
    state = notty_position("R1 G3 Y7 B9", "R4 R5 R6 K1 K2")
    label, scores = decide(state)
    view, legal = state.view(0), state.legal()
    expected = shipped_network().act(view, legal, Random(1))
    assert label == state.label(expected.action)
    worth = expected.scores[expected.action]
    assert max(scores.values()) == pytest.approx(chance_of(worth, 2))


@pytest.mark.parametrize("players", [2, 3])
def test_the_worth_of_a_match_becomes_a_chance_to_win(players: int):
    """A win pays the network 1; a loss costs it as much as its rewards say."""
    lost = -0.5 - 0.5 / (players - 1)
    assert chance_of(1 / 0.5, players) == pytest.approx(1, abs=0.01)
    assert chance_of(lost / 0.5, players) == pytest.approx(0, abs=0.01)
    fair = 1 / players
    assert chance_of((fair + (1 - fair) * lost) / 0.5, players) == pytest.approx(fair)


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


def chance_to_go_out(state: NottyState, action: int) -> float:
    """In this turn."""
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
    assert chance_to_go_out(state, STEAL + 1) == 1
    assert chance_to_go_out(state, PASS) == 0


def test_hand_far_from_going_out_has_no_chance_to_do_so_now():
    state = notty_position("R1 G3 Y7 B9", "R4 R5 R6 K1 K2")
    view = state.view(0)
    hand = hand_of(view.hands[0])
    assert GoingOut(view, 2, Random(1)).chances(hand, [PASS, EXCHANGE]) == {PASS: 0, EXCHANGE: 0}


def test_view_of_another_game_raises_an_error():
    with pytest.raises(TypeError, match="Notty only"):
        SearchNotty().act(GAMES["euchre"].new().view(0), [0, 1], Random(1))


def test_registry_sets_the_budget():
    agent = make("notty", "search", budget=Budget(2))
    assert isinstance(agent, SearchNotty)
    assert agent.budget == Budget(2)


@pytest.mark.slow
def test_wins_more_often_than_hard():
    """Rules that did not see that a hand can be too small for a group once lost two of three."""
    wins = 0.0
    for seed in range(40):
        seats = [SearchNotty(), HardNotty()]
        if seed % 2:
            seats.reverse()
        state = GAMES["notty"].new(seed // 2)
        Match(state, seats, seed).play_out()
        wins += state.returns()[seed % 2]
    assert wins > 18
