"""Every visible field of a view holds what its kind declares, in every game."""

from random import Random

import pytest

from engine import GAMES
from engine.cards import cards_in
from engine.fields import (
    Actions,
    Card,
    CardCounts,
    CardSet,
    Count,
    Flag,
    Number,
    OneOf,
    PerSeat,
    PerSide,
    Plays,
    Seat,
    Several,
)
from engine.game import HIDDEN, OVER
from tests.engine.tables import every_table


def check(kind, value, view, seats):
    match kind:
        case Flag():
            assert value in (True, False)
        case Number():
            high = getattr(view.options, kind.high) if isinstance(kind.high, str) else kind.high
            assert kind.low <= value <= high or (value == -1 and kind.low == 0)
        case Count():
            assert value >= 0
        case OneOf():
            assert -1 <= value < len(kind.names)
        case Seat():
            assert -1 <= value < seats
        case Card():
            assert -1 <= value < len(kind.pack.codes)
        case CardSet():
            cards = cards_in(value) if isinstance(value, int) else value
            assert all(0 <= card < len(kind.pack.codes) for card in cards)
        case CardCounts():
            assert len(value) == len(kind.pack.codes)
            assert all(0 <= count <= kind.pack.copies for count in value)
        case Plays():
            assert all(0 <= seat < seats and card >= 0 for seat, card in value)
        case Actions():
            for seat, action in value:
                assert 0 <= seat < seats
                assert action == HIDDEN or view.label(action)
        case PerSeat():
            assert len(value) == seats
            for each in value:
                check(kind.each, each, view, seats)
        case PerSide():
            assert len(value) == len(view.sides)
            for each in value:
                check(kind.each, each, view, seats)
        case Several():
            assert len(value) <= kind.most
            for each in value:
                check(kind.each, each, view, seats)
        case _:
            pytest.fail(f"No check for {kind}.")


@pytest.mark.parametrize(("name", "options"), every_table())
def test_values_stay_within_the_limits_of_their_kind(name, options):
    rng = Random(7)
    for seed in range(3):
        state = GAMES[name].new(seed, **options)
        for _ in range(400):
            for seat in range(state.seats):
                view = state.view(seat)
                for field, kind in view.kinds().items():
                    check(kind, getattr(view, field), view, state.seats)
            if state.turn == OVER:
                break
            state.apply(rng.choice(state.legal()))


@pytest.mark.parametrize("name", GAMES)
def test_scores_turn_and_history_are_declared(name):
    assert {"scores", "turn", "history"} <= GAMES[name].new().view(0).kinds().keys()
