"""Rule players for Smear: `easy` looks at the trick, `hard` counts the cards still out.

The constants were fitted to the results of self-play. Their unit is points of a hand or game
points, as noted.
"""

from collections.abc import Sequence
from functools import cache
from math import erf, exp, sqrt
from random import Random
from typing import Final

from agents.agent import Agent, Decision
from agents.odds import beaten_by, chance_of_none, spread_of
from engine.cards import cards_in, mask_of
from engine.compiling import mypyc_attr
from engine.game import View
from engine.games.smear import (
    ACE,
    ALL_CARDS,
    BET,
    CARDS,
    GAME_POINTS,
    HAND_SIZE,
    JACK,
    KING,
    MAX_BET,
    MIN_BET,
    NAMING,
    PASS,
    PLAYING,
    QUEEN,
    RANKS,
    SEATS,
    SUITS,
    TARGET,
    TEN,
    TRUMP,
    TRUMP_LOOKUPS,
    UNDEALT,
    SmearView,
    game_points,
)

Scores = dict[int, float]

WORTH: Final = [GAME_POINTS[card % RANKS] for card in range(CARDS)]
"""The game points of each card."""
ABOVE: Final = [SUITS[card // RANKS] >> card + 1 << card + 1 for card in range(CARDS)]
"""For each card the higher cards of its suit."""
TENS, JACKS, QUEENS, KINGS, ACES = [
    mask_of([suit * RANKS + rank for suit in range(4)]) for rank in range(TEN, ACE + 1)
]

BEATEN_BY: Final = [beaten_by(tables) for tables in TRUMP_LOOKUPS]
"""For each trump, led suit and card: the cards that beat it."""


def unseen_cards(view: SmearView) -> int:
    """The cards that this seat has not seen."""
    return ALL_CARDS & ~view.hand & ~view.played


def game_lead(view: SmearView) -> int:
    """By how many game points our side is ahead in the tricks taken."""
    side = view.seat % 2
    return game_points(view.taken[side]) - game_points(view.taken[1 - side])


def honest(view: SmearView, legal: Sequence[int]) -> list[int]:
    """The legal actions but revokes; all of them if there are only revokes."""
    return [action for action in legal if not view.revokes(action)] or list(legal)


def _best(scores: Scores, meaning: str) -> Decision:
    return Decision(max(scores, key=scores.__getitem__), scores, meaning)


def _on_table(view: SmearView, card: int) -> tuple[int, int, bool]:
    """After this card: the led suit, the card that holds the trick, and whether it is ours."""
    if not view.trick:
        return card // RANKS, card, True
    led = view.trick[0][1] // RANKS
    best = dict(view.trick)[view.winner]
    if BEATEN_BY[view.trump][led][best] >> card & 1:
        return led, card, True
    return led, best, view.winner % 2 == view.seat % 2


# Easy


@mypyc_attr(native_class=False)
class EasySmear(Agent):
    """Bets on the points in its hand and plays for the current trick."""

    name = "easy"

    def act(self, view: View, legal: list[int], rng: Random) -> Decision:
        if not isinstance(view, SmearView):
            raise TypeError("This agent plays Smear only.")
        if view.phase == PLAYING:
            scores = {card: self._gain(view, card) for card in honest(view, legal)}
            return _best(scores, "game points won or lost with this card")
        count = [self._count(view.hand & SUITS[suit]) for suit in range(4)]
        if view.phase == NAMING:
            scores = {action: count[action - TRUMP] for action in legal}
            return _best(scores, "points in its own hand")
        most = max(count)
        scores = {action: 0.0 if action == PASS else most - action + BET for action in legal}
        return _best(scores, "points in its own hand minus the bet")

    def _count(self, trumps: int) -> float:
        """The points to expect with these trumps: high, low, jack, and game if there are many."""
        ranks = [card % RANKS for card in cards_in(trumps)]
        if not ranks:
            return 0.0
        high = 1.0 if ACE in ranks else 0.6 if KING in ranks else 0.2
        low = 1.0 if 0 in ranks else 0.6 if 1 in ranks else 0.2
        jack = 0.7 if JACK in ranks else 0.1
        return high + low + jack + 0.2 * len(ranks)

    def _gain(self, view: SmearView, card: int) -> float:
        _, best, ours = _on_table(view, card)
        at_stake = 1 + sum([WORTH[other] for _, other in view.trick])
        spent = 2.0 if card // RANKS == view.trump else 0.2 * (card % RANKS)
        if not ours:
            return -WORTH[card] - spent
        if best != card:
            return WORTH[card] - spent
        return at_stake + (WORTH[card] if len(view.trick) == SEATS - 1 else 0) - spent


# Hard: betting

UNSEEN: Final = CARDS - HAND_SIZE
PARTNER_HAS: Final = HAND_SIZE / UNSEEN
NOT_DEALT: Final = UNDEALT / UNSEEN

GAME_START: Final = -1.75
GAME_PER_TRUMP: Final = 0.5
GAME_FOR: Final = {ACE: 1.15, KING: 0.7, QUEEN: 0.45, JACK: 0.1, TEN: 0.65}
"""What a trump of that rank adds to the log odds of game."""
GAME_SIDE_ACE: Final = 0.15
GAME_SIDE_COURT: Final = 0.1

JACK_HELD: Final[tuple[float, ...]] = (0.66, 0.84, 0.91, 0.95, 0.97)
"""The chance to keep the own jack, by the number of own trumps."""

LONG_SUIT: Final = 0.1
"""What each trump adds to the points ahead. Not fitted: chosen so that `hard` names a suit with
three cards and not a single jack, which is worth about the same."""

# Points ahead after a pass, by the side that holds the bet and its height.
PASS_NO_BET: Final[tuple[float, ...]] = (-0.2, 0.2)
PASS_THEIR_BET: Final = {2: -0.35, 3: -1.5, 4: -1.5}
PASS_OUR_BET: Final = {2: 0.2, 3: 1.0, 4: 1.0}
BET_WORTH: Final = {2: (-0.05, 0.4), 3: (0.1, 0.85), 4: (0.4, 1.0)}
"""For each bet (a, b): the value a + b * points ahead, because others may bet more."""
CLOSE: Final = 8
"""The score from which on a side is close to winning."""
THEY_ARE_CLOSE: Final = 0.5
WE_WOULD_BE_OUT: Final = 0.6


def _plays_first(ranks: int, order: range) -> float:
    """The chance that our side holds the first dealt trump in this order of ranks."""
    chance, open_so_far = 0.0, 1.0
    for rank in order:
        if ranks >> rank & 1:
            return chance + open_so_far
        chance += open_so_far * PARTNER_HAS
        open_so_far *= NOT_DEALT
    return chance


def _chances(ranks: int, side_aces: int, side_courts: int) -> tuple[list[float], float]:
    """With these trumps: our chances of low, high, jack and game, and the opponents' expected
    points."""
    low = _plays_first(ranks, range(RANKS))
    high = _plays_first(ranks, range(RANKS - 1, -1, -1))
    odds = GAME_START + GAME_PER_TRUMP * ranks.bit_count()
    odds += GAME_SIDE_ACE * side_aces
    odds += GAME_SIDE_COURT * side_courts
    odds += sum([worth for rank, worth in GAME_FOR.items() if ranks >> rank & 1])
    game = 1 / (1 + exp(-odds))
    if ranks >> JACK & 1:
        jack = JACK_HELD[min(ranks.bit_count(), len(JACK_HELD)) - 1]
        their_jack = 1 - jack
    else:
        tops = (ranks >> QUEEN).bit_count()
        jack = 0.15 + 0.06 * tops
        their_jack = 0.37 - 0.07 * tops
    return [low, high, jack, game], 3 - low - high - game + their_jack


def points_ahead(hand: int, suit: int) -> dict[int, float]:
    """For each bet the expected points ahead with this hand and trump."""
    ranks = hand >> suit * RANKS & (1 << RANKS) - 1
    side = hand & ~SUITS[suit]
    courts = (side & (QUEENS | JACKS)).bit_count()
    return points_with(ranks, (side & ACES).bit_count(), courts)


@cache
def points_with(ranks: int, side_aces: int, side_courts: int) -> dict[int, float]:
    """The same for these ranks of trump and numbers of side aces and of side queens and jacks."""
    ours, theirs = _chances(ranks, side_aces, side_courts)
    spread = spread_of(ours)
    return {
        bet: sum([share * (got if got >= bet else -bet) for got, share in enumerate(spread)])
        - theirs
        + LONG_SUIT * ranks.bit_count()
        for bet in range(MIN_BET, MAX_BET + 1)
    }


# Hard: play

KEPT_TRUMP: Final[tuple[float, ...]] = (15.0, 11.0, 8.0, 5.0)
"""Value of keeping a trump in game points, by the number of higher trumps still out."""
KEPT_TRUMP_TEN: Final = 5.0
PARTNER_RESCUES: Final = 0.85
FOLLOWER_BEATS: Final = 0.95
TRUMPS_IN: Final[tuple[float, ...]] = (0.2, 0.06)
"""The chance that an opponent who can trump does so: a minimum, and for each game point."""
JACK_TEMPTS: Final = 20
"""The jack of trump counts as this many game points for that chance."""
BETTOR_LENGTH: Final = 1.5
"""Exponent of the chance that the bettor has no trump to beat a card."""
PARTNER_ADDS: Final = 1.5
OPPONENT_ADDS: Final = 1.5
LOSER_ADDS: Final = 0.3
CATCH: Final = 0.4
"""Added chance to catch a jack that is out by leading a higher trump."""
JACK_KEPT: Final[tuple[float, ...]] = (0.6, 0.1)
"""The chance to keep a jack that may be caught: a minimum, and for each trump."""
JACK_OUT: Final[tuple[float, ...]] = (0.45, 0.12)
"""The chance to take a jack that is out: a minimum, and for each trump above it."""
USUAL_KEPT: Final = 3.5
"""Mean value of keeping a card, in game points."""
CONTESTED: Final = 0.9
"""The share of the unseen cards that either side may still take."""
SQUARES: Final = {TENS: 100, ACES: 16, KINGS: 9, QUEENS: 4}
"""What each card of a rank adds to the variance of the game points."""
LEAST_SPREAD: Final = 2
TIDY: Final = 0.01
"""What a game point adds to the score of a card, so that none is given away for nothing when game
seems decided."""
TIDY_RANK: Final = 0.0001
"""The value of keeping the higher of two cards that are otherwise equally good, for each rank."""


class Inference:
    """What a seat can infer from its view before it scores its cards."""

    __slots__ = ("density", "jack", "lead", "side", "trumps", "unseen", "view")

    def __init__(self, view: SmearView) -> None:
        self.view = view
        self.side = view.seat % 2
        self.trumps = SUITS[view.trump]
        self.jack = view.trump * RANKS + JACK
        self.unseen = unseen_cards(view)
        self.density = 1 - UNDEALT / self.unseen.bit_count()
        self.lead = game_lead(view)

    def kept(self, card: int) -> float:
        """The value of keeping a card, in game points."""
        if not self.trumps >> card & 1:
            return 0.0
        higher = (ABOVE[card] & self.unseen).bit_count()
        extra = KEPT_TRUMP_TEN if card % RANKS == TEN else 0.0
        return KEPT_TRUMP[min(higher, 3)] + extra

    def chance_to_beat(self, seat: int, led: int, best: int, tempting: float) -> float:
        """The chance that a seat still to play beats the card that holds the trick."""
        view = self.view
        pool, size = self.unseen & ~view.voids[seat], view.hand_sizes[seat]
        total = pool.bit_count()
        beats = pool & BEATEN_BY[view.trump][led][best]
        followers, trumps = (beats & ~self.trumps).bit_count(), (beats & self.trumps).bit_count()
        no_trump = chance_of_none(total, trumps, size)
        if seat == view.bettor:
            no_trump **= BETTOR_LENGTH
        if led == view.trump:
            return (1 - no_trump) * FOLLOWER_BEATS
        trumps_in = min(1.0, TRUMPS_IN[0] + TRUMPS_IN[1] * tempting)
        cannot = 1 - (1 - chance_of_none(total, followers, size)) * FOLLOWER_BEATS
        return 1 - cannot * (1 - (1 - no_trump) * trumps_in)

    def chance_to_take(self, card: int, tempting: float) -> float:
        """The chance that our side takes the trick if this card is played."""
        led, best, ours = _on_table(self.view, card)
        chance = 1.0 if ours else 0.0
        for place in range(1, SEATS - len(self.view.trick)):
            seat = (self.view.seat + place) % SEATS
            beats = self.chance_to_beat(seat, led, best, tempting)
            if seat % 2 == self.side:
                chance += (1 - chance) * beats * PARTNER_RESCUES
            else:
                chance *= 1 - beats
        return chance

    def spread(self) -> float:
        """The standard deviation of the game points still to be taken."""
        hand = self.view.hand
        out = hand | self.unseen
        share = CONTESTED * self.density
        tens = (hand & TENS).bit_count() + share * (self.unseen & TENS).bit_count()
        courts = sum([SQUARES[rank] * (out & rank).bit_count() for rank in (ACES, KINGS, QUEENS)])
        return sqrt(SQUARES[TENS] * tens + share * courts + LEAST_SPREAD)


@mypyc_attr(native_class=False)
class HardSmear(Agent):
    """Takes the suit, bet or card with the best expected points."""

    name = "hard"

    def act(self, view: View, legal: list[int], rng: Random) -> Decision:
        if not isinstance(view, SmearView):
            raise TypeError("This agent plays Smear only.")
        if view.phase == PLAYING:
            scores = score_cards(view, honest(view, legal))
            return _best(scores, "expected points from jack and game")
        ahead = [points_ahead(view.hand, suit) for suit in range(4)]
        if view.phase == NAMING:
            scores = {action: ahead[action - TRUMP][view.bet] for action in legal}
        else:
            best = {bet: max([suit[bet] for suit in ahead]) for bet in ahead[0]}
            scores = {action: self._score_bet(view, action, best) for action in legal}
        return _best(scores, "expected points ahead of the opponents in this hand")

    def _score_bet(self, view: SmearView, action: int, ahead: dict[int, float]) -> float:
        side = view.seat % 2
        if action != PASS:
            bet = action - BET
            start, share = BET_WORTH[bet]
            out = WE_WOULD_BE_OUT if view.scores[side] + bet >= TARGET else 0.0
            return start + share * ahead[bet] + out
        danger = THEY_ARE_CLOSE * max(0, view.scores[1 - side] - CLOSE)
        if not view.bet:
            start, share = PASS_NO_BET
            return start + share * ahead[MIN_BET] - danger
        ours = view.bettor % 2 == side
        return (PASS_OUR_BET if ours else PASS_THEIR_BET)[view.bet] - danger


def score_cards(view: SmearView, cards: list[int]) -> Scores:
    """For each card the expected points from jack and game."""
    inferred = Inference(view)
    on_table = sum([WORTH[card] for _, card in view.trick])
    jack_on_table = any(card == inferred.jack for _, card in view.trick)
    kept_all = sum([inferred.kept(card) for card in cards_in(view.hand)])
    to_come = SEATS - 1 - len(view.trick)
    partner_to_come = to_come >= 2
    opponents_to_come = to_come - partner_to_come
    won = PARTNER_ADDS * partner_to_come + LOSER_ADDS * opponents_to_come
    lost = LOSER_ADDS * partner_to_come + OPPONENT_ADDS * opponents_to_come
    usual = USUAL_KEPT * (view.hand.bit_count() - 1)
    spread = inferred.spread()
    scores = {}
    for card in cards:
        value = on_table + WORTH[card]
        jack_here = jack_on_table or card == inferred.jack
        chance = inferred.chance_to_take(card, value + JACK_TEMPTS * jack_here)
        lead = inferred.lead + kept_all - inferred.kept(card) - usual
        game = chance * _normal((lead + value + won) / spread)
        game += (1 - chance) * _normal((lead - value - lost) / spread)
        jack = chance if jack_here else _jack_later(inferred, card, view.hand & ~(1 << card))
        tidy = TIDY * (2 * chance - 1) * value - TIDY_RANK * (card % RANKS)
        scores[card] = game + jack + tidy
    return scores


def _jack_later(inferred: Inference, card: int, rest: int) -> float:
    """The chance of a jack that is not in this trick."""
    if rest >> inferred.jack & 1:
        if not ABOVE[inferred.jack] & inferred.unseen:
            return 1.0
        least, more = JACK_KEPT
        return min(1.0, least + more * (rest & inferred.trumps).bit_count())
    if not inferred.unseen >> inferred.jack & 1:
        return 0.0
    above = ABOVE[inferred.jack]
    least, more = JACK_OUT
    chance = least + more * (rest & above).bit_count()
    if not inferred.view.trick and above >> card & 1:
        chance += CATCH
    return inferred.density * chance


def _normal(deviations: float) -> float:
    """The cumulative normal distribution."""
    return 0.5 * (1 + erf(deviations / sqrt(2)))
