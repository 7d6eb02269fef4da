"""What trick games with a trump suit share: following suit and the strength of cards."""

from collections.abc import Callable, Sequence
from typing import Final

from engine.cards import Pack
from engine.game import Played

NO_SUIT: Final = -1
"""The trump suit while there is none."""


class TrumpLookup:
    """Everything about one trump suit that a trick asks for, by look-up.

    suit_of   the suit each card belongs to (Euchre's left bower belongs to trump)
    follow    for each led suit the mask of the cards that follow it
    strength  for each led suit the strength of each card; 0 cannot take the trick
    leads     for each card led: the cards that follow it, the strengths of all cards in
              that trick, and its own
    """

    __slots__ = ("follow", "leads", "strength", "suit_of")

    def __init__(
        self,
        pack: Pack,
        trump: int,
        suit_of: Callable[[int], int],
        rank_of: Callable[[int], int],
    ) -> None:
        cards = range(len(pack.codes))
        self.suit_of: list[int] = [suit_of(card) for card in cards]
        self.follow: list[int] = [
            sum([1 << card for card in cards if self.suit_of[card] == led])
            for led in range(pack.suits)
        ]
        self.strength: list[list[int]] = []
        for led in range(pack.suits):
            row = []
            for card in cards:
                if self.suit_of[card] == trump:
                    row.append(100 + rank_of(card))
                elif self.suit_of[card] == led:
                    row.append(1 + rank_of(card))
                else:
                    row.append(0)
            self.strength.append(row)
        self.leads: list[tuple[int, list[int], int]] = [
            (self.follow[led], self.strength[led], self.strength[led][card])
            for card, led in enumerate(self.suit_of)
        ]


def shown_voids(
    history: Sequence[Played], seats: int, trick_size: int, lookup: TrumpLookup, always_allowed: int
) -> tuple[int, ...]:
    """For each seat a mask of the cards it has shown not to hold, by not following a lead.

    history          the actions of a hand; those that are cards of the pack play them
    always_allowed   cards that may be played on any lead, and so show nothing
    """
    voids = [0] * seats
    cards = len(lookup.suit_of)
    plays = [each for each in history if 0 <= each[1] < cards]
    follow_voids(voids, plays, 0, 0, trick_size, lookup, always_allowed)
    return tuple(voids)


def follow_voids(
    voids: list[int],
    history: list[Played],
    first: int,
    seen: int,
    trick_size: int,
    lookup: TrumpLookup,
    always_allowed: int,
) -> None:
    """Add to each seat's voids what the cards of a hand show, from card number `seen` on.

    first   where in the history the first card of the hand stands
    """
    for at in range(seen, len(history) - first):
        place = at % trick_size
        if place:
            seat, card = history[first + at]
            follow = lookup.leads[history[first + at - place][1]][0]
            if not (follow | always_allowed) >> card & 1:
                voids[seat] |= follow
