"""The card play of `HardEuchre` in many deals, computed together with numpy.

The formulas and constants are those of `HardEuchre`. Many deals take little longer than one.
"""

from functools import cache
from typing import Final

import numpy as np

from agents.euchre import rules
from agents.euchre.count import ACES, KEPT_PLAIN, KEPT_TRUMP, KINGS
from agents.euchre.deals import BEATEN, FOLLOW, SUIT_OF, Deals, Floats, Ints, count
from agents.odds import chance_of_none
from agents.search.batches import IMPOSSIBLE
from engine.games.euchre import ALL_CARDS, CARDS, SOLOIST, TRICKS

_KEPT: Final = np.array([[*KEPT_PLAIN, *[0.0] * 3], [*KEPT_TRUMP, *[0.0] * 2]])
"""The value of keeping a card, by whether it is a trump and the number of higher cards out."""


@cache
def _none_of() -> Floats:
    """`chance_of_none`, indexed by all cards, marked cards and cards drawn."""
    lookup = np.zeros((CARDS + 1, CARDS + 1, TRICKS + 1))
    for total in range(CARDS + 1):
        for marked in range(total + 1):
            for drawn in range(TRICKS + 1):
                lookup[total, marked, drawn] = chance_of_none(total, marked, drawn)
    return lookup


def play_out(deals: Deals) -> None:
    """Let `hard` play all seats until the hand is over."""
    while not deals.over:
        cards = deals.cards()
        if deals.held == 1:
            deals.apply(cards[:, 0])
        else:
            deals.apply(cards[deals.rows, scored_cards(deals, cards).argmax(axis=1)])


def scored_cards(deals: Deals, cards: Ints) -> Floats:
    """The scores by `hard` of the cards of the seat to act."""
    rows, turn, trump = deals.rows, deals.turn, deals.trump
    hand = deals.hand()
    trumps = FOLLOW[trump, trump]
    unseen = ALL_CARDS & ~(hand | deals.played | deals.laid[rows, turn] | deals.shown)
    bits = np.left_shift(1, cards)
    suits = SUIT_OF[trump[:, None], cards]
    is_trump = suits == trump[:, None]
    scores = _chance_to_take(deals, cards, bits, suits, unseen)
    scores -= _value_kept(deals, cards, bits, suits, is_trump, unseen)
    if not deals.in_trick:
        ours = deals.sides[turn] == deals.sides[deals.maker]
        draw = np.where(ours, rules.DRAW_TRUMPS, -rules.DRAW_TRUMPS)
        draw = np.where(unseen & trumps, draw, 0.0)
        scores += np.where(is_trump, draw[:, None], 0.0)
        return scores
    scores[(deals.legal()[:, None] & bits) == 0] = IMPOSSIBLE
    return scores


def _value_kept(
    deals: Deals, cards: Ints, bits: Ints, suits: Ints, is_trump: Ints, unseen: Ints
) -> Floats:
    """The value of keeping each card, in tricks."""
    trump = deals.trump[:, None]
    hand = deals.hand()[:, None]
    follow = FOLLOW[trump, suits]
    higher = count(BEATEN[trump, suits, cards] & follow & unseen[:, None])
    worth: Floats = _KEPT[is_trump.astype(np.int64), higher]
    lone = (
        ~is_trump & ((hand & follow) == bits) & ((hand & FOLLOW[trump, trump]) != 0) & (higher > 0)
    )
    worth -= np.where(lone, rules.LONE_CARD_PLAYED, 0.0)
    return worth


def _chance_to_take(deals: Deals, cards: Ints, bits: Ints, suits: Ints, unseen: Ints) -> Floats:
    """The chance that our side takes the trick, for each card."""
    rows, turn = deals.rows, deals.turn
    trump = deals.trump[:, None]
    trumps = FOLLOW[deals.trump, deals.trump]
    our_side = deals.sides[turn]
    if deals.in_trick:
        led = np.broadcast_to(deals.led[:, None], cards.shape)
        beats = (BEATEN[deals.trump, deals.led, deals.best][:, None] & bits) != 0
        best = np.where(beats, cards, deals.best[:, None])
        ours = beats | (deals.sides[deals.winner] == our_side)[:, None]
    else:
        led, best = suits, cards
        ours = np.ones(cards.shape, np.bool_)
    chance: Floats = ours.astype(np.float64)
    to_come = deals.trick_size - 1 - deals.in_trick
    if not to_come:
        return chance
    beaten_by = BEATEN[trump, led, best]
    follow = FOLLOW[trump, led]
    trump_led = led == trump
    none = _none_of()
    # What the seat to act knows about the others, as in `rules.Inference`.
    of_dealer = unseen & deals.up
    others = turn != SOLOIST
    of_soloist = np.where(others, unseen & deals.dummy & trumps, 0)
    placed = of_dealer | of_soloist
    laid = np.where(others, deals.dummy & ~(trumps | ACES | KINGS), 0)
    seat = turn
    for _ in range(to_come):
        seat = deals.next[deals.sits_out, seat]
        sure = np.where(seat == deals.dealer, of_dealer, 0)
        pool = unseen & ~(placed | deals.voids[rows, seat])
        if deals.seats == 3:
            soloist = seat == SOLOIST
            sure = sure | np.where(soloist, of_soloist, 0)
            pool = pool & ~np.where(soloist, laid, 0)
        beats_it = _chance_to_beat(
            deals.held, sure[:, None], pool[:, None], beaten_by, follow, trumps[:, None],
            trump_led, none,
        )  # fmt: skip
        helps = chance + (1 - chance) * beats_it * rules.PARTNER_HELPS
        chance = np.where((deals.sides[seat] == our_side)[:, None], helps, chance * (1 - beats_it))
    return chance


def _chance_to_beat(
    held: int,
    sure: Ints,
    pool: Ints,
    beaten_by: Ints,
    follow: Ints,
    trumps: Ints,
    trump_led: Ints,
    none: Floats,
) -> Floats:
    """The chance that a seat can beat the card that would hold the trick."""
    total, following = count(pool), count(pool & follow)
    drawn = np.maximum(held - count(sure), 0)
    chance = 1 - none[total, count(pool & follow & beaten_by), drawn]
    void = none[total, following, drawn]
    ruffs = 1 - none[total - following, count(pool & trumps & beaten_by), drawn]
    ruffs = np.where(sure & trumps & beaten_by, 1.0, ruffs)
    chance = np.where(trump_led | ((sure & follow) != 0), chance, chance + void * ruffs)
    return np.where(sure & follow & beaten_by, 1.0, chance)
