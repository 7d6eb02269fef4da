"""Network inputs of Euchre: every field of the view, with the suits sorted by their role."""

from collections.abc import Sequence
from functools import cache
from typing import Any, ClassVar

from agents.learners.field_encoding import ActionFacts, FieldEncoding
from agents.learners.relabelling import SuitOrder
from agents.odds import beaten_by
from engine.cards import SUIT_NAMES
from engine.games.euchre import (
    ALL_CARDS,
    ALONE,
    CALL,
    CALLING,
    CARDS,
    DISCARD,
    JACK,
    LABELS,
    ORDER_UP,
    PACK,
    PASS,
    RANKS,
    SAME_COLOUR,
    TRICKS,
    TRUMP_LOOKUPS,
    EuchreView,
    left_bower,
)
from engine.tricks import NO_SUIT

_SUIT = (1 << RANKS) - 1


class EuchreSuits(SuitOrder):
    """Trump first, or the suit of the up-card while trump is open; then the other suit of its
    colour, then the rest by own cards. Each call is seen as if its suit were trump."""

    def __init__(self) -> None:
        super().__init__(PACK, SUIT_NAMES, LABELS)
        self._orders = {
            (first, swapped): self._number(first, swapped)
            for first in range(4)
            for swapped in (False, True)
        }

    def _number(self, first: int, swapped: bool) -> int:
        second = SAME_COLOUR[first]
        rest = [suit for suit in range(4) if suit not in (first, second)]
        return self.index[first, second, *(rest[::-1] if swapped else rest)]

    def number(self, view: Any) -> int:
        return self._with_first(
            view.up_card // RANKS if view.trump == NO_SUIT else view.trump, view.hand
        )

    def numbers(self, view: Any, legal: Sequence[int]) -> list[int]:
        if view.phase != CALLING:
            return []
        return [
            self.number(view) if action == PASS else self._with_first(action - CALL, view.hand)
            for action in legal
        ]

    def _with_first(self, first: int, hand: int) -> int:
        # The two suits of the other colour have the numbers 1 and 2, or 0 and 3.
        low, high = (1, 2) if first in (0, 3) else (0, 3)
        return self._orders[first, (hand >> low * RANKS & _SUIT) < (hand >> high * RANKS & _SUIT)]


_BEATEN = [beaten_by(lookup) for lookup in TRUMP_LOOKUPS]
"""For each trump, led suit and card: the cards that beat it."""

_STRENGTH = [
    [lookup.strength[lookup.suit_of[card]][card] % 100 for card in range(CARDS)]
    for lookup in TRUMP_LOOKUPS
]
"""For each trump the strength of each card within its suit."""

_LEAD, _BEATS, _LOSES = range(3)
_OURS, _PARTNERS, _THEIRS = range(3)
_STRENGTHS = 8
_MOST_ABOVE = 5
_MOST_HELD = 6
_MOST_TRUMPS = 7
_ACES = sum([1 << suit * RANKS + RANKS - 1 for suit in range(4)])
_NONE = (0,) * 4
_OF_PLAY = (
    1 + 3 * 2 * _STRENGTHS,
    1 + (_MOST_ABOVE + 1) * 3 * 4,
    1 + 3 * 4 * 2 * TRICKS,
    1 + _MOST_HELD * 2 * 2,
)
_OF_OTHERS = (2 * _STRENGTHS * _MOST_HELD, (_MOST_TRUMPS + 1) * 4, 4 * 4, 0)
_SIZES = tuple([play + other for play, other in zip(_OF_PLAY, _OF_OTHERS, strict=True)])


