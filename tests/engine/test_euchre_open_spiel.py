"""Four-player Euchre, hand by hand, beside OpenSpiel's independent implementation."""

from random import Random
from typing import Any

import pyspiel
import pytest

from engine.games.euchre import (
    ALONE,
    CALL,
    CALLING,
    CARDS,
    DEALER_DISCARD,
    DISCARD,
    ORDER_UP,
    PACK,
    PASS,
    WITH_PARTNER,
    EuchreState,
)
from engine.games.euchre import (
    GAME as EUCHRE,
)

HANDS = 10_000
PATIENCE = 0.6
"""How often a seat passes without a thought, so that the later bids come up often."""
SPIEL_PASS, SPIEL_CLUBS, SPIEL_ALONE, SPIEL_PARTNER = 24, 25, 29, 30


def spiel_suit(suit: int) -> int:
    """OpenSpiel counts clubs, diamonds, hearts, spades."""
    return 3 - suit


def spiel_card(card: int) -> int:
    """OpenSpiel counts its cards rank by rank."""
    return PACK.rank(card) * 4 + spiel_suit(PACK.suit(card))


def spiel_action(state: EuchreState, action: int) -> int:
    if action < DISCARD:
        return spiel_card(action)
    if action < PASS:
        return spiel_card(action - DISCARD)
    if action == ORDER_UP:
        return SPIEL_CLUBS + spiel_suit(PACK.suit(state.up_card))
    if CALL <= action < ALONE:
        return SPIEL_CLUBS + spiel_suit(action - CALL)
    return {PASS: SPIEL_PASS, ALONE: SPIEL_ALONE, WITH_PARTNER: SPIEL_PARTNER}[action]


def dealt_alike(deck: list[int], dealer: int) -> tuple[EuchreState, Any]:
    """The same hands at both tables. OpenSpiel deals card by card, from the dealer on."""
    ours = EUCHRE.new(deck=[PACK.codes[card] for card in deck], first=dealer, players=4)
    theirs = pyspiel.load_game("euchre").new_initial_state()
    theirs.apply_action(dealer)
    fives = [deck[15:20], deck[:5], deck[5:10], deck[10:15]]
    for nth in range(5):
        for hand in fives:
            theirs.apply_action(spiel_card(hand[nth]))
    theirs.apply_action(spiel_card(ours.up_card))
    return ours, theirs


def comparable(state: EuchreState) -> dict[int, int]:
    """Our legal moves by OpenSpiel's numbers, without the discard it does not know."""
    return {
        spiel_action(state, action): action
        for action in state.legal()
        if not (state.phase == DEALER_DISCARD and action == DISCARD + state.up_card)
    }


def play_beside(ours: EuchreState, theirs: Any, rng: Random) -> set[str]:
    """Play the hand at both tables with the same random moves; what happened in it."""
    ours.record_events()
    ours.take_events()
    seen: set[str] = set()
    while not theirs.is_terminal():
        assert ours.hand_no == 1
        assert ours.turn == theirs.current_player()
        moves = comparable(ours)
        assert sorted(moves) == theirs.legal_actions()
        if ours.phase == CALLING and ours.turn == ours.dealer:
            seen.add("stuck")
        passes = SPIEL_PASS in moves and rng.random() < PATIENCE
        choice = SPIEL_PASS if passes else rng.choice(sorted(moves))
        seen.add(ours.label(moves[choice]))
        ours.apply(moves[choice])
        theirs.apply_action(choice)
    assert ours.hand_no == 2
    events = ours.take_events()
    winners = [event.seat for event in events if event.kind == "trick"]
    assert winners == [trick.winner() for trick in theirs.tricks()]
    ours_first, ours_second = ours.hand_returns()
    difference = ours_first - ours_second
    assert theirs.returns() == [difference, -difference, difference, -difference]
    seen.add(next(event.note for event in events if event.kind == "hand"))
    return seen


@pytest.mark.parametrize("dealer", range(4))
def test_hands_agree_with_open_spiel_card_for_card(dealer: int) -> None:
    rng = Random(dealer)
    seen: set[str] = set()
    for _ in range(HANDS // 4):
        deck = rng.sample(range(CARDS), CARDS)
        seen |= play_beside(*dealt_alike(deck, dealer), rng)
    assert {"order up", "stuck", "alone", "with partner"} <= seen
    assert {"made", "march", "euchred", "alone march"} <= seen
