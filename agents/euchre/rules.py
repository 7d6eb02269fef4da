"""Rule players for Euchre: `easy` looks at its own cards, `hard` counts the cards still out."""

from random import Random
from typing import Final

from agents.agent import Agent, Decision
from agents.euchre.count import (
    ACES,
    BEATEN_BY,
    KINGS,
    expected_points,
    higher_out,
    maker_cards,
    own_side,
    points_as_maker,
    points_of_passing,
    unseen_cards,
    value_if_kept,
)
from agents.odds import chance_of_none
from engine.compiling import mypyc_attr
from engine.game import View
from engine.games.euchre import (
    ALONE,
    CALL,
    DISCARD,
    NEXT_SEAT,
    NOBODY,
    ORDER_UP,
    ORDERING,
    PASS,
    PLAYING,
    RANKS,
    SOLOIST,
    TRICKS,
    TRUMP_LOOKUPS,
    EuchreView,
)

Scores = dict[int, float]


@mypyc_attr(native_class=False)
class EuchreRules(Agent):
    """Gives each action a score and takes the highest."""

    bids_mean: str
    discards_mean: str
    cards_mean: str

    def act(self, view: View, legal: list[int], rng: Random) -> Decision:
        if not isinstance(view, EuchreView):
            raise TypeError("This agent plays Euchre only.")
        if view.phase == PLAYING:
            scores, meaning = self.score_cards(view, legal), self.cards_mean
        elif DISCARD <= legal[0] < PASS:
            scores, meaning = self.score_discards(view, legal), self.discards_mean
        else:
            scores, meaning = self.score_bids(view, legal), self.bids_mean
        return Decision(max(legal, key=scores.__getitem__), scores, meaning)

    def score_bids(self, view: EuchreView, legal: list[int]) -> Scores:
        raise NotImplementedError

    def score_discards(self, view: EuchreView, legal: list[int]) -> Scores:
        raise NotImplementedError

    def score_cards(self, view: EuchreView, legal: list[int]) -> Scores:
        raise NotImplementedError


def called_suit(view: EuchreView, bid: int) -> int:
    """The trump suit of a bid, or the one already made."""
    if bid == ORDER_UP:
        return view.up_card // RANKS
    return bid - CALL if CALL <= bid < ALONE else view.trump


# The easy player

EASY_ASKS: Final = 3
"""Trumps and aces that the easy player needs for a bid; the soloist needs one more."""


@mypyc_attr(native_class=False)
class EasyEuchre(EuchreRules):
    """Counts its trumps and aces and wins a trick if it can. It remembers no cards."""

    name = "easy"
    bids_mean = "trumps and aces held; for a pass, the number that is too few"
    discards_mean = "weakness of the card; trumps count as strong"
    cards_mean = "its order of preference: lead high, win cheaply, else throw low"

    def score_bids(self, view: EuchreView, legal: list[int]) -> Scores:
        scores: Scores = {}
        for bid in legal:
            if bid == PASS:
                scores[bid] = EASY_ASKS + bool(view.dummy and view.seat == SOLOIST) - 0.5
                continue
            trump = called_suit(view, bid)
            good = maker_cards(view, bid == ALONE) & (TRUMP_LOOKUPS[trump].follow[trump] | ACES)
            count = min(good.bit_count(), TRICKS)
            scores[bid] = -1.0 if bid == ALONE and count < TRICKS else float(count)
        return scores

    def score_discards(self, view: EuchreView, legal: list[int]) -> Scores:
        strength = TRUMP_LOOKUPS[view.trump].strength
        suit_of = TRUMP_LOOKUPS[view.trump].suit_of
        cards = [action - DISCARD for action in legal]
        return {DISCARD + card: -float(strength[suit_of[card]][card]) for card in cards}

    def score_cards(self, view: EuchreView, legal: list[int]) -> Scores:
        tables = TRUMP_LOOKUPS[view.trump]
        if not view.trick:
            return {card: float(tables.strength[tables.suit_of[card]][card]) for card in legal}
        strength = tables.strength[tables.suit_of[view.trick[0][1]]]
        best = max([strength[card] for _, card in view.trick])
        ranks = {card: strength[card] + card % RANKS / RANKS for card in legal}
        return {
            card: 200.0 - ranks[card] if strength[card] > best else -ranks[card] for card in legal
        }


# The hard player's cards

LONE_CARD_PLAYED: Final = 0.05
LONE_CARD_DISCARDED: Final = 0.15
"""How much less a losing card is worth if it is the only one of its suit: without it, the hand can
ruff."""

DRAW_TRUMPS: Final = 0.1
"""Value of leading a trump for the maker's side, and its cost for the other side."""

PARTNER_HELPS: Final = 0.4
"""How often a partner who can beat an opponent's card does so."""


