"""Deals are reproducible and uniform."""

from collections import Counter
from collections.abc import Callable, Iterable
from itertools import combinations
from math import sqrt

import pytest

from engine import GAMES
from engine.cards import cards_in, nth_card
from engine.chance import FRACTION, SEED_BITS, draw, fractions, shuffled

LARGEST_SEED = 2**SEED_BITS - 1
Shuffle = Callable[[int], list[int]]


def pack(count: int) -> list[int]:
    return list(range(count))


def test_the_same_seed_and_tick_give_the_same_result():
    assert shuffled(5, 3, pack(40)) == shuffled(5, 3, pack(40))
    assert draw(5, 3, 1000) == draw(5, 3, 1000)
    assert fractions(5, 3) == fractions(5, 3)


def test_known_values_never_change():
    """Saved matches depend on these, and plain and compiled code share them."""
    assert shuffled(4711, 1, pack(10)) == [8, 1, 6, 5, 4, 2, 7, 3, 0, 9]
    assert shuffled(LARGEST_SEED, 1, pack(10)) == [1, 8, 3, 5, 9, 4, 2, 6, 0, 7]
    assert shuffled(4711, 2**32, pack(90))[80:] == [11, 63, 29, 14, 55, 4, 89, 49, 6, 10]
    assert [draw(4711, tick, 100) for tick in range(8)] == [39, 40, 44, 7, 41, 53, 20, 65]
    assert fractions(4711, 2)[:2] == [3289192499, 1911430915]


def test_every_bit_of_a_seed_matters():
    seeds = [flipped ^ 1 << bit for bit in range(SEED_BITS) for flipped in (0, LARGEST_SEED)]
    deals = {tuple(shuffled(seed, 1, pack(24))) for seed in [*seeds, 0, LARGEST_SEED]}
    assert len(deals) == 2 * SEED_BITS + 2


def test_seeds_and_ticks_give_different_deals():
    deals = {
        tuple(shuffled(seed, tick, pack(24)))
        for seed in (*range(30), 2**64, 2**64 + 1, LARGEST_SEED)
        for tick in range(30)
    }
    assert len(deals) == 33 * 30
    assert len({draw(seed, 0, 1 << 40) for seed in range(1000)}) == 1000
    assert len({number for tick in range(200) for number in fractions(7, tick)}) == 16 * 200


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("seed", [-1, 2**SEED_BITS])
def test_a_game_rejects_a_seed_out_of_range(game, seed):
    assert GAMES[game].new(seed=LARGEST_SEED).seed == LARGEST_SEED
    with pytest.raises(ValueError, match=r"from 0 to 2\*\*128 - 1\."):
        GAMES[game].new(seed=seed)


@pytest.mark.parametrize("count", [0, 1, 2, 24, 90, 255, 256])
def test_a_shuffle_holds_every_card_once(count):
    cards = pack(count)
    assert sorted(shuffled(9, 2, cards)) == cards == pack(count)


def test_cards_may_be_in_a_pack_twice():
    assert Counter(shuffled(9, 2, [3, 3, 4, 4])) == {3: 2, 4: 2}


def test_the_top_cards_are_those_of_a_full_shuffle():
    for seed in range(300):
        for count, top in ((40, 7), (40, 39), (6, 1), (90, 70)):
            partly = shuffled(seed, 2, pack(count), top)
            assert partly[:top] == shuffled(seed, 2, pack(count))[:top]
            assert sorted(partly) == pack(count)


def deviation(counts: Iterable[int], cells: int, freedom: int, total: int) -> float:
    """Chi-square against a uniform distribution, in standard deviations from its mean."""
    expected = total / cells
    seen = list(counts)
    chi_square = sum((count - expected) ** 2 for count in seen) / expected
    chi_square += (cells - len(seen)) * expected
    return (chi_square - freedom) / sqrt(2 * freedom)


def of_positions(shuffle: Shuffle, count: int, deals: int) -> float:
    """How unevenly the cards are spread over the positions."""
    seen: Counter[tuple[int, int]] = Counter()
    for number in range(deals):
        seen.update(enumerate(shuffle(number)))
    return deviation(seen.values(), count * count, (count - 1) ** 2, deals * count)


def of_pairs(shuffle: Shuffle, count: int, deals: int) -> list[float]:
    """For some pairs of positions, how unevenly pairs of cards are spread over them."""
    places = sorted({0, 1, count // 2, count - 2, count - 1})
    chosen = list(combinations(places, 2))
    seen: dict[tuple[int, int], Counter[tuple[int, int]]] = {pair: Counter() for pair in chosen}
    for number in range(deals):
        order = shuffle(number)
        for one, other in chosen:
            seen[one, other][order[one], order[other]] += 1
    cells = count * (count - 1)
    return [deviation(each.values(), cells, cells - 1, deals) for each in seen.values()]


TOO_FAR = 4.5
"""A uniform shuffle deviates further in about one of 100,000 tests."""


@pytest.mark.parametrize("count", [24, 36, 40, 52, 90])
def test_cards_are_spread_evenly_over_positions(count):
    cards = pack(count)
    assert abs(of_positions(lambda seed: shuffled(seed, 1, cards), count, 3000)) < TOO_FAR
    assert abs(of_positions(lambda tick: shuffled(2**100, tick, cards), count, 3000)) < TOO_FAR


@pytest.mark.parametrize("count", [6, 24, 40])
def test_pairs_of_cards_are_spread_evenly_over_pairs_of_positions(count):
    cards = pack(count)
    far = of_pairs(lambda seed: shuffled(seed, 1, cards), count, 9000)
    far += of_pairs(lambda tick: shuffled(2**100, tick, cards), count, 9000)
    assert max(map(abs, far)) < TOO_FAR


def test_the_tests_above_find_a_biased_shuffle():
    """Swapping every card with any other is the classic mistake."""

    def naive(seed: int) -> list[int]:
        order = pack(24)
        for place in range(24):
            other = draw(seed, place, 24)
            order[place], order[other] = order[other], order[place]
        return order

    def rotated(seed: int) -> list[int]:
        """Even over positions, but neighbours stay together."""
        turn = draw(seed, 0, 24)
        return pack(24)[turn:] + pack(24)[:turn]

    assert of_positions(naive, 24, 3000) > TOO_FAR
    assert abs(of_positions(rotated, 24, 3000)) < TOO_FAR * sqrt(24)
    assert max(of_pairs(rotated, 24, 3000)) > TOO_FAR


def test_numbers_are_drawn_evenly():
    draws = Counter(draw(seed, 1, 90) for seed in range(9000))
    assert abs(deviation(draws.values(), 90, 89, 9000)) < TOO_FAR
    numbers = [number * 90 >> FRACTION for tick in range(600) for number in fractions(3, tick)]
    assert abs(deviation(Counter(numbers).values(), 90, 89, 9600)) < TOO_FAR
    both = Counter(zip(numbers[::2], numbers[1::2], strict=True))
    assert abs(deviation(both.values(), 8100, 8099, 4800)) < TOO_FAR
    assert set(numbers) == set(range(90))


def test_a_card_can_be_picked_from_a_mask_without_the_list():
    for seed in range(200):
        mask = draw(seed, 0, 2**45)
        cards = cards_in(mask)
        assert [nth_card(mask, place) for place in range(len(cards))] == cards
