"""States of Notty for the tests of its rules, and words to act in them."""

from collections import Counter
from collections.abc import Sequence
from random import Random

from engine.game import OVER
from engine.games.notty import (
    GAME as NOTTY,
)
from engine.games.notty import (
    PACK,
    SIDES,
    NottyState,
)

JUNK = ["G1", "Y3", "B5", "K7"]
"""Four cards of which no two fit in one group."""


def table(*hands: Sequence[str], draws: Sequence[str] = (), **options: int) -> NottyState:
    """A match with these hands of four from seat 0 on, and these cards to draw."""
    deck = [code for hand in hands for code in hand] + list(draws)
    return NOTTY.new(deck=deck, players=len(hands), **options)


def say(state: NottyState, *labels: str) -> NottyState:
    for label in labels:
        state.apply(state.parse(label))
    return state


def hand(state: NottyState, seat: int) -> list[str]:
    return [PACK.codes[card] for card in state.view(seat).hands[seat]]


def offers(state: NottyState) -> list[str]:
    return [state.label(action) for action in state.legal()]


def holding(codes: str, other: str = "K9", **options: int) -> NottyState:
    """Seat 0 to act with exactly these cards, seat 1 with others; the rest is the deck."""
    state = NottyState(1, SIDES[2], options=NOTTY.make_options(options))
    left = Counter(dict.fromkeys(range(len(PACK.codes)), PACK.copies))
    for seat, held in enumerate((codes, other)):
        for code in held.split():
            state.receive(seat, PACK.card(code))
            left[PACK.card(code)] -= 1
    state.deck = list(left.elements())
    state.stacked = False
    return state


def cards_everywhere(state: NottyState) -> Counter[int]:
    held = [card for cards in state.view(0).hands for card in cards]
    return Counter(held) + Counter(state.deck)


def random_match(seed: int, **options: int) -> NottyState:
    state = NOTTY.new(seed, None, None, **options)
    rng = Random(seed)
    while state.turn != OVER:
        state.apply(rng.choice(state.legal()))
    return state
