"""The scores of `HardSmear` in many deals, computed together with numpy.

The formulas and constants are those of `HardSmear`. Many deals take little longer than one.
"""

from functools import cache
from math import erf, sqrt
from typing import Final

import numpy as np

from agents.odds import chance_of_none
from agents.search.batches import IMPOSSIBLE
from agents.smear import rules
from agents.smear.deals import (
    BEATEN,
    BETS,
    SUIT_MASKS,
    SUIT_OF,
    Deals,
    Floats,
    Ints,
    count,
    game_points,
)
from engine.games.smear import (
    ALL_CARDS,
    CARDS,
    HAND_SIZE,
    JACK,
    MIN_BET,
    RANKS,
    SEATS,
    SUITS,
    TARGET,
    TEN,
    UNDEALT,
)

_RANK_OF: Final = np.arange(CARDS) % RANKS
_WORTH: Final = np.array(rules.WORTH, np.float64)
_ABOVE: Final = np.array(rules.ABOVE, np.int64)
_KEPT: Final = np.array([*rules.KEPT_TRUMP, *[rules.KEPT_TRUMP[-1]] * RANKS])
"""The value of keeping a trump, by the number of higher trumps still out."""
_KEPT_TEN: Final = np.where(_RANK_OF == TEN, rules.KEPT_TRUMP_TEN, 0.0)

_STEPS: Final = 5000
_REACH: Final = 5
"""Size of the lookup of the normal distribution: steps per standard deviation, and standard
deviations to either side."""


@cache
def _normal_lookup() -> Floats:
    steps = range(-_REACH * _STEPS, _REACH * _STEPS + 1)
    return np.array([0.5 * (1 + erf(step / _STEPS / sqrt(2))) for step in steps])


@cache
def _none_of() -> Floats:
    """`chance_of_none`, indexed by all cards, marked cards and cards drawn."""
    lookup = np.zeros((CARDS + 1, CARDS + 1, HAND_SIZE + 1))
    for total in range(CARDS + 1):
        for marked in range(total + 1):
            for drawn in range(HAND_SIZE + 1):
                lookup[total, marked, drawn] = chance_of_none(total, marked, drawn)
    return lookup


@cache
def _points_ahead() -> Floats:
    """The points ahead for each bet, indexed by ranks of trump, side aces and side courts."""
    lookup = np.zeros((1 << RANKS, HAND_SIZE + 1, HAND_SIZE + 1, len(BETS)))
    for ranks in range(1 << RANKS):
        room = HAND_SIZE - ranks.bit_count()
        for aces in range(min(room, len(SUITS)) + 1):
            for courts in range(room - aces + 1):
                lookup[ranks, aces, courts] = list(rules.points_with(ranks, aces, courts).values())
    return lookup


def scored_actions(deals: Deals) -> tuple[Ints, Floats]:
    """For each deal the actions of the seat to act, and their scores by `hard`."""
    choices = deals.choices()
    if deals.named:
        return choices, _score_cards(deals, choices)
    ahead = _ahead(deals)
    if deals.bets < SEATS:
        return choices, _score_bets(deals, ahead.max(axis=1))
    bet = (deals.bet - MIN_BET)[:, None, None]
    return choices, np.take_along_axis(ahead, bet, 2)[:, :, 0]


def play_out(deals: Deals) -> None:
    """Let `hard` bet and play in all seats until the hand is over."""
    while not deals.over:
        if deals.named and deals.held == 1:
            deals.apply(deals.cards()[:, 0])
        else:
            choices, scores = scored_actions(deals)
            deals.apply(choices[deals.rows, scores.argmax(axis=1)])


def _normal(deviations: Floats) -> Floats:
    place = np.clip(deviations, -_REACH, _REACH) * _STEPS + (_REACH * _STEPS + 0.5)
    return np.asarray(_normal_lookup()[place.astype(np.int64)])