class Inference:
    """What a seat can infer from its view once trump is made.

    unseen   cards that may be in another hand
    sure     for each seat the cards that it certainly holds: the up-card, trumps of the dummy
    pools    for each seat the cards that the rest of its hand may come from
    """

    __slots__ = ("ours", "pools", "sure", "tables", "trump", "unseen", "view")

    def __init__(self, view: EuchreView) -> None:
        self.view = view
        self.trump = view.trump
        self.tables = TRUMP_LOOKUPS[view.trump]
        self.ours = own_side(view)
        self.unseen = unseen_cards(view)
        self.sure = [0] * len(view.hand_sizes)
        discarded = 0
        if view.ordered_up:
            self.sure[view.dealer] = self.unseen & 1 << view.up_card
        if view.dummy_taken and view.seat != SOLOIST:
            trumps = self.tables.follow[view.trump]
            self.sure[SOLOIST] |= self.unseen & view.dummy & trumps
            discarded = view.dummy & ~(trumps | ACES | KINGS)
        placed = 0
        for cards in self.sure:
            placed |= cards
        self.pools = [self.unseen & ~(placed | void) for void in view.voids]
        self.pools[SOLOIST] &= ~discarded

    def value_kept(self, card: int, lone_card: float) -> float:
        """The value of keeping this card, in tricks."""
        worth = value_if_kept(self.trump, card, self.unseen)
        hand, follow = self.view.hand, self.tables.follow
        suit = self.tables.suit_of[card]
        if (
            suit != self.trump
            and hand & follow[suit] == 1 << card
            and hand & follow[self.trump]
            and higher_out(self.trump, card, self.unseen)
        ):
            worth -= lone_card
        return worth

    def chance_to_beat(self, seat: int, led: int, card: int) -> float:
        """The chance that a seat can beat the card that holds the trick."""
        beaten_by = BEATEN_BY[self.trump][led][card]
        follow, trumps = self.tables.follow[led], self.tables.follow[self.trump]
        sure, pool = self.sure[seat], self.pools[seat]
        if sure & follow & beaten_by:
            return 1.0
        total, following = pool.bit_count(), (pool & follow).bit_count()
        drawn = max(0, self.view.hand_sizes[seat] - sure.bit_count())
        chance = 1.0 - chance_of_none(total, (pool & follow & beaten_by).bit_count(), drawn)
        if led == self.trump or sure & follow:
            return chance
        void = chance_of_none(total, following, drawn)
        if sure & trumps & beaten_by:
            return chance + void
        ruffs = (pool & trumps & beaten_by).bit_count()
        return chance + void * (1.0 - chance_of_none(total - following, ruffs, drawn))

    def chance_to_take(self, card: int) -> float:
        """The chance that this seat's side takes the trick if it plays this card."""
        view = self.view
        led, best, ours = self.tables.suit_of[card], card, True
        if view.trick:
            led = self.tables.suit_of[view.trick[0][1]]
            holding = dict(view.trick)[view.winner]
            if not BEATEN_BY[self.trump][led][holding] >> card & 1:
                best, ours = holding, view.winner in self.ours
        chance = 1.0 if ours else 0.0
        seats = len(view.hand_sizes)
        playing = seats - (view.sits_out != NOBODY)
        seat = view.seat
        for _ in range(playing - len(view.trick) - 1):
            seat = NEXT_SEAT[seats, view.sits_out][seat]
            beats = self.chance_to_beat(seat, led, best)
            if seat in self.ours:
                chance += (1.0 - chance) * beats * PARTNER_HELPS
            else:
                chance *= 1.0 - beats
        return chance


@mypyc_attr(native_class=False)
class HardEuchre(EuchreRules):
    """Counts the cards it has seen and takes the action with the best expected result."""

    name = "hard"
    bids_mean = "expected points of this hand"
    discards_mean = "tricks gained by discarding this card"
    cards_mean = "chance that our side takes the trick, minus the value of keeping the card"

    def score_bids(self, view: EuchreView, legal: list[int]) -> Scores:
        scores: Scores = {}
        for bid in legal:
            if bid == PASS:
                up = view.up_card // RANKS
                ordering_up = points_as_maker(view, up) if view.phase == ORDERING else 0.0
                scores[bid] = points_of_passing(view, ordering_up)
            elif bid < ALONE:
                scores[bid] = points_as_maker(view, called_suit(view, bid))
            else:
                scores[bid] = expected_points(view, view.trump, alone=bid == ALONE)
        return scores

    def score_discards(self, view: EuchreView, legal: list[int]) -> Scores:
        inferred = Inference(view)
        return {
            action: -inferred.value_kept(action - DISCARD, LONE_CARD_DISCARDED) for action in legal
        }

    def score_cards(self, view: EuchreView, legal: list[int]) -> Scores:
        inferred = Inference(view)
        trumps = inferred.tables.follow[view.trump]
        draw_trumps = DRAW_TRUMPS if view.maker in inferred.ours else -DRAW_TRUMPS
        scores: Scores = {}
        for card in legal:
            score = inferred.chance_to_take(card) - inferred.value_kept(card, LONE_CARD_PLAYED)
            if not view.trick and trumps >> card & 1 and inferred.unseen & trumps:
                score += draw_trumps
            scores[card] = score
        return scores