class EuchreFacts(ActionFacts):
    """Facts about an action. Each is 0 where it says nothing.

    A card that is played: whether it beats the trick so far, how many unseen cards would beat it,
    who then holds the trick. A discard: its strength and the cards of its suit. Choosing trump:
    the trumps, aces and empty suits in the hand.
    """

    sizes: ClassVar[tuple[int, ...]] = _SIZES

    def of(self, view: Any, legal: Sequence[int]) -> list[tuple[int, ...]]:
        first = legal[0]
        if first < DISCARD:
            return self._of_plays(view, legal)
        if first < PASS:
            return [self._of_discard(view, action - DISCARD) for action in legal]
        return [self._of_call(view, action) for action in legal]

    def _of_plays(self, view: EuchreView, legal: Sequence[int]) -> list[tuple[int, ...]]:
        trick, trump, hand = view.trick, view.trump, view.hand
        lookup, beaten = TRUMP_LOOKUPS[trump], _BEATEN[trump]
        seen = hand | view.played | view.own_discards | 1 << view.up_card
        if not view.dummy_taken:
            seen |= view.dummy
        unseen = ALL_CARDS & ~seen
        side = view.sides[0] if view.seat in view.sides[0] else view.sides[1]
        to_come = view.trick_size - 1 - len(trick)
        makers = view.maker in side
        tricks = view.tricks[view.seat not in view.sides[0]]
        held_by = led = best = 0
        if trick:
            led = lookup.suit_of[trick[0][1]]
            best = dict(trick)[view.winner]
            held_by = _PARTNERS if view.winner in side else _THEIRS
        facts: list[tuple[int, ...]] = []
        for card in legal:
            suit = lookup.suit_of[card]
            holder = _OURS
            if not trick:
                standing, above = _LEAD, beaten[suit][card]
            elif beaten[led][best] >> card & 1:
                standing, above = _BEATS, beaten[led][card]
            else:
                standing, above, holder = _LOSES, beaten[led][best], held_by
            higher = min((above & unseen).bit_count(), _MOST_ABOVE)
            is_trump = suit == trump
            length = (hand & lookup.follow[suit]).bit_count() - 1
            facts.append(
                (
                    1 + (standing * 2 + is_trump) * _STRENGTHS + _STRENGTH[trump][card],
                    1 + (higher * 3 + standing) * 4 + to_come,
                    1 + ((holder * 4 + to_come) * 2 + makers) * TRICKS + tricks,
                    1 + (length * 2 + is_trump) * 2 + (standing == _LEAD),
                )
            )
        return facts

    def _of_discard(self, view: EuchreView, card: int) -> tuple[int, ...]:
        lookup = TRUMP_LOOKUPS[view.trump]
        suit = lookup.suit_of[card]
        length = min((view.hand & lookup.follow[suit]).bit_count(), _MOST_HELD) - 1
        is_trump = suit == view.trump
        strength = _STRENGTH[view.trump][card]
        first = _OF_PLAY[0]
        return (first + (is_trump * _STRENGTHS + strength) * _MOST_HELD + length, 0, 0, 0)

    def _of_call(self, view: EuchreView, action: int) -> tuple[int, ...]:
        if action == ORDER_UP:
            trump = view.up_card // RANKS
        elif CALL <= action < ALONE:
            trump = action - CALL
        elif action >= ALONE:
            trump = view.trump
        else:
            return _NONE
        hand, follow = view.hand, TRUMP_LOOKUPS[trump].follow
        trumps = min((hand & follow[trump]).bit_count(), _MOST_TRUMPS)
        right = hand >> trump * RANKS + JACK & 1
        left = hand >> left_bower(trump) & 1
        aces = (hand & _ACES & ~follow[trump]).bit_count()
        empty = sum([not hand & follow[suit] for suit in range(4) if suit != trump])
        _, second, third, _ = _OF_PLAY
        return (0, second + trumps * 4 + 2 * right + left, third + aces * 4 + empty, 0)


@cache
def euchre_encoding() -> FieldEncoding:
    return FieldEncoding(
        "euchre",
        maker=euchre_encoding,
        leave_out=("turn", "last_trick", "last_winner", "last_points", "hand_sizes", "played"),
        relabelling=EuchreSuits(),
        facts=EuchreFacts(),
        by_players=True,
    )  # fmt: skip
