"""Network inputs of Smear: every field of the view, with the suits sorted by their role."""

from bisect import bisect_right
from collections.abc import Sequence
from functools import cache
from typing import Any, ClassVar

from agents.learners.field_encoding import ActionFacts, FieldEncoding
from agents.learners.relabelling import SuitOrder
from agents.odds import beaten_by
from engine.cards import SUIT_NAMES
from engine.fields import Number, PerSide
from engine.games.smear import (
    ALL_CARDS,
    GAME_POINTS,
    HAND_SIZE,
    JACK,
    LABELS,
    NAMING,
    PACK,
    PLAYING,
    RANKS,
    SEATS,
    TRUMP,
    TRUMP_LOOKUPS,
    SmearView,
    game_points,
)
from engine.tricks import NO_SUIT

_SUIT = (1 << RANKS) - 1
_MOST_GAME = 30
_BEATEN = [beaten_by(lookup) for lookup in TRUMP_LOOKUPS]
"""For each trump, led suit and card: the cards that beat it."""


class SmearSuits(SuitOrder):
    """Trump first, then by own cards: the suit with the highest card before the others. Each
    suit that may be named is seen as if it were trump."""

    def __init__(self) -> None:
        super().__init__(PACK, SUIT_NAMES, LABELS)

    def number(self, view: Any) -> int:
        return self._with_trump(view.trump, view.hand)

    def numbers(self, view: Any, legal: Sequence[int]) -> list[int]:
        if view.phase != NAMING:
            return []
        return [self._with_trump(action - TRUMP, view.hand) for action in legal]

    def _with_trump(self, trump: int, hand: int) -> int:
        keys = [-(hand >> suit * RANKS & _SUIT) for suit in range(4)]
        if trump != NO_SUIT:
            keys[trump] = -1 << RANKS
        order = sorted(range(4), key=keys.__getitem__)
        return self.index[order[0], order[1], order[2], order[3]]


_LEAD, _BEATS, _LOSES = range(3)
_OURS, _PARTNERS, _THEIRS = range(3)
_MOST_ABOVE = 4
_WORTHS = (1, 5, 10, 15)
_NO_CARD = 0


class SmearFacts(ActionFacts):
    """Facts about a card, if it is played now: whether it beats the trick so far, how many unseen
    cards would beat it, what lies in the trick, and who then holds it. Each fact is 0 for a bet
    and for a suit to name."""

    sizes: ClassVar[tuple[int, ...]] = (
        1 + 3 * 2 * RANKS,
        1 + (_MOST_ABOVE + 1) * 3 * SEATS,
        1 + (len(_WORTHS) + 1) * 3 * SEATS,
        1 + 3 * 3,
        1 + HAND_SIZE * 2,
    )

    def of(self, view: Any, legal: Sequence[int]) -> list[tuple[int, ...]]:
        if view.phase != PLAYING:
            return [(_NO_CARD,) * len(self.sizes)] * len(legal)
        trick, trump, hand = view.trick, view.trump, view.hand
        unseen = ALL_CARDS & ~hand & ~view.played
        to_come = SEATS - 1 - len(trick)
        jack = trump * RANKS + JACK
        jack_lies = worth = 0
        led = best = holder = 0
        for _, card in trick:
            worth += GAME_POINTS[card % RANKS]
            jack_lies |= card == jack
        if trick:
            led = trick[0][1] // RANKS
            best = dict(trick)[view.winner]
            holder = _PARTNERS if (view.winner - view.seat) % 2 == 0 else _THEIRS
        facts: list[tuple[int, ...]] = []
        for card in legal:
            suit, rank = divmod(card, RANKS)
            if not trick:
                standing, held = _LEAD, _OURS
                above = _BEATEN[trump][suit][card]
            elif _BEATEN[trump][led][best] >> card & 1:
                standing, held = _BEATS, _OURS
                above = _BEATEN[trump][led][card]
            else:
                standing, held = _LOSES, holder
                above = _BEATEN[trump][led][best]
            higher = min((above & unseen).bit_count(), _MOST_ABOVE)
            is_trump = suit == trump
            total = bisect_right(_WORTHS, worth + GAME_POINTS[rank])
            with_jack = 2 if card == jack else jack_lies
            length = (hand >> suit * RANKS & _SUIT).bit_count() - 1
            facts.append(
                (
                    1 + (standing * 2 + is_trump) * RANKS + rank,
                    1 + (higher * 3 + standing) * SEATS + to_come,
                    1 + (total * 3 + held) * SEATS + to_come,
                    1 + with_jack * 3 + held,
                    1 + length * 2 + is_trump,
                )
            )
        return facts


def _game(view: SmearView) -> list[int]:
    """For each side what it took in towards the point for game, up to 30."""
    return [min(game_points(cards), _MOST_GAME) for cards in view.taken]


@cache
def smear_encoding() -> FieldEncoding:
    return FieldEncoding(
        "smear",
        maker=smear_encoding,
        leave_out=("turn", "last_trick", "last_winner", "last_points", "hand_sizes", "follows",
                   "played", "history"),
        extras={"game": (PerSide(Number(_MOST_GAME)), _game)},
        relabelling=SmearSuits(),
        facts=SmearFacts(),
    )  # fmt: skip