def _ahead(deals: Deals) -> Floats:
    """For each suit and bet the expected points ahead."""
    hand = deals.hand()
    lookup = _points_ahead()
    courts = rules.QUEENS | rules.JACKS
    ahead = np.empty((deals.size, 4, len(BETS)))
    for suit in range(4):
        side = hand & ~SUITS[suit]
        ahead[:, suit] = lookup[
            hand >> suit * RANKS & (1 << RANKS) - 1,
            count(side & rules.ACES),
            count(side & courts),
        ]
    return ahead


def _score_bets(deals: Deals, ahead: Floats) -> Floats:
    side = deals.turn % 2
    scores = np.array(deals.scores)
    weighed = np.empty((deals.size, 1 + len(BETS)))
    ours, theirs = scores[side], scores[1 - side]
    danger = rules.THEY_ARE_CLOSE * np.maximum(0, theirs - rules.CLOSE)
    start, share = rules.PASS_NO_BET
    unbet = start + share * ahead[:, 0]
    bet_by_us = np.array([0, 0, *rules.PASS_OUR_BET.values()])[deals.bet]
    bet_by_them = np.array([0, 0, *rules.PASS_THEIR_BET.values()])[deals.bet]
    known = np.where(deals.bettor % 2 == side, bet_by_us, bet_by_them)
    weighed[:, 0] = np.where(deals.bet == 0, unbet, known) - danger
    for place, bet in enumerate(BETS):
        start, share = rules.BET_WORTH[bet]
        out = np.where(ours + bet >= TARGET, rules.WE_WOULD_BE_OUT, 0.0)
        weighed[:, 1 + place] = np.where(
            bet > deals.bet, start + share * ahead[:, place] + out, IMPOSSIBLE
        )
    if deals.bets == SEATS - 1:
        screwed = deals.bet == 0
        weighed[screwed] = IMPOSSIBLE
        weighed[screwed, 1] = 0.0
    return weighed


def _score_cards(deals: Deals, cards: Ints) -> Floats:
    rows, turn = deals.rows, deals.turn
    side = turn % 2
    hand = deals.hand()
    trumps = SUIT_MASKS[deals.trump]
    jack = np.left_shift(1, deals.trump * RANKS + JACK)
    unseen = ALL_CARDS & ~hand & ~deals.played
    unseen_count = CARDS - (HAND_SIZE - deals.held) * SEATS - deals.in_trick - deals.held
    density = 1 - UNDEALT / unseen_count
    game = game_points(deals.taken)
    lead = game[rows, side] - game[rows, 1 - side]
    bits = np.left_shift(1, cards)
    is_trump = (bits & trumps[:, None]) != 0
    kept = np.where(is_trump, _KEPT[count(_ABOVE[cards] & unseen[:, None])] + _KEPT_TEN[cards], 0.0)
    kept_all = kept.sum(axis=1)
    on_table = game_points(deals.on_table) if deals.in_trick else np.zeros(deals.size, np.int64)
    jack_on_table = (
        (deals.on_table & jack) != 0 if deals.in_trick else np.zeros(deals.size, np.bool_)
    )
    to_come = SEATS - 1 - deals.in_trick
    partner_to_come = to_come >= 2
    opponents_to_come = to_come - partner_to_come
    won = rules.PARTNER_ADDS * partner_to_come + rules.LOSER_ADDS * opponents_to_come
    lost = rules.LOSER_ADDS * partner_to_come + rules.OPPONENT_ADDS * opponents_to_come
    usual = rules.USUAL_KEPT * (deals.held - 1)

    value = on_table[:, None] + _WORTH[cards]
    jack_here = jack_on_table[:, None] | (bits == jack[:, None])
    chance = _chance_to_take(deals, cards, bits, unseen, value + rules.JACK_TEMPTS * jack_here)
    rest = hand[:, None] & ~bits
    ahead = (lead + kept_all - usual)[:, None] - kept
    spread = _spread(hand, unseen, density)[:, None]
    scores = chance * _normal((ahead + value + won) / spread)
    scores += (1 - chance) * _normal((ahead - value - lost) / spread)
    scores += np.where(
        jack_here, chance, _jack_later(deals, bits, rest, unseen, jack, trumps, density)
    )
    scores += rules.TIDY * (2 * chance - 1) * value - rules.TIDY_RANK * _RANK_OF[cards]
    if deals.in_trick:
        follow = SUIT_MASKS[deals.led]
        must = (hand & follow) != 0
        honest = follow | trumps
        scores[must[:, None] & ((bits & honest[:, None]) == 0)] = IMPOSSIBLE
    return scores


