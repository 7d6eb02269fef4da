"""Network inputs of Fodinha: cards by their strength under the power rank."""

from bisect import bisect_right
from collections.abc import Sequence
from functools import cache
from typing import Any, ClassVar

from agents.learners.field_encoding import ActionFacts, FieldEncoding
from agents.learners.relabelling import Relabelling
from engine.cards import mask_of
from engine.fields import NONE, Number, PerSeat, Seat
from engine.games.fodinha import (
    CALL,
    CARDS,
    DECKS,
    NO_CALL,
    NUM_ACTIONS,
    PLAY_HIDDEN,
    RANKS,
    STRENGTH,
    FodinhaView,
    winner_of,
)  # fmt: skip

_SEATS = 4
_STRENGTHS = RANKS - 1 + 4
"""Twelve ranks without power, and four power cards."""


def _place(power: int, card: int) -> int:
    strength = STRENGTH[power][card]
    return strength - (strength > power)


class FodinhaStrengths(Relabelling):
    """Cards of the same strength share a place, and playing them is the same move."""

    def __init__(self) -> None:
        places = [[_place(power, card) for card in range(CARDS)] for power in range(RANKS)]
        others = [_STRENGTHS + action - CARDS for action in range(PLAY_HIDDEN, NUM_ACTIONS)]
        super().__init__(places, [each + others for each in places])

    def number(self, view: Any) -> int:
        power: int = view.power
        return power


def _needs(view: FodinhaView) -> list[int]:
    """For each seat how many tricks it still needs; -1 before its call, 0 once it has all."""
    return [
        -1 if call == NO_CALL else max(call - won, 0)
        for call, won in zip(view.calls, view.wins, strict=True)
    ]


def _surplus(view: FodinhaView) -> list[int]:
    """For each seat how many tricks it has won beyond its call."""
    return [
        -1 if call == NO_CALL else max(won - call, 0)
        for call, won in zip(view.calls, view.wins, strict=True)
    ]


def _to_place(view: FodinhaView) -> int:
    """The tricks of the round that nobody has called yet, from -10 to 10."""
    called: int = sum([call for call in view.calls if call != NO_CALL])
    left: int = view.size - called
    return max(-10, min(10, left))


def _winner(view: FodinhaView) -> int:
    """The seat that is winning the trick so far."""
    return winner_of(view.trick, view.power, view.rules.pairs) if view.trick else NONE


_STRONGER = [
    [
        sum([1 << other for other in range(CARDS) if strength[other] > strength[card]])
        for card in range(CARDS)
    ]
    for strength in STRENGTH
]
"""For each power rank and card the mask of the stronger cards."""

_LEAD, _WINS, _LOSES, _CANCELS = range(4)
_ABOVE = (1, 2, 3, 5, 8, 12)
_MOST_TO_COME = 4
_MOST_NEEDED = 3
_MOST_LEFT = 4
_MOST_CALLED = 5
_MOST_STRONG = 4
_STRONG = (2, 6, 12)
_OF_CARD = (
    1 + 4 * (len(_ABOVE) + 1) * (_MOST_TO_COME + 1),
    1 + 4 * (_MOST_NEEDED + 1) * (_MOST_LEFT + 1),
    1 + (_MOST_LEFT + 1) * (_MOST_LEFT + 1) * (_MOST_NEEDED + 1),
    1,
)
_OF_CALL = (
    *[(_MOST_CALLED + 1) * (_MOST_STRONG + 1)] * len(_STRONG),
    (_MOST_CALLED + 1) * 6 * (_MOST_TO_COME + 1),
)
_SIZES = tuple([card + call for card, call in zip(_OF_CARD, _OF_CALL, strict=True)])


