"""The options that generic tests play each game with, and where each game keeps its cards."""

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import Field, fields
from typing import Any

import pytest

from engine import GAMES
from engine.cards import cards_in
from engine.game import OptionValue, State
from engine.manifest import VARIANTS, base_game, variant_name

ALL_GAMES = (*GAMES, *VARIANTS)
"""The games and their variants."""


def variants(name: str) -> list[dict[str, OptionValue]]:
    """Option sets that together take each option to its default, its limits and its choices.

    The first set has the default of every option, the second the next value of each, and so on.
    Sets that the game refuses are left out, and so are options with one possible value.
    """
    values = {
        each.name: [value for value in values_of(each) if is_own(name, each.name, value)]
        for each in fields(GAMES[name].options)
    }
    values = {option: each for option, each in values.items() if len(each) > 1}
    longest = max(map(len, values.values()), default=1)
    found: list[dict[str, OptionValue]] = []
    for place in range(longest):
        options = {option: each[place % len(each)] for option, each in values.items()}
        if options not in found and is_accepted(name, options):
            found.append(options)
    return found


def values_of(option: Field[Any]) -> list[OptionValue]:
    """The default first, then every other choice, or a number in the middle and the limits."""
    default, limits = option.default, option.metadata
    if isinstance(default, bool):
        return [default, not default]
    if limits["choices"]:
        return [default, *[choice for choice in limits["choices"] if choice != default]]
    low, high = limits["low"], limits["high"]
    return [default, (low + default) // 2, low, default if high is None else high]


def is_own(name: str, option: str, value: OptionValue) -> bool:
    """Whether this value does not choose a variant of the game, and no variant alone has it."""
    options = {option: value}
    shares = any(name in (variant, base_game(variant)) for variant in VARIANTS)
    return variant_name(name, options) == name and (not shares or is_accepted(name, options))


def is_accepted(name: str, options: dict[str, OptionValue]) -> bool:
    try:
        GAMES[name].make_options(options)
    except ValueError:
        return False
    return True


def variant_id(name: str, options: dict[str, OptionValue]) -> str:
    return "-".join([name, *map(str, options.values())])


def every_table() -> list[object]:
    """Each game with each of its variants."""
    return [
        pytest.param(name, options, id=variant_id(name, options))
        for name in ALL_GAMES
        for options in variants(name)
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


def smear_cards(state: State) -> Iterator[int]:
    for hand in state.hands:
        yield from cards_in(hand)
    yield from cards_in(state.undealt)
    yield from [action for _, action in state.history if action < 40]


def truco_cards(state: State) -> Iterator[int]:
    for hand in state.hands:
        yield from hand
    yield from [card for _, card in state.plays]
    yield state.muestra


def truco_full_cards(state: State) -> Iterator[int]:
    for cards in state.dealt:
        yield from cards
    yield state.muestra


def fodinha_cards(state: State) -> Iterator[int]:
    for hand in state.hands:
        yield from hand
    yield from state.stock
    yield from [action for _, action in state.history if action < 52]


CARDS_OF: dict[str, Callable[[State], Iterator[int]]] = {
    "euchre": euchre_cards,
    "smear": smear_cards,
    "truco": truco_cards,
    "truco_full": truco_full_cards,
    "fodinha": fodinha_cards,
    "notty": notty_cards,
}


def cards_there_should_be(name: str, options: dict[str, OptionValue]) -> Counter[int]:
    """How often each card is somewhere; the undealt cards of Truco are nowhere."""
    if name == "fodinha":
        ranks = int(options.get("range", 10))
        return Counter(13 * suit + rank for suit in range(4) for rank in range(ranks))
    return {
        "euchre": Counter(range(24)),
        "smear": Counter(range(40)),
        "notty": Counter(list(range(45)) * 2),
    }[name]


def all_cards_are_there(name: str, options: dict[str, OptionValue], state: State) -> bool:
    """Whether each card is where it should be. Not checked for a game that is not listed."""
    if name not in CARDS_OF:
        return True
    cards = Counter(CARDS_OF[name](state))
    if name.startswith("truco"):
        return cards.total() == len(cards) == 3 * state.seats + 1
    return cards == cards_there_should_be(name, options)


def everything_in(state: State) -> dict[str, object]:
    """Every attribute of a state in words, to see whether anything changed."""
    names = [
        name
        for name in dir(state)
        if not name.startswith("__") and not callable(getattr(state, name))
    ]
    return {name: repr(getattr(state, name)) for name in names}
