"""The columns that a state writes itself are those of its view."""

from random import Random

import pytest

from engine import GAMES
from engine.game import OVER, OptionValue
from engine.view_numbers import numbers_of, shown_in, width
from tests.high_card import high_card  # noqa: F401

OPTIONS: list[tuple[str, dict[str, OptionValue]]] = [
    ("euchre", {}),
    ("euchre", {"players": 4}),
    ("smear", {}),
    ("smear", {"revoke": "penalty"}),
    ("truco", {"target": 15}),
    ("fodinha", {}),
    ("fodinha", {"players": 7, "range": 13, "tries": 1}),
    ("fodinha", {"players": 2, "range": 3, "blind_one": False}),
    ("notty", {}),
    ("notty", {"players": 3}),
]


@pytest.mark.parametrize(("game", "options"), OPTIONS)
def test_a_state_writes_the_columns_of_its_views(
    game: str, options: dict[str, OptionValue]
) -> None:
    rng = Random(1)
    longest = 0
    for seed in range(2):
        state = GAMES[game].new(seed, None, None, **options)
        for step in range(120):
            for seat in range(state.seats):
                view = state.view(seat)
                assert state.numbers(seat) == numbers_of(view), (step, seat)
                # Also without what the state remembers of earlier calls.
                assert state.clone().numbers(seat) == numbers_of(view)
                if step % 15 == seat:
                    assert view.sample(rng).numbers(seat) == numbers_of(view)
                longest = max(longest, len(view.history))
            if state.turn == OVER:
                break
            if rng.random() < 0.05:
                state = state.clone()
            state.apply(rng.choice(state.legal()))
    assert longest <= GAMES[game].longest_history


@pytest.mark.parametrize("game", GAMES)
def test_columns_have_the_declared_width(game: str) -> None:
    view = GAMES[game].new(seed=2).view(0)
    kinds = [kind for _, kind in shown_in(type(view))]
    assert len(numbers_of(view)) == sum(width(kind, view.seats, len(view.sides)) for kind in kinds)


def test_a_game_without_columns_of_its_own_has_those_of_its_views(high_card: str) -> None:  # noqa: F811
    state = GAMES[high_card].new(seed=1)
    assert state.numbers(0) == numbers_of(state.view(0))