class FodinhaFacts(ActionFacts):
    """Facts about an action. Each is 0 where it says nothing.

    A card: how it stands in the trick, how many unseen cards are stronger, how many own cards are
    stronger and weaker, and the tricks still needed. A call: the own cards that few unseen cards
    beat, and the tricks that nobody has called yet.
    """

    sizes: ClassVar[tuple[int, ...]] = _SIZES

    def of(self, view: Any, legal: Sequence[int]) -> list[tuple[int, ...]]:
        if legal[0] < CARDS:
            return self._of_cards(view, legal)
        if legal[0] >= CALL:
            return self._of_calls(view, legal)
        return [(0,) * len(self.sizes)] * len(legal)

    def _unseen(self, view: FodinhaView) -> int:
        seen = mask_of(view.turned) if view.turned else 0
        for hand in view.hands:
            for card in hand:
                seen |= 1 << card
        for _, action in view.history:
            if action < CARDS:
                seen |= 1 << action
        return mask_of(DECKS[view.rules.range]) & ~seen

    def _of_cards(self, view: FodinhaView, legal: Sequence[int]) -> list[tuple[int, ...]]:
        trick, power, pairs = view.trick, view.power, view.rules.pairs
        stronger, unseen = _STRONGER[power], self._unseen(view)
        hand = mask_of(legal)
        alive = sum([not out for out in view.out_in])
        to_come = min(alive - 1 - len(trick), _MOST_TO_COME)
        winner = winner_of(trick, power, pairs) if trick else NONE
        call, won = view.calls[view.seat], view.wins[view.seat]
        needed = max(0, min(call - won, _MOST_NEEDED))
        left = min(len(legal) - 1, _MOST_LEFT)
        facts: list[tuple[int, ...]] = []
        known: dict[int, tuple[int, ...]] = {}
        for card in legal:
            strength = STRENGTH[power][card]
            if strength in known:
                facts.append(known[strength])
                continue
            if not trick:
                standing = _LEAD
            else:
                after = winner_of((*trick, (view.seat, card)), power, pairs)
                standing = _WINS if after == view.seat else _LOSES if after == winner else _CANCELS
            above = bisect_right(_ABOVE, (stronger[card] & unseen).bit_count())
            mine = min((stronger[card] & hand).bit_count(), _MOST_LEFT)
            weaker = min(len(legal) - 1 - (stronger[card] & hand).bit_count(), _MOST_LEFT)
            known[strength] = (
                1 + (standing * (len(_ABOVE) + 1) + above) * (_MOST_TO_COME + 1) + to_come,
                1 + (standing * (_MOST_NEEDED + 1) + needed) * (_MOST_LEFT + 1) + left,
                1 + (mine * (_MOST_LEFT + 1) + weaker) * (_MOST_NEEDED + 1) + needed,
                0,
            )
            facts.append(known[strength])
        return facts

    def _of_calls(self, view: FodinhaView, legal: Sequence[int]) -> list[tuple[int, ...]]:
        stronger, unseen = _STRONGER[view.power], self._unseen(view)
        above = [(stronger[card] & unseen).bit_count() for card in view.hand]
        strong = [min(sum([number <= most for number in above]), _MOST_STRONG) for most in _STRONG]
        called = [call for call in view.calls if call != NO_CALL]
        still = view.size - sum(called)
        to_come = min(sum([not out for out in view.out_in]) - 1 - len(called), _MOST_TO_COME)
        one, two, three, four = _OF_CARD
        facts: list[tuple[int, ...]] = []
        for action in legal:
            call = min(action - CALL, _MOST_CALLED)
            rest = max(-2, min(3, still - (action - CALL))) + 2
            at = call * (_MOST_STRONG + 1)
            facts.append(
                (
                    one + at + strong[0],
                    two + at + strong[1],
                    three + at + strong[2],
                    four + (call * 6 + rest) * (_MOST_TO_COME + 1) + to_come,
                )
            )
        return facts


@cache
def fodinha_encoding() -> FieldEncoding:
    return FieldEncoding(
        "fodinha",
        maker=fodinha_encoding,
        seats=_SEATS,
        leave_out=("turn", "hand", "hand_sizes", "last_trick", "last_winner", "last_power",
                   "last_calls", "last_wins", "last_points", "history", "wins", "leader",
                   "rising"),
        extras={
            "needs": (PerSeat(Number(9)), _needs),
            "surplus": (PerSeat(Number(3)), _surplus),
            "to place": (Number(10, low=-10), _to_place),
            "winner": (Seat(), _winner),
        },
        relabelling=FodinhaStrengths(),
        facts=FodinhaFacts(),
    )  # fmt: skip
