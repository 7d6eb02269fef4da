"""Playing a hand out at random, as look-ahead does."""

from random import Random

import pytest

from engine import GAMES
from engine.game import OVER
from engine.playout import finish_hand_at_random
from tests.engine.tables import every_table

table = pytest.mark.parametrize(("name", "options"), every_table())


@table
def test_a_hand_is_played_to_its_end(name, options):
    state = GAMES[name].new(seed=3, **options)
    decisions = 0
    while state.turn != OVER:
        hand_no = state.hand_no
        decisions += finish_hand_at_random(state, Random(hand_no).random)
        assert state.turn == OVER or state.hand_no == hand_no + 1
    assert decisions > 0
    assert finish_hand_at_random(state, Random(1).random) == 0


@table
def test_without_the_next_deal_a_hand_ends_the_same(name, options):
    """Only cards are missing: points, the next dealer and the end of the match are there."""
    for seed in range(20):
        state = GAMES[name].new(seed=seed, **options)
        world = state.clone()
        world.deals_on = False
        copy = world.clone()
        finish_hand_at_random(state, Random(seed).random)
        finish_hand_at_random(copy, Random(seed).random)
        assert copy.scores() == state.scores()
        assert copy.hand_returns() == state.hand_returns()
        assert copy.hand_no == state.hand_no
        assert copy.winners == state.winners
        assert (copy.turn == OVER) == (state.turn == OVER)
        assert copy.history != [] or copy.turn == OVER
