"""Search for Fodinha: parallel deals agree with the engine and with `hard`, and likely deals."""

from random import Random

import numpy as np
import pytest

from agents.fodinha.batched_hard import play_out, scored_moves
from agents.fodinha.deals import Deals
from agents.fodinha.rules import STRENGTHS, HardFodinha
from agents.fodinha.search import (
    fodinha_search,
    last_one_alive,
    likely_deals,
    move_of,
    order_of,
    played_out,
)
from agents.match import Match
from agents.registry import make
from agents.search.agent import Budget
from agents.search.batches import IMPOSSIBLE
from engine.chance import shuffled
from engine.game import OVER
from engine.games.fodinha import (
    APPROVE,
    CALL,
    CALLING,
    DECKS,
    PLAYING,
    STRENGTH,
    TURNING,
    FodinhaState,
)
from engine.games.fodinha import (
    GAME as FODINHA,
)


def round_of(hands: list[list[str]], calls: list[int]) -> FodinhaState:
    """A round after the deal to seats 0, 1, …; seat 0 leads, the last seat deals.

    The turned 4D makes the fives the power cards.
    """
    size = len(hands[0])
    players = len(hands)
    state = FODINHA.new(seed=1, first=players - 1, players=players)
    state.size = size
    first = [FODINHA.new().parse(f"play {code}") for hand in hands for code in hand]
    first.append(state.parse("play 4D"))
    rest = [card for card in range(52) if card % 13 < 10 and card not in first]
    state.deal(first + rest)
    state.apply(APPROVE)
    for call in calls:
        state.apply(CALL + call)
    return state


def deals_of(states: list[FodinhaState]) -> Deals:
    """Parallel deals of rounds that are about to be called, with the same power card."""
    strength = STRENGTH[states[0].power]
    order = order_of(states[0].view(0))
    hands = [[[strength[card] for card in state.hands[seat]] for seat in order] for state in states]
    in_play = np.zeros(STRENGTHS, np.int64)
    for card in DECKS[states[0].options.range]:
        in_play[strength[card]] += card not in states[0].stock[: states[0].turned]
    return Deals(np.array(hands), in_play, states[0].pairs)


def rounds(count: int, size: int, players: int, cancel: str) -> list[FodinhaState]:
    """Rounds with the same turned card, about to be called."""
    states = []
    for seed in range(count):
        state = FODINHA.new(seed, first=1, players=players, cancel=cancel)
        state.size = size
        order = shuffled(seed, 1, DECKS[state.options.range])
        order.remove(3)
        order.insert(size * players, 3)
        state.deal(order)
        state.deals_on = False
        state.apply(APPROVE)
        states.append(state)
    return states


@pytest.mark.parametrize("cancel", ["all", "pairs"])
@pytest.mark.parametrize(("players", "size"), [(2, 6), (3, 5), (4, 7), (7, 3)])
def test_parallel_deals_agree_with_single_ones(players: int, size: int, cancel: str):
    states = rounds(12, size, players, cancel)
    deals = deals_of(states)
    order = order_of(states[0].view(0))
    hard, rng = HardFodinha(), Random(1)
    while not deals.over:
        moves, scores = scored_moves(deals)
        taken = []
        for row, state in enumerate(states):
            assert order[deals.turn()[row]] == state.turn
            view, legal = state.view(state.turn), state.legal()
            possible = scores[:, row] > IMPOSSIBLE
            found = dict(zip(moves[possible, row].tolist(), scores[possible, row], strict=True))
            assert set(found) == {move_of(view, action) for action in legal}
            if len(legal) > 1:
                for action, score in hard.act(view, legal, rng).scores.items():
                    assert found[move_of(view, action)] == pytest.approx(score, abs=1e-4)
            action = rng.choice(legal)
            taken.append(move_of(view, action))
            state.apply(action)
        deals.apply(np.array(taken))
    lost = [[-state.last_points[seat] for seat in order] for state in states]
    assert deals.lost().tolist() == lost


def test_picked_deals_are_copies():
    deals = deals_of(rounds(5, 4, 4, "all"))
    before = deals.hands.copy()
    twice = deals.pick(np.array([3, 3, 1]))
    play_out(twice)
    assert twice.over
    assert not deals.over
    assert (deals.hands == before).all()
    assert twice.lost()[0].tolist() == twice.lost()[1].tolist()


def test_worlds_give_good_cards_to_a_seat_with_a_high_call():
    hands = [["2S", "3H", "4C"], ["AS", "2H", "3C"], ["6S", "7H", "8C"]]

    def strength_of_caller(call: int) -> float:
        view = round_of(hands, [0, call]).view(2)
        return float(likely_deals(view, 150, Random(5)).hands[:, 1].mean())

    assert strength_of_caller(3) > 1.2 * strength_of_caller(0)


