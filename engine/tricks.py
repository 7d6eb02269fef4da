"""What trick games with a trump suit share: following suit and the strength of cards."""

from collections.abc import Callable

from engine.cards import Pack

NO_SUIT = -1
"""The trump suit while there is none."""


class TrumpTables:
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
