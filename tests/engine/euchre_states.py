"""States of Euchre for the tests of its rules, and words to act in them."""

from engine.cards import cards_in
from engine.game import OVER
from engine.games.euchre import GAME as EUCHRE
from engine.games.euchre import PACK, EuchreState

SOLOIST = "JS JC AS 9H 9D"
LEFT_OF_SOLOIST = "KS QS AH AD KH"
RIGHT_OF_SOLOIST = "10S 9S 10H 10D QH"
DUMMY = "AC KC QC 10C 9C"
UP_CARD = "KD"
KITTY = {"JH", "JD", "QD"}


def dealt(*hands: str, up: str, dummy: str = "", dealer: int) -> EuchreState:
    """A table where seat 0 has the first hand and so on; cards not named are the kitty."""
    seats = len(hands)
    assert len(dummy.split()) == (5 if seats == 3 else 0)
    fives = [hands[(dealer + place) % seats] for place in range(1, seats + 1)]
    deck = " ".join([*fives, dummy, up]).split()
    return EUCHRE.new(deck=deck, first=dealer, players=seats)


def three(dealer: int = 2, up: str = UP_CARD) -> EuchreState:
    return dealt(SOLOIST, LEFT_OF_SOLOIST, RIGHT_OF_SOLOIST, up=up, dummy=DUMMY, dealer=dealer)


def four(dealer: int = 3) -> EuchreState:
    return dealt(
        "JS JC AS 9H 9D", "KS QS AH AD KH", "10S 9S 10H 10D QH", DUMMY, up=UP_CARD, dealer=dealer
    )


def do(state: EuchreState, *actions: str) -> EuchreState:
    for action in actions:
        state.apply(state.parse(action))
    return state


def play(state: EuchreState, *cards: str) -> EuchreState:
    return do(state, *[f"play {card}" for card in cards])


def options(state: EuchreState) -> list[str]:
    return [state.label(action) for action in state.legal()]


def codes(mask: int) -> set[str]:
    return {PACK.codes[card] for card in cards_in(mask)}


def cards(text: str) -> set[str]:
    return set(text.split())


def finish_hand(state: EuchreState, *leads: str) -> EuchreState:
    """Play the hand to its end: these cards are led, all else is the first legal card."""
    hand_no, to_lead = state.hand_no, list(leads)
    while state.hand_no == hand_no and state.turn != OVER:
        if to_lead and not state.view(state.turn).trick:
            play(state, to_lead.pop(0))
        else:
            state.apply(state.legal()[0])
    return state


def called_by(seat: int, choice: str, dealer: int = 2, trump: str = "spades") -> EuchreState:
    """The seat names trump in round two."""
    passes = (seat - dealer - 1) % 3
    return do(three(dealer), *["pass"] * (3 + passes), f"call {trump}", choice)
