"""Search for Euchre: parallel deals agree with the engine, with `hard` and with the solver."""

from random import Random

import numpy as np
import pytest

from agents.euchre.batched_hard import play_out, scored_cards
from agents.euchre.deals import Deals
from agents.euchre.rules import HardEuchre
from agents.euchre.search import (
    EuchreSearch,
    chance_to_win,
    euchre_search,
    solved,
    worths_of_tricks,
)
from agents.search.agent import Budget
from agents.search.batches import IMPOSSIBLE
from agents.search.endgame import solve
from engine.games.euchre import GAME as EUCHRE
from engine.games.euchre import PLAYING, EuchreState

HARD = HardEuchre()


def at_the_lead(seed: int, players: int) -> EuchreState:
    """A hand before its first card, after bids of which some are odd."""
    rng = Random(seed)
    state = EUCHRE.new(seed=seed, players=players)
    state.points = (seed % 10, seed * 7 % 10)
    state.deals_on = False
    while state.phase < PLAYING:
        legal = state.legal()
        bid = HARD.act(state.view(state.turn), legal, rng).action
        state.apply(bid if rng.random() < 0.7 else rng.choice(legal))
    return state


@pytest.mark.parametrize("players", [3, 4])
def test_parallel_deals_agree_with_single_ones(players: int):
    rng = Random(1)
    for seed in range(60):
        state = at_the_lead(seed, players)
        deals = Deals([state])
        while not deals.over:
            assert deals.turn.tolist() == [state.turn]
            legal = state.legal()
            cards = deals.cards()
            scores = scored_cards(deals, cards)[0]
            possible = scores > IMPOSSIBLE
            assert cards[0][possible].tolist() == legal
            expected = HARD.act(state.view(state.turn), legal, rng).scores
            assert scores[possible] == pytest.approx([expected[card] for card in legal])
            card = rng.choice(legal)
            state.apply(card)
            deals.apply(np.array([card]))


@pytest.mark.parametrize("players", [3, 4])
def test_hands_played_out_are_worth_the_same(players: int):
    rng = Random(2)
    for seed in range(60):
        state = at_the_lead(seed, players)
        seat = state.turn
        worths = worths_of_tricks(state.view(seat))
        deals = Deals([state])
        play_out(deals)
        hand_no = state.hand_no
        while state.hand_no == hand_no and state.legal():
            state.apply(HARD.act(state.view(state.turn), state.legal(), rng).action)
        tricks = deals.tricks[0, state.side_of[seat]]
        assert worths[tricks] == pytest.approx(chance_to_win(seat, state))


@pytest.mark.parametrize("players", [3, 4])
def test_last_tricks_are_solved_as_by_the_engine(players: int):
    rng = Random(3)
    for seed in range(12):
        state = at_the_lead(seed, players)
        deals = Deals([state])
        while deals.held > 3 or deals.in_trick != seed % 2:
            card = rng.choice(state.legal())
            state.apply(card)
            deals.apply(np.array([card]))
        seat = state.turn
        worths = worths_of_tricks(state.view(seat))
        value = solved(deals, state.side_of[seat], worths)[0]
        assert value == pytest.approx(solve(state, seat, chance_to_win))


@pytest.mark.parametrize("players", [3, 4])
def test_likely_deals_fit_what_the_seat_knows(players: int):
    rng = Random(4)
    search = euchre_search(Budget(worlds=5))
    assert isinstance(search, EuchreSearch)
    for seed in range(6):
        state = at_the_lead(seed, players)
        for _ in range(7):
            view = state.view(state.turn)
            deals = search.likely_deals(view, rng)
            assert (deals.turn == view.seat).all()
            assert (deals.hand() == view.hand).all()
            assert (deals.played == view.played).all()
            assert (deals.tricks == view.tricks).all()
            held = np.bitwise_count(deals.hands)
            playing = [seat for seat in range(players) if seat != view.sits_out]
            assert (held[:, playing] == np.array(view.hand_sizes)[playing]).all()
            state.apply(rng.choice(state.legal()))
