"""States of Fodinha for the tests of its rules, and words to act in them."""

from random import Random

from engine.games.fodinha import (
    DECKS,
    PACK,
    SIDES,
    FodinhaState,
)
from engine.games.fodinha import (
    GAME as FODINHA,
)


def say(state: FodinhaState, *labels: str) -> FodinhaState:
    for label in labels:
        state.apply(state.parse(label))
    return state


def offers(state: FodinhaState) -> list[str]:
    return [state.label(action) for action in state.legal()]


def codes(cards) -> list[str]:
    return [PACK.codes[card] for card in cards]


def dealt(*hands: str, turned: str = "AS", lives=None, out=(), **options) -> FodinhaState:
    """A round with these hands from seat 0 on. The last seat alive deals and turns these cards
    for the power card."""
    options = {"players": len(hands), "tries": len(turned.split()), **options}
    chosen = FODINHA.make_options(options)
    state = FodinhaState(7, SIDES[chosen.players], options=chosen)
    state.tick = 2
    for seat in out:
        state.out_in[seat] = 1
        state.lives[seat] = 0
    if lives:
        state.lives = list(lives)
    state.seat_the_living()
    state.dealer = max(seat for seat, hand in enumerate(hands) if hand)
    state.size = len(hands[state.dealer].split())
    top = [code for hand in hands for code in hand.split()] + turned.split()
    state.deal(PACK.stack(top, DECKS[state.options.range]))
    return state


def played(state: FodinhaState, calls: str, cards: str) -> FodinhaState:
    """The calls in order, then cards in order."""
    say(state, *[f"call {call}" for call in calls.split()])
    return say(state, *[f"play {card}" for card in cards.split()])


def sizes(state: FodinhaState, rounds: int) -> list[int]:
    rng = Random(1)
    seen = []
    while len(seen) < rounds:
        if len(seen) < state.hand_no:
            seen.append(state.size)
        state.apply(rng.choice(state.legal()))
    return seen
