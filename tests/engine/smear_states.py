"""States of Smear for the tests of its rules, and words to act in them."""

from engine.game import OVER, State
from engine.games.smear import (
    GAME as SMEAR,
)
from engine.games.smear import (
    HandResult,
    SmearState,
)

RANKS = ("A", "K", "Q", "J", "10", "9", "5", "4", "3", "2")

FOUR_POINTS = (
    "AS KS JS 2S 10H 9H",
    "3S QS 10S AH KH 5H",
    "4S 9S AD KD 10D 2D",
    "5S QH JH 4H 3H 2H",
)
FOUR_POINTS_PLAY = (
    "AS 3S 4S 5S",
    "KS QS 9S 2H",
    "JS 10S AD 3H",
    "2S 5H 10D 4H",
    "9H AH KD JH",
    "KH 2D QH 10H",
)
EQUAL_GAME = (
    "JS JH 2S 2H 2D 2C",
    "JD JC 3S 3H 3D 3C",
    "4S 4H 4D 4C 9S 9H",
    "5S 5H 5D 5C 9D 9C",
)
EQUAL_GAME_PLAY = (
    "JS 3S 4S 5S",
    "JH 3H 4H 5H",
    "2D JD 4D 5D",
    "JC 4C 5C 2C",
    "3D 9H 9D 2H",
    "9C 2S 3C 9S",
)
TWO_EACH = (
    "AS 2S JH 5H 9H 2H",
    "JS KS 4D 5D 9D 2D",
    "9S 3C 4C 5C 9C 2C",
    "10C 10S AC KC QC JC",
)
"""With spades trump: low and high to seat 0, jack and game to the others."""


def table(hands: tuple[str, ...], seed: int = 1, **options: str) -> SmearState:
    """A match whose first hand gives seats 0 to 3 these cards; seat 3 deals."""
    return SMEAR.new(seed=seed, deck=" ".join(hands).split(), first=3, **options)


def do(state: State, *labels: str) -> None:
    for label in labels:
        state.apply(state.parse(label))


def play(state: State, *tricks: str) -> None:
    for trick in tricks:
        do(state, *[f"play {code}" for code in trick.split()])


def bet_and_name(state: State, bet: int, suit: str) -> None:
    """Seat 0 bets, the others pass, seat 0 names trump."""
    do(state, f"bet {bet}", "pass", "pass", "pass", f"trump {suit}")


def finish_hand(state: State) -> None:
    hand_no = state.hand_no
    while state.turn != OVER and state.hand_no == hand_no:
        state.apply(state.legal()[0])


def labels(state: State) -> list[str]:
    return [state.label(action) for action in state.legal()]


def result(state: SmearState) -> HandResult:
    assert state.last_hand is not None
    return state.last_hand


FOLLOWING = (
    "AH KH 9C 2C 5C 3C",
    "2H 3H KS 10D AD 4C",
    "QS JS 2D 3D 9D 5D",
    "4H 5H 9H 10H 9S 10S",
)
