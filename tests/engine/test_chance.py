from collections import Counter

from engine.cards import cards_in, nth_card
from engine.chance import FRACTION, coming, draw, shuffled, top_cards


def test_the_same_event_of_the_same_match_comes_out_the_same():
    assert shuffled(5, 3, 40) == shuffled(5, 3, 40)
    assert draw(5, 3, 1000) == draw(5, 3, 1000)


def test_seeds_and_events_differ():
    assert len({tuple(shuffled(seed, tick, 24)) for seed in range(30) for tick in range(30)}) == 900
    assert len({draw(seed, 0, 1 << 40) for seed in range(-500, 500)}) == 1000


def test_a_shuffle_holds_every_number_once():
    assert sorted(shuffled(-9, 2, 90)) == list(range(90))


def test_every_place_is_equally_likely():
    tops = Counter(shuffled(seed, 0, 6)[0] for seed in range(6000))
    draws = Counter(draw(seed, 1, 6) for seed in range(6000))
    for counts in (tops, draws):
        assert set(counts) == set(range(6))
        assert max(counts.values()) - min(counts.values()) < 200


def test_known_values_never_change():
    """Saved matches depend on these."""
    assert shuffled(4711, 1, 10) == [8, 2, 9, 5, 6, 4, 3, 0, 1, 7]
    assert [draw(4711, tick, 100) for tick in range(8)] == [52, 30, 74, 45, 99, 7, 4, 40]


def test_the_top_of_a_shuffle_can_be_had_alone():
    for seed in range(300):
        for count, wanted in ((40, 7), (40, 39), (6, 1), (90, 0)):
            assert top_cards(seed, 2, count, wanted) == shuffled(seed, 2, count)[:wanted]


def test_the_coming_numbers_are_those_that_are_drawn_one_by_one():
    for seed in (0, 4711, -5, 2**63 - 1, 2**70 + 3):
        for tick in (0, 1, 500):
            drawn = [number * 90 >> FRACTION for number in reversed(coming(seed, tick))]
            assert drawn == [draw(seed, tick + later, 90) for later in range(len(drawn))]


def test_a_card_can_be_picked_from_a_mask_without_the_list():
    for seed in range(200):
        mask = draw(seed, 0, 2**45)
        cards = cards_in(mask)
        assert [nth_card(mask, place) for place in range(len(cards))] == cards
