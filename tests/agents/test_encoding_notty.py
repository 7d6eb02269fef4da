"""What the network of Notty sees: facts about hands, and the position after each action."""

from random import Random

import numpy as np
import pytest

from agents.notty.encoding import notty_encoding
from agents.notty.hand_facts import MOST_GAIN, HandFacts, rows
from agents.notty.rules import Hand, hand_of, in_runs, left_over, size_of, with_card, without
from engine import GAMES
from engine.cards import cards_in
from engine.games.notty import EXCHANGE, KINDS, NUMBERS, PACK, ROW, STEAL, NottyState

PAIRS = [card for card in range(KINDS) for _ in range(PACK.copies)]


def hand(text: str) -> Hand:
    return hand_of(tuple(sorted([PACK.codes.index(code) for code in text.split()])))


def some_hands(count: int) -> list[Hand]:
    rng = Random(1)
    return [hand_of(tuple(sorted(rng.sample(PAIRS, rng.randint(1, 21))))) for _ in range(count)]


def facts_of(hands: list[Hand]) -> HandFacts:
    return HandFacts(np.array([ones for ones, _ in hands]), np.array([twos for _, twos in hands]))


def test_runs_of_all_rows_are_known():
    table = rows()
    rng = Random(2)
    for _ in range(300):
        ones = rng.randint(0, ROW)
        twos = ones & rng.randint(0, ROW)
        row = table.number[ones] + table.number[twos]
        assert table.used[row] == in_runs(ones, twos)
        assert [table.held[row, number] for number in range(NUMBERS)] == [
            (ones >> number & 1) + (twos >> number & 1) for number in range(NUMBERS)
        ]


def test_cards_left_over_are_counted():
    hands = some_hands(400)
    facts = facts_of(hands)
    exact = np.array([left_over(each) for each in hands])
    assert facts.size.tolist() == [size_of(each) for each in hands]
    assert (facts.left >= exact).all()
    assert (facts.left == exact).mean() > 0.99


def test_cards_that_help_are_known():
    hands = some_hands(60)
    facts = facts_of(hands)
    right = []
    for number, each in enumerate(hands):
        left = left_over(each)
        for card in range(KINDS):
            if not each[1] >> card & 1:
                gain = min(left + 1 - left_over(with_card(each, card)), MOST_GAIN)
                right.append(gain == facts.gains[number, card // NUMBERS, card % NUMBERS])
    assert np.mean(right) > 0.98


@pytest.mark.parametrize(
    ("cards", "breach"),
    [("R1 R2 R3", 2), ("R1 R2 R3 R4", 1.5), ("R1 G5", -1), ("R5 G5 Y5 B5", 3)],
)
def test_thefts_break_groups(cards: str, breach: float):
    each = hand(cards)
    after = np.mean([left_over(without(each, 1 << card)) for card in cards_in(each[0])])
    assert facts_of([each]).breach[0] == pytest.approx(after - left_over(each))
    assert after - left_over(each) == pytest.approx(breach)


def played(seed: int, steps: int, **options: object) -> NottyState:
    rng = Random(seed)
    state = GAMES["notty"].new(seed=seed, **options)
    assert isinstance(state, NottyState)
    for _ in range(steps):
        # Without thefts nobody wins by accident.
        state.apply(rng.choice([each for each in state.legal() if not STEAL <= each < EXCHANGE]))
    return state


def recoloured(state: NottyState, order: list[int]) -> NottyState:
    """The same position after the colours changed places."""
    view = state.view(state.turn)
    view.hands = tuple(
        [
            tuple(sorted([order[card // NUMBERS] * NUMBERS + card % NUMBERS for card in cards]))
            for cards in view.hands
        ]
    )
    view.deck = tuple(
        [
            view.deck[order.index(card // NUMBERS) * NUMBERS + card % NUMBERS]
            for card in range(KINDS)
        ]
    )
    return view.sample(Random(0))


@pytest.mark.parametrize("players", [2, 3])
def test_the_names_of_colours_do_not_matter(players: int):
    encoding = notty_encoding()
    for seed in range(20):
        state = played(seed, 30, players=players)
        twin = recoloured(state, [2, 0, 4, 1, 3])
        rows = [
            encoding.expand(np.array(encoding.read(each.view(each.turn), each.legal()).rows))
            for each in (state, twin)
        ]
        ours, theirs = [np.array(sorted(map(tuple, each))) for each in rows]
        assert ours == pytest.approx(theirs, abs=1e-5)


def test_a_group_and_a_pass_lead_to_the_position_after_them():
    state = GAMES["notty"].new(deck=["R1", "R2", "R3", "G5", "B9", "K9", "Y9", "G1"], first=0)
    legal = [state.parse("group R1 R2 R3"), state.parse("pass")]
    encoding = notty_encoding()
    group, passed = encoding.read(state.view(0), legal).rows
    assert tuple(group[:2]) == hand("G5")
    assert tuple(passed[:2]) == hand("R1 R2 R3 G5")
    assert tuple(passed[2:4]) == tuple(group[2:4]) == hand("B9 K9 Y9 G1")
    after = state.clone()
    after.apply(legal[0])
    [now] = encoding.read(after.view(0), [legal[1]]).rows
    assert now[:6] == [*group[:6]]