def _chance_to_take(
    deals: Deals, cards: Ints, bits: Ints, unseen: Ints, tempting: Floats
) -> Floats:
    """The chance that our side takes the trick, for each card."""
    turn = deals.turn
    trump = deals.trump[:, None]
    trumps = SUIT_MASKS[trump]
    if deals.in_trick:
        led = deals.led[:, None]
        beats = (BEATEN[deals.trump, deals.led, deals.best][:, None] & bits) != 0
        best = np.where(beats, cards, deals.best[:, None])
        ours = beats | (deals.winner % 2 == turn % 2)[:, None]
    else:
        led, best = SUIT_OF[cards], cards
        ours = np.ones(cards.shape, np.bool_)
    chance: Floats = ours.astype(np.float64)
    beaten_by = BEATEN[trump, led, best]
    trump_led = led == trump
    trumps_in = np.minimum(1.0, rules.TRUMPS_IN[0] + rules.TRUMPS_IN[1] * tempting)
    none = _none_of()
    for place in range(1, SEATS - deals.in_trick):
        seat = (turn + place) % SEATS
        pool = unseen & ~deals.voids[deals.rows, seat]
        total = count(pool)[:, None]
        beating = pool[:, None] & beaten_by
        higher_trumps = count(beating & trumps)
        followers = count(beating) - higher_trumps
        no_trump = none[total, higher_trumps, deals.held]
        no_trump = np.where(
            (seat == deals.bettor)[:, None], no_trump**rules.BETTOR_LENGTH, no_trump
        )
        cannot = 1 - (1 - none[total, followers, deals.held]) * rules.FOLLOWER_BEATS
        beats_it = np.where(
            trump_led,
            (1 - no_trump) * rules.FOLLOWER_BEATS,
            1 - cannot * (1 - (1 - no_trump) * trumps_in),
        )
        if place == 2:
            chance += (1 - chance) * beats_it * rules.PARTNER_RESCUES
        else:
            chance *= 1 - beats_it
    return chance


def _spread(hand: Ints, unseen: Ints, density: float) -> Floats:
    """The standard deviation of the game points still to be taken."""
    share = rules.CONTESTED * density
    out = hand | unseen
    spread = rules.LEAST_SPREAD + np.zeros(hand.shape)
    for rank, square in rules.SQUARES.items():
        if rank == rules.TENS:
            spread += square * (count(hand & rank) + share * count(unseen & rank))
        else:
            spread += square * share * count(out & rank)
    return np.asarray(np.sqrt(spread))


def _jack_later(
    deals: Deals,
    bits: Ints,
    rest: Ints,
    unseen: Ints,
    jack: Ints,
    trumps: Ints,
    density: float,
) -> Floats:
    """The chance of a jack that is not in this trick."""
    above = _ABOVE[deals.trump * RANKS + JACK]
    safe = (above & unseen) == 0
    least, more = rules.JACK_KEPT
    kept = np.minimum(1.0, least + more * count(rest & trumps[:, None]))
    mine = np.where(safe[:, None], 1.0, kept)
    least, more = rules.JACK_OUT
    catch = least + more * count(rest & above[:, None])
    if not deals.in_trick:
        catch += rules.CATCH * ((bits & above[:, None]) != 0)
    out = np.where(((unseen & jack) != 0)[:, None], density * catch, 0.0)
    return np.where((rest & jack[:, None]) != 0, mine, out)