def test_worlds_agree_with_what_the_seat_knows():
    state = round_of([["2S", "3H", "4C"], ["AS", "2H", "3C"], ["6S", "7H", "8C"]], [0, 1, 1])
    state.apply(state.parse("play 2S"))
    view = state.view(1)
    worlds = likely_deals(view, 20, Random(3))
    strength = STRENGTH[view.power]
    assert worlds.size == 20
    assert (worlds.turn() == 1).all()
    assert (np.sort(worlds.hands[:, 1]) == sorted(strength[card] for card in view.hand)).all()
    assert (worlds.trick[:, 0] == strength[state.parse("play 2S")]).all()
    assert (worlds.calls == [0, 1, 1]).all()
    in_hands = [np.bincount(row[row >= 0], minlength=STRENGTHS) for row in worlds.hands]
    assert (np.array(in_hands) <= worlds.in_play).all()


def test_a_call_that_can_be_kept_is_worth_more():
    """The five is the highest card and the ace the lowest: one win is certain, two are not."""
    for calls, kept in (([1, 0, 0], True), ([2, 0, 1], False)):
        state = round_of([["5S", "AH"], ["7S", "8H"], ["9H", "10S"]], calls)
        view = state.view(0)
        five = STRENGTH[view.power][state.parse("play 5S")]
        worths = played_out(view, likely_deals(view, 50, Random(1)), [five])
        assert (worths.mean() > 1 / 3) == kept


def test_a_search_scores_every_call():
    state = round_of([["5S", "5H", "5C", "AH", "2H"], ["AS", "2S", "3C", "3H", "4H"]], [])
    decision = fodinha_search(Budget(worlds=4)).act(state.view(0), state.legal(), Random(1))
    assert set(decision.scores) == set(state.legal())


def test_cards_of_one_strength_have_the_same_score():
    state = round_of([["8S", "8H", "7H"], ["AS", "2S", "3C"]], [1, 0])
    search = fodinha_search(Budget(worlds=4))
    decision = search.act(state.view(0), state.legal(), Random(1))
    assert set(decision.scores) == set(state.legal())
    eights = [state.parse("play 8S"), state.parse("play 8H")]
    assert decision.scores[eights[0]] == decision.scores[eights[1]]


def test_finds_the_card_that_keeps_the_call():
    """The nine takes this trick and the five of spades any other; the other way round the
    nine might be beaten."""
    state = round_of([["8S", "10H"], ["5S", "9H"]], [2, 2])
    state.apply(state.parse("play 8S"))
    search = fodinha_search(Budget(worlds=20))
    decision = search.act(state.view(1), state.legal(), Random(2))
    assert state.label(decision.action) == "play 9H"
    assert 0 < decision.scores[state.parse("play 5S")] < decision.scores[decision.action] < 1


def test_lives_of_rivals_count():
    level, ahead, behind = last_one_alive(np.array([[5, 5, 5], [5, 3, 5], [4, 5, 5]]), 0)
    assert level == pytest.approx(1 / 3)
    assert behind < level < ahead


def test_end_of_a_match_has_its_exact_value():
    """Without survivors the best stay in, with one life each if there are several."""
    assert last_one_alive(np.array([[0, 2, -1]]), 1) == 1
    assert last_one_alive(np.array([[0, 2, -1]]), 0) == 0
    assert last_one_alive(np.array([[-1, -2, -3]]), 0) == 1
    assert last_one_alive(np.array([[-1, -1, -3]]), 0) == 0.5


def test_blind_rounds_and_power_cards_are_left_to_the_rules():
    search, hard = fodinha_search(Budget(worlds=2)), HardFodinha()
    state = FODINHA.new(seed=4)
    while state.hand_no == 1:
        view, legal = state.view(state.turn), state.legal()
        decision = search.act(view, legal, Random(1))
        assert decision == hard.act(view, legal, Random(1))
        state.apply(decision.action)


@pytest.mark.parametrize("players", [2, 4, 10])
def test_search_finishes_a_match_against_rule_players(players: int):
    state = FODINHA.new(seed=8, lives=2, players=players)
    search = make("fodinha", "search", budget=Budget(worlds=3))
    rivals = [make("fodinha", "hard") for _ in range(players - 1)]
    match = Match(state, [search, *rivals], seed=8)
    seen = set()
    while state.turn != OVER:
        seen.add(state.phase)
        match.step(match.decide().action)
    assert seen == {TURNING, CALLING, PLAYING}
    assert sum(state.returns()) == 1
