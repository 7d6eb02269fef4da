"""The tables that tests for any game are run at, and where each game keeps its cards."""

from collections import Counter
from collections.abc import Callable, Iterator

import pytest

from engine import GAMES
from engine.cards import cards_in
from engine.game import OptionValue, State

VARIANTS: dict[str, list[dict[str, OptionValue]]] = {
    "euchre": [{"players": 3}, {"players": 4}],
    "notty": [{"players": 2}, {"players": 3, "turn_limit": 60}],
}


def every_table() -> list[object]:
    """Each game of the house with each variant worth testing."""
    return [
        pytest.param(name, options, id=f"{name}-{'-'.join(map(str, options.values()))}")
        for name in GAMES
        for options in VARIANTS[name]
    ]


def euchre_cards(state: State) -> Iterator[int]:
    shown = 0 if state.ordered_up else 1 << state.up_card
    dummy = 0 if state.dummy_taken else state.dummy
    played = [action for _, action in state.history if action < 24]
    for pile in [*state.hands, *state.discards, state.kitty, shown, dummy]:
        yield from cards_in(pile)
    yield from played


def notty_cards(state: State) -> Iterator[int]:
    view = state.view(0)
    for hand in view.hands:
        yield from hand
    for card, count in enumerate(view.deck):
        yield from [card] * count


CARDS_OF: dict[str, Callable[[State], Iterator[int]]] = {
    "euchre": euchre_cards,
    "notty": notty_cards,
}
PACKS: dict[str, Counter[int]] = {
    "euchre": Counter(range(24)),
    "notty": Counter(list(range(45)) * 2),
}


def everything_in(state: State) -> dict[str, object]:
    """Every attribute of a state in words, to see whether anything changed."""
    names = [
        name
        for name in dir(state)
        if not name.startswith("__") and not callable(getattr(state, name))
    ]
    return {name: repr(getattr(state, name)) for name in names}
