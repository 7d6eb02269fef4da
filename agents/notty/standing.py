"""The chance of each player to go out first, from the hands and the deck alone, to measure luck."""

from collections.abc import Sequence
from math import exp, log
from typing import Final

from agents.notty.rules import Hand, Outlook, Prospect, hand_of, outlook_of, without
from agents.odds import SMALLEST
from engine.cards import cards_in
from engine.game import View
from engine.games.notty import NottyView

TRUST: Final = 0.25
"""The power of a race's odds. Many changes of a race are undone by thefts and lucky draws before it
ends. With this power the results without luck vary least, in 180 matches between `random`, `easy`,
`hard` and `search` on tuning deals: 57 % of the variance is left, and 90 % with 0.7."""

STRENGTH: Final = 0.6
"""How much of a difference in strength is still to come during a match; fitted to the same."""


def chances_by_hands(view: View, strengths: Sequence[float]) -> list[float]:
    """The chance of each seat to win, at any moment of a match.

    Every turn of a player is taken to be equally likely to be the last.

    strengths   in log-odds, for each seat
    """
    if not isinstance(view, NottyView):
        raise TypeError("These chances are for Notty only.")
    outlook, seats = outlook_of(view.deck), len(view.hands)
    prospects = [outlook.prospect(hand_of(hand)) for hand in view.hands]
    if view.exchanging:
        prospects[view.turn] = _after_discard(outlook, hand_of(view.hands[view.turn]))
    # A seat that has exchanged can only go out in this turn with the groups that it holds.
    later = view.exchanged and prospects[view.turn].left > 0
    weights = [0.0] * seats
    still = 1.0
    for step in range(seats):
        seat = (view.turn + later + step) % seats
        out = 1 / max(prospects[seat].turns, 1.0)
        weights[seat] = still * out
        still *= 1 - out
    odds = [
        exp(TRUST * log(max(weight, SMALLEST)) + STRENGTH * strength)
        for weight, strength in zip(weights, strengths, strict=True)
    ]
    return [each / sum(odds) for each in odds]


def _after_discard(outlook: Outlook, hand: Hand) -> Prospect:
    """The prospect after the best discard of an exchange."""
    rests = [outlook.prospect(without(hand, 1 << card)) for card in cards_in(hand[0])]
    return min(rests, key=lambda each: each.turns)
