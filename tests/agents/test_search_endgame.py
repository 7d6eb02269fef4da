"""The last tricks with open cards: the solver agrees with a full search."""

from random import Random

import pytest

from agents.euchre.search import chance_to_win as euchre_chance
from agents.search.endgame import solve
from agents.smear.search import chance_to_win as smear_chance
from engine import GAMES
from engine.game import OVER, State

OUTLOOKS = {"euchre": euchre_chance, "smear": smear_chance}


def near_the_end(game: str, seed: int, cards: int) -> State:
    """A first hand after random play, with at most this many cards in each hand."""
    rng = Random(seed)
    state = GAMES[game].new(seed=seed)
    while "play" not in state.label(state.legal()[0]):
        state.apply(rng.choice(state.legal()))
    while state.hands[state.turn].bit_count() > cards:
        state.apply(rng.choice(state.legal()))
    return state


def by_trying_everything(state: State, hand_no: int, seat: int, outlook) -> float:
    if state.hand_no != hand_no or state.turn == OVER:
        return outlook(seat, state)
    worths = []
    for action in state.legal():
        after = state.clone()
        after.apply(action)
        worths.append(by_trying_everything(after, hand_no, seat, outlook))
    ours = next(side for side in state.sides if seat in side)
    return max(worths) if state.turn in ours else min(worths)


@pytest.mark.parametrize("game", ["euchre", "smear"])
@pytest.mark.parametrize("cards", [1, 2])
def test_pruning_does_not_change_the_value(game: str, cards: int):
    outlook = OUTLOOKS[game]
    for seed in range(12):
        state = near_the_end(game, seed, cards)
        for seat in (0, 1):
            expected = by_trying_everything(state, state.hand_no, seat, outlook)
            assert solve(state.clone(), seat, outlook) == expected


def test_values_of_the_two_sides_add_up_to_one():
    for seed in range(6):
        state = near_the_end("smear", seed, 3)
        first, second = [solve(state.clone(), seat, smear_chance) for seat in (0, 1)]
        assert first + second == pytest.approx(1.0)
