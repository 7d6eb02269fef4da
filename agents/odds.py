"""Odds and lookups that agents of several card games share."""

from collections.abc import Sequence
from math import comb, exp, log
from typing import Final

from engine.cards import mask_of
from engine.tricks import TrumpLookup

SMALLEST: Final = 1e-4
"""Chances closer to 0 or 1 than this have the log-odds of this distance."""


def log_odds(chance: float) -> float:
    """The logarithm of the odds. Strengths add up on this scale."""
    inside = min(max(chance, SMALLEST), 1 - SMALLEST)
    return log(inside / (1 - inside))


def shifted(chance: float, by: float) -> float:
    """The chance with its log-odds shifted. An impossible or certain event stays so."""
    if chance <= 0 or chance >= 1:
        return chance
    odds = chance / (1 - chance) * exp(by)
    return odds / (1 + odds)


def chance_of_none(total: int, marked: int, drawn: int) -> float:
    """The chance that none of the marked cards is among those drawn."""
    if drawn > total:
        return 0.0 if marked else 1.0
    return comb(total - marked, drawn) / comb(total, drawn)


def spread_of(chances: Sequence[float]) -> list[float]:
    """The probability of each number of successes, for independent tries with these chances."""
    spread = [1.0]
    for chance in chances:
        lost = 1.0 - chance
        longer = [part * lost for part in spread]
        longer.append(0.0)
        for wins, part in enumerate(spread):
            longer[wins + 1] += part * chance
        spread = longer
    return spread


def beaten_by(tables: TrumpLookup) -> list[list[int]]:
    """For each led suit and card: the mask of the cards that beat it."""
    cards = range(len(tables.suit_of))
    return [
        [mask_of([card for card in cards if row[card] > strength]) for strength in row]
        for row in tables.strength
    ]
