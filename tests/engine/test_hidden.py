from collections import Counter
from itertools import combinations
from random import Random

import pytest

from engine.hidden import Hidden

A, B, C = 1, 2, 4


def test_cards_go_only_where_they_may_be():
    allowed = {0: A, 1: A | B, 2: B | C, 3: A | B | C, 4: C}
    deal = Hidden(allowed, [2, 1, 2]).deal
    rng = Random(1)
    for _ in range(200):
        places = deal(rng)
        assert [len(cards) for cards in places] == [2, 1, 2]
        for place, cards in enumerate(places):
            assert all(allowed[card] >> place & 1 for card in cards)


def test_every_deal_that_fits_is_equally_likely():
    allowed = {0: A | B, 1: A | B, 2: B | C, 3: A | B | C, 4: A | C, 5: B | C}
    room = [2, 2, 2]
    fitting = set()
    for first in combinations(allowed, 2):
        for second in combinations(set(allowed) - set(first), 2):
            third = tuple(sorted(set(allowed) - set(first) - set(second)))
            deal = (first, tuple(sorted(second)), third)
            if all(allowed[c] >> place & 1 for place, cards in enumerate(deal) for c in cards):
                fitting.add(deal)
    hidden, rng = Hidden(allowed, room), Random(7)
    draws = 400 * len(fitting)
    counts = Counter(
        tuple(tuple(sorted(cards)) for cards in hidden.deal(rng)) for _ in range(draws)
    )
    assert set(counts) == fitting
    assert min(counts.values()) > 300
    assert max(counts.values()) < 500


def test_what_cannot_be_dealt_is_refused():
    with pytest.raises(ValueError, match="No deal fits"):
        Hidden({0: A, 1: A}, [1, 1])
    with pytest.raises(ValueError, match="do not fill"):
        Hidden({0: A}, [1, 1])


def test_nothing_hidden_deals_nothing():
    assert Hidden({}, [0, 0]).deal(Random(1)) == [[], []]
